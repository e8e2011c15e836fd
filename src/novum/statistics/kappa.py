"""Quadratic-weighted kappa: agreement of two raters beyond chance, far misses counting by the square of the miss."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def quadratic_kappa(first: ArrayLike, second: ArrayLike) -> float | None:
    """Cohen's kappa with quadratic weights of two equally long sequences of grades; pairs with a NaN are left out.

    1 is perfect, 0 is chance. None without a pair, or where both always gave one and the same grade. The weights make
    it a matter of means alone: 1 − E(x − y)² / (var x + var y + (mean x − mean y)²), whatever the scale.
    Raises ValueError for sequences of different lengths.
    """
    x, y = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if x.shape != y.shape or x.ndim != 1:
        raise ValueError(f"pairs are wanted, not {x.shape} beside {y.shape}")
    whole = np.isfinite(x) & np.isfinite(y)
    x, y = x[whole], y[whole]
    if not x.size or (np.ptp(x) == 0 and np.ptp(y) == 0 and x[0] == y[0]):
        return None
    by_chance = x.var() + y.var() + (x.mean() - y.mean()) ** 2
    return float(1 - ((x - y) ** 2).mean() / by_chance)
