"""Intraclass correlation: how much of the spread of ratings is the rated things, how much the raters.

Two-way random effects (every rater rates everything, raters stand for more raters), after McGraw & Wong (1996). Four
forms: *absolute agreement*, for which a severe rater disagrees with a mild one, or *consistency*, for which only the
order and the distances count; of a single rater, or of the average of all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from novum.core.record import Value
from novum.statistics.distributions import f_above, f_quantile

_BANDS = ((0.9, "excellent"), (0.75, "good"))


def band(icc: float) -> str:
    """The usual word for a coefficient: poor, moderate, good or excellent (Koo & Li 2016)."""
    word = next((word for above, word in _BANDS if icc > above), "")
    return word or ("moderate" if icc >= 0.5 else "poor")


class Icc(Value):
    """One form of the coefficient, named as McGraw & Wong do: ICC(A,1), ICC(A,k), ICC(C,1), ICC(C,k)."""

    form: str
    value: float | None
    """None where there is nothing to see: fewer than two things or raters, or all things rated the same."""
    low: float | None
    high: float | None
    f: float | None
    """F of the test that it is 0; None where no rater ever disagrees (F is then infinite)."""
    freedom: tuple[int, int]
    p: float | None
    band: str
    """In a word; empty without a value."""


class Reliability(Value):
    """The four forms for one table of ratings."""

    subjects: int
    """Things rated by everyone: the rows used."""
    raters: int
    left_out: int
    """Things that some rater had not rated."""
    agreement_single: Icc
    agreement_average: Icc
    consistency_single: Icc
    consistency_average: Icc


def reliability(ratings: ArrayLike, level: float = 0.95) -> Reliability:
    """Intraclass correlations of a table with one row a thing, one column a rater, NaN where a rating is missing.

    Rows with a missing rating are left out and counted: the model knows complete tables only. Raises ValueError for
    anything but a table.
    """
    table = np.asarray(ratings, dtype=float)
    if table.ndim != 2:
        raise ValueError(f"a table of ratings has two dimensions, not {table.ndim}")
    whole = table[np.isfinite(table).all(axis=1)]
    variance = _Variance.of(whole)
    forms = {
        "agreement_single": _agreement(variance, "ICC(A,1)", level, average=False),
        "agreement_average": _agreement(variance, "ICC(A,k)", level, average=True),
        "consistency_single": _consistency(variance, "ICC(C,1)", level, average=False),
        "consistency_average": _consistency(variance, "ICC(C,k)", level, average=True),
    }
    return Reliability(subjects=len(whole), raters=table.shape[1], left_out=len(table) - len(whole), **forms)


@dataclass(frozen=True)
class _Variance:
    """Mean squares of the two-way table: between rows, between columns, and what is left."""

    n: int
    k: int
    rows: float
    columns: float
    error: float

    @classmethod
    def of(cls, table: np.ndarray) -> _Variance:
        n, k = table.shape
        if n < 2 or k < 2:
            return cls(n, k, 0.0, 0.0, 0.0)
        by_row, by_column, middle = table.mean(axis=1), table.mean(axis=0), table.mean()
        rows = k * float(((by_row - middle) ** 2).sum()) / (n - 1)
        columns = n * float(((by_column - middle) ** 2).sum()) / (k - 1)
        left = table - by_row[:, None] - by_column[None, :] + middle
        error = float((left**2).sum()) / ((n - 1) * (k - 1))
        # What rounding leaves of a perfect table is no disagreement.
        dust = 1e-24 * max(float((table**2).mean()), 1e-300)
        return cls(n, k, *(part if part > dust else 0.0 for part in (rows, columns, error)))

    @property
    def freedom(self) -> tuple[int, int]:
        return max(self.n - 1, 0), max((self.n - 1) * (self.k - 1), 0)


def _consistency(of: _Variance, form: str, level: float, *, average: bool) -> Icc:
    below = of.rows if average else of.rows + (of.k - 1) * of.error
    if of.rows == 0:
        return _nothing(of, form)
    value = (of.rows - of.error) / below
    if of.error == 0:
        return _icc(of, form, value, value, value)
    f, (rows, error) = of.rows / of.error, of.freedom
    tail = (1 + level) / 2
    lowest, highest = f / f_quantile(tail, rows, error), f * f_quantile(tail, error, rows)
    shrink = 0 if average else of.k - 1
    return _icc(of, form, value, *((each - 1) / (each + shrink) for each in (lowest, highest)))


def _agreement(of: _Variance, form: str, level: float, *, average: bool) -> Icc:
    if of.rows == 0:
        return _nothing(of, form)
    single = (of.rows - of.error) / (of.rows + (of.k - 1) * of.error + of.k * (of.columns - of.error) / of.n)
    low, high = _agreement_interval(of, single, level)
    values = (_stepped_up(each, of.k) if average else each for each in (single, low, high))
    return _icc(of, form, *values)


def _agreement_interval(of: _Variance, single: float, level: float) -> tuple[float, float]:
    """Bounds of ICC(A,1), with Satterthwaite's degrees of freedom for raters and error together."""
    if of.columns == 0 and of.error == 0:
        return single, single
    n, k, tail = of.n, of.k, (1 + level) / 2
    a = k * single / (n * (1 - single))
    b = 1 + a * (n - 1)
    mixed = (a * of.columns + b * of.error) ** 2 / (
        (a * of.columns) ** 2 / (k - 1) + (b * of.error) ** 2 / ((n - 1) * (k - 1))
    )
    mixed = max(mixed, 1.0)  # where a negative coefficient makes the two parts cancel
    lower, upper = f_quantile(tail, n - 1, mixed), f_quantile(tail, mixed, n - 1)
    noise = k * of.columns + (k * n - k - n) * of.error
    low = n * (of.rows - lower * of.error) / (lower * noise + n * of.rows)
    high = n * (upper * of.rows - of.error) / (noise + n * upper * of.rows)
    return low, high


def _stepped_up(single: float, k: int) -> float:
    """The average of `k` raters from a single one (Spearman & Brown); a single one is never below -1 / (k - 1)."""
    single = max(single, 1e-9 - 1 / (k - 1))
    return k * single / (1 + (k - 1) * single)


def _icc(of: _Variance, form: str, value: float, low: float, high: float) -> Icc:
    f = of.rows / of.error if of.error else None
    p = f_above(f, *of.freedom) if f is not None else 0.0
    return Icc(form=form, value=value, low=low, high=high, f=f, freedom=of.freedom, p=p, band=band(value))


def _nothing(of: _Variance, form: str) -> Icc:
    return Icc(form=form, value=None, low=None, high=None, f=None, freedom=of.freedom, p=None, band="")
