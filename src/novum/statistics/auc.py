"""The area under the ROC curve: how often a number puts one of the chosen above one of the others, a tie being half.

Its interval is DeLong's, on the scale of the odds, where it is even on both sides; near 0 and 1, and with few of a
kind, one on the plain scale holds the true area far too rarely.

Several groups are compared each within itself: only pairs of one stratum count, so that a difference between strata (a
venue that accepts more, a year with longer texts) is no skill.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from novum.core.record import Value
from novum.statistics.estimate import NOTHING, Estimate
from novum.statistics.rank_correlation import middle_ranks
from novum.statistics.strata import rows_by_stratum


class Auc(Value):
    """`area` has no value where no stratum holds both kinds, and no interval where its spread cannot be told."""

    area: Estimate
    positives: int
    """Those in strata with both kinds."""
    negatives: int
    strata: int
    left_out: int
    """Of which something was missing, or whose stratum holds one kind only."""


class _Stratum(Value):
    area: float
    variance: float
    """NaN with fewer than two of a kind, which tell no spread."""
    positives: int
    negatives: int

    @property
    def pairs(self) -> int:
        return self.positives * self.negatives


def auc(scores: ArrayLike, chosen: ArrayLike, strata: ArrayLike | None = None, level: float = 0.95) -> Auc:
    """The share of pairs of a chosen and another that `scores` puts in this order, with DeLong's interval.

    `chosen`: 1 or 0, NaN where not known; `strata`: names, else all are one. A stratum counts by its pairs. Raises
    ValueError for sequences of different lengths.
    """
    values, labels = np.asarray(scores, dtype=float), np.asarray(chosen, dtype=float)
    names = np.zeros(values.shape, dtype=int) if strata is None else np.asarray(strata)
    if not values.shape == labels.shape == names.shape or values.ndim != 1:
        raise ValueError(f"rows are wanted, not {values.shape} beside {labels.shape} and {names.shape}")
    found = list(_by_stratum(values, labels, names))
    positives, negatives = sum(each.positives for each in found), sum(each.negatives for each in found)
    return Auc(
        area=_together(found, level),
        positives=positives,
        negatives=negatives,
        strata=len(found),
        left_out=len(values) - positives - negatives,
    )


def _by_stratum(
    values: NDArray[np.float64], labels: NDArray[np.float64], names: NDArray[np.generic]
) -> Iterator[_Stratum]:
    whole = np.isfinite(values) & np.isfinite(labels)
    told, up_or_down = values[whole], labels[whole] > 0
    for rows in rows_by_stratum(names[whole]):
        is_up = up_or_down[rows]
        up, down = told[rows[is_up]], told[rows[~is_up]]
        if len(up) and len(down):
            yield _stratum(up, down)


def _stratum(up: NDArray[np.float64], down: NDArray[np.float64]) -> _Stratum:
    """By placements: for each of one kind the share of the other kind that it stands on the right side of."""
    ranks = middle_ranks(np.concatenate([up, down]))
    above = (ranks[: len(up)] - middle_ranks(up)) / len(down)
    below = 1 - (ranks[len(up) :] - middle_ranks(down)) / len(up)
    variance = math.nan
    if len(up) > 1 and len(down) > 1:
        variance = float(above.var(ddof=1) / len(up) + below.var(ddof=1) / len(down))
    return _Stratum(area=float(above.mean()), variance=variance, positives=len(up), negatives=len(down))


def _together(found: list[_Stratum], level: float) -> Estimate:
    if not found:
        return NOTHING.model_copy(update={"level": level})
    weights = np.array([each.pairs for each in found], dtype=float)
    weights /= weights.sum()
    area = float(np.clip(weights @ [each.area for each in found], 0, 1))
    spreads = [_spread(each, area) for each in found]
    if not 0 < area < 1 or all(math.isnan(each.variance) for each in found):  # the data do not say how sure that is
        return Estimate(value=area, level=level)
    reach = NormalDist().inv_cdf((1 + level) / 2) * math.sqrt(weights**2 @ spreads) / (area * (1 - area))
    odds = math.log(area / (1 - area))
    low, high = (1 / (1 + math.exp(-each)) for each in (odds - reach, odds + reach))
    return Estimate(value=area, low=low, high=high, level=level)


def _spread(of: _Stratum, area: float) -> float:
    """Its variance; the largest that an area can have with so few of a kind where they do not tell it themselves: with
    one of a kind, or in perfect order by chance."""
    if of.variance > 0:
        return of.variance
    return area * (1 - area) / min(of.positives, of.negatives)
