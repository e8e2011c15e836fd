"""Agreement of raters: quadratic kappa of two, Krippendorff's alpha and the intraclass correlation of any number."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import fdtrc, fdtri

from novum.core.arrays import Floats
from novum.statistics.bootstrap import bootstrap_weights, percentile_interval
from novum.statistics.correlation import mean_ranks
from novum.statistics.records import Icc, KrippendorffAlpha, Reliability, Scale

# -- two raters -------------------------------------------------------------------------------------------------------


def quadratic_kappa(first: ArrayLike, second: ArrayLike) -> float | None:
    """Cohen's kappa with quadratic weights of two sequences of grades; pairs with a NaN are left out.

    1 is perfect agreement, 0 is chance. None without a pair, or when both always gave one and the same grade. The
    weights make it a matter of means: 1 − E(x − y)² / (var x + var y + (mean x − mean y)²), so grades need not be whole
    numbers, as for `sklearn.metrics.cohen_kappa_score`. Raises ValueError for sequences of different lengths.
    """
    x, y = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if x.shape != y.shape or x.ndim != 1:
        raise ValueError(f"expected two sequences of equal length, not shapes {x.shape} and {y.shape}")
    whole = np.isfinite(x) & np.isfinite(y)
    x, y = x[whole], y[whole]
    if not x.size or (np.ptp(x) == 0 and np.ptp(y) == 0 and x[0] == y[0]):
        return None
    by_chance = x.var() + y.var() + (x.mean() - y.mean()) ** 2
    return float(1 - ((x - y) ** 2).mean() / by_chance)


# -- Krippendorff's alpha ---------------------------------------------------------------------------------------------


def krippendorff_alpha(
    units: ArrayLike, values: ArrayLike, scale: Scale = "ordinal", *, draws: int = 0, seed: int = 0
) -> KrippendorffAlpha:
    """Krippendorff's alpha (2011) of ratings in long form: `values[i]` rates unit `units[i]`; NaN is skipped.

    1 is perfect agreement, 0 is chance, below 0 is worse than chance. On the interval scale two ratings disagree by
    their squared difference; on the ordinal scale by the squared number of ratings between them, which is the squared
    difference of their mean ranks. `draws`: bootstrap samples for the interval. Raises ValueError for columns of
    different lengths.
    """
    unit, value = np.asarray(units), np.asarray(values, dtype=float)
    if unit.shape != value.shape or unit.ndim != 1:
        raise ValueError(f"expected one unit for each rating, not shapes {unit.shape} and {value.shape}")
    unit, value = _rated_twice(unit[np.isfinite(value)], value[np.isfinite(value)])
    sums = _UnitSums(unit, mean_ranks(value) if scale == "ordinal" else value)
    point = sums.alpha(np.ones((1, sums.units)))
    alpha = float(point[0]) if np.isfinite(point).all() else None
    low = high = None
    if draws and alpha is not None:
        samples = [sums.alpha(weights) for weights in bootstrap_weights(sums.units, draws, seed)]
        low, high = percentile_interval(np.concatenate(samples))
    return KrippendorffAlpha(alpha=alpha, low=low, high=high, scale=scale, units=sums.units, ratings=len(value))


def _rated_twice(unit: NDArray[np.generic], value: Floats) -> tuple[NDArray[np.intp], Floats]:
    """The ratings of units with at least two, and those units numbered from 0."""
    _, number, count = np.unique(unit, return_inverse=True, return_counts=True)
    twice = count[number] >= 2
    renumbered = np.cumsum(count >= 2) - 1
    return renumbered[number[twice]], value[twice]


class _UnitSums:
    """Sums over the ratings of each unit, from which alpha follows for any bootstrap sample of units."""

    def __init__(self, unit: NDArray[np.intp], value: Floats) -> None:
        self.units = int(unit.max()) + 1 if unit.size else 0
        centred = value - value.mean() if value.size else value
        self.count, self.sum, self.squares = (
            np.bincount(unit, weights, minlength=self.units) for weights in (np.ones_like(centred), centred, centred**2)
        )
        within = np.maximum(self.squares - self.sum**2 / np.maximum(self.count, 1), 0)
        self.observed = self.count * within / np.maximum(self.count - 1, 1)

    def alpha(self, weights: Floats) -> Floats:
        """One alpha for each row of `weights`, how often each unit counts; NaN without any variation."""
        n, total, squares = weights @ self.count, weights @ self.sum, weights @ self.squares
        with np.errstate(invalid="ignore", divide="ignore"):
            expected = (squares - total**2 / n) * n / (n - 1)
            alpha: Floats = 1 - (weights @ self.observed) / expected
        alpha[~(expected > 1e-12 * squares) | (squares == 0)] = np.nan
        return alpha


# -- intraclass correlation -------------------------------------------------------------------------------------------


def reliability(ratings: ArrayLike, level: float = 0.95) -> Reliability:
    """Intraclass correlations of a table: one row a subject, one column a rater, NaN for a missing rating.

    The model has two-way random effects (McGraw & Wong 1996): every rater rates everything, and raters are a sample of
    raters. With *absolute agreement* a severe rater disagrees with a mild one; with *consistency* only order and
    distances count. Rows with a missing rating are left out and counted, since the model needs complete tables. Raises
    ValueError for anything but a table.
    """
    table = np.asarray(ratings, dtype=float)
    if table.ndim != 2:
        raise ValueError(f"a table of ratings has two dimensions, not {table.ndim}")
    whole = table[np.isfinite(table).all(axis=1)]
    squares = _MeanSquares.of(whole)
    return Reliability(
        subjects=len(whole),
        raters=table.shape[1],
        left_out=len(table) - len(whole),
        agreement_single=_agreement(squares, "ICC(A,1)", level, average=False),
        agreement_average=_agreement(squares, "ICC(A,k)", level, average=True),
        consistency_single=_consistency(squares, "ICC(C,1)", level, average=False),
        consistency_average=_consistency(squares, "ICC(C,k)", level, average=True),
    )


def band(icc: float) -> str:
    """The usual word for a coefficient: poor, moderate, good or excellent (Koo & Li 2016)."""
    if icc > 0.75:
        return "excellent" if icc > 0.9 else "good"
    return "moderate" if icc >= 0.5 else "poor"


@dataclass(frozen=True)
class _MeanSquares:
    """Mean squares of the two-way table: between rows, between columns, and of the error."""

    n: int
    k: int
    rows: float
    columns: float
    error: float

    @classmethod
    def of(cls, table: Floats) -> _MeanSquares:
        n, k = table.shape
        if n < 2 or k < 2:
            return cls(n, k, 0.0, 0.0, 0.0)
        by_row, by_column, middle = table.mean(axis=1), table.mean(axis=0), table.mean()
        rows = k * float(((by_row - middle) ** 2).sum()) / (n - 1)
        columns = n * float(((by_column - middle) ** 2).sum()) / (k - 1)
        left = table - by_row[:, None] - by_column[None, :] + middle
        error = float((left**2).sum()) / ((n - 1) * (k - 1))
        # Rounding in a perfect table is no disagreement.
        rounding = 1e-24 * max(float((table**2).mean()), 1e-300)
        return cls(n, k, *(part if part > rounding else 0.0 for part in (rows, columns, error)))

    @property
    def freedom(self) -> tuple[int, int]:
        return max(self.n - 1, 0), max((self.n - 1) * (self.k - 1), 0)


def _consistency(of: _MeanSquares, form: str, level: float, *, average: bool) -> Icc:
    if reason := _nothing_to_compare(of):
        return _no_icc(of, form, reason)
    single = _share(of, of.rows - of.error, of.rows + (of.k - 1) * of.error)
    if of.error == 0:
        return _icc(of, form, single, single, single)
    f, (rows, error), tail = of.rows / of.error, of.freedom, (1 + level) / 2
    bounds = f / float(fdtri(rows, error, tail)), f * float(fdtri(error, rows, tail))
    low, high = ((each - 1) / (each + of.k - 1) for each in bounds)
    return _averaged(of, form, single, low, high) if average else _icc(of, form, single, low, high)


def _agreement(of: _MeanSquares, form: str, level: float, *, average: bool) -> Icc:
    if reason := _nothing_to_compare(of):
        return _no_icc(of, form, reason)
    difference = of.columns - of.error
    single = _share(of, of.rows - of.error, of.rows + (of.k - 1) * of.error + of.k * difference / of.n)
    if single is None:
        return _no_icc(of, form, _NO_DENOMINATOR)
    low, high = _agreement_interval(of, single, level)
    return _averaged(of, form, single, low, high) if average else _icc(of, form, single, low, high)


def _agreement_interval(of: _MeanSquares, single: float, level: float) -> tuple[float | None, float | None]:
    """Bounds of ICC(A,1), with Satterthwaite's degrees of freedom for raters and error together."""
    if of.columns == 0 and of.error == 0:
        return single, single
    n, k, tail = of.n, of.k, (1 + level) / 2
    a = k * single / (n * (1 - single))
    b = 1 + a * (n - 1)
    mixed = (a * of.columns + b * of.error) ** 2 / (
        (a * of.columns) ** 2 / (k - 1) + (b * of.error) ** 2 / ((n - 1) * (k - 1))
    )
    mixed = max(mixed, 1.0)  # where a negative coefficient makes the two terms cancel
    lower, upper = float(fdtri(n - 1, mixed, tail)), float(fdtri(mixed, n - 1, tail))
    noise = k * of.columns + (k * n - k - n) * of.error
    low = _share(of, n * (of.rows - lower * of.error), lower * noise + n * of.rows)
    high = _share(of, n * (upper * of.rows - of.error), noise + n * upper * of.rows)
    return low, high


