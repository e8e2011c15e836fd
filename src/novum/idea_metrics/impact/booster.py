"""The citation predictor: boosted trees (XGBoost) on top of a linear model, for the logarithm of citations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from novum.core.arrays import Floats, Vectors
from novum.files.arrays import ModelState
from novum.idea_metrics.impact.linear import RidgeWithMissing
from novum.idea_metrics.impact.trees import Trees
from novum.idea_metrics.impact.trees_file import FILE, read_trees

_ROUNDS = 300
_THREADS = 1
"""One thread makes the same trees everywhere. With two, training took ten times as long on a busy machine, because the
threads wait for each other."""
_PARAMETERS: Mapping[str, object] = {
    "max_depth": 4,
    "eta": 0.02,
    "subsample": 0.8,
    "colsample_bytree": 0.3,
    "min_child_weight": 10,
    "reg_lambda": 5.0,
    "base_score": 0.0,
}
_MAX_BIN = 64


def train_trees(
    matrix: Vectors, target: Floats, margin: Floats, parameters: Mapping[str, object], rounds: int
) -> bytes:
    """Trees in the JSON format of XGBoost, trained on `matrix`, shape (n, p), to correct `margin`, shape (n,), towards
    `target`, shape (n,)."""
    import xgboost  # noqa: PLC0415  takes two seconds, and only training needs it

    data = xgboost.QuantileDMatrix(matrix, target, base_margin=margin, max_bin=_MAX_BIN, nthread=_THREADS)
    shared = {"max_bin": _MAX_BIN, "tree_method": "hist", "nthread": _THREADS}
    return bytes(xgboost.train({**parameters, **shared}, data, rounds).save_raw("json"))


@dataclass(frozen=True)
class Predictor:
    """Predicts log(1 + citations) from the columns of `ImpactFeatures`."""

    linear: RidgeWithMissing
    trees: Trees
    file: bytes
    """The trees in the JSON format of XGBoost."""

    @classmethod
    def fit(cls, matrix: Vectors, target: Floats, seed: int) -> Self:
        """Fits linear model and trees to papers with known citations: `matrix` of shape (n, p), `target` of shape
        (n,)."""
        linear = RidgeWithMissing.fit(matrix, target)
        file = train_trees(matrix, target, linear.predict(matrix), {**_PARAMETERS, "seed": seed}, _ROUNDS)
        return cls(linear, read_trees(file, matrix.shape[1]), file)

    def predict(self, matrix: Vectors) -> Floats:
        """Predictions for `matrix`, shape (n, p): shape (n,)."""
        predicted: Floats = self.linear.predict(matrix) + self.trees.predict(matrix)
        return predicted

    def shares(self, matrix: Vectors) -> Floats:
        """The contribution of each column to a prediction, shape (n, p): of the nodes on the paths through the trees
        and of the linear model."""
        return self.trees.shares(matrix) + self.linear.shares(matrix)

    def state(self) -> ModelState:
        """The state to store."""
        return ModelState(self.linear.arrays(), files={FILE: self.file})

    @classmethod
    def of_state(cls, state: ModelState, columns: int) -> Self:
        """The predictor from its stored state. Raises KeyError or ValueError where that is damaged or of other
        columns."""
        file = state.files[FILE]
        return cls(RidgeWithMissing.from_arrays(state.arrays, columns), read_trees(file, columns), file)
