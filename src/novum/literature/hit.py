"""The result of a search."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

from novum.core import Paper, Value

_Key = TypeVar("_Key", bound=Hashable)


class Hit(Value):
    """A paper that a search returned, with its score and the parts of it."""

    paper: Paper
    score: float
    """The list is sorted by it; comparable within one list only."""
    similarity: float
    """Cosine of the embeddings of text and paper, -1 to 1, after the library's centring and whitening."""
    text_rank: int | None = None
    """Place in the full-text (BM25) list, 1 is best; None when not among its candidates."""
    vector_rank: int | None = None
    """Place in the list of nearest vectors, 1 is best; None when not among its candidates."""


def by_similarity(similarity: Mapping[_Key, float], papers: Mapping[_Key, Paper]) -> list[Hit]:
    """Hits ranked by cosine similarity alone, which is given best first. Keys without a paper are left out, and the
    others keep their ranks."""
    return [
        Hit(paper=papers[key], score=cosine, similarity=cosine, vector_rank=rank)
        for rank, (key, cosine) in enumerate(similarity.items(), 1)
        if key in papers
    ]
