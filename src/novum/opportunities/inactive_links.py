"""Pairs that one or two papers linked, and none since: dormant pairs and papers without a successor."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Bools, Ints
from novum.opportunities.graph import DatedConceptGraph
from novum.opportunities.snapshot import Snapshot

FEW = 2
"""Papers at most that joined a pair which nobody took up."""
SILENT = 3
"""Years without a joint paper, at least."""


@dataclass(frozen=True, eq=False)
class InactiveLinks:
    """`one` < `other`; `edge`: the number of the pair; `last`: the year of the last known joint paper; shape (n,)."""

    one: Ints
    other: Ints
    edge: Ints
    last: Ints

    def __len__(self) -> int:
        return len(self.one)

    def take(self, rows: NDArray[np.intp] | Bools) -> InactiveLinks:
        """Some of them."""
        return InactiveLinks(self.one[rows], self.other[rows], self.edge[rows], self.last[rows])


def inactive_links(snapshot: Snapshot, fewest: int, among: Bools | None = None) -> InactiveLinks:
    """As it was known at the end of the snapshot's year; both concepts have `fewest` papers or more, and one is `among`
    these, where they are given: a mask, shape (concepts,)."""
    graph = snapshot.graph
    counts = graph.edges.counts(snapshot.papers)
    hardly = (counts > 0) & (counts <= FEW)
    few = np.flatnonzero(hardly & graph.edges.with_one_of(among) if among is not None else hardly)
    last_row = np.asarray(graph.edges.paper)[np.asarray(graph.edges.papers_from)[few] + counts[few] - 1]
    last = np.asarray(graph.dated.years)[last_row]
    some = snapshot.held_by() >= fewest
    one, other = graph.edges.first[few], np.asarray(graph.edges.other)[few]
    fit = np.flatnonzero((last <= snapshot.year - SILENT) & some[one] & some[other])
    return InactiveLinks(one[fit].astype(np.int64), other[fit].astype(np.int64), few[fit], last[fit].astype(np.int64))


def linked_again(graph: DatedConceptGraph, pairs: InactiveLinks, year: int, horizon: int) -> Bools:
    """Whether a paper of the years after `year` holds both, shape (n,)."""
    before, after = (graph.edges.counts(graph.dated.until(end))[pairs.edge] for end in (year, year + horizon))
    return np.asarray(after > before)
