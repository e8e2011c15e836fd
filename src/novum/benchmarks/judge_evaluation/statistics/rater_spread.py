"""How far several ratings of one thing lie apart, where things have been rated by unequal numbers of raters, who are
not the same from thing to thing: the one-way intraclass correlation ICC(1), and the mean absolute difference.

Things of several groups are compared within each: what parts groups is no agreement on things.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from novum.core.arrays import Floats
from novum.statistics.weighted import Rows


@dataclass(frozen=True)
class RaterSpread:
    """What is needed of each thing with two ratings or more, shape (n,)."""

    raters: Floats
    squares: Floats
    """Sums of squares within the thing, about its own mean."""
    apart: Floats
    """Mean absolute difference of two of its ratings."""
    between: Floats
    """Squares of its mean about that of its group, times its raters."""
    freedom: Floats
    """Its share in the degrees of freedom between the things of its group."""
    usual: Floats
    """Its share in what makes up the usual number of raters."""

    @classmethod
    def of(cls, ratings: Sequence[Sequence[float]], groups: Sequence[Rows] | None = None) -> RaterSpread:
        """Things with a single rating, or none, have 0 `raters` and count for nothing. `groups`: the rows of each; None
        for a single one."""
        wide = max((len(each) for each in ratings), default=0)
        table = np.full((len(ratings), max(wide, 1)), np.nan)
        for row, each in enumerate(ratings):
            if len(each) > 1:
                table[row, : len(each)] = each
        known = np.isfinite(table)
        raters = known.sum(axis=1).astype(np.float64)
        mean = np.where(known, table, 0).sum(axis=1) / np.maximum(raters, 1)
        squares = np.where(known, (table - mean[:, None]) ** 2, 0).sum(axis=1)
        apart = np.zeros(len(table))
        for one, other in combinations(range(table.shape[1]), 2):
            apart += np.nan_to_num(np.abs(table[:, one] - table[:, other]))
        pairs = raters * (raters - 1) / 2
        parts = _between(raters, mean, [np.arange(len(table))] if groups is None else groups)
        return cls(raters, squares, apart / np.maximum(pairs, 1), *parts)

    def difference(self, times: Floats) -> Floats:
        """Mean absolute difference of two ratings of a thing, each thing counting alike: shape (b,)."""
        here = times * (self.raters > 0)
        return _ratio(here @ self.apart, here.sum(axis=1))

    def noise(self, times: Floats) -> Floats:
        """Root of the mean square error that the raters' own spread leaves in a thing's mean: what remains even for one
        who knew what ever so many raters would say on average. Shape (b,)."""
        here = times * (self.raters > 0)
        share = self.squares / np.maximum(self.raters - 1, 1) / np.maximum(self.raters, 1)
        return np.sqrt(_ratio(here @ share, here.sum(axis=1)))

    def icc(self, times: Floats) -> Floats:
        """ICC(1) for unequal numbers of raters, in samples of so many `times` (b, n): shape (b,). 1: all say the same
        of a thing; 0: two ratings of one thing are no nearer than those of two. NaN where no group has two things.
        A draw keeps the means of the groups: those of few things would move with every draw."""
        here = times * (self.raters > 0)
        freedom = here @ self.freedom
        between, usual = _ratio(here @ self.between, freedom), _ratio(here @ self.usual, freedom)
        within = _ratio(here @ self.squares, here @ np.maximum(self.raters - 1, 0))
        return _ratio(between - within, between + (usual - 1) * within)


def _between(raters: Floats, mean: Floats, groups: Sequence[Rows]) -> tuple[Floats, Floats, Floats]:
    """`between`, `freedom` and `usual` of `RaterSpread`."""
    between, freedom, usual = np.zeros(len(raters)), np.zeros(len(raters)), np.zeros(len(raters))
    for each in groups:
        rows = each[raters[each] > 0]
        if len(rows) > 1:
            here = raters[rows]
            between[rows] = here * (mean[rows] - here @ mean[rows] / here.sum()) ** 2
            freedom[rows] = 1 - 1 / len(rows)
            usual[rows] = here - here**2 / here.sum()
    return between, freedom, usual


def _ratio(above: Floats, below: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio: Floats = above / below
    return np.where(below > 0, ratio, np.nan)
