"""Krippendorff's alpha: agreement of any number of raters, any of whom may have skipped anything.

1 is perfect, 0 is what chance would give, below 0 is worse than chance. On the interval scale the disagreement of two
ratings is their squared difference; on the ordinal scale it is the squared number of ratings that lie between them,
which is the squared difference of their mid-ranks: so one formula serves both, and it needs sums alone.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from novum.core.record import Value
from novum.statistics.bootstrap import interval, resampled

Scale = Literal["interval", "ordinal"]


class Agreement(Value):
    """`alpha` is None where nothing was rated twice, or all ratings are the same."""

    alpha: float | None
    low: float | None
    """Interval by a bootstrap over the rated things; None where no draws were asked for."""
    high: float | None
    scale: Scale
    units: int
    """Things with at least two ratings: the others say nothing about agreement."""
    ratings: int
    """Ratings of those things."""


def krippendorff_alpha(
    units: ArrayLike, values: ArrayLike, scale: Scale = "ordinal", *, draws: int = 0, seed: int = 0
) -> Agreement:
    """Alpha of ratings in long form: `values[i]` is one rating of the thing numbered `units[i]`; NaN is skipped.

    Raises ValueError for columns of different lengths.
    """
    unit, value = np.asarray(units), np.asarray(values, dtype=float)
    if unit.shape != value.shape or unit.ndim != 1:
        raise ValueError(f"one rating a thing is wanted, not {value.shape} beside {unit.shape}")
    unit, value = _pairable(unit[np.isfinite(value)], value[np.isfinite(value)])
    sums = _UnitSums(unit, _mid_ranks(value) if scale == "ordinal" else value)
    alpha = _plain(sums.alpha(np.ones((1, sums.units))))
    found = (
        [sums.alpha(weights) for weights in resampled(sums.units, draws, seed)] if draws and alpha is not None else []
    )
    low, high = interval(np.concatenate(found)) if found else (None, None)
    return Agreement(alpha=alpha, low=low, high=high, scale=scale, units=sums.units, ratings=len(value))


def alpha_of_table(ratings: ArrayLike, scale: Scale = "ordinal", *, draws: int = 0, seed: int = 0) -> Agreement:
    """Alpha of a table with one row a thing, one column a rater, NaN where a rating is missing."""
    table = np.asarray(ratings, dtype=float)
    if table.ndim != 2:
        raise ValueError(f"a table of ratings has two dimensions, not {table.ndim}")
    rows = np.repeat(np.arange(len(table)), table.shape[1])
    return krippendorff_alpha(rows, table.ravel(), scale, draws=draws, seed=seed)


def _pairable(unit: NDArray[np.generic], value: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Only what was rated at least twice, the things numbered from 0."""
    _, number, count = np.unique(unit, return_inverse=True, return_counts=True)
    twice = count[number] >= 2
    renumbered = np.cumsum(count >= 2) - 1
    return renumbered[number[twice]], value[twice]


def _mid_ranks(value: NDArray[np.float64]) -> NDArray[np.float64]:
    _, place, count = np.unique(value, return_inverse=True, return_counts=True)
    middle: NDArray[np.float64] = np.cumsum(count) - count / 2
    return middle[place]


class _UnitSums:
    """What alpha needs to know of each thing: how many ratings, their sum and sum of squares, their spread."""

    def __init__(self, unit: NDArray[np.intp], value: NDArray[np.float64]) -> None:
        self.units = int(unit.max()) + 1 if unit.size else 0
        centred = value - value.mean() if value.size else value
        self.count, self.sum, self.squares = (
            np.bincount(unit, weights, minlength=self.units) for weights in (np.ones_like(centred), centred, centred**2)
        )
        apart = np.maximum(self.squares - self.sum**2 / np.maximum(self.count, 1), 0)
        self.observed = self.count * apart / np.maximum(self.count - 1, 1)

    def alpha(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """One alpha for each row of `weights`, which say how often each thing counts; NaN without any spread."""
        n, total, squares = weights @ self.count, weights @ self.sum, weights @ self.squares
        with np.errstate(invalid="ignore", divide="ignore"):
            expected = (squares - total**2 / n) * n / (n - 1)
            alpha: NDArray[np.float64] = 1 - (weights @ self.observed) / expected
        alpha[~(expected > 1e-12 * squares) | (squares == 0)] = np.nan
        return alpha


def _plain(values: NDArray[np.float64]) -> float | None:
    return float(values[0]) if values.size and np.isfinite(values[0]) else None
