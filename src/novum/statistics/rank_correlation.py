"""Spearman's correlation: do two measurements put the same things in the same order?"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from novum.statistics.correlation import Correlation, pearson


def spearman(x: ArrayLike, y: ArrayLike, level: float = 0.95) -> Correlation:
    """Pearson's correlation of the ranks, equal values sharing their middle rank; pairs with a NaN are left out.

    Interval and p-value are those of Pearson's r on ranks: approximations, good from some ten pairs on. Raises
    ValueError for sequences of different lengths.
    """
    first, second = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if first.shape != second.shape or first.ndim != 1:
        raise ValueError(f"pairs are wanted, not {first.shape} beside {second.shape}")
    whole = np.isfinite(first) & np.isfinite(second)
    ranks, other_ranks = np.full(first.shape, np.nan), np.full(first.shape, np.nan)
    ranks[whole], other_ranks[whole] = middle_ranks(first[whole]), middle_ranks(second[whole])
    return pearson(ranks, other_ranks, level)


def middle_ranks(values: ArrayLike) -> np.ndarray:
    """Ranks from 1 for the smallest; equal values share the mean of theirs."""
    _, place, count = np.unique(np.asarray(values, dtype=float), return_inverse=True, return_counts=True)
    middle: np.ndarray = np.cumsum(count) - (count - 1) / 2
    return middle[place]
