"""How far several ratings of one thing lie apart, where things have been rated by unequal numbers of raters, who are
not the same from thing to thing: the one-way intraclass correlation ICC(1), and the mean absolute difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from novum.metrics.weighted_ranks import Floats


@dataclass(frozen=True)
class RaterSpread:
    """What is needed of each thing with two ratings or more, shape (n,)."""

    raters: Floats
    sums: Floats
    squares: Floats
    """Sums of squares within the thing, about its own mean."""
    apart: Floats
    """Mean absolute difference of two of its ratings."""

    @classmethod
    def of(cls, ratings: Sequence[Sequence[float]]) -> RaterSpread:
        """Things with a single rating, or none, have 0 `raters` and count for nothing."""
        wide = max((len(each) for each in ratings), default=0)
        table = np.full((len(ratings), max(wide, 1)), np.nan)
        for row, each in enumerate(ratings):
            if len(each) > 1:
                table[row, : len(each)] = each
        known = np.isfinite(table)
        raters = known.sum(axis=1).astype(np.float64)
        sums = np.where(known, table, 0).sum(axis=1)
        mean = sums / np.maximum(raters, 1)
        squares = np.where(known, (table - mean[:, None]) ** 2, 0).sum(axis=1)
        apart = np.zeros(len(table))
        for one, other in combinations(range(table.shape[1]), 2):
            apart += np.nan_to_num(np.abs(table[:, one] - table[:, other]))
        pairs = raters * (raters - 1) / 2
        return cls(raters, sums, squares, apart / np.maximum(pairs, 1))

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
        of a thing; 0: two ratings of one thing are no nearer than those of two. NaN with fewer than two things."""
        here = times * (self.raters > 0)
        things, ratings = here.sum(axis=1), here @ self.raters
        own = self.sums**2 / np.maximum(self.raters, 1)
        between = _ratio(here @ own - _ratio((here @ self.sums) ** 2, ratings), things - 1)
        within = _ratio(here @ self.squares, ratings - things)
        usual = _ratio(ratings - _ratio(here @ self.raters**2, ratings), things - 1)
        return _ratio(between - within, between + (usual - 1) * within)


def _ratio(above: Floats, below: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio: Floats = above / below
    return np.where(below > 0, ratio, np.nan)
