"""The knee of a falling curve: where going on begins to bring little, as in choosing a number of clusters.

Both axes are scaled to 0-1; the knee is the point that lies deepest below the straight line from the curve's first
point to its last (the idea of Kneedle: Satopää et al. 2011).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from novum.core.arrays import Floats

SHALLOWEST = 0.02
"""A curve that stays closer to its chord, in shares of the axes, is straight."""
_SAME = 1e-9
"""Depths closer than this are equal; the first of them is the knee."""


def depths(x: ArrayLike, y: ArrayLike) -> Floats | None:
    """How far each point lies below the chord, in shares of the y axis, shape (n,): 0 at both ends, at most 1 on a
    convex curve, negative above the chord. The greatest says how marked the knee is.

    None where there are fewer than 3 points, where something is not finite, or where the curve does not fall from its
    least x to its greatest. Points may come in any order.
    """
    across, up = np.asarray(x, dtype=float).ravel(), np.asarray(y, dtype=float).ravel()
    if across.shape != up.shape:
        raise ValueError("a curve has as many y as x")
    if len(across) < 3 or not (np.isfinite(across).all() and np.isfinite(up).all()):
        return None
    first, last = across.argmin(), across.argmax()
    # Halves before the difference: that of two huge numbers is not finite.
    width, fall = across[last] / 2 - across[first] / 2, up[first] / 2 - up[last] / 2
    if width <= 0 or fall <= 0:
        return None
    with np.errstate(over="ignore"):
        below = 1 - (across / 2 - across[first] / 2) / width - (up / 2 - up[last] / 2) / fall
    return below if np.isfinite(below).all() else None


def knee(x: ArrayLike, y: ArrayLike) -> int | None:
    """The index of the knee of a falling convex curve; None where it is straight, bulges or rises. The same whatever
    the units of both axes."""
    below = depths(x, y)
    if below is None or below.max() < SHALLOWEST:
        return None
    return int(np.argmax(below >= below.max() - _SAME))
