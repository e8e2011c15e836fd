"""The citation predictor: XGBoost's trees, begun at what a linear model says, on the logarithm of citations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from novum.core.arrays import Floats, Vectors
from novum.files.arrays import ModelState
from novum.idea_metrics.impact.linear import RidgeWithMissing
from novum.idea_metrics.impact.trees import Trees
from novum.idea_metrics.impact.trees_file import FILE, read_trees

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

    linear: RidgeWithMissing
    trees: Trees
    file: bytes
    """The trees as XGBoost writes them."""

    @classmethod
    def fit(cls, matrix: Vectors, target: Floats, seed: int) -> Self:
        """Of papers whose citations are known: `matrix` of shape (n, p), `target` of shape (n,)."""
        import xgboost  # noqa: PLC0415  two seconds to load, and only what learns needs it

        linear = RidgeWithMissing.fit(matrix, target)
        data = xgboost.QuantileDMatrix(
            matrix, target, base_margin=linear.predict(matrix), max_bin=_SHAPE["max_bin"], nthread=_THREADS
        )
        grown = xgboost.train(_SHAPE | {"seed": seed, "base_score": 0.0}, data, _ROUNDS)
        file = bytes(grown.save_raw("json"))
        return cls(linear, read_trees(file, matrix.shape[1]), file)

    def predict(self, matrix: Vectors) -> Floats:
        """Shape (n,)."""
        whole: Floats = self.linear.predict(matrix) + self.trees.predict(matrix)  # they add to where they began
        return whole

    def shares(self, matrix: Vectors) -> Floats:
        """What each column adds to what is usual, shape (n, p): along the ways through the trees, and the linear
        parts."""
        return self.trees.shares(matrix) + self.linear.shares(matrix)

    def state(self) -> ModelState:
        """As it is kept."""
        return ModelState(self.linear.arrays(), files={FILE: self.file})

    @classmethod
    def of_state(cls, state: ModelState, columns: int) -> Self:
        """Raises KeyError or ValueError where it is damaged or of other columns."""
        file = state.files[FILE]
        return cls(RidgeWithMissing.from_arrays(state.arrays, columns), read_trees(file, columns), file)
