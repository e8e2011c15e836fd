"""Counts of the words of a fixed vocabulary in texts."""

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
"""Number of characters of a text that are read."""


def words(text: str) -> list[str]:
    """The words of a text with at least three letters, in lower case."""
    return _WORD.findall(text[:_LONGEST].lower())


@dataclass(frozen=True)
class WordCounts:
    """Word counts of n texts as a sparse table of texts × vocabulary, by rows."""

    starts: Ints
    """The entries of text i are those from `starts[i]` to `starts[i + 1]`; shape (n + 1,)."""
    word: NDArray[np.int32]
    """Index of the word in the vocabulary, for each entry."""
    times: NDArray[np.float32]
    """Number of occurrences, for each entry."""

    @property
    def totals(self) -> Floats:
        """Number of words of each text that are in the vocabulary, shape (n,)."""
        summed = np.concatenate([[0.0], np.cumsum(self.times, dtype=float)])
        return np.asarray(summed[self.starts[1:]] - summed[self.starts[:-1]])


def counts(texts: Iterable[str], vocabulary: Mapping[str, int]) -> WordCounts:
    """The word counts of texts. `vocabulary`: index of each word; other words are ignored."""
    starts, word, times = [0], list[int](), list[int]()
    for text in texts:
        counted = Counter(place for each in words(text) if (place := vocabulary.get(each)) is not None)
        word.extend(counted)
        times.extend(counted.values())
        starts.append(len(word))
    return WordCounts(np.array(starts), np.array(word, dtype=np.int32), np.array(times, dtype=np.float32))


def vocabulary(texts: Sequence[str], most: int, fewest_texts: int, left_out: frozenset[str]) -> list[str]:
    """The `most` words that occur in the most texts, in alphabetical order; each in `fewest_texts` at least, and not
    in more than half of them, since such a word tells nothing about a topic."""
    spread = Counter(word for text in texts for word in set(words(text)))
    often = len(texts) / 2
    known = [(word, n) for word, n in spread.items() if fewest_texts <= n <= often and word not in left_out]
    return sorted(word for word, _ in sorted(known, key=lambda each: (-each[1], each[0]))[:most])
