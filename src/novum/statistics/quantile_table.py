"""Where a value stands in a sample, told from at most 1,001 of its quantiles: small enough to be kept with a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
MOST = 1_001
"""Quantiles kept; a sample of no more values is kept whole, and a share is exact. Else it is exact to about 0.1 %."""


@dataclass(frozen=True, eq=False)
class QuantileTable:
    """A sample by its quantiles, evenly spaced in rank from the least value to the greatest."""

    array: Floats
    """Shape (m,), 1 <= m <= 1,001, ascending and finite: what is kept."""

    def __post_init__(self) -> None:
        """Raises ValueError where this is no such array."""
        kept = self.array
        if kept.ndim != 1 or not 1 <= len(kept) <= MOST or not np.isfinite(kept).all() or (kept[1:] < kept[:-1]).any():
            raise ValueError(f"quantiles are 1 to {MOST} finite numbers in ascending order")

    @classmethod
    def of(cls, values: ArrayLike) -> Self | None:
        """The table of a sample of any shape; what is not finite is left out. None where nothing is left."""
        sample = np.asarray(values, dtype=float).ravel()
        sample = np.sort(sample[np.isfinite(sample)])
        if not sample.size:
            return None
        if sample.size <= MOST:
            return cls(sample)
        # Values of the sample itself, never between two of them: ties stay ties.
        places = np.linspace(0, sample.size - 1, MOST).round().astype(np.intp)
        return cls(sample[places])

    def share(self, values: ArrayLike) -> Floats:
        """The share of the sample below each value, what is equal to it counted half: 0 below the least, 1 above the
        greatest, never falling. Of the shape of `values`; NaN stays NaN."""
        asked = np.asarray(values, dtype=float)
        below = np.searchsorted(self.array, asked, side="left")
        not_above = np.searchsorted(self.array, asked, side="right")
        shares: Floats = np.where(np.isnan(asked), np.nan, (below + not_above) / (2 * len(self.array)))
        return shares
