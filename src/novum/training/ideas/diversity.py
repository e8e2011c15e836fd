"""Diversity of the ideas of a round: distinct word pairs, spread of the embeddings, and duplicates."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from novum.core import normal_title
from novum.core.arrays import Vectors
from novum.core.record import Value

_DUPLICATE = 0.93
"""Cosine from which two ideas on one topic are near-duplicates."""


class Diversity(Value):
    """None: there are too few ideas to tell."""

    distinct: float | None
    """Different pairs of consecutive words, as a share of all of them (distinct-2, Li et al. 2016)."""
    spread: float | None
    """Mean cosine distance between two ideas on the same topic."""
    duplicates: float | None
    """Share of the ideas with a near-duplicate, or the same title, on the same topic."""


def diversity_of(topics: Sequence[str], texts: Sequence[str], titles: Sequence[str], vectors: Vectors) -> Diversity:
    """The diversity of ideas. `vectors`: unit vectors, shape (n, d)."""
    distances, repeated, compared = [], 0, 0
    for topic in dict.fromkeys(topics):
        rows = [row for row, each in enumerate(topics) if each == topic]
        if len(rows) < 2:
            continue
        cosines = vectors[rows] @ vectors[rows].T
        names = [normal_title(titles[row]) for row in rows]
        for place in range(len(rows)):
            others = [other for other in range(len(rows)) if other != place]
            distances += [1 - float(cosines[place, other]) for other in others]
            same = names[place] in {names[other] for other in others}
            repeated += same or max(float(cosines[place, other]) for other in others) >= _DUPLICATE
            compared += 1
    return Diversity(
        distinct=distinct_pairs(texts),
        spread=sum(distances) / len(distances) if distances else None,
        duplicates=repeated / compared if compared else None,
    )


def distinct_pairs(texts: Sequence[str]) -> float | None:
    """Share of different pairs of consecutive words among all of them; None without any."""
    pairs = [pair for text in texts if (words := text.lower().split()) for pair in pairwise(words)]
    return len(set(pairs)) / len(pairs) if pairs else None
