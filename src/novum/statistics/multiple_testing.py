"""Many questions asked at once: which answers stay when some would come by chance (Benjamini and Hochberg, 1995)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def benjamini_hochberg(p: ArrayLike) -> NDArray[np.float64]:
    """Adjusted p-values in the given order; NaN, a question without an answer, stays NaN and is not counted.

    Keeping those of at most 0.05 expects one in twenty of the kept ones to be there by chance.
    """
    values = np.asarray(p, dtype=float)
    adjusted = np.full(values.shape, np.nan)
    known = np.flatnonzero(np.isfinite(values))
    order = known[np.argsort(-values[known], kind="stable")]  # the largest first
    places = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum.accumulate(np.minimum(values[order] * (len(order) / places), 1))
    return adjusted
