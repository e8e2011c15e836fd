"""Quality of rankings: nDCG, recall, reciprocal rank and rank fusion of lists; how well a score ranks rare links."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from novum.core.arrays import Floats, Ints

Item = TypeVar("Item", bound=Hashable)

# -- lists of ids, best first, each at most once; relevance is yes or no ----------------------------------------------


def ndcg(ranking: Sequence[Item], relevant: Collection[Item], k: int = 10) -> float | None:
    """Normalised discounted cumulative gain of the first `k`, 0 to 1 (Järvelin & Kekäläinen 2002, log base 2).

    None when nothing is relevant. (`sklearn.metrics.ndcg_score` takes matrices of scores, not lists of ids.)
    """
    if not relevant:
        return None
    gained = sum(_discount(place) for place, item in enumerate(ranking[:k], 1) if item in relevant)
    return gained / sum(_discount(place) for place in range(1, min(k, len(relevant)) + 1))


def _discount(place: int) -> float:
    return 1 / math.log2(place + 1)


def recall(ranking: Sequence[Item], relevant: Collection[Item], k: int = 10) -> float | None:
    """Share of the relevant items that are among the first `k`, 0 to 1; None when nothing is relevant."""
    if not relevant:
        return None
    return sum(item in relevant for item in ranking[:k]) / len(relevant)


def reciprocal_rank(ranking: Sequence[Item], relevant: Collection[Item]) -> float | None:
    """1 / rank of the first relevant item, 0 without one; None when nothing is relevant. Its mean is the MRR."""
    if not relevant:
        return None
    return next((1 / place for place, item in enumerate(ranking, 1) if item in relevant), 0.0)


def reciprocal_rank_fusion(rankings: Iterable[Sequence[Item]], constant: int = 60) -> list[Item]:
    """One ranking of several: each item earns 1 / (`constant` + rank) in each (Cormack, Clarke & Büttcher 2009).

    Ties keep the order of first appearance.
    """
    earned: dict[Item, float] = defaultdict(float)
    for ranking in rankings:
        for place, item in enumerate(ranking, 1):
            earned[item] += 1 / (constant + place)
    return sorted(earned, key=lambda item: -earned[item])


# -- rare links among very many pairs ---------------------------------------------------------------------------------

MEASURES = ("auc", "average_precision", "precision_at_k")


@dataclass(frozen=True, eq=False)
class RankedLinks:
    """Pairs sorted by a score, highest first, measured with weights without sorting again.

    A pair shares each end with many other pairs, so pairs must not be resampled as if independent: the ends are
    resampled, and a pair counts as often as both of its ends together (pigeonhole bootstrap, Owen 2007). scikit-learn's
    `roc_auc_score` and `average_precision_score` take such weights too, but sort millions of pairs for each sample.
    """

    one: Ints
    """The ends of each pair, numbered from 0."""
    other: Ints
    positive: Ints
    """Ranks of the pairs that became linked."""
    above: Ints
    """For each of these, the rank at which its ties begin."""
    until: Ints
    """And where they end."""

    @classmethod
    def of(cls, scores: ArrayLike, linked: ArrayLike, one: ArrayLike, other: ArrayLike) -> Self:
        """From columns of shape (n,). A score that is NaN ranks last. Raises ValueError for different lengths."""
        values, outcomes = np.asarray(scores, float), np.asarray(linked, bool)
        ends = np.asarray(one), np.asarray(other)
        if not values.shape == outcomes.shape == ends[0].shape == ends[1].shape:
            raise ValueError("scores, outcomes and ends of pairs have different lengths")
        values = np.where(np.isnan(values), -np.inf, values)
        order = np.argsort(-values, kind="stable")
        ranked = -values[order]
        positive = np.flatnonzero(outcomes[order])
        above = np.searchsorted(ranked, ranked[positive], side="left")
        until = np.searchsorted(ranked, ranked[positive], side="right")
        return cls(ends[0][order], ends[1][order], positive, above, until)

    def measured(self, k: int, times: Floats | None = None) -> Floats:
        """The `MEASURES`, shape (3,); NaN where undefined. `times`: how often each end counts; None: once.

        Ties count as if broken at random: half in the area, by share at `k`; average precision treats them as one.
        """
        weight = np.ones(len(self.one)) if times is None else times[self.one] * times[self.other]
        upto = np.concatenate([[0.0], np.cumsum(weight)])
        mine = weight[self.positive]
        true_upto = np.concatenate([[0.0], np.cumsum(mine)])
        true, total = true_upto[-1], upto[-1]
        if true <= 0 or total - true <= 0:
            return np.full(len(MEASURES), np.nan)
        first = np.searchsorted(self.positive, self.above)
        after = np.searchsorted(self.positive, self.until)
        false_above = upto[self.above] - true_upto[first]
        false_tied = upto[self.until] - upto[self.above] - (true_upto[after] - true_upto[first])
        area = 1 - (mine @ (false_above + false_tied / 2)) / (true * (total - true))
        precision = np.divide(true_upto[after], upto[self.until], out=np.zeros(len(mine)), where=upto[self.until] > 0)
        return np.array([area, (mine @ precision) / true, self._precision_at(k, upto, true_upto)])

    def _precision_at(self, k: int, upto: Floats, true_upto: Floats) -> float:
        """The share of the first `k` that became linked; ties at the border count by their share."""
        reach = min(float(k), upto[-1])
        begins, group = np.unique(self.above, return_index=True)
        ends = self.until[group]
        share = np.divide(
            reach - upto[begins], upto[ends] - upto[begins], out=np.zeros(len(begins)), where=upto[ends] > upto[begins]
        )
        inside = np.searchsorted(self.positive, ends), np.searchsorted(self.positive, begins)
        true = true_upto[inside[0]] - true_upto[inside[1]]
        return float(np.clip(share, 0, 1) @ true / reach) if reach > 0 else float("nan")
