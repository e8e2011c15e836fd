"""Remove texts that are in two splits in nearly the same words: test texts must not be in training."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from novum.core import normal_title
from novum.training.preferences.balance import IdeaPair
from novum.training.preferences.pool import Pool, Rows

_BLOCK = 2048


def without_repeated_texts(splits: Sequence[Sequence[IdeaPair]], pool: Pool, threshold: float) -> list[list[IdeaPair]]:
    """The splits, earliest first, without pairs whose idea is also in a later split: with the same title, or a cosine
    above `threshold`. The later split, which is smaller, keeps it."""
    remaining: list[list[IdeaPair]] = []
    later = np.empty(0, dtype=np.intp)
    for pairs in reversed(splits):
        rows = rows_of(pairs)
        repeated = set(rows[_repeats(pool, rows, later, threshold)].tolist())
        remaining.append([pair for pair in pairs if repeated.isdisjoint((pair.chosen, pair.rejected))])
        later = np.union1d(later, rows_of(remaining[-1]))
    return remaining[::-1]


def rows_of(pairs: Sequence[IdeaPair]) -> Rows:
    """The rows of these pairs, each once, sorted."""
    return np.unique(np.array([row for pair in pairs for row in (pair.chosen, pair.rejected)], dtype=np.intp))


def _repeats(pool: Pool, rows: Rows, later: Rows, threshold: float) -> NDArray[np.bool_]:
    """Which of `rows` repeat one of `later`, shape (len(rows),)."""
    titles = {title for row in later if (title := normal_title(pool.candidates[row].subject.title))}
    found = np.array([normal_title(pool.candidates[row].subject.title) in titles for row in rows], dtype=bool)
    for begin in range(0, len(rows), _BLOCK):
        block = pool.vectors[rows[begin : begin + _BLOCK]]
        for other in range(0, len(later), _BLOCK):
            near = (block @ pool.vectors[later[other : other + _BLOCK]].T).max(axis=1) > threshold
            found[begin : begin + _BLOCK] |= near
    return found
