"""What a search finds."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

from novum.core import Paper, Value

_Key = TypeVar("_Key", bound=Hashable)


class Hit(Value):
    """One paper found, and what put it there."""

    paper: Paper
    score: float
    """What the list is ordered by; comparable within one list only."""
    similarity: float
    """Cosine of the embeddings of text and paper, -1 to 1, after the library's centring and whitening."""
    text_rank: int | None = None
    """Place in the full-text (BM25) list, 1 is best; None when not among its candidates."""
    vector_rank: int | None = None
    """Place in the list of nearest vectors, 1 is best; None when not among its candidates."""


def by_similarity(similarity: Mapping[_Key, float], papers: Mapping[_Key, Paper]) -> list[Hit]:
    """Papers placed by cosine similarity alone, which is given best first. Of some the paper may be missing: they are
    left out, and the others keep their places."""
    return [
        Hit(paper=papers[key], score=cosine, similarity=cosine, vector_rank=rank)
        for rank, (key, cosine) in enumerate(similarity.items(), 1)
        if key in papers
    ]
