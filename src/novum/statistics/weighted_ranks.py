"""Orders in samples in which each thing counts a whole number of times: ranks, Spearman's correlation, the area under
the ROC curve; for all draws of a bootstrap at once, without writing the samples out.

Several groups are compared each within itself, so that a difference between groups is no skill.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]


def weighted_ranks(values: Floats, times: Floats) -> Floats:
    """Middle ranks of `values` (n,) in samples that hold each so many `times` (b, n): shape (b, n), from 1 for the
    smallest. What a sample does not hold has the rank that lies half a place above those below it."""
    order = np.argsort(values, kind="stable")
    fresh = np.concatenate([[True], np.diff(values[order]) != 0])
    counts = np.add.reduceat(times[:, order], np.flatnonzero(fresh), axis=1)
    middle = counts.cumsum(axis=1) - (counts - 1) / 2
    ranks = np.empty_like(times, dtype=np.float64)
    ranks[:, order] = middle[:, fresh.cumsum() - 1]
    return ranks


def weighted_spearman(x: Floats, y: Floats, times: Floats, groups: Sequence[Rows]) -> Floats:
    """Spearman's correlation within each group, averaged by their sizes: shape (b,). NaN where no group of a sample has
    three things that differ on both sides. `groups`: the columns of each."""
    total, weight = np.zeros(len(times)), np.zeros(len(times))
    for rows in groups:
        here = times[:, rows]
        r, size = _pearson(weighted_ranks(x[rows], here), weighted_ranks(y[rows], here), here), here.sum(axis=1)
        known = np.isfinite(r) & (size >= 3)
        total += np.where(known, np.nan_to_num(r) * size, 0)
        weight += np.where(known, size, 0)
    return _ratio(total, weight)


def weighted_auc(scores: Floats, chosen: NDArray[np.bool_], times: Floats, groups: Sequence[Rows]) -> Floats:
    """Of all pairs of a chosen and another of one group, the share that `scores` puts in this order, ties as half:
    shape (b,). NaN where no group of a sample has both kinds."""
    right, pairs = np.zeros(len(times)), np.zeros(len(times))
    for rows in groups:
        here, up = times[:, rows], chosen[rows]
        ranks = weighted_ranks(scores[rows], here)
        ups, downs = here[:, up].sum(axis=1), here[:, ~up].sum(axis=1)
        # Mann and Whitney: the ranks of the chosen, less those that they have among themselves.
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
