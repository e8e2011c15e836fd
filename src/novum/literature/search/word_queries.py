"""The words of a query, and scoring texts by all of them.

An index finds candidates quickly by a few words of a query. Here these candidates are scored by all words: BM25 over
title and text; pairs of words that are near each other in the query and in the text (Metzler & Croft 2005), where pairs
that are rare among the candidates count more; and, the more words the query has, a stronger preference for short texts,
since a long text shares many of a hundred words by chance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]
Places = NDArray[np.int64]
Pair = tuple[str, str]
"""Two words in alphabetic order."""

_SATURATION, _LENGTH_SHARE = 1.2, 0.75
"""BM25's k1 and b."""
_USUAL_TITLE, _USUAL_TEXT = 8, 130
"""Words of a title, and of a title with its abstract, without stop words. Fixed, so that the length of a paper
has the same effect in every library."""
_LENGTH_POWER, _HALF_WAY = 0.3, 30
"""Texts are discounted by length to a power that grows with the number of words of the query towards the first number,
and is half of it at the second."""
_SHORTEST = 20
"""Minimum length in this discount, in words: a title alone is not better because it is short."""
_REACH = 3
"""Maximum distance of the words of a pair, without stop words."""
_PAIR_WEIGHT = 0.2
"""Weight of a pair relative to its two words."""


@dataclass(frozen=True)
class Wording:
    """Words of a query with their weights, the highest first; `pairs`: those near each other, with weights; `names`:
    words as parts of authors' names, empty for a query too long to be a name. Words that no paper has are left out.
    `title_key`: the key of a paper whose title is the query."""

    words: Mapping[str, float] = field(default_factory=dict)
    pairs: Mapping[Pair, float] = field(default_factory=dict)
    names: Mapping[str, float] = field(default_factory=dict)
    title_key: int | None = None

    def __bool__(self) -> bool:
        return bool(self.words or self.names)


@dataclass(frozen=True)
class Words:
    """The words of a paper, analysed like the query; `titled`: whether the query is exactly its title."""

    title: Sequence[str]
    gist: Sequence[str]
    names: Sequence[str] = ()
    titled: bool = False


def pairs_in(text: Sequence[str]) -> Counter[Pair]:
    """Pairs of different words that are near each other, with their counts."""
    return Counter(
        (min(one, other), max(one, other))
        for apart in range(1, _REACH + 1)
        for one, other in zip(text, text[apart:], strict=False)
        if one != other
    )


def look_closer(wording: Wording, papers: Sequence[Words]) -> Scores:
    """The score of each paper, shape (len(papers),), 0 where it shares no word with the query."""
    titles = _Line.of([paper.title for paper in papers], wording.words)
    texts = titles.then(_Line.of([paper.gist for paper in papers], wording.words))
    names = _Line.of([paper.names for paper in papers], wording.names)
    weights, named = _array(wording.words.values()), _array(wording.names.values())
    score = titles.bm25(titles.words(), _USUAL_TITLE) @ weights + texts.bm25(texts.words(), _USUAL_TEXT) @ weights
    score += names.bm25(names.words(), _USUAL_TITLE) @ named + _PAIR_WEIGHT * _pairs(wording, texts)
    power = _LENGTH_POWER * len(weights) / (len(weights) + _HALF_WAY)
    discounted: Scores = score * (np.maximum(texts.lengths, _SHORTEST) / _USUAL_TEXT) ** -power
    return discounted


def _pairs(wording: Wording, texts: _Line) -> Scores:
    """The score of each text by the pairs of the query."""
    column = {word: place for place, word in enumerate(wording.words)}
    wanted = [(sorted([column[one], column[other]]), weight) for (one, other), weight in wording.pairs.items()]
    codes = np.array([low * len(column) + high for (low, high), _ in wanted], np.int64)
    order = np.argsort(codes)
    counts = texts.pairs(codes[order])
    holders = (counts > 0).sum(axis=0)
    rarity = np.log1p((len(counts) - holders + 0.5) / (holders + 0.5))
    added: Scores = texts.bm25(counts, _USUAL_TEXT) @ (_array(weight for _, weight in wanted)[order] * rarity)
    return added


@dataclass(frozen=True, eq=False)
class _Line:
    """The words of several texts one after the other, as their places in the query, -1 for any other word. `owner`: the
    text of each word; `lengths`: words of each text; `width`: words of the query."""

    places: Places
    owner: Places
    lengths: Scores
    width: int

    @classmethod
    def of(cls, texts: Sequence[Sequence[str]], words: Mapping[str, float]) -> _Line:
        column = {word: place for place, word in enumerate(words)}
        places = np.fromiter(map(column.get, chain.from_iterable(texts), repeat(-1)), np.int64)
        lengths = np.array([len(text) for text in texts], np.int64)
        owner = np.repeat(np.arange(len(texts)), lengths)
        return cls(places, owner, lengths.astype(np.float64), len(column))

    def then(self, other: _Line) -> _Line:
        """Each text with its continuation; no pair spans both."""
        gap = np.full(_REACH, -1, np.int64)
        places = np.concatenate([self.places, gap, other.places])
        owner = np.concatenate([self.owner, np.zeros(_REACH, np.int64), other.owner])
        return _Line(places, owner, self.lengths + other.lengths, self.width)

    def words(self) -> Scores:
        """The count of each word of the query in each text, shape (texts, width)."""
        met = self.places >= 0
        return self._table(self.owner[met], self.places[met], self.width)

    def pairs(self, codes: Places) -> Scores:
        """The same of pairs, shape (texts, len(codes)). `codes`, ascending: width times the lower place plus the
        higher."""
        counts = np.zeros((len(self.lengths), len(codes)))
        for apart in range(1, _REACH + 1) if len(codes) else ():
            one, other, owner = self.places[:-apart], self.places[apart:], self.owner[:-apart]
            near = (one >= 0) & (other >= 0) & (owner == self.owner[apart:])
            code = np.minimum(one, other) * self.width + np.maximum(one, other)
            column = np.minimum(np.searchsorted(codes, code), len(codes) - 1)
            met = near & (codes[column] == code)
            counts += self._table(owner[met], column[met], len(codes))
        return counts

    def _table(self, rows: Places, columns: Places, width: int) -> Scores:
        texts = len(self.lengths)
        return np.bincount(rows * width + columns, minlength=texts * width).reshape(texts, width).astype(np.float64)

    def bm25(self, counts: Scores, usual: int) -> Scores:
        """Counts, shape (texts, m), as BM25 weighs them in texts of these lengths."""
        longer = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * self.lengths[:, None] / usual)
        weighed: Scores = counts * (1 + _SATURATION) / (counts + longer)
        return weighed


def _array(values: Iterable[float]) -> Scores:
    return np.fromiter(values, np.float64)
