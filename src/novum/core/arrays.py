"""Array types and functions of arrays that the numerical packages share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Vectors = NDArray[np.float32]
"""Embeddings, one row each: n × d, single precision."""


def positions_in(values: Ints, wanted: Ints) -> Ints:
    """The index in `values`, ascending, of each number in `wanted`, -1 for a number that is not there; in the shape of
    `wanted`."""
    if not len(values):
        return np.full(wanted.shape, -1)
    place = np.minimum(np.searchsorted(values, wanted), len(values) - 1)
    return np.where(values[place] == wanted, place, -1)


def ranges(begins: Ints, counts: Ints) -> Ints:
    """For each i the numbers from `begins[i]` on, `counts[i]` of them; all concatenated."""
    first = np.cumsum(counts) - counts
    numbers: Ints = np.arange(int(counts.sum())) + np.repeat(begins - first, counts)
    return numbers
