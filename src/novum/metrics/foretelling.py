"""How far foretold numbers lie from those that came: each as a function of how often every thing counts, so that all
draws of a bootstrap are one product.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from novum.metrics.weighted_ranks import Floats, Rows


def root_mean_square(errors: Floats, times: Floats) -> Floats:
    """Of `errors` (n,) in samples that hold each so many `times` (b, n): shape (b,), NaN for an empty sample."""
    return np.sqrt(weighted_mean(errors**2, times))


def with_level_set_right(errors: Floats, times: Floats, groups: Sequence[Rows]) -> Floats:
    """The same once the mean error of each group is taken off: what remains where a reviewer would only have to be
    told how mild the forms of a venue and year are. The sample's own means are used, so it flatters slightly."""
    left, size = np.zeros(len(times)), np.zeros(len(times))
    for rows in groups:
        here = times[:, rows]
        total, count = here @ errors[rows], here.sum(axis=1)
        squares = here @ errors[rows] ** 2
        left += np.where(count > 0, squares - total**2 / np.maximum(count, 1), 0)
        size += count
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.sqrt(np.maximum(left, 0) / np.where(size > 0, size, np.nan))


def weighted_mean(values: Floats, times: Floats) -> Floats:
    """Shape (b,); NaN for an empty sample."""
    size = times.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean: Floats = times @ values / np.where(size > 0, size, np.nan)
    return mean
