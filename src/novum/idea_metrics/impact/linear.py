"""A linear model of log-citations, to which the trees add and with which they are compared.

Trees cannot extrapolate to years beyond the training data; a linear function of the logarithm of a paper's age can.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Floats, Vectors

_PENALTY = 100.0
_MAX_DEVIATIONS = 5.0
"""Standardised values are clipped to so many standard deviations."""
_PAGE = 10_000
_STORED = ("middle", "spread", "missing", "weights")


@dataclass(frozen=True)
class RidgeWithMissing:
    """Ridge regression on standardised columns and, for each, on whether it is missing; p columns.

    `middle`, `spread`: mean and standard deviation of the columns, shape (p,); `missing`: share of missing values,
    shape (p,); `weights`: shape (2p,); `mean`: of the target.
    """

    middle: Floats
    spread: Floats
    missing: Floats
    weights: Floats
    mean: float

    @classmethod
    def fit(cls, matrix: Vectors, target: Floats) -> Self:
        """Fits to `matrix`, shape (n, p), and `target`, shape (n,), by normal equations that are summed over pages of
        rows."""
        gaps = np.isnan(matrix)
        known = np.maximum((~gaps).sum(axis=0), 1).astype(float)
        middle = np.where(gaps, 0, matrix).sum(axis=0, dtype=float) / known
        squares = np.where(gaps, 0, matrix - middle.astype(matrix.dtype)) ** 2
        spread = np.sqrt(squares.sum(axis=0, dtype=float) / known)
        mean = float(target.mean())
        result = cls(
            middle,
            np.where(spread > 0, spread, 1.0),
            gaps.sum(axis=0) / max(len(gaps), 1),
            np.zeros(2 * len(middle)),
            mean,
        )
        gram, moment = _PENALTY * np.eye(2 * len(middle)), np.zeros(2 * len(middle))
        for begin in range(0, len(matrix), _PAGE):
            page = result._standardised(matrix[begin : begin + _PAGE])
            gram += page.T @ page
            moment += page.T @ (target[begin : begin + _PAGE] - mean)
        weights = np.asarray(np.linalg.solve(gram, moment), dtype=np.float64)
        return cls(result.middle, result.spread, result.missing, weights, mean)

    def predict(self, matrix: Vectors) -> Floats:
        """Predictions, shape (n,). The prediction of a row does not depend on the other rows, not even in the last
        digit, which `@` would not guarantee."""
        return np.concatenate([np.zeros(0), *self._pages(matrix)])

    def shares(self, matrix: Vectors) -> Floats:
        """Contributions of the columns, shape (n, p): their sum and the mean are the prediction."""
        parts = self._standardised(matrix) * self.weights
        shares: Floats = parts[:, : len(self.middle)] + parts[:, len(self.middle) :]
        return shares

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """The arrays to store."""
        return {f"linear_{name}": getattr(self, name) for name in _STORED} | {"linear_mean": np.array([self.mean])}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]], columns: int) -> Self:
        """The model from its stored arrays. Raises KeyError or ValueError where they are damaged or of other
        columns."""
        middle, spread, missing, weights = (arrays[f"linear_{name}"].astype(float) for name in _STORED)
        if not middle.shape == spread.shape == missing.shape == (columns,) or weights.shape != (2 * columns,):
            raise ValueError("the linear model has other columns")
        return cls(middle, spread, missing, weights, float(arrays["linear_mean"].astype(float)[0]))

    def _pages(self, matrix: Vectors) -> Iterator[Floats]:
        for begin in range(0, len(matrix), _PAGE):
            yield np.vecdot(self._standardised(matrix[begin : begin + _PAGE]), self.weights) + self.mean

    def _standardised(self, matrix: Vectors) -> Floats:
        gaps = np.isnan(matrix)
        known = np.clip(
            (np.where(gaps, self.middle, matrix) - self.middle) / self.spread, -_MAX_DEVIATIONS, _MAX_DEVIATIONS
        )
        return np.hstack([known, gaps - self.missing])
