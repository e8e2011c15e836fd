"""Ridge regression about prior weights: argmin Σ (r - w·x - b)² + λ |w - τ w₀|², b being free.

λ and the trust τ in the prior are those that foretell best what was left out. Leaving out row i moves its fitted value
to r_i - e_i / (1 - h_i), e being the residual and h the leverage, so that n fits cost no more than one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from novum.core.arrays import Floats

PENALTIES = tuple(float(each) for each in np.logspace(-3, 5, 25))
TRUST = (1.0, 0.5, 0.0)
"""A prior that does not go with the targets must not keep hold of them, however little they say by themselves."""


@dataclass(frozen=True)
class Ridge:
    """y ≈ `weights` · x + `constant`."""

    weights: Floats
    """Shape (d,)."""
    constant: float
    penalty: float
    trust: float
    left_out: Floats
    """What is said of each target by the fit to all others, shape (n,)."""

    def error(self, targets: Floats) -> float:
        """Root of the mean squared error on targets that were left out."""
        return float(np.sqrt(np.mean((targets - self.left_out) ** 2)))


def ridge(
    x: Floats,
    targets: Floats,
    prior: Floats,
    penalties: tuple[float, ...] = PENALTIES,
    trusts: tuple[float, ...] = TRUST,
) -> Ridge:
    """`x`: shape (n, d), n >= 2; `prior`: w₀, shape (d,). Costs n d min(n, d), once."""
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
            # A target that alone decides its own value says nothing of what the others foretell.
            wrong = residual / np.maximum(1 - leverage, 1e-9)
            if best is None or wrong @ wrong < least:
                least = float(wrong @ wrong)
                weights = before + apart.T @ (basis @ (part / (size + penalty)))
                constant = level - float((weights - before) @ centre)
                best = Ridge(weights, constant, penalty, trust, targets - wrong)
    assert best is not None
    return best


def _directions(x: Floats) -> tuple[Floats, Floats]:
    """Orthonormal directions of the rows' space, shape (n, k), and the squares of their singular values."""
    tall = len(x) >= x.shape[1]
    square, axes = np.linalg.eigh(x.T @ x if tall else x @ x.T)
    solid = square > max(float(square[-1]), 1e-300) * 1e-10
    square, axes = square[solid], axes[:, solid]
    return (x @ axes / np.sqrt(square) if tall else axes), square
