"""Percentiles of a sample in which every value counts a whole number of times."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def repeated_quantile(values: Floats, times: Floats, share: float) -> Floats:
    """For each row of `times`, the quantile of `values` with each repeated so often; between two values, linear.

    `values` is one row for all or as many rows as `times`; a NaN is never counted. NaN for a row that counts nothing.
    The same as `numpy.quantile` of the values written out, without writing them out.
    """
    values = np.atleast_2d(values)
    order = np.argsort(values, axis=1)
    ranked = np.take_along_axis(values, order, axis=1)
    counted = np.take_along_axis(np.where(np.isnan(values), 0.0, times), order, axis=1).cumsum(axis=1)
    total = counted[:, -1] if counted.shape[1] else np.zeros(len(times))
    place = np.maximum(total - 1, 0) * share
    below = _at(ranked, counted, np.floor(place))
    above = _at(ranked, counted, np.minimum(np.floor(place) + 1, np.maximum(total - 1, 0)))
    return np.where(total > 0, below + (place - np.floor(place)) * (above - below), np.nan)


def _at(ranked: Floats, counted: Floats, place: Floats) -> Floats:
    """The value at a place, counted from 0, of each row's written-out sample."""
    if not ranked.shape[1]:
        return np.full(len(place), np.nan)
    index = np.minimum((counted <= place[:, None]).sum(axis=1), ranked.shape[1] - 1)
    row = np.arange(len(place)) if len(ranked) > 1 else np.zeros(len(place), dtype=np.intp)
    found: Floats = ranked[row, index]
    return found
