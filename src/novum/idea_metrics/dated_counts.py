"""How often something had happened to each of many things before a year: counts that no later year has a part in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from novum.core.arrays import Floats, Ints

_YEARS = 1 << 14
"""A thing and a year make one number, the thing's times this plus the year."""


@dataclass(frozen=True)
class DatedCounts:
    """`keys`: the things with the years in which something happened, ascending, shape (k,); `totals`: how much had
    happened up to each of them, to all things, shape (k + 1,)."""

    keys: Ints
    totals: Ints

    @classmethod
    def of(cls, things: ArrayLike, years: ArrayLike) -> Self:
        """One entry for each time; `things` are numbers from 0. An entry without a year (NaN) is left out: nobody
        knows before what it was."""
        which, when = np.asarray(things, dtype=np.int64), np.asarray(years, dtype=float)
        known = ~np.isnan(when)
        keys, counts = np.unique(which[known] * _YEARS + _in_range(when[known]), return_counts=True)
        return cls(keys, np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))

    @classmethod
    def kept(cls, keys: NDArray[np.generic], totals: NDArray[np.generic]) -> Self:
        """Back from arrays. Raises ValueError where they do not belong together."""
        made = cls(keys.astype(np.int64), totals.astype(np.int64))
        if made.totals.shape != (len(made.keys) + 1,) or (np.diff(made.keys) <= 0).any() or (made.totals < 0).any():
            raise ValueError("counts by year are damaged")
        return made

    def __len__(self) -> int:
        """All that ever happened."""
        return int(self.totals[-1])

    def before(self, things: ArrayLike, years: ArrayLike) -> Ints:
        """How often it happened to each of `things` before the year beside it; 0 for an unknown thing (-1)."""
        which = np.asarray(things, dtype=np.int64)
        first = np.searchsorted(self.keys, which * _YEARS)
        until = np.searchsorted(self.keys, which * _YEARS + _in_range(np.asarray(years, dtype=float)))
        counted: Ints = np.where(which < 0, 0, self.totals[until] - self.totals[first])
        return counted


def _in_range(years: Floats) -> Ints:
    return np.clip(years, 0, _YEARS - 1).astype(np.int64)
