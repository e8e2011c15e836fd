"""Specificity of the neighbours of a concept: `order` and `improving` co-occur with anything, `transliteration` does
not.

It is the Kullback–Leibler divergence of the concepts that co-occur with it from those of the whole library, minus the
bias of a small sample (Miller 1955: distinct neighbours, divided by twice the number of co-occurrences).
"""

from __future__ import annotations

import numpy as np

from novum.core.arrays import Bools, Floats
from novum.opportunities.sparse import Table

_LEAST = 0.05
"""A single word must be more specific than this share of the names of several words."""
_AT_ONCE = 10_000_000
"""Co-occurrences that are processed together."""
_FEWEST = 20
"""Names of several words that are needed for a comparison."""


def specificity(contains: Table) -> Floats:
    """Specificity of all concepts in nats, shape (concepts,). `contains`: papers × concepts, 1 where a paper contains a
    concept. Computed for blocks of concepts, since all co-occurrences of a large library do not fit into memory."""
    of_concept = contains.T.tocsr()
    others = np.asarray(contains.sum(axis=1), float).ravel() - 1
    totals = np.asarray(of_concept @ others, float)
    upto = np.cumsum(totals)
    results = [np.zeros(0)]
    begin = 0
    while begin < len(totals):
        before = upto[begin - 1] if begin else 0
        end = max(int(np.searchsorted(upto, before + _AT_ONCE, side="right")), begin + 1)
        results.append(_divergence(_joint_papers(of_concept, contains, begin, end), totals[begin:end], totals))
        begin = end
    return np.concatenate(results)


def _joint_papers(of_concept: Table, contains: Table, begin: int, end: int) -> Table:
    """Joint papers of the concepts from `begin` to `end` with all concepts, 0 with itself."""
    joint = (of_concept[begin:end] @ contains).tocsr()
    row = np.repeat(np.arange(begin, end), np.diff(joint.indptr))
    joint.data[joint.indices == row] = 0
    joint.eliminate_zeros()
    joint.sort_indices()
    return joint


def specificity_of_joint(joint: Table) -> Floats:
    """The same from the numbers of joint papers, concepts × concepts, with a diagonal of 0."""
    totals = np.asarray(joint.sum(axis=1), float).ravel()
    return _divergence(joint, totals, totals)


def _divergence(joint: Table, own: Floats, totals: Floats) -> Floats:
    """Specificity of the rows of `joint`. `own`: sums of these rows; `totals`: sums of the rows of all concepts."""
    usual = totals / max(totals.sum(), 1)
    row = np.repeat(np.arange(joint.shape[0]), np.diff(joint.indptr))
    share = joint.data / np.maximum(own[row], 1)
    values = np.bincount(row, share * np.log(share / usual[joint.indices]), minlength=len(own))
    bias: Floats = np.diff(joint.indptr) / (2 * np.maximum(own, 1))
    return values - bias


def is_specific(contains: Table, several: Bools) -> Bools:
    """Which concepts have specific neighbours, shape (concepts,). `several`: names of several words, which all have."""
    if several.sum() < _FEWEST:
        return np.ones(len(several), bool)
    result = specificity(contains)
    return np.asarray(several | (result >= np.quantile(result[several], _LEAST)))
