"""The words of a question, and a close look at how well texts answer them.

An index finds candidates quickly by a few of a question's words. This is the second look at these candidates, by all
of the words: BM25 over title and text, and then, the more words the question has, a stronger preference for short
texts. A long text shares many of a hundred words by chance alone; of five words it does not. On 17,670 papers both
together found a fifth more of the cited papers than BM25 by the forty most telling words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]

_SATURATION, _LENGTH_SHARE = 1.2, 0.75
"""BM25's k1 and b."""
_USUAL_TITLE, _USUAL_TEXT = 8, 130
"""Words of a title, and of a title with its abstract, stop words out. Fixed, so that no paper's score depends on which
others are there."""
_LENGTH_POWER, _HALF_WAY = 0.3, 30
"""Texts are discounted by length to a power that grows with the words of the question towards the first number, half of
it at the second."""
_SHORTEST = 20
"""Words up to which a text is not thought shorter: a title alone is not better for being terse."""


@dataclass(frozen=True)
class Wording:
    """Words of a question with their weights, the most telling first; `names`: the same as parts of authors' names,
    empty for a question too long to be a name. Words that no paper has are left out."""

    words: Mapping[str, float] = field(default_factory=dict)
    names: Mapping[str, float] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.words or self.names)


@dataclass(frozen=True)
class Words:
    """A paper, analysed as the question was."""

    title: Sequence[str]
    gist: Sequence[str]
    names: Sequence[str] = ()


def look_closer(wording: Wording, papers: Sequence[Words]) -> Scores:
    """How well each paper answers, shape (len(papers),), 0 where it shares no word with the question."""
    title = _Counted.of(wording.words, [paper.title for paper in papers])
    text = title + _Counted.of(wording.words, [paper.gist for paper in papers])
    names = _Counted.of(wording.names, [paper.names for paper in papers])
    score = title.bm25(_USUAL_TITLE) + text.bm25(_USUAL_TEXT) + names.bm25(_USUAL_TITLE)
    asked = len(wording.words)
    power = _LENGTH_POWER * asked / (asked + _HALF_WAY)
    discounted: Scores = score * (np.maximum(text.lengths, _SHORTEST) / _USUAL_TEXT) ** -power
    return discounted


@dataclass(frozen=True, eq=False)
class _Counted:
    """`counts` (texts, words): how often each word occurs; `weights` (words,); `lengths` (texts,) in words."""

    counts: Scores
    weights: Scores
    lengths: Scores

    @classmethod
    def of(cls, weights: Mapping[str, float], texts: Sequence[Sequence[str]]) -> _Counted:
        places = {word: place for place, word in enumerate(weights)}
        counts = np.zeros((len(texts), len(places)))
        for row, text in enumerate(texts):
            met = [places[word] for word in text if word in places]
            counts[row] = np.bincount(np.array(met, np.intp), minlength=len(places))
        lengths = np.array([len(text) for text in texts], dtype=np.float64)
        return cls(counts, np.array(list(weights.values()), dtype=np.float64), lengths)

    def __add__(self, other: _Counted) -> _Counted:
        """Of each text and its continuation."""
        return _Counted(self.counts + other.counts, self.weights, self.lengths + other.lengths)

    def bm25(self, usual: int) -> Scores:
        longer = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * self.lengths[:, None] / usual)
        scores: Scores = (self.counts * (1 + _SATURATION) / (self.counts + longer)) @ self.weights
        return scores
