"""Will papers join two concepts? The mean of the log odds of two models, made a probability by years of its own.

A logistic regression goes on in straight lines where a library has outgrown all that earlier years held; boosted trees
see what is not straight. Their mean ranked later years better than either.
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

_ASKED: dict[str, JsonValue] = {"columns": [*COLUMNS]}
_PENALTY = 0.01
"""Inverse strength of the prior on the weights of the logistic regression."""
_AT_ONCE = 50_000
"""Pairs whose shares, in double precision, are held together."""


@dataclass(frozen=True, eq=False)
class LogisticModel:
    """A logistic regression: log odds are `base` plus `weights` · (column - `middle`) / `spread`; what is not known is
    taken as usual."""

    middle: Floats
    spread: Floats
    weights: Floats
    base: float

    @classmethod
    def fit(cls, table: Vectors, happened: Floats) -> Self:
        """From columns, shape (n, p), and what happened, 0 or 1."""
        from sklearn.linear_model import LogisticRegression  # noqa: PLC0415  seconds to load

        known = np.isfinite(table)
        counts = np.maximum(known.sum(axis=0), 1)
        middle = np.where(known, table, 0).sum(axis=0, dtype=float) / counts
        filled = np.where(known, table, middle)
        spread = filled.std(axis=0) + 1e-6
        fitted = LogisticRegression(C=_PENALTY, max_iter=300).fit((filled - middle) / spread, happened)  # type: ignore[no-untyped-call]
        return cls(middle, spread.astype(float), fitted.coef_[0].astype(float), float(fitted.intercept_[0]))

    def predict(self, table: Vectors) -> Floats:
        """Log odds, shape (n,)."""
        values = np.empty(len(table))
        for begin in range(0, len(table), _AT_ONCE):
            values[begin : begin + _AT_ONCE] = self.base + self.shares(table[begin : begin + _AT_ONCE]).sum(axis=1)
        return values

    def shares(self, table: Vectors) -> Floats:
        """What each column adds to the log odds of the usual pair, shape (n, p)."""
        added: Floats = (np.where(np.isfinite(table), table, self.middle) - self.middle) * (self.weights / self.spread)
        return added


@dataclass(frozen=True, eq=False)
class LinkForecast:
    """The model."""

    straight: LogisticModel
    trees: BoostedTrees
    calibration: LogOddsCalibration

    @classmethod
    def fit(cls, table: Vectors, linked: Bools, between: Vectors, joined_between: Bools, seed: int) -> Self:
        """From pairs of earlier years, and calibrated on others, which must come at the rate at which they occur. Both
        kinds must be among the first: whoever calls sees to it."""
        happened = linked.astype(float)
        straight = LogisticModel.fit(table, happened)
        trees = BoostedTrees.fit(table, happened, "binary:logistic", seed)
        raw = cls(straight, trees, LogOddsCalibration(np.zeros(1), np.zeros(1)))
        return cls(straight, trees, LogOddsCalibration.fit(raw.scores(between), joined_between))

    def scores(self, table: Vectors) -> Floats:
        """By which pairs are ranked: log odds before calibration, shape (n,)."""
        mean: Floats = (self.straight.predict(table) + self.trees.predict(table)) / 2
        return mean

    def probability(self, table: Vectors) -> Floats:
        """Shape (n,)."""
        return self.calibration.probability(self.scores(table))

    def shares(self, table: Vectors) -> Floats:
        """What each column adds to the log odds of the usual pair, shape (n, p)."""
        added: Floats = (self.straight.shares(table) + self.trees.trees.shares(table)) / 2
        return added

    def state(self) -> ModelState:
        """As it is kept."""
        straight = np.stack([self.straight.middle, self.straight.spread, self.straight.weights])
        steps = np.stack([self.calibration.at, self.calibration.chance])
        bases = {"base": self.straight.base, "trees_base": self.trees.base}
        return ModelState({"straight": straight, "calibration": steps}, bases | _ASKED, {FILE: self.trees.file})

    @classmethod
    def of_state(cls, state: ModelState) -> Self:
        """Raises KeyError or ValueError where it is damaged or of other columns."""
        if state.texts("columns") != list(COLUMNS):
            raise ValueError("it was fitted to other columns")
        straight, steps = state.arrays["straight"].astype(float), state.arrays["calibration"].astype(float)
        if straight.shape != (3, len(COLUMNS)) or not np.isfinite(straight).all() or (straight[1] <= 0).any():
            raise ValueError("its weights are damaged")
        trees = BoostedTrees.from_stored(state.files[FILE], state.number("trees_base"), len(COLUMNS))
        middle, spread, weights = straight
        return cls(
            LogisticModel(middle, spread, weights, state.number("base")), trees, LogOddsCalibration.from_stored(*steps)
        )
