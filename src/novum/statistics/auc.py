"""The area under the ROC curve with DeLong's interval, within strata.

The interval is computed on the scale of the log odds, where it is symmetric: on the plain scale it covers the true area
far too rarely near 0 and 1, and with few positives or negatives.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from novum.core.arrays import Floats
from novum.core.record import Value
from novum.statistics.correlation import mean_ranks
from novum.statistics.records import Estimate
from novum.statistics.weighted import rows_by_stratum


class Auc(Value):
    """`area` has no value when no stratum has positives and negatives, and no interval when its variance is unknown."""

    area: Estimate
    positives: int
    """Those in strata with both classes."""
    negatives: int
    strata: int
    left_out: int
    """Rows with a missing value, or in a stratum with one class only."""


class _Stratum(Value):
    area: float
    variance: float
    """NaN with fewer than two positives or negatives."""
    positives: int
    negatives: int


def auc(scores: ArrayLike, positive: ArrayLike, strata: ArrayLike | None = None, level: float = 0.95) -> Auc:
    """The share of pairs of a positive and a negative that `scores` puts in this order, ties counting half.

    `positive`: 1 or 0, NaN where unknown. `strata`: names; only pairs within a stratum count, so that a difference
    between strata (a venue that accepts more, a year with longer texts) counts for nothing, and a stratum counts by its
    pairs. Raises ValueError for sequences of different lengths.
    """
    values, labels = np.asarray(scores, dtype=float), np.asarray(positive, dtype=float)
    names = np.zeros(values.shape, dtype=int) if strata is None else np.asarray(strata)
    if not values.shape == labels.shape == names.shape or values.ndim != 1:
        raise ValueError(f"sequences of shapes {values.shape}, {labels.shape} and {names.shape} do not fit together")
    areas = list(_areas(values, labels, names))
    positives, negatives = sum(each.positives for each in areas), sum(each.negatives for each in areas)
    return Auc(
        area=_combined(areas, level),
        positives=positives,
        negatives=negatives,
        strata=len(areas),
        left_out=len(values) - positives - negatives,
    )


def _areas(values: Floats, labels: Floats, names: NDArray[np.generic]) -> Iterator[_Stratum]:
    whole = np.isfinite(values) & np.isfinite(labels)
    values, is_positive = values[whole], labels[whole] > 0
    for rows in rows_by_stratum(names[whole]):
        up, down = values[rows[is_positive[rows]]], values[rows[~is_positive[rows]]]
        if len(up) and len(down):
            yield _area(up, down)


def _area(up: Floats, down: Floats) -> _Stratum:
    """By placements: for each value of one class, the share of the other class that it is on the right side of."""
    ranks = mean_ranks(np.concatenate([up, down]))
    above = (ranks[: len(up)] - mean_ranks(up)) / len(down)
    below = 1 - (ranks[len(up) :] - mean_ranks(down)) / len(up)
    variance = math.nan
    if len(up) > 1 and len(down) > 1:
        variance = float(above.var(ddof=1) / len(up) + below.var(ddof=1) / len(down))
    return _Stratum(area=float(above.mean()), variance=variance, positives=len(up), negatives=len(down))


def _combined(areas: list[_Stratum], level: float) -> Estimate:
    if not areas:
        return Estimate(level=level)
    weights = np.array([each.positives * each.negatives for each in areas], dtype=float)
    weights /= weights.sum()
    area = float(np.clip(weights @ [each.area for each in areas], 0, 1))
    if not 0 < area < 1 or all(math.isnan(each.variance) for each in areas):  # the data do not show the variance
        return Estimate(value=area, level=level)
    variances = [_variance(each, area) for each in areas]
    reach = NormalDist().inv_cdf((1 + level) / 2) * math.sqrt(weights**2 @ variances) / (area * (1 - area))
    odds = math.log(area / (1 - area))
    low, high = (1 / (1 + math.exp(-each)) for each in (odds - reach, odds + reach))
    return Estimate(value=area, low=low, high=high, level=level)


def _variance(of: _Stratum, area: float) -> float:
    """The stratum's variance; where it is unknown (one of a class) or 0 by chance (perfect order), the largest that an
    area can have with so few of a class."""
    if of.variance > 0:
        return of.variance
    return area * (1 - area) / min(of.positives, of.negatives)
