"""Features of pairs by what two concepts share beside papers: venues, fields and references."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from novum.core.arrays import Floats, Ints
from novum.opportunities.snapshot import Snapshot
from novum.opportunities.sparse import Table, diagonal

OVERLAP_COLUMNS = ("venues", "fields", "references", "cited_together")
_MOST_ENTRIES = 20_000_000
"""Entries of concepts × cited papers at most; for more, only every n-th paper's references are counted."""


@dataclass(frozen=True, eq=False)
class Overlap:
    """Tables of venues, fields and references of all concepts at the end of one year."""

    snapshot: Snapshot

    @cached_property
    def venues(self) -> Table:
        """Concepts × venues, rows of unit length."""
        dated = self.snapshot.graph.dated
        return self.snapshot.distribution(np.asarray(dated.tokens.venue), np.arange(len(dated)))

    @cached_property
    def fields(self) -> Table:
        """Concepts × fields, rows of unit length."""
        return self.snapshot.distribution(*self.snapshot.graph.dated.filed())

    @cached_property
    def _step(self) -> int:
        cited = np.diff(self.snapshot.cites.indptr)
        entries = float(cited @ np.asarray(self.snapshot.held.sum(axis=0)).ravel())
        return max(1, int(np.ceil(entries / _MOST_ENTRIES)))

    @cached_property
    def cited(self) -> Table:
        """Concepts × papers: number of papers of the concept that cite each paper."""
        cites = self.snapshot.cites
        if self._step > 1:
            taken = np.zeros(cites.shape[0], np.float32)
            taken[:: self._step] = 1
            cites = diagonal(taken) @ cites
        result = (self.snapshot.held @ cites).tocsr()
        result.eliminate_zeros()
        return result

    def of(self, one: Ints, other: Ints) -> Floats:
        """Features of pairs, shape (pairs, len(OVERLAP_COLUMNS))."""
        held, cited = self.snapshot.held, self.cited
        between = _sum(cited[one].multiply(held[other])) + _sum(cited[other].multiply(held[one]))
        columns = {
            "venues": _sum(self.venues[one].multiply(self.venues[other])),
            "fields": _sum(self.fields[one].multiply(self.fields[other])),
            "references": np.log1p(self._step * between),
            "cited_together": np.log1p(self._step * _sum(cited[one].minimum(cited[other]))),
        }
        return np.stack([columns[name] for name in OVERLAP_COLUMNS], axis=1)


def _sum(table: Table) -> Floats:
    return np.asarray(table.sum(axis=1), float).ravel()
