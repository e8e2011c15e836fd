"""Non-negative least squares with a constant: how much of what people say each part of a score explains, none of them
counting against an idea."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls  # type: ignore[attr-defined]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class NonNegativeFit:
    """y ≈ `constant` + Σ `weights` x, weights of 0 and more."""

    weights: Floats
    """Shape (d,)."""
    constant: float

    def predict(self, x: Floats) -> Floats:
        """Shape (n,)."""
        predicted: Floats = x @ self.weights + self.constant
        return predicted


def nonnegative_fit(x: Floats, y: Floats) -> NonNegativeFit:
    """argmin Σ (y - c - w·x)² over w ≥ 0 and any c. `x`: shape (n, d), `y`: shape (n,), both finite.

    Whatever w is, the best c is mean y - w · mean x: what is fitted is how both differ from their means.
    """
    centre, level = x.mean(axis=0), float(y.mean())
    found, _ = nnls(x - centre, y - level)
    weights = np.asarray(found, dtype=float)
    return NonNegativeFit(weights, level - float(weights @ centre))


def folds(
    n: int, number: int, seed: int, groups: NDArray[np.intp] | None = None
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """(rows to learn from, rows left out) for each of `number` random parts, about equal in size. Every row is left out
    once, together with all others of its group (shape (n,); by default each row is one of its own).

    Raises ValueError for fewer than two parts or more parts than groups.
    """
    of = np.arange(n) if groups is None else groups
    names = np.unique(of)
    if not 2 <= number <= len(names):
        raise ValueError(f"{len(names)} groups cannot be cut into {number} parts")
    order = np.random.default_rng(seed).permutation(names)
    for held in np.array_split(order, number):
        out = np.isin(of, held)
        yield np.flatnonzero(~out), np.flatnonzero(out)


def cross_validated(x: Floats, y: Floats, number: int = 5, seed: int = 0) -> Floats:
    """What each row is foretold by the fit to those parts that it is not in, shape (n,). Raises ValueError likewise."""
    predicted = np.full(len(y), np.nan)
    for kept, held in folds(len(y), number, seed):
        predicted[held] = nonnegative_fit(x[kept], y[kept]).predict(x[held])
    return predicted
