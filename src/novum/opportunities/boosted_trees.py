"""Boosted trees for pairs: trained by XGBoost, stored and evaluated as plain arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from novum.core.arrays import Floats, Vectors
from novum.idea_metrics.impact.trees import Trees
from novum.idea_metrics.impact.trees_file import read_trees

_ROUNDS = 200
_THREADS = 1
"""One makes the same trees everywhere, and two wait for each other on a busy machine."""
_SHAPE = {
    "max_depth": 3,
    "eta": 0.06,
    "subsample": 0.8,
    "colsample_bytree": 0.5,
    "min_child_weight": 20,
    "reg_lambda": 5.0,
    "max_bin": 64,
    "tree_method": "hist",
    "nthread": _THREADS,
}


@dataclass(frozen=True, eq=False)
class BoostedTrees:
    """`file`: the trees as XGBoost writes them; `base`: where their sum begins."""

    trees: Trees
    file: bytes
    base: float

    @classmethod
    def grown(cls, table: Vectors, target: Floats, objective: str, seed: int, weights: Floats | None = None) -> Self:
        """`objective`: `binary:logistic`, whose sums are log odds, or `reg:squarederror`."""
        import xgboost  # noqa: PLC0415  two seconds to load, and only what learns needs it

        mean = float(np.average(target, weights=weights))
        base = float(np.log(mean / (1 - mean))) if objective.startswith("binary") else mean
        margin = np.full(len(target), base)
        data = xgboost.QuantileDMatrix(
            table, target, weight=weights, base_margin=margin, max_bin=_SHAPE["max_bin"], nthread=_THREADS
        )
        shape = _SHAPE | {"objective": objective, "seed": seed, "base_score": 0.5 if objective.startswith("b") else 0.0}
        file = bytes(xgboost.train(shape, data, _ROUNDS).save_raw("json"))
        return cls(read_trees(file, table.shape[1]), file, base)

    @classmethod
    def from_stored(cls, file: bytes, base: float, columns: int) -> Self:
        """The trees from their stored form. Raises ValueError where it is damaged."""
        if not np.isfinite(base):
            raise ValueError("the trees begin nowhere")
        return cls(read_trees(file, columns), file, base)

    def predict(self, table: Vectors) -> Floats:
        """Shape (n,)."""
        summed: Floats = self.base + self.trees.predict(table)
        return summed
