"""What a library holds near a topic: similarities beside those that random topics reach, and words in common.

The random topics are triples of words of unrelated fields. Hardly any paper is about one, so the similarity of the
paper that is nearest to one of them is what chance reaches in this library, with this embedder.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from novum.core import Paper
from novum.core.arrays import Floats, Ints

RANDOM_TOPICS = (
    "harpsichord lawsuit orchid", "tractor sermon eyelid", "cathedral mortgage lichen", "wrestling pottery cyclone",
    "dowry saxophone lobster", "railway incense kidney", "parliament cactus violin", "butter comet inheritance",
    "pilgrimage asthma bicycle", "shipyard novelist spider", "tariff mosaic hurdle", "elephant notary pavement",
    "folklore bridge thyroid", "jury asteroid carpet", "dialect chimney goat", "hospice cinema sandstone",
    "wedding lathe mushroom", "tenant waltz oyster", "sheriff volcano cheese", "toddler opera gravel",
    "moss pension theatre", "exile turbine bread", "knitting embassy whale", "census trumpet ulcer",
    "haiku harbour beetle", "orphan basalt football", "ritual pipeline parrot", "strike cello drought",
    "archive saddle allergy", "satire canal poultry", "tribute weaving meteor", "nursery alphabet copper",
)  # fmt: skip
BY_VECTORS, BY_WORDS, SAMPLE = 100, 50, 300
"""Candidates of each kind, and papers taken at random."""
_LEAST_DEVIATION = 1e-3


@dataclass(frozen=True, eq=False)
class SimilarityBackground:
    """What chance reaches. `nearest`: similarity of the nearest paper to each random topic; `others`: similarities of
    random topics with random papers."""

    nearest: Floats
    others: Floats

    @cached_property
    def usual(self) -> float:
        """Similarity of the nearest paper to a usual random topic; 0 in a library without papers."""
        return float(np.median(self.nearest)) if len(self.nearest) else 0.0

    @cached_property
    def deviation(self) -> float:
        """Standard deviation of similarities between what has nothing to do with each other."""
        return max(float(self.others.std()), _LEAST_DEVIATION) if len(self.others) else 1.0


@dataclass(frozen=True)
class NearbyRow:
    """A paper near a topic, by row number. `similarity`: cosine, -1 to 1; `words`: those of the topic that its title,
    abstract or summary has, as the index knows them."""

    number: int
    similarity: float
    words: frozenset[str]


@dataclass(frozen=True)
class NearbyPaper:
    """The same with the paper itself."""

    paper: Paper
    similarity: float
    words: frozenset[str]


@dataclass(frozen=True)
class TopicWord:
    """A word of a topic: as written, as the index knows it, and the number of papers that have it."""

    written: str
    indexed: str
    papers: int


@dataclass(frozen=True, eq=False)
class TopicEvidence:
    """`papers`: number of papers searched. `nearest`: the candidates by words and by vectors, in no order."""

    papers: int
    background: SimilarityBackground
    words: Sequence[TopicWord]
    nearest: Sequence[NearbyPaper]


def spread_evenly(numbers: Sequence[int] | Ints, most: int) -> list[int]:
    """At most `most` of the numbers, at even distances, so that the same library gives the same sample."""
    if len(numbers) <= most:
        return [int(number) for number in numbers]
    return [int(numbers[place]) for place in np.linspace(0, len(numbers) - 1, most).round().astype(int)]


def rows_with(papers: Mapping[int, Paper], rows: Sequence[NearbyRow]) -> list[NearbyPaper]:
    """The rows as papers; those deleted meanwhile are left out."""
    return [NearbyPaper(papers[row.number], row.similarity, row.words) for row in rows if row.number in papers]
