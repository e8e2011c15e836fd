"""Texts for the made-up corpus in which phrases come back, as concepts do in real abstracts.

Their number grows with the corpus by Heaps' law, each has a first year, their frequencies follow Zipf and Mandelbrot,
and they live in communities that papers mostly stay in. The constants are fitted by eye to 17,670 abstracts of machine
learning: 6.8 concepts and 24 joint pairs a paper, the hundredth concept in 170 papers and the thousandth in 29.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from novum.literature.search.ranking.keywords import runs

_PER, _OF, _HEAPS = 3300, 17_670, 0.6
"""So many phrases at so many papers, and the exponent by which they grow."""
_SHIFT, _ZIPF = 8.0, 0.95
_COMMUNITIES, _OWN = 100, 0.6
"""Communities, and the share of phrases from the paper's own."""
_DISORDER = 1.0
"""How far the order in which phrases are first used is from the order of their frequencies."""
_FEW, _MORE = 2, 5.0
"""Phrases of a title, and on the average of an abstract."""
_THREE_WORDS = 0.25
_BESIDE = 60
"""Other words of an abstract."""
_LINKS = np.array(["of", "for", "with", "and", "in", "by", "the", "from", "to", "over"])

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Text:
    """Of one paper."""

    title: str
    abstract: str
    keywords: list[str]


@dataclass(frozen=True, eq=False)
class Phrased:
    """`phrases` in the order in which they are first used; phrase i is of community i modulo their number. `upto`: sums
    of what each is worth, community by community."""

    phrases: NDArray[np.str_]
    words: NDArray[np.str_]
    papers: int
    upto: NDArray[np.float64]

    @classmethod
    def made(cls, words: NDArray[np.str_], papers: int, rng: np.random.Generator) -> Self:
        """For a corpus of so many papers."""
        words = np.array([word for word in words.tolist() if runs(word)])  # the others join and part phrases
        each = max(1, round(_PER * (papers / _OF) ** _HEAPS / _COMMUNITIES))
        ranks = np.arange(each * _COMMUNITIES)
        born = np.argsort(ranks * rng.lognormal(0, _DISORDER, len(ranks)))
        worth = 1 / (born + _SHIFT) ** _ZIPF
        by_community = worth.reshape(each, _COMMUNITIES).T.ravel()
        return cls(_phrases(words, len(ranks), rng), words, papers, np.append(0, np.cumsum(by_community)))

    def texts(self, numbers: Ints, topic: Ints, long: NDArray[np.bool_], rng: np.random.Generator) -> Iterator[Text]:
        """Of papers by their numbers in order of time; `topic`: what each is about; `long`: which have an abstract."""
        counts = _FEW + rng.poisson(_MORE, len(numbers)) * long
        drawn = self._drawn(np.repeat(numbers, counts), np.repeat(topic, counts), rng)
        for some, has_abstract in zip(np.split(drawn, np.cumsum(counts)[:-1]), long.tolist(), strict=True):
            phrases = self.phrases[some].tolist()
            title = f"{phrases[0]} for {phrases[1]}".capitalize()
            yield Text(title, self._abstract(phrases, rng) if has_abstract else "", phrases[:_FEW])

    def _drawn(self, numbers: Ints, topic: Ints, rng: np.random.Generator) -> Ints:
        """A phrase for each: of the paper's own community or of any, of those that were in use by then."""
        each = len(self.phrases) // _COMMUNITIES
        in_use = np.maximum(each * ((numbers + 1) / self.papers) ** _HEAPS, 1).astype(np.int64)
        anywhere = rng.integers(0, _COMMUNITIES, len(numbers))
        community = np.where(rng.random(len(numbers)) < _OWN, topic % _COMMUNITIES, anywhere)
        begin, end = self.upto[community * each], self.upto[community * each + in_use]
        place = np.searchsorted(self.upto, begin + rng.random(len(numbers)) * (end - begin), side="right") - 1
        within = np.clip(place - community * each, 0, in_use - 1)
        numbered: Ints = within * _COMMUNITIES + community
        return numbered

    def _abstract(self, phrases: list[str], rng: np.random.Generator) -> str:
        """All of them, and other words between, each after a word that parts it from the one before."""
        beside = self.words[(len(self.words) * rng.random(_BESIDE) ** 3).astype(np.int64)].tolist()
        pieces = np.array([*phrases, *beside], object)[rng.permutation(len(phrases) + _BESIDE)]
        links = _LINKS[rng.integers(0, len(_LINKS), len(pieces))]
        sentence = [f"{link} {piece}" for link, piece in zip(links.tolist(), pieces.tolist(), strict=True)]
        return " ".join(sentence) + "."


def _phrases(words: NDArray[np.str_], count: int, rng: np.random.Generator) -> NDArray[np.str_]:
    """Different ones, of two words or three."""
    parts = words[(len(words) * rng.random((count, 3)) ** 2).astype(np.int64)]
    three = rng.random(count) < _THREE_WORDS
    return np.array([" ".join(some if long else some[:2]) for some, long in zip(parts, three, strict=True)])
