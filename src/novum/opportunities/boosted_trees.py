"""Boosted trees for pairs of concepts: trained by XGBoost, stored and evaluated as plain arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

import numpy as np

from novum.core.arrays import Floats, Vectors
from novum.idea_metrics.impact.booster import train_trees
from novum.idea_metrics.impact.trees import Trees
from novum.idea_metrics.impact.trees_file import read_trees

_ROUNDS = 200
_PARAMETERS = {
    "max_depth": 3,
    "eta": 0.06,
    "subsample": 0.8,
    "colsample_bytree": 0.5,
    "min_child_weight": 20,
    "reg_lambda": 5.0,
    "max_bin": 64,
}


@dataclass(frozen=True, eq=False)
class BoostedTrees:
    """`file`: the trees in the format of XGBoost; `base`: the constant to which the trees add."""

    trees: Trees
    file: bytes
    base: float

    @classmethod
    def fit(
        cls, table: Vectors, target: Floats, objective: Literal["binary:logistic", "reg:squarederror"], seed: int
    ) -> Self:
        """Trees for `table`, shape (n, p), and `target`, shape (n,). Predictions of `binary:logistic` are log odds."""
        mean, is_binary = float(np.average(target)), objective == "binary:logistic"
        base = float(np.log(mean / (1 - mean))) if is_binary else mean
        parameters = _PARAMETERS | {"objective": objective, "seed": seed, "base_score": 0.5 if is_binary else 0.0}
        file = train_trees(table, target, np.full(len(target), base), parameters, _ROUNDS)
        return cls(read_trees(file, table.shape[1]), file, base)

    @classmethod
    def from_stored(cls, file: bytes, base: float, columns: int) -> Self:
        """The trees from their stored form, over so many columns. Raises ValueError where it is damaged."""
        if not np.isfinite(base):
            raise ValueError("the base of the trees is not a number")
        return cls(read_trees(file, columns), file, base)

    def predict(self, table: Vectors) -> Floats:
        """Predictions for `table`, shape (n, p): shape (n,)."""
        summed: Floats = self.base + self.trees.predict(table)
        return summed
