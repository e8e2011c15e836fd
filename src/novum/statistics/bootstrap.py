"""The cluster bootstrap: how far a statistic would move if other topics, keywords or ideas had been sampled.

Judgements of one topic depend on each other, so topics are resampled, not judgements. A bootstrap sample is a row of
counts, how often each cluster was drawn, that sum to the number of clusters: every statistic made of sums is then one
matrix product for all samples. `scipy.stats.bootstrap` has neither clusters nor counts.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from novum.core.arrays import Floats
from novum.statistics.records import Estimate

_BLOCK = 1_000_000
"""Counts in memory at once (8 MB); a block has at least one sample."""


def bootstrap_weights(clusters: int, draws: int, seed: int) -> Iterator[Floats]:
    """`draws` rows of counts, in blocks of several rows × `clusters`. The same seed gives the same counts."""
    rng = np.random.default_rng(seed)
    rows = max(1, _BLOCK // max(clusters, 1))
    for start in range(0, draws if clusters else 0, rows):
        chances = np.full(clusters, 1 / clusters)
        yield rng.multinomial(clusters, chances, size=min(rows, draws - start)).astype(float)


def percentile_interval(draws: Floats, level: float = 0.95) -> tuple[float | None, float | None]:
    """The percentile interval of a statistic; samples in which it is undefined (NaN) are left out."""
    usable = draws[np.isfinite(draws)]
    if not usable.size:
        return None, None
    low, high = np.quantile(usable, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def estimate(point: float, draws: Floats, level: float = 0.95) -> Estimate:
    """The estimate `point` (NaN: undefined) with the percentile interval of its bootstrap values `draws`."""
    if not np.isfinite(point):
        return Estimate(level=level)
    low, high = percentile_interval(draws, level)
    return Estimate(value=float(point), low=low, high=high, level=level)
