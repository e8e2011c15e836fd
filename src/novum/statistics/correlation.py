"""Correlation of two measurements: Pearson's, Spearman's, and Spearman's within strata with covariates held equal."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, ndtri

from novum.core.arrays import Bools, Floats
from novum.core.record import Value
from novum.statistics.bootstrap import estimate
from novum.statistics.records import Correlation, Estimate
from novum.statistics.weighted import begins_new_rank, rows_by_stratum

FEWEST = 10
"""Rows of a stratum below which its correlation is mostly noise; such a stratum is left out."""
_DEGREE = 3
"""Degree of the polynomial by which a covariate is held equal."""
_BLOCK = 2_000_000
"""Counts in memory at once."""


def pearson(x: ArrayLike, y: ArrayLike, level: float = 0.95) -> Correlation:
    """Pearson's correlation of two sequences of equal length; pairs with a NaN are left out and counted.

    Raises ValueError for sequences of different lengths. `scipy.stats.pearsonr` gives the same numbers, ten times as
    slowly, and warns of constant input.
    """
    first, second, whole = _complete_pairs(x, y)
    n, left_out = int(whole.sum()), int((~whole).sum())
    r = _r(first[whole], second[whole]) if n >= 3 else None
    if r is None:
        return Correlation(r=None, low=None, high=None, p=None, n=n, left_out=left_out)
    low, high = _fisher_interval(r, n, level)
    # t = r √(n-2) / √(1-r²): its two-sided p-value is the incomplete beta function at 1 - r².
    p = float(betainc((n - 2) / 2, 0.5, 1 - r * r))
    return Correlation(r=r, low=low, high=high, p=p, n=n, left_out=left_out)


def spearman(x: ArrayLike, y: ArrayLike, level: float = 0.95) -> Correlation:
    """Spearman's correlation: Pearson's of the ranks, ties sharing their mean rank; pairs with a NaN are left out.

    Interval and p-value are those of Pearson's r on ranks, which are good approximations from ten pairs on. Raises
    ValueError for sequences of different lengths.
    """
    first, second, whole = _complete_pairs(x, y)
    ranks = np.full((2, len(whole)), np.nan)
    ranks[0, whole], ranks[1, whole] = mean_ranks(first[whole]), mean_ranks(second[whole])
    return pearson(ranks[0], ranks[1], level)


def mean_ranks(values: ArrayLike) -> Floats:
    """Ranks from 1 for the smallest, ties sharing the mean of theirs: as `scipy.stats.rankdata`, but values that differ
    by the noise of floating-point sums alone are ties."""
    given = np.asarray(values, dtype=float)
    order = np.argsort(given, kind="stable")
    group = begins_new_rank(given[order]).cumsum() - 1
    count = np.bincount(group)
    middle = np.cumsum(count) - (count - 1) / 2
    ranks = np.empty(len(given))
    ranks[order] = middle[group]
    return ranks


def _complete_pairs(x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats, Bools]:
    first, second = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if first.shape != second.shape or first.ndim != 1:
        raise ValueError(f"expected two sequences of equal length, not shapes {first.shape} and {second.shape}")
    return first, second, np.isfinite(first) & np.isfinite(second)


def _r(x: Floats, y: Floats) -> float | None:
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    x, y = x - x.mean(), y - y.mean()
    # Scaling first keeps the squares of very large and very small numbers within the range of floats.
    x, y = x / np.abs(x).max(), y / np.abs(y).max()
    return float(np.clip((x @ y) / math.sqrt((x @ x) * (y @ y)), -1, 1))


def _fisher_interval(r: float, n: int, level: float) -> tuple[float | None, float | None]:
    if n < 4:
        return None, None
    if abs(r) == 1:
        return r, r
    reach = float(ndtri((1 + level) / 2)) / math.sqrt(n - 3)
    return math.tanh(math.atanh(r) - reach), math.tanh(math.atanh(r) + reach)


class StratifiedCorrelation(Value):
    """Spearman's correlation of one column with the outcome, within strata."""

    rho: Estimate
    """Interval by a bootstrap of rows inside their strata; a row keeps the rank that it has in the whole stratum."""
    p: float | None
    """Two-sided, from the variance of the average under independence: 1 / (n - 1 - parameters of the polynomials) for
    each stratum."""
    n: int
    """Rows used."""
    strata: int
    """Strata used."""


@dataclass(frozen=True)
class _Pair:
    """One column and the outcome in one stratum: centred ranks, 0 where a value is missing."""

    column: int
    x: Floats
    y: Floats
    used: Bools

    @property
    def n(self) -> int:
        return int(self.used.sum())

    @property
    def r(self) -> float:
        return float(np.clip(self.x @ self.y / math.sqrt((self.x @ self.x) * (self.y @ self.y)), -1, 1))


