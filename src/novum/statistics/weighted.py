"""Statistics of samples given as counts: how often each value occurs, for all bootstrap samples at once.

`times` has one row for each sample and one column for each value, shape (b, n); a result has shape (b,). No library has
these: with `sample_weight`, scikit-learn takes one sample a call and sorts anew each time. `groups` are the columns of
each group; groups are compared each within itself, so that a difference between groups counts for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from novum.core.arrays import Bools, Floats

Rows = NDArray[np.intp]
"""Indices of rows."""
_NOISE = 1e-12
"""Relative difference below which two values are ties: means of the same marks, added in another order, differ so."""


def rows_by_stratum(names: ArrayLike) -> list[Rows]:
    """The rows of each stratum, in order; strata sorted by name. One sort, whatever the number of strata."""
    values = np.asarray(names)
    if not values.size:
        return []
    _, place = np.unique(values, return_inverse=True)
    order = np.argsort(place, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(place[order])) + 1)


def has_both(outcomes: Floats, groups: ArrayLike, least: float) -> NDArray[np.bool_]:
    """Whether at least the share `least` of the known outcomes of a row's group is 1, and as much is 0, shape (n,).
    `outcomes`: 1, 0, or NaN where unknown."""
    found = np.zeros(len(outcomes), dtype=bool)
    for rows in rows_by_stratum(groups):
        known = outcomes[rows][np.isfinite(outcomes[rows])]
        found[rows] = bool(len(known)) and least <= known.mean() <= 1 - least
    return found


def weighted_mean(values: Floats, times: Floats) -> Floats:
    """Mean of `values` (n,) in each sample, shape (b,); NaN for an empty sample."""
    size = times.sum(axis=1)
    return _ratio(times @ values, size)


def root_mean_square(errors: Floats, times: Floats) -> Floats:
    """Root mean square of `errors` (n,) in each sample, shape (b,); NaN for an empty sample."""
    return np.sqrt(weighted_mean(errors**2, times))


def less_group_mean(errors: Floats, groups: Sequence[Rows]) -> Floats:
    """Each of `errors` (n,) less the mean error of the *others* of its group; NaN where there are no others.

    This is the error that remains for a reviewer who knows how mild the reviews of a venue and year are. With its own
    error in that mean, a paper of a small group would seem well predicted, and a single one perfectly.
    """
    left = np.full(len(errors), np.nan)
    for rows in groups:
        if len(rows) > 1:
            left[rows] = (errors[rows] - errors[rows].mean()) * len(rows) / (len(rows) - 1)
    return left


def weighted_quantile(values: Floats, times: Floats, share: float) -> Floats:
    """The quantile of each sample, with linear interpolation, shape (b,): as `numpy.quantile` of the repeated values.

    `values` is one row for all samples or one row each; a NaN is never counted. NaN for an empty sample. (The weights
    of `numpy.quantile` allow no interpolation.)
    """
    values = np.atleast_2d(values)
    order = np.argsort(values, axis=1)
    ranked = np.take_along_axis(values, order, axis=1)
    counted = np.take_along_axis(np.where(np.isnan(values), 0.0, times), order, axis=1).cumsum(axis=1)
    total = counted[:, -1] if counted.shape[1] else np.zeros(len(times))
    place = np.maximum(total - 1, 0) * share
    below = _value_at(ranked, counted, np.floor(place))
    above = _value_at(ranked, counted, np.minimum(np.floor(place) + 1, np.maximum(total - 1, 0)))
    return np.where(total > 0, below + (place - np.floor(place)) * (above - below), np.nan)


def _value_at(ranked: Floats, counted: Floats, place: Floats) -> Floats:
    """The value at a place, counted from 0, of each row's sample."""
    if not ranked.shape[1]:
        return np.full(len(place), np.nan)
    index = np.minimum((counted <= place[:, None]).sum(axis=1), ranked.shape[1] - 1)
    row = np.arange(len(place)) if len(ranked) > 1 else np.zeros(len(place), dtype=np.intp)
    values: Floats = ranked[row, index]
    return values


def begins_new_rank(ordered: Floats) -> Bools:
    """Where another value than the one before begins among sorted values, shape (n,). What differs by the noise of
    floating-point sums alone is the same value."""
    same = np.isclose(ordered[1:], ordered[:-1], rtol=_NOISE, atol=0)
    return np.concatenate([np.ones(min(len(ordered), 1), dtype=bool), ~same])


def without_noise(values: Floats) -> Floats:
    """The values, shape (n,), in which those that differ by the noise of floating-point sums alone are equal."""
    order = np.argsort(values, kind="stable")
    firsts = np.flatnonzero(begins_new_rank(values[order]))
    clean = np.empty_like(values)
    clean[order] = np.repeat(values[order][firsts], np.diff([*firsts, len(values)]))
    return clean


def weighted_ranks(values: Floats, times: Floats) -> Floats:
    """Mean ranks of `values` (n,) in each sample, from 1 for the smallest, shape (b, n). A value that a sample does not
    contain gets the rank half a place above those below it."""
    order = np.argsort(values, kind="stable")
    is_new = begins_new_rank(values[order])
    counts = np.add.reduceat(times[:, order], np.flatnonzero(is_new), axis=1)
    middle = counts.cumsum(axis=1) - (counts - 1) / 2
    ranks = np.empty_like(times, dtype=np.float64)
    ranks[:, order] = middle[:, is_new.cumsum() - 1]
    return ranks


def weighted_spearman(x: Floats, y: Floats, times: Floats, groups: Sequence[Rows]) -> Floats:
    """Spearman's correlation within each group, averaged by group size, shape (b,). NaN for a sample in which no group
    has three values that differ on both sides."""
    total, weight = np.zeros(len(times)), np.zeros(len(times))
    for rows in groups:
        here = times[:, rows]
        r, size = _pearson(weighted_ranks(x[rows], here), weighted_ranks(y[rows], here), here), here.sum(axis=1)
        known = np.isfinite(r) & (size >= 3)
        total += np.where(known, np.nan_to_num(r) * size, 0)
        weight += np.where(known, size, 0)
    return _ratio(total, weight)


def weighted_auc(scores: Floats, positive: Bools, times: Floats, groups: Sequence[Rows]) -> Floats:
    """Area under the ROC curve within groups, shape (b,): the share of pairs of a positive and a negative of one group
    that `scores` puts in this order, ties counting half. NaN for a sample in which no group has both."""
    right, pairs = np.zeros(len(times)), np.zeros(len(times))
    for rows in groups:
        here, up = times[:, rows], positive[rows]
        ranks = weighted_ranks(scores[rows], here)
        ups, downs = here[:, up].sum(axis=1), here[:, ~up].sum(axis=1)
        # Mann & Whitney: the ranks of the positives, less those that they have among themselves.
        right += (here[:, up] * ranks[:, up]).sum(axis=1) - ups * (ups + 1) / 2
        pairs += ups * downs
    return _ratio(right, pairs)


def _pearson(x: Floats, y: Floats, times: Floats) -> Floats:
    size = times.sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        x = x - (times * x).sum(axis=1, keepdims=True) / size
        y = y - (times * y).sum(axis=1, keepdims=True) / size
        squares = (times * x * x).sum(axis=1) * (times * y * y).sum(axis=1)
        r: Floats = (times * x * y).sum(axis=1) / np.sqrt(squares)
    return np.where(squares > 0, r, np.nan)


def _ratio(above: Floats, below: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio: Floats = above / below
    return np.where(below > 0, ratio, np.nan)
