"""How particular the company of a concept is: `order` and `improving` go with anything, `transliteration` does not.

The Kullback–Leibler divergence of the concepts beside it from those of the whole library, less what so few papers would
show by chance alone (Miller 1955: the concepts seen, over twice the number of meetings).
"""

from __future__ import annotations

import numpy as np

from novum.core.arrays import Bools, Floats
from novum.opportunities.sparse import Table

_LEAST = 0.05
"""A single word must be more particular than this share of the phrases of several words."""
_AT_ONCE = 10_000_000
"""Meetings of concepts that are looked at together."""
_FEWEST = 20
"""Phrases of several words below which they set no standard."""


def specificity(held: Table) -> Floats:
    """In nats, shape (concepts,); `held`: papers × concepts, 1 where a paper holds a concept. Some concepts at a time:
    all that stand beside all would not fit into memory where a million papers hold them."""
    of_concept = held.T.tocsr()
    others = np.asarray(held.sum(axis=1), float).ravel() - 1
    meetings = np.asarray(of_concept @ others, float)
    upto = np.cumsum(meetings)
    results = [np.zeros(0)]
    begin = 0
    while begin < len(meetings):
        before = upto[begin - 1] if begin else 0
        end = max(int(np.searchsorted(upto, before + _AT_ONCE, side="right")), begin + 1)
        results.append(_told(_beside(of_concept, held, begin, end), meetings[begin:end], meetings))
        begin = end
    return np.concatenate(results)


def _beside(of_concept: Table, held: Table, begin: int, end: int) -> Table:
    """Joint papers of some concepts with all, none with itself."""
    beside = (of_concept[begin:end] @ held).tocsr()
    row = np.repeat(np.arange(begin, end), np.diff(beside.indptr))
    beside.data[beside.indices == row] = 0
    beside.eliminate_zeros()
    beside.sort_indices()
    return beside


def specificity_beside(beside: Table) -> Floats:
    """The same from joint papers, concepts × concepts, none with itself."""
    meetings = np.asarray(beside.sum(axis=1), float).ravel()
    return _told(beside, meetings, meetings)


def _told(beside: Table, mine: Floats, meetings: Floats) -> Floats:
    """Of the rows of `beside`, which meet others `mine` times; `meetings`: of all concepts."""
    usual = meetings / max(meetings.sum(), 1)
    row = np.repeat(np.arange(beside.shape[0]), np.diff(beside.indptr))
    share = beside.data / np.maximum(mine[row], 1)
    values = np.bincount(row, share * np.log(share / usual[beside.indices]), minlength=len(mine))
    by_chance: Floats = np.diff(beside.indptr) / (2 * np.maximum(mine, 1))
    return values - by_chance


def specificity_rank(held: Table, several: Bools) -> Bools:
    """Which concepts are not just words that go with anything. `several`: those of several words, which all are."""
    if several.sum() < _FEWEST:
        return np.ones(len(several), bool)
    result = specificity(held)
    return np.asarray(several | (result >= np.quantile(result[several], _LEAST)))
