"""The citation predictor: XGBoost's trees, begun at what a linear model says, on the logarithm of citations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from novum.scoring.impact.linear import Linear
from novum.scoring.impact.trees_file import FILE, rewritten
from novum.scoring.part import Numbers, State, Vectors

if TYPE_CHECKING:
    import xgboost

_ROUNDS = 300
_THREADS = 1
"""Two wait for each other so busily that training takes ten times as long where a core is shared with anything else;
and one makes the same trees everywhere."""
_SHAPE = {
    "max_depth": 4,
    "eta": 0.02,
    "subsample": 0.8,
    "colsample_bytree": 0.3,
    "min_child_weight": 10,
    "reg_lambda": 5.0,
    "max_bin": 64,
    "tree_method": "hist",
    "nthread": _THREADS,
}


@dataclass(frozen=True)
class Predictor:
    """log(1 + citations) from columns."""

    linear: Linear
    trees: xgboost.Booster

    @classmethod
    def fit(cls, matrix: Vectors, target: Numbers, seed: int) -> Self:
        """Of papers whose citations are known: `matrix` of shape (n, p), `target` of shape (n,)."""
        import xgboost  # noqa: PLC0415  most commands never need it

        linear = Linear.fit(matrix, target)
        data = xgboost.QuantileDMatrix(
            matrix, target, base_margin=linear.predict(matrix), max_bin=_SHAPE["max_bin"], nthread=_THREADS
        )
        return cls(linear, xgboost.train(_SHAPE | {"seed": seed, "base_score": 0.0}, data, _ROUNDS))

    def predict(self, matrix: Vectors) -> Numbers:
        """Shape (n,)."""
        start = self.linear.predict(matrix)
        if not len(matrix):
            return start
        added = np.asarray(self.trees.inplace_predict(matrix), dtype=np.float64)
        whole: Numbers = start + added  # trees add to where they began
        return whole

    def shares(self, matrix: Vectors) -> Numbers:
        """What each column adds to what is usual, shape (n, p): Shapley values of the trees, and the linear parts."""
        import xgboost  # noqa: PLC0415

        data = xgboost.DMatrix(matrix, nthread=_THREADS)
        by_trees = np.asarray(self.trees.predict(data, pred_contribs=True), dtype=float)
        return by_trees[:, :-1] + self.linear.shares(matrix)

    def state(self) -> State:
        """As it is kept."""
        return State(self.linear.arrays(), files={FILE: bytes(self.trees.save_raw("json"))})

    @classmethod
    def of_state(cls, state: State, columns: int) -> Self:
        """Raises KeyError or ValueError where it is damaged or of other columns."""
        import xgboost  # noqa: PLC0415

        linear = Linear.kept(state.arrays, columns)
        trees = xgboost.Booster({"nthread": _THREADS})
        trees.load_model(bytearray(rewritten(state.files[FILE], columns)))
        return cls(linear, trees)