_SMALLEST_SHARE = 1e-6
_NO_DENOMINATOR = (
    "The ratings of one subject differ so much more than the subjects do that the denominator is not above zero."
)


def _share(of: _MeanSquares, part: float, whole: float) -> float | None:
    """`part / whole`; None where the denominator is numerically zero beside the mean squares, or below zero."""
    return part / whole if whole > _SMALLEST_SHARE * (of.rows + of.columns + of.error) else None


def _averaged(of: _MeanSquares, form: str, *single: float | None) -> Icc:
    """The coefficient of the mean of all raters, from that of one and its two bounds (Spearman & Brown)."""
    value, low, high = (_of_average(each, of.k) for each in single)
    return _icc(of, form, value, low, high)


def _of_average(single: float | None, k: int) -> float | None:
    """None where the denominator is numerically zero or below it: where `single` is at or below -1 / (k - 1)."""
    denominator = 1 + (k - 1) * single if single is not None else 0.0
    return k * single / denominator if single is not None and denominator > _SMALLEST_SHARE else None


def _icc(of: _MeanSquares, form: str, value: float | None, low: float | None, high: float | None) -> Icc:
    if value is None:
        return _no_icc(of, form, _NO_DENOMINATOR)
    f = of.rows / of.error if of.error else None
    p = float(fdtrc(*of.freedom, f)) if f is not None else 0.0
    return Icc(form=form, value=value, low=low, high=high, f=f, freedom=of.freedom, p=p, band=band(value))


def _nothing_to_compare(of: _MeanSquares) -> str:
    """Why a table has no coefficient of any form; empty where it has one."""
    if of.n < 2 or of.k < 2:
        return "Fewer than two subjects were rated by every rater." if of.k >= 2 else "There are fewer than two raters."
    return "" if of.rows else "All subjects have the same mean rating."


def _no_icc(of: _MeanSquares, form: str, reason: str) -> Icc:
    return Icc(form=form, value=None, low=None, high=None, f=None, freedom=of.freedom, p=None, band="", reason=reason)
