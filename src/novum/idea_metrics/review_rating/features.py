"""What a rating is predicted from: the words and word pairs of a text, and fourteen numbers on its style."""

from __future__ import annotations

import re
from collections.abc import Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from novum.core.arrays import Floats

_BITS = 17
WORD_FEATURES = 2**_BITS
"""Buckets for words and pairs of words; some share one."""
STYLE = (
    "log words", "sentences", "words a sentence", "letters a word", "digits per 100 characters", "formulas", "brackets",
    "commas", "percentages", "link", "words of the title", "colon in the title", "question mark", "different words",
)  # fmt: skip
"""Names of the style features."""
_WORD = re.compile(r"\b\w\w+\b")
_FIRST_OF_PAIR = np.uint64(0x9E3779B97F4A7C15)
"""Makes a pair of words another number than the same pair in the other order."""
_MIXER = np.uint64(0xD6E8FEB86659FD93)
"""An odd number whose product has well mixed upper bits (multiplicative hashing)."""
_SENTENCE_END = re.compile(r"[.!?]\s")


def word_features(texts: Sequence[str]) -> csr_array:
    """Which words and pairs of neighbouring words occur, as ones in a sparse matrix of shape (n, WORD_FEATURES)."""
    rows = [_buckets(text) for text in texts]
    ends = np.cumsum([0, *map(len, rows)])
    found = np.concatenate(rows) if rows else np.zeros(0, np.int64)
    ones = np.ones(len(found), np.float32)
    return csr_array((ones, found, ends), shape=(len(rows), WORD_FEATURES))  # type: ignore[no-untyped-call]


def _buckets(text: str) -> NDArray[np.int64]:
    """The buckets of a text's words of two letters or more, and of its pairs of them; each once, ascending."""
    words = np.array([crc32(word.encode()) for word in _WORD.findall(text.lower())], np.uint64)
    pairs = words[:-1] * _FIRST_OF_PAIR + words[1:]
    mixed = np.concatenate([words, pairs]) * _MIXER
    return np.unique(mixed >> np.uint64(64 - _BITS)).astype(np.int64)


def style_features(titles: Sequence[str], texts: Sequence[str]) -> Floats:
    """The numbers named in `STYLE`, shape (n, 14). `texts`: title and abstract."""
    return np.array([_style(title, text) for title, text in zip(titles, texts, strict=True)], dtype=float).reshape(
        len(texts), len(STYLE)
    )


def _style(title: str, text: str) -> list[float]:
    words = text.split()
    count = max(1, len(words))
    sentences = _SENTENCE_END.split(text)
    return [
        np.log(count + 1),
        len(sentences),
        count / len(sentences),
        sum(map(len, words)) / count,
        sum(map(text.count, "0123456789")) / max(1, len(text)) * 100,
        text.count("$"),
        text.count("("),
        text.count(","),
        text.count("%"),
        float("http" in text),
        len(title.split()),
        float(":" in title),
        float("?" in text),
        len({word.lower() for word in words}) / count,
    ]
