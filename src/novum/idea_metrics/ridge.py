"""Ridge regression towards prior weights: argmin Σ (r - w·x - b)² + λ |w - τ w₀|², without a penalty on b.

λ and the trust τ in the prior are those with the smallest leave-one-out error. Without row i the prediction of its
target is r_i - e_i / (1 - h_i), with residual e and leverage h, so that n fits cost no more than one. (scikit-learn's
`RidgeCV` has no prior weights.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from novum.core.arrays import Floats

PENALTIES = tuple(float(each) for each in np.logspace(-3, 5, 25))
TRUST = (1.0, 0.5, 0.0)
"""Factors on the prior. With 0, a prior that contradicts the targets has no influence."""


@dataclass(frozen=True)
class Ridge:
    """y ≈ `weights` · x + `constant`."""

    weights: Floats
    """Shape (d,)."""
    constant: float
    penalty: float
    trust: float
    left_out: Floats
    """Leave-one-out predictions of the targets, shape (n,)."""

    def error(self, targets: Floats) -> float:
        """Root mean squared error of the leave-one-out predictions."""
        return float(np.sqrt(np.mean((targets - self.left_out) ** 2)))


def ridge(
    x: Floats,
    targets: Floats,
    prior: Floats,
    penalties: tuple[float, ...] = PENALTIES,
    trusts: tuple[float, ...] = TRUST,
) -> Ridge:
    """Fits to `x`, shape (n, d) with n >= 2, and `targets`, shape (n,). `prior`: w₀, shape (d,). Takes time
    proportional to n d min(n, d)."""
    centre = x.mean(axis=0)
    apart = x - centre
    basis, size = _directions(apart)
    squares = basis**2
    best: Ridge | None = None
    least = np.inf
    for trust in trusts if prior.any() else trusts[:1]:
        before = trust * prior
        rest = targets - x @ before
        level = float(rest.mean())
        part = basis.T @ (rest - level)
        for penalty in penalties:
            selected = size / (size + penalty)
            leverage = squares @ selected + 1 / len(x)
            residual = rest - level - basis @ (selected * part)
            # A leverage of 1 means that the other rows do not predict this target.
            wrong = residual / np.maximum(1 - leverage, 1e-9)
            if best is None or wrong @ wrong < least:
                least = float(wrong @ wrong)
                weights = before + apart.T @ (basis @ (part / (size + penalty)))
                constant = level - float((weights - before) @ centre)
                best = Ridge(weights, constant, penalty, trust, targets - wrong)
    assert best is not None
    return best


def _directions(x: Floats) -> tuple[Floats, Floats]:
    """Left singular vectors of `x`, shape (n, k), and the squares of the singular values, shape (k,)."""
    tall = len(x) >= x.shape[1]
    square, axes = np.linalg.eigh(x.T @ x if tall else x @ x.T)
    solid = square > max(float(square[-1]), 1e-300) * 1e-10
    square, axes = square[solid], axes[:, solid]
    return (x @ axes / np.sqrt(square) if tall else axes), square
