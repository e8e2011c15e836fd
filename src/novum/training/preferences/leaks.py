"""Texts that stand in two splits in nearly the same words: what is trained on must not be what is tested on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from novum.core import normal_title
from novum.training.preferences.balance import IdeaPair
from novum.training.preferences.pool import Pool, Rows

_BLOCK = 2048


def without_repeated_texts(splits: Sequence[Sequence[IdeaPair]], pool: Pool, threshold: float) -> list[list[IdeaPair]]:
    """The splits, earliest first, without the pairs of which one idea stands in a later split too: under the same
    title, or nearer than the cosine `threshold`. The later split keeps it, as it is the smaller one."""
    kept: list[list[IdeaPair]] = []
    later = np.empty(0, dtype=np.intp)
    for pairs in reversed(splits):
        rows = rows_of(pairs)
        told_twice = set(rows[_repeats(pool, rows, later, threshold)].tolist())
        kept.append([pair for pair in pairs if told_twice.isdisjoint((pair.chosen, pair.rejected))])
        later = np.union1d(later, rows_of(kept[-1]))
    return kept[::-1]


def rows_of(pairs: Sequence[IdeaPair]) -> Rows:
    """The rows that stand in these pairs, each once."""
    return np.unique(np.array([row for pair in pairs for row in (pair.chosen, pair.rejected)], dtype=np.intp))


def _repeats(pool: Pool, rows: Rows, later: Rows, threshold: float) -> NDArray[np.bool_]:
    """Which of `rows` tell what one of `later` tells."""
    titles = {title for row in later if (title := normal_title(pool.candidates[row].subject.title))}
    found = np.array([normal_title(pool.candidates[row].subject.title) in titles for row in rows], dtype=bool)
    for begin in range(0, len(rows), _BLOCK):
        block = pool.vectors[rows[begin : begin + _BLOCK]]
        for other in range(0, len(later), _BLOCK):
            near = (block @ pool.vectors[later[other : other + _BLOCK]].T).max(axis=1) > threshold
            found[begin : begin + _BLOCK] |= near
    return found
