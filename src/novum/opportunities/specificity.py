"""How particular the company of a concept is: `order` and `improving` go with anything, `transliteration` does not.

The Kullback–Leibler divergence of the concepts beside it from those of the whole library, less what so few papers would
show by chance alone (Miller 1955: the concepts seen, over twice the number of meetings).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from novum.opportunities.tables import Table

_LEAST = 0.05
"""A single word must be more particular than this share of the phrases of several words."""
_FEWEST = 20
"""Phrases of several words below which they set no standard."""


def specificity(held: Table) -> NDArray[np.float64]:
    """In nats, shape (concepts,); `held`: papers × concepts, 1 where a paper holds a concept."""
    beside = (held.T @ held).tocsr()
    beside.setdiag(0)
    beside.eliminate_zeros()
    return specificity_beside(beside)


def specificity_beside(beside: Table) -> NDArray[np.float64]:
    """The same from joint papers, concepts × concepts, none with itself."""
    meetings = np.asarray(beside.sum(axis=1), float).ravel()
    usual = meetings / max(meetings.sum(), 1)
    row = np.repeat(np.arange(beside.shape[0]), np.diff(beside.indptr))
    share = beside.data / np.maximum(meetings[row], 1)
    found = np.bincount(row, share * np.log(share / usual[beside.indices]), minlength=len(usual))
    by_chance: NDArray[np.float64] = np.diff(beside.indptr) / (2 * np.maximum(meetings, 1))
    return found - by_chance


def particular(held: Table, several: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which concepts are not just words that go with anything. `several`: those of several words, which all are."""
    if several.sum() < _FEWEST:
        return np.ones(len(several), bool)
    found = specificity(held)
    return np.asarray(several | (found >= np.quantile(found[several], _LEAST)))
