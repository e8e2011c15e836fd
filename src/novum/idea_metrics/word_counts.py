"""Texts as counts of the words of a fixed vocabulary."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Floats, Ints

_WORD = re.compile(r"[^\W\d_]{3,}")
_LONGEST = 400_000
"""Characters of a text that are read."""


def words(text: str) -> list[str]:
    """Its words of three letters and more, in lower case."""
    return _WORD.findall(text[:_LONGEST].lower())


@dataclass(frozen=True)
class WordCounts:
    """How often each text has which word: a sparse table of texts × vocabulary by rows."""

    starts: Ints
    """Text i has the entries from starts[i] up to starts[i + 1]; shape (n + 1,)."""
    word: NDArray[np.int32]
    """Places in the vocabulary."""
    times: NDArray[np.float32]

    @property
    def totals(self) -> Floats:
        """Words of each text that are in the vocabulary, shape (n,)."""
        summed = np.concatenate([[0.0], np.cumsum(self.times, dtype=float)])
        return np.asarray(summed[self.starts[1:]] - summed[self.starts[:-1]])


def counts(texts: Iterable[str], vocabulary: Mapping[str, int]) -> WordCounts:
    """Of each text; words that the vocabulary (word to place) does not have are passed over."""
    starts, word, times = [0], list[int](), list[int]()
    for text in texts:
        result = Counter(map(vocabulary.get, words(text)))
        result.pop(None, None)
        word.extend(place for place in result if place is not None)
        times.extend(result.values())
        starts.append(len(word))
    return WordCounts(np.array(starts), np.array(word, dtype=np.int32), np.array(times, dtype=np.float32))


def vocabulary(texts: Sequence[str], most: int, fewest_texts: int, left_out: frozenset[str]) -> list[str]:
    """The `most` words that occur in the most texts, in alphabetical order; each in `fewest_texts` at least, and not
    in more than half of them, since such a word tells nothing about a topic."""
    spread = Counter(word for text in texts for word in set(words(text)))
    often = len(texts) / 2
    known = [(word, n) for word, n in spread.items() if fewest_texts <= n <= often and word not in left_out]
    return sorted(word for word, _ in sorted(known, key=lambda each: (-each[1], each[0]))[:most])
