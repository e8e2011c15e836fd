"""Resampling clusters: how far a number would move if other keywords, or other ideas, had been drawn.

Judgements of one keyword go together, so the keyword is drawn, not the judgement. A draw is a row of whole numbers, how
often each cluster counts, that sum to the number of clusters: any statistic made of sums is then a matrix product.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from novum.statistics.estimate import Estimate

_BLOCK = 1_000_000
"""Weights in memory at once (8 MB); a block has at least one draw."""


def resampled(clusters: int, draws: int, seed: int) -> Iterator[NDArray[np.float64]]:
    """`draws` rows of weights, in blocks of several rows × `clusters`; the same for the same seed."""
    rng = np.random.default_rng(seed)
    rows = max(1, _BLOCK // max(clusters, 1))
    for start in range(0, draws if clusters else 0, rows):
        chances = np.full(clusters, 1 / clusters)
        yield rng.multinomial(clusters, chances, size=min(rows, draws - start)).astype(float)


def interval(draws: NDArray[np.float64], level: float = 0.95) -> tuple[float | None, float | None]:
    """The percentile interval of a statistic; draws in which it had nothing to stand on (NaN) are left out."""
    usable = draws[np.isfinite(draws)]
    if not usable.size:
        return None, None
    low, high = np.quantile(usable, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def estimate(point: float, draws: NDArray[np.float64], level: float = 0.95) -> Estimate:
    """The estimate of a point (NaN: none) and its draws."""
    if not np.isfinite(point):
        return Estimate(level=level)
    low, high = interval(draws, level)
    return Estimate(value=float(point), low=low, high=high, level=level)
