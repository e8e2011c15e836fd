"""Spearman's correlation within strata, and what is left of it once other things are held equal.

Ranks are taken inside each stratum, so that scales and levels of the strata do not matter; the strata's correlations
are averaged, each weighted by its size. Held equal means: the ranks of both sides less what a cubic curve through the
ranks of the given things says of them. Under a straight line, a score that likes texts of usual length would pass for
one that knows more than length.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from novum.core.record import Value
from novum.statistics.bootstrap import estimate
from novum.statistics.estimate import Estimate
from novum.statistics.rank_correlation import middle_ranks
from novum.statistics.strata import rows_by_stratum

Floats = NDArray[np.float64]
FEWEST = 10
"""Rows of a stratum below which its correlation is mostly noise, and is left out."""
_CURVE = 3
"""Degree of the curve by which a given thing is held equal."""
_BLOCK = 2_000_000
"""Counts in memory at once."""


class Within(Value):
    """One column's correlation with the outcome within strata."""

    rho: Estimate
    """By a bootstrap of rows inside their strata, at the ranks that they have in the whole."""
    p: float | None
    """Two-sided, by the spread that the average has under independence: each stratum's is 1 / (n - 1 - what the curves
    of the given things take)."""
    n: int
    """Rows used."""
    strata: int
    """Strata used."""


@dataclass(frozen=True)
class _Pair:
    """One column beside the outcome in one stratum: centred ranks, zeros where something is missing."""

    column: int
    x: Floats
    y: Floats
    used: NDArray[np.bool_]

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
) -> list[Within]:
    """For each of the columns, shape (n, m), its correlation with `outcome`, shape (n,), within `strata`, shape (n,).

    `given`: what is held equal, shape (n, c). A NaN leaves a row out of the columns that need it. A stratum counts for
    a column with at least `FEWEST` + 3 c whole rows and some spread on both sides. All columns see the same draws.
    Raises ValueError for shapes that do not fit.
    """
    x, y, names = np.asarray(columns, float), np.asarray(outcome, float), np.asarray(strata)
    held = np.empty((len(y), 0)) if given is None else np.asarray(given, float)
    if x.ndim != 2 or held.ndim != 2 or not len(x) == len(held) == len(y) == len(names):
        raise ValueError(f"columns of {x.shape}, given {held.shape}, outcome {y.shape} and strata {names.shape}")
    rng = np.random.default_rng(seed)
    total, weight = np.zeros((draws, x.shape[1])), np.zeros((draws, x.shape[1]))
    pairs: list[_Pair] = []
    told = np.flatnonzero(np.isfinite(y))
    for rows in (told[each] for each in rows_by_stratum(names[told]) if len(each) >= FEWEST):
        found = list(_pairs(x[rows], y[rows], held[rows]))
        pairs += found
        if found and draws:
            _add_draws(found, rng, total, weight)
    with np.errstate(invalid="ignore", divide="ignore"):
        drawn = total / weight
    return [
        _within([each for each in pairs if each.column == column], drawn[:, column], _CURVE * held.shape[1], level)
        for column in range(x.shape[1])
    ]


def _pairs(x: Floats, y: Floats, held: Floats) -> Iterator[_Pair]:
    known = np.isfinite(held).all(axis=1)
    for column in range(x.shape[1]):
        used = known & np.isfinite(x[:, column])
        if used.sum() < FEWEST + _CURVE * held.shape[1]:
            continue
        curves = np.column_stack([np.ones(used.sum()), *(_powers(middle_ranks(each)) for each in held[used].T)])
        left = [_rest(middle_ranks(side[used]), curves) for side in (x[:, column], y)]
        if all(_spread(each) for each in left):
            wide = np.zeros((2, len(y)))
            wide[:, used] = left
            yield _Pair(column, wide[0], wide[1], used)


def _powers(ranks: Floats) -> Floats:
    """The first few powers of ranks brought to -1 to 1, where they differ, shape (n, 3)."""
    reach = max(float(np.ptp(ranks)), 1.0) / 2
    apart = (ranks - (ranks.max() + ranks.min()) / 2) / reach
    return np.column_stack([apart**power for power in range(1, _CURVE + 1)])


def _rest(ranks: Floats, curves: Floats) -> Floats:
    """What the curves do not say of the ranks; with a column of ones alone, their distance from the mean."""
    left: Floats = ranks - curves @ np.linalg.lstsq(curves, ranks, rcond=None)[0]
    return left


def _spread(left: Floats) -> bool:
    """Whether more than rounding is left; ranks are whole or half numbers."""
    return bool(np.abs(left).max() > 1e-6 * len(left))


def _add_draws(found: list[_Pair], rng: np.random.Generator, total: Floats, weight: Floats) -> None:
    """Adds this stratum's correlation in every draw, times its size."""
    sums = np.concatenate([_moments(each) for each in found], axis=1)
    size, columns = len(sums), [each.column for each in found]
    step = max(1, _BLOCK // size)
    for start in range(0, len(total), step):
        rows = min(step, len(total) - start)
        drawn = rng.integers(0, size, size=(rows, size)) + size * np.arange(rows)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=rows * size).reshape(rows, size).astype(float)
        n, sx, sy, sxx, syy, sxy = np.moveaxis((counts @ sums).reshape(rows, len(found), 6), 2, 0)
        with np.errstate(invalid="ignore", divide="ignore"):
            r = (sxy - sx * sy / n) / np.sqrt((sxx - sx * sx / n) * (syy - sy * sy / n))
        whole = np.isfinite(r)
        sizes = np.where(whole, [each.n for each in found], 0)
        total[start : start + rows, columns] += np.where(whole, r, 0) * sizes
        weight[start : start + rows, columns] += sizes


def _moments(of: _Pair) -> Floats:
    """What a weighted correlation is made of, shape (n, 6)."""
    return np.stack([of.used.astype(float), of.x, of.y, of.x**2, of.y**2, of.x * of.y], axis=1)


def _within(pairs: list[_Pair], draws: Floats, given: int, level: float) -> Within:
    if not pairs:
        return Within(rho=Estimate(level=level), p=None, n=0, strata=0)
    sizes = np.array([each.n for each in pairs], dtype=float)
    shares = sizes / sizes.sum()
    rho = float(shares @ [each.r for each in pairs])
    spread = math.sqrt(float(shares**2 @ (1 / (sizes - 1 - given))))
    p = math.erfc(abs(rho) / spread / math.sqrt(2))
    return Within(rho=estimate(rho, draws, level), p=p, n=int(sizes.sum()), strata=len(pairs))
