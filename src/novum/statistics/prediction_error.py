"""How far foretold numbers lie from those that came: each as a function of how often every thing counts, so that all
draws of a bootstrap are one product.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from novum.statistics.weighted_ranks import Floats, Rows


def root_mean_square(errors: Floats, times: Floats) -> Floats:
    """Of `errors` (n,) in samples that hold each so many `times` (b, n): shape (b,), NaN for an empty sample."""
    return np.sqrt(weighted_mean(errors**2, times))


def with_level_set_right(errors: Floats, groups: Sequence[Rows]) -> Floats:
    """Each of `errors` (n,) less the mean error of the others of its group: what remains where a reviewer would only
    have to be told how mild the forms of a venue and year are. NaN where there are no others. Were its own error in
    that mean, papers of small groups would seem foretold, and one by itself without fault."""
    left = np.full(len(errors), np.nan)
    for rows in groups:
        if len(rows) > 1:
            left[rows] = (errors[rows] - errors[rows].mean()) * len(rows) / (len(rows) - 1)
    return left


def weighted_mean(values: Floats, times: Floats) -> Floats:
    """Shape (b,); NaN for an empty sample."""
    size = times.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean: Floats = times @ values / np.where(size > 0, size, np.nan)
    return mean
