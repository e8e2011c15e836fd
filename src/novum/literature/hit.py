"""What a search finds."""

from __future__ import annotations

from novum.core import Paper, Value


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
