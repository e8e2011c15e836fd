"""The rank of a value in a sample, from at most 1,001 quantiles: small enough to be stored with a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from novum.core.arrays import Floats

MOST = 1_001
"""Stored quantiles. A sample of no more values is stored whole, and shares are exact; else exact to about 0.1 %."""


@dataclass(frozen=True, eq=False)
class QuantileTable:
    """A sample by its quantiles, evenly spaced in rank from the least value to the greatest."""

    array: Floats
    """Shape (m,), 1 <= m <= 1,001, ascending and finite: the stored form."""

    def __post_init__(self) -> None:
        """Raises ValueError for any other array."""
        table = self.array
        is_valid = table.ndim == 1 and 1 <= len(table) <= MOST and np.isfinite(table).all()
        if not is_valid or (table[1:] < table[:-1]).any():
            raise ValueError(f"quantiles are 1 to {MOST} finite numbers in ascending order")

    @classmethod
    def of(cls, values: ArrayLike) -> Self | None:
        """The table of a sample of any shape; values that are not finite are left out. None without any other."""
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
        """The share of the sample below each value, equal ones counting half: 0 below the least, 1 above the greatest.
        Same shape as `values`; NaN stays NaN."""
        numbers = np.asarray(values, dtype=float)
        return np.where(np.isnan(numbers), np.nan, share_below(self.array, numbers))


def share_below(sample: Floats, values: Floats) -> Floats:
    """The share of `sample`, ascending and not empty, below each of `values`, equal ones counting half: 0 to 1, in the
    shape of `values`."""
    smaller, not_larger = (sample.searchsorted(values, side=side) for side in ("left", "right"))
    return np.asarray((smaller + not_larger) / (2 * len(sample)))
