"""What a rating is predicted from: the words and word pairs of a text, and fourteen numbers on its style."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from novum.core.arrays import Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

WORD_FEATURES = 2**17
"""Buckets for words and pairs of words; some share one."""
STYLE = (
    "log words", "sentences", "words a sentence", "letters a word", "digits per 100 characters", "formulas", "brackets",
    "commas", "percentages", "link", "words of the title", "colon in the title", "question mark", "different words",
)  # fmt: skip
"""Names of the style features."""
_SENTENCE_END = re.compile(r"[.!?]\s")


def word_features(texts: Sequence[str]) -> csr_matrix:
    """Which words and pairs of neighbouring words occur, as ones in a sparse matrix of shape (n, WORD_FEATURES)."""
    from sklearn.feature_extraction.text import HashingVectorizer  # noqa: PLC0415  takes seconds

    hashing = HashingVectorizer(  # type: ignore[no-untyped-call]
        n_features=WORD_FEATURES, ngram_range=(1, 2), binary=True, norm=None, alternate_sign=False, dtype=np.float32
    )
    found: csr_matrix = hashing.transform(texts)  # type: ignore[no-untyped-call]
    return found


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