def spearman_within(
    columns: ArrayLike,
    outcome: ArrayLike,
    strata: ArrayLike,
    *,
    given: ArrayLike | None = None,
    draws: int = 1000,
    seed: int = 0,
    level: float = 0.95,
) -> list[StratifiedCorrelation]:
    """The correlation of each of the columns, shape (n, m), with `outcome`, shape (n,), within `strata`, shape (n,).

    Ranks are taken inside each stratum, so that scales and levels of the strata do not matter; the correlations of the
    strata are averaged, weighted by size. `given`: covariates to hold equal, shape (n, c): a cubic polynomial of the
    ranks of each is subtracted from the ranks of both sides. (A straight line would let a score that prefers texts of
    average length pass for one that knows more than length.)

    A row with a NaN is left out of the columns that need the value. A stratum counts for a column with at least
    `FEWEST` + 3 c complete rows and some variation on both sides. All columns see the same bootstrap samples. Raises
    ValueError for shapes that do not fit.
    """
    x, y, names = np.asarray(columns, float), np.asarray(outcome, float), np.asarray(strata)
    held = np.empty((len(y), 0)) if given is None else np.asarray(given, float)
    if x.ndim != 2 or held.ndim != 2 or not len(x) == len(held) == len(y) == len(names):
        raise ValueError(f"columns of {x.shape}, given {held.shape}, outcome {y.shape} and strata {names.shape}")
    rng = np.random.default_rng(seed)
    total, weight = np.zeros((draws, x.shape[1])), np.zeros((draws, x.shape[1]))
    pairs: list[_Pair] = []
    known = np.flatnonzero(np.isfinite(y))
    for rows in (known[each] for each in rows_by_stratum(names[known]) if len(each) >= FEWEST):
        stratum_pairs = list(_pairs(x[rows], y[rows], held[rows]))
        pairs += stratum_pairs
        if stratum_pairs and draws:
            _add_draws(stratum_pairs, rng, total, weight)
    with np.errstate(invalid="ignore", divide="ignore"):
        drawn = total / weight
    return [
        _stratified([each for each in pairs if each.column == column], drawn[:, column], _DEGREE * held.shape[1], level)
        for column in range(x.shape[1])
    ]


def _pairs(x: Floats, y: Floats, held: Floats) -> Iterator[_Pair]:
    known = np.isfinite(held).all(axis=1)
    for column in range(x.shape[1]):
        used = known & np.isfinite(x[:, column])
        if used.sum() < FEWEST + _DEGREE * held.shape[1]:
            continue
        curves = np.column_stack([np.ones(used.sum()), *(_powers(mean_ranks(each)) for each in held[used].T)])
        rests = [_residual(mean_ranks(side[used]), curves) for side in (x[:, column], y)]
        # Ranks are whole or half numbers: a smaller residual is rounding.
        if all(np.abs(rest).max() > 1e-6 * len(rest) for rest in rests):
            wide = np.zeros((2, len(y)))
            wide[:, used] = rests
            yield _Pair(column, wide[0], wide[1], used)


def _powers(ranks: Floats) -> Floats:
    """The first three powers of ranks scaled to -1 … 1, shape (n, 3)."""
    reach = max(float(np.ptp(ranks)), 1.0) / 2
    scaled = (ranks - (ranks.max() + ranks.min()) / 2) / reach
    return np.column_stack([scaled**power for power in range(1, _DEGREE + 1)])


def _residual(ranks: Floats, curves: Floats) -> Floats:
    residual: Floats = ranks - curves @ np.linalg.lstsq(curves, ranks, rcond=None)[0]
    return residual


def _add_draws(pairs: list[_Pair], rng: np.random.Generator, total: Floats, weight: Floats) -> None:
    """Adds the stratum's correlation in every bootstrap sample, times its size."""
    sums = np.concatenate([_moments(each) for each in pairs], axis=1)
    size, columns = len(sums), [each.column for each in pairs]
    step = max(1, _BLOCK // size)
    for start in range(0, len(total), step):
        rows = min(step, len(total) - start)
        drawn = rng.integers(0, size, size=(rows, size)) + size * np.arange(rows)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=rows * size).reshape(rows, size).astype(float)
        n, sx, sy, sxx, syy, sxy = np.moveaxis((counts @ sums).reshape(rows, len(pairs), 6), 2, 0)
        with np.errstate(invalid="ignore", divide="ignore"):
            r = (sxy - sx * sy / n) / np.sqrt((sxx - sx * sx / n) * (syy - sy * sy / n))
        whole = np.isfinite(r)
        sizes = np.where(whole, [each.n for each in pairs], 0)
        total[start : start + rows, columns] += np.where(whole, r, 0) * sizes
        weight[start : start + rows, columns] += sizes


def _moments(of: _Pair) -> Floats:
    """The sums that a weighted correlation is made of, shape (n, 6)."""
    return np.stack([of.used.astype(float), of.x, of.y, of.x**2, of.y**2, of.x * of.y], axis=1)


def _stratified(pairs: list[_Pair], draws: Floats, given: int, level: float) -> StratifiedCorrelation:
    if not pairs:
        return StratifiedCorrelation(rho=Estimate(level=level), p=None, n=0, strata=0)
    sizes = np.array([each.n for each in pairs], dtype=float)
    shares = sizes / sizes.sum()
    rho = float(shares @ [each.r for each in pairs])
    deviation = math.sqrt(float(shares**2 @ (1 / (sizes - 1 - given))))
    p = math.erfc(abs(rho) / deviation / math.sqrt(2))
    return StratifiedCorrelation(rho=estimate(rho, draws, level), p=p, n=int(sizes.sum()), strata=len(pairs))
