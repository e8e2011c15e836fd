"""Maximal marginal relevance: relevant papers that do not repeat each other (Carbonell & Goldstein 1998)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64] | NDArray[np.float32]


def mmr(relevance: Numbers, similarities: Numbers, k: int, diversity: float) -> list[int]:
    """Indices of `k` papers in the order of selection: each time the one with the best marginal relevance
    (1 - diversity) · relevance - diversity · similarity to the most similar selected one.

    `relevance`, shape (n,), and `similarities`, shape (n, n), on the same scale. `diversity`, 0 to 1, is 1 - λ of the
    paper: 0 ranks by relevance alone. Ties go to the lower index. Raises ValueError for another `diversity`.
    """
    if not 0 <= diversity <= 1:
        raise ValueError(f"Diversity is a number from 0 (none) to 1 (relevance does not count), not {diversity:g}.")
    repeated = np.full(len(relevance), -np.inf)
    selected: list[int] = []
    for _ in range(min(k, len(relevance))):
        marginal = (1 - diversity) * relevance - diversity * (repeated if selected else 0.0)
        marginal = np.array(marginal, dtype=np.float64)
        marginal[selected] = -np.inf
        selected.append(int(np.argmax(marginal)))
        repeated = np.maximum(repeated, similarities[selected[-1]])
    return selected


def to_unit_range(scores: Numbers) -> NDArray[np.float64]:
    """`scores` scaled to 0 (the lowest) to 1 (the highest); all 1 when they are equal."""
    low, high = float(np.min(scores, initial=np.inf)), float(np.max(scores, initial=-np.inf))
    if high <= low:
        return np.ones(len(scores))
    return (np.asarray(scores, dtype=np.float64) - low) / (high - low)
