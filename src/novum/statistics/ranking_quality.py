"""How well a score ranks rare events among very many pairs: area under the ROC curve, average precision, precision@k.

Every number is one of weighted pairs, so that a bootstrap is the same computation with other weights. A pair has two
ends and shares each with many others; drawing pairs would take them for independent. So the things at their ends are
drawn, and a pair counts as often as both of its ends together (the pigeonhole bootstrap, Owen 2007).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
MEASURES = ("auc", "average_precision", "precision_at_k")


@dataclass(frozen=True, eq=False)
class RankedLinks:
    """Pairs by one score, highest first. `one`, `other`: their ends, numbers from 0; `positive`: places of those that
    came true; `above`, `until`: for each of these where its ties begin, and where they end."""

    one: Ints
    other: Ints
    positive: Ints
    above: Ints
    until: Ints

    @classmethod
    def of(cls, scores: ArrayLike, true: ArrayLike, one: ArrayLike, other: ArrayLike) -> Self:
        """All of shape (n,). A score that is NaN stands last. Raises ValueError for different lengths."""
        values, happened = np.asarray(scores, float), np.asarray(true, bool)
        ends = np.asarray(one), np.asarray(other)
        if not values.shape == happened.shape == ends[0].shape == ends[1].shape:
            raise ValueError("scores, outcomes and ends of pairs are of different lengths")
        values = np.where(np.isnan(values), -np.inf, values)
        order = np.argsort(-values, kind="stable")
        ranked = -values[order]
        positive = np.flatnonzero(happened[order])
        above = np.searchsorted(ranked, ranked[positive], side="left")
        until = np.searchsorted(ranked, ranked[positive], side="right")
        return cls(ends[0][order], ends[1][order], positive, above, until)

    def measured(self, k: int, times: Floats | None = None) -> Floats:
        """`MEASURES`, shape (3,); NaN where there is nothing to rank. `times`: how often each end counts; None: once.

        Ties count as if broken at random: half in the area, their share at k; average precision takes them as one.
        """
        weight = np.ones(len(self.one)) if times is None else times[self.one] * times[self.other]
        upto = np.concatenate([[0.0], np.cumsum(weight)])
        mine = weight[self.positive]
        true_upto = np.concatenate([[0.0], np.cumsum(mine)])
        true, all_of_them = true_upto[-1], upto[-1]
        if true <= 0 or all_of_them - true <= 0:
            return np.full(len(MEASURES), np.nan)
        first = np.searchsorted(self.positive, self.above)
        after = np.searchsorted(self.positive, self.until)
        false_above = upto[self.above] - true_upto[first]
        false_tied = upto[self.until] - upto[self.above] - (true_upto[after] - true_upto[first])
        area = 1 - (mine @ (false_above + false_tied / 2)) / (true * (all_of_them - true))
        precision = np.divide(true_upto[after], upto[self.until], out=np.zeros(len(mine)), where=upto[self.until] > 0)
        return np.array([area, (mine @ precision) / true, self._at(k, upto, true_upto)])

    def _at(self, k: int, upto: Floats, true_upto: Floats) -> float:
        """The share of the first `k` that came true; what is tied at the border counts by its share."""
        reach = min(float(k), upto[-1])
        begins, group = np.unique(self.above, return_index=True)
        ends = self.until[group]
        share = np.divide(
            reach - upto[begins], upto[ends] - upto[begins], out=np.zeros(len(begins)), where=upto[ends] > upto[begins]
        )
        inside = np.searchsorted(self.positive, ends), np.searchsorted(self.positive, begins)
        true = true_upto[inside[0]] - true_upto[inside[1]]
        return float(np.clip(share, 0, 1) @ true / reach) if reach > 0 else float("nan")
