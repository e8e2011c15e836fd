"""Will papers join two concepts? The mean of the log odds of two models, made a probability by years of its own.

A logistic regression extrapolates linearly where a library has outgrown all earlier years; boosted trees model what is
not linear. Their mean ranked pairs of later years better than either.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from pydantic import JsonValue

from novum.core.arrays import Bools, Floats, Vectors
from novum.files.arrays import ModelState
from novum.idea_metrics.impact.trees_file import FILE
from novum.opportunities.boosted_trees import BoostedTrees
from novum.opportunities.calibration import LogOddsCalibration
from novum.opportunities.features.table import COLUMNS

_FACTS: dict[str, JsonValue] = {"columns": [*COLUMNS]}
_PENALTY = 0.01
"""Inverse strength of the L2 penalty of the logistic regression."""
_AT_ONCE = 50_000
"""Pairs whose contributions, in double precision, are in memory together."""


@dataclass(frozen=True, eq=False)
class LogisticModel:
    """Logistic regression: the log odds are `base` + Σ `weights` · (column − `middle`) / `spread`, each of shape (p,).
    A missing value counts as `middle`."""

    middle: Floats
    spread: Floats
    weights: Floats
    base: float

    @classmethod
    def fit(cls, table: Vectors, happened: Floats) -> Self:
        """Fits to features, shape (n, p), and outcomes, 0 or 1, shape (n,)."""
        from sklearn.linear_model import LogisticRegression  # noqa: PLC0415  takes seconds

        known = np.isfinite(table)
        counts = np.maximum(known.sum(axis=0), 1)
        middle = np.where(known, table, 0).sum(axis=0, dtype=float) / counts
        filled = np.where(known, table, middle)
        spread = filled.std(axis=0) + 1e-6
        fitted = LogisticRegression(C=_PENALTY, max_iter=300).fit((filled - middle) / spread, happened)  # type: ignore[no-untyped-call]
        return cls(middle, spread.astype(float), fitted.coef_[0].astype(float), float(fitted.intercept_[0]))

    def predict(self, table: Vectors) -> Floats:
        """Log odds of pairs with these features, shape (n,)."""
        values = np.empty(len(table))
        for begin in range(0, len(table), _AT_ONCE):
            values[begin : begin + _AT_ONCE] = self.base + self.shares(table[begin : begin + _AT_ONCE]).sum(axis=1)
        return values

    def shares(self, table: Vectors) -> Floats:
        """Contribution of each column to the log odds, shape (n, p)."""
        added: Floats = (np.where(np.isfinite(table), table, self.middle) - self.middle) * (self.weights / self.spread)
        return added


@dataclass(frozen=True, eq=False)
class LinkForecast:
    """The mean of a logistic regression and boosted trees, calibrated."""

    linear: LogisticModel
    trees: BoostedTrees
    calibration: LogOddsCalibration

    @classmethod
    def fit(cls, table: Vectors, linked: Bools, held_out: Vectors, linked_held_out: Bools, seed: int) -> Self:
        """Fits to the features `table`, shape (n, p), and outcomes of pairs, which must include both kinds, and
        calibrates on held-out pairs, which must be linked as often as future ones will be."""
        outcomes = linked.astype(float)
        linear = LogisticModel.fit(table, outcomes)
        trees = BoostedTrees.fit(table, outcomes, "binary:logistic", seed)
        raw = cls(linear, trees, LogOddsCalibration(np.zeros(1), np.zeros(1)))
        return cls(linear, trees, LogOddsCalibration.fit(raw.scores(held_out), linked_held_out))

    def scores(self, table: Vectors) -> Floats:
        """Log odds before calibration, by which pairs are ranked, shape (n,)."""
        mean: Floats = (self.linear.predict(table) + self.trees.predict(table)) / 2
        return mean

    def shares(self, table: Vectors) -> Floats:
        """Contribution of each column to the log odds, shape (n, p)."""
        added: Floats = (self.linear.shares(table) + self.trees.trees.shares(table)) / 2
        return added

    def state(self) -> ModelState:
        """The state to store."""
        linear = np.stack([self.linear.middle, self.linear.spread, self.linear.weights])
        steps = np.stack([self.calibration.at, self.calibration.chance])
        bases = {"base": self.linear.base, "trees_base": self.trees.base}
        return ModelState({"straight": linear, "calibration": steps}, bases | _FACTS, {FILE: self.trees.file})

    @classmethod
    def of_state(cls, state: ModelState) -> Self:
        """The forecast from its stored state. Raises KeyError or ValueError where that is damaged or of other
        columns."""
        if state.texts("columns") != list(COLUMNS):
            raise ValueError("it was fitted to other columns")
        linear, steps = state.arrays["straight"].astype(float), state.arrays["calibration"].astype(float)
        if linear.shape != (3, len(COLUMNS)) or not np.isfinite(linear).all() or (linear[1] <= 0).any():
            raise ValueError("its weights are damaged")
        trees = BoostedTrees.from_stored(state.files[FILE], state.number("trees_base"), len(COLUMNS))
        middle, spread, weights = linear
        return cls(
            LogisticModel(middle, spread, weights, state.number("base")), trees, LogOddsCalibration.from_stored(*steps)
        )
