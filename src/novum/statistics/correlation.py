"""Pearson's r with its interval and p-value: do two measurements of the same things go together?"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from novum.core.record import Value
from novum.statistics.distributions import beta_share


class Correlation(Value):
    """`r` is None where fewer than three pairs, or one side without any spread, say nothing."""

    r: float | None
    low: float | None
    """Interval by Fisher's z; None with fewer than four pairs."""
    high: float | None
    p: float | None
    """Two-sided: how often chance alone would give an r at least as far from 0."""
    n: int
    """Pairs used."""
    left_out: int
    """Pairs of which one side was missing."""


def pearson(x: ArrayLike, y: ArrayLike, level: float = 0.95) -> Correlation:
    """Pearson correlation of two equally long sequences; pairs with a NaN are left out and counted.

    Raises ValueError for sequences of different lengths.
    """
    first, second = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if first.shape != second.shape or first.ndim != 1:
        raise ValueError(f"pairs are wanted, not {first.shape} beside {second.shape}")
    whole = np.isfinite(first) & np.isfinite(second)
    n, left_out = int(whole.sum()), int((~whole).sum())
    r = _r(first[whole], second[whole]) if n >= 3 else None
    if r is None:
        return Correlation(r=None, low=None, high=None, p=None, n=n, left_out=left_out)
    low, high = _interval(r, n, level)
    # With t = r √(n-2) / √(1-r²), the share of t's beta distribution is simply at 1 - r².
    return Correlation(r=r, low=low, high=high, p=beta_share(1 - r * r, (n - 2) / 2, 0.5), n=n, left_out=left_out)


def _r(x: np.ndarray, y: np.ndarray) -> float | None:
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    x, y = x - x.mean(), y - y.mean()
    # Each is scaled first: squares of very large or very small numbers leave the range of floats.
    x, y = x / np.abs(x).max(), y / np.abs(y).max()
    return float(np.clip((x @ y) / math.sqrt((x @ x) * (y @ y)), -1, 1))


def _interval(r: float, n: int, level: float) -> tuple[float | None, float | None]:
    if n < 4:
        return None, None
    if abs(r) == 1:
        return r, r
    reach = NormalDist().inv_cdf((1 + level) / 2) / math.sqrt(n - 3)
    return math.tanh(math.atanh(r) - reach), math.tanh(math.atanh(r) + reach)
