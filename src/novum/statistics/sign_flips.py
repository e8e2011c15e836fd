"""Is a sum of numbers further from 0 than chance would bring it, if each could as well have had the other sign?"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import ArrayLike

_EXACT = 12
"""Up to so many numbers, all ways to set the signs are looked at."""
_FLIPS = 10_000
_BLOCK = 1_000_000


def sign_flip_test(numbers: ArrayLike, seed: int = 0) -> float | None:
    """Two-sided p-value; None where all numbers are 0. Without any assumption on how they are distributed.

    One number for each independent thing: what belongs together (verdicts on one topic) is summed up before.
    """
    values = np.asarray(numbers, dtype=float)
    values = values[values != 0]
    if not values.size:
        return None
    reached = abs(values.sum()) * (1 - 1e-12)
    if values.size <= _EXACT:
        signs = np.array(list(product((1.0, -1.0), repeat=values.size)))
        return float((np.abs(signs @ values) >= reached).mean())
    rng = np.random.default_rng(seed)
    rows = max(1, _BLOCK // values.size)
    further = sum(
        int((np.abs(rng.choice((-1.0, 1.0), size=(min(rows, _FLIPS - start), values.size)) @ values) >= reached).sum())
        for start in range(0, _FLIPS, rows)
    )
    # What was seen is one of the ways, too: p is never 0.
    return (further + 1) / (_FLIPS + 1)
