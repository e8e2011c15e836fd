"""How severe each judge is: score = model + judge, fitted by least squares in each dimension.

Judges are drawn at random, so each model has another mix of severe and mild ones. The effect of a judge is the number
of points that it scores above (+) or below (−) the panel; effects sum to zero over the judges.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from novum.benchmarks.liveidea.statistics.judgements import JUDGED, Judgements
from novum.core.arrays import Bools, Floats


@dataclass(frozen=True, eq=False)
class JudgeTotals:
    """How often each judge scored each model for each keyword, and the sums of these scores.

    Both arrays are dimensions × keywords × models × judges.
    """

    count: Floats
    total: Floats

    @classmethod
    def of(cls, judgements: Judgements) -> JudgeTotals:
        shape = (len(JUDGED), len(judgements.keywords), len(judgements.models), len(judgements.judges))
        rows = judgements.where(judgements.given)
        cell = np.ravel_multi_index((rows.dimension, rows.keyword, rows.model, rows.judge), shape)
        size = int(np.prod(shape))
        return cls(
            np.bincount(cell, minlength=size).reshape(shape).astype(float),
            np.bincount(cell, rows.score, minlength=size).reshape(shape).astype(float),
        )

    def effects(self, weights: Floats) -> Floats:
        """Effects for each row of `weights` (draws × keywords): draws × dimensions × judges; 0 without scores."""
        fitted = [
            judge_effects(over_keywords(count, weights), over_keywords(total, weights))
            for count, total in zip(self.count, self.total, strict=True)
        ]
        return np.stack(fitted, axis=1)

    def linked(self) -> tuple[bool, ...]:
        """Whether, in each dimension, all judges can be compared: through models that they judged in common."""
        return tuple(_is_linked(count.sum(axis=0) > 0) for count in self.count)


def over_keywords(cells: Floats, weights: Floats) -> Floats:
    """Sums of keywords × … cells over keywords, each counted as often as a row of `weights` says: draws × …"""
    return (weights @ cells.reshape(len(cells), -1)).reshape(len(weights), *cells.shape[1:])


def judge_effects(count: Floats, total: Floats) -> Floats:
    """Least squares of total = count · (model + judge), a stack of models × judges tables: stack × judges.

    The models are eliminated first; what remains is one small symmetric system for each table. Its smallest solution
    is the one that sums to zero. Judges that share no model with others sum to zero among themselves.
    """
    judged = np.maximum(count.sum(axis=2), 1)
    shares = count / judged[:, :, None]
    system = -np.einsum("bmj,bml->bjl", shares, count)
    judges = np.arange(count.shape[2])
    system[:, judges, judges] += count.sum(axis=1)
    wanted = total.sum(axis=1) - np.einsum("bmj,bm->bj", shares, total.sum(axis=2))
    inverse = np.linalg.pinv(system, rcond=1e-9, hermitian=True)
    effects: Floats = np.einsum("bjl,bl->bj", inverse, wanted)
    return effects


def _is_linked(judged: Bools) -> bool:
    """Whether one walk from judge to judge, over models that both judged, reaches all judges with scores."""
    present: Bools = np.any(judged, axis=0)
    if not present.any():
        return False
    reached = np.zeros_like(present)
    reached[np.argmax(present)] = True
    for _ in range(len(present)):
        reached = np.any(judged[np.any(judged & reached, axis=1)], axis=0)
    return bool((reached == present).all())
