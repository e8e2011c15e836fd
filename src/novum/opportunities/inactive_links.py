"""Inactive pairs: linked by one or two papers, and by none in recent years."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Bools, Ints
from novum.opportunities.graph import DatedConceptGraph
from novum.opportunities.snapshot import Snapshot

FEW = 2
"""Largest number of joint papers of an inactive pair."""
SILENT = 3
"""Smallest number of years without a joint paper."""


@dataclass(frozen=True, eq=False)
class InactiveLinks:
    """Pairs of concepts, `one` < `other`. `edge`: number of the edge; `last`: year of the last joint paper; each of
    shape (n,)."""

    one: Ints
    other: Ints
    edge: Ints
    last: Ints

    def __len__(self) -> int:
        return len(self.one)

    def take(self, rows: NDArray[np.intp] | Bools) -> InactiveLinks:
        """The pairs of these rows."""
        return InactiveLinks(self.one[rows], self.other[rows], self.edge[rows], self.last[rows])


def inactive_links(snapshot: Snapshot, fewest: int, among: Bools | None = None) -> InactiveLinks:
    """The inactive pairs at the end of the snapshot's year whose concepts have at least `fewest` papers each. `among`:
    a mask of shape (concepts,) that at least one of the two must be in."""
    graph = snapshot.graph
    counts = graph.edges.counts(snapshot.papers)
    is_weak = (counts > 0) & (counts <= FEW)
    few = np.flatnonzero(is_weak & graph.edges.with_one_of(among) if among is not None else is_weak)
    last_row = np.asarray(graph.edges.paper)[np.asarray(graph.edges.papers_from)[few] + counts[few] - 1]
    last = np.asarray(graph.dated.years)[last_row]
    frequent = snapshot.held_by() >= fewest
    one, other = graph.edges.first[few], np.asarray(graph.edges.other)[few]
    fit = np.flatnonzero((last <= snapshot.year - SILENT) & frequent[one] & frequent[other])
    return InactiveLinks(one[fit].astype(np.int64), other[fit].astype(np.int64), few[fit], last[fit].astype(np.int64))


def linked_again(graph: DatedConceptGraph, pairs: InactiveLinks, year: int, horizon: int) -> Bools:
    """Whether a paper of the `horizon` years after `year` links each pair again, shape (n,)."""
    before, after = (graph.edges.counts(graph.dated.until(end))[pairs.edge] for end in (year, year + horizon))
    return np.asarray(after > before)
