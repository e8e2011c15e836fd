"""Pairs of concepts that no paper links yet: all, or a uniform sample; and which of them became linked later."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Bools, Ints
from novum.opportunities.graph import DatedConceptGraph
from novum.opportunities.snapshot import Snapshot


@dataclass(frozen=True, eq=False)
class UnlinkedPairs:
    """`one` < `other`, numbers of concepts, shape (n,). `of`: the number of all unlinked pairs; if it exceeds `n`,
    these are a uniform sample with about the same share of later links."""

    one: Ints
    other: Ints
    of: int

    def __len__(self) -> int:
        return len(self.one)

    def take(self, rows: NDArray[np.intp] | Bools) -> UnlinkedPairs:
        """Some of them."""
        return UnlinkedPairs(self.one[rows], self.other[rows], self.of)

    @property
    def share(self) -> float:
        """Of all unjoined pairs, how large a share these are."""
        return len(self) / self.of if self.of else 1.0


def unlinked_pairs(snapshot: Snapshot, fewest: int, most: int, rng: np.random.Generator) -> UnlinkedPairs:
    """Pairs of concepts with at least `fewest` papers each that were not linked by the end of the year; a uniform
    sample of about `most` where there are more."""
    among = snapshot.eligible(fewest)
    count = len(among)
    total = count * (count - 1) // 2
    if total <= most:
        one, other = np.triu_indices(count, 1)
    else:
        one, other = _drawn(count, round(most * 1.02), rng)
    low, high = among[one], among[other]
    apart = np.flatnonzero(~_joined(snapshot, low, high))
    if total > most:
        apart = apart[:most]
    whole = total - _joined_among(snapshot, among)
    return UnlinkedPairs(low[apart], high[apart], whole)


def _drawn(count: int, wanted: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Different pairs of numbers below `count`, each as likely as any other, in random order."""
    one, other = rng.integers(0, count, (2, wanted + wanted // 4))
    low, high = np.minimum(one, other), np.maximum(one, other)
    _, first = np.unique((low * count + high)[low < high], return_index=True)
    places = np.flatnonzero(low < high)[np.sort(first)][:wanted]
    return low[places], high[places]


def _joined(snapshot: Snapshot, one: Ints, other: Ints) -> Bools:
    edges = snapshot.graph.edges
    edge = edges.find(one, other)
    values = np.zeros(len(one), bool)
    values[edge >= 0] = edges.first_paper[edge[edge >= 0]] < snapshot.papers
    return values


def _joined_among(snapshot: Snapshot, among: Ints) -> int:
    inside = np.zeros(snapshot.concepts, bool)
    inside[among] = True
    edges = snapshot.graph.edges
    early = edges.first_paper < snapshot.papers
    return int((early & inside[edges.first] & inside[np.asarray(edges.other)]).sum())


@dataclass(frozen=True, eq=False)
class LinkOutcomes:
    """What became of pairs: whether they were linked; rows of the papers of the first year that did, each pair's up to
    `first_to`."""

    linked: Bools
    first: NDArray[np.int32]
    first_to: Ints


def link_outcomes(graph: DatedConceptGraph, pairs: UnlinkedPairs, year: int, horizon: int, joint: int) -> LinkOutcomes:
    """By the end of `year + horizon`, in `joint` papers or more."""
    until = graph.dated.until(year + horizon)
    edge = graph.edges.find(pairs.one, pairs.other)
    counts = graph.edges.counts(until)
    linked = np.zeros(len(pairs), bool)
    linked[edge >= 0] = counts[edge[edge >= 0]] >= joint
    firsts = [_first_year(graph, int(each)) for each in edge[linked]]
    sizes = np.zeros(len(pairs), np.int64)
    sizes[linked] = [len(each) for each in firsts]
    return LinkOutcomes(linked, np.concatenate([np.zeros(0, np.int32), *firsts]), np.cumsum(sizes))


def _first_year(graph: DatedConceptGraph, edge: int) -> NDArray[np.int32]:
    rows = graph.edges.papers_of(edge)
    years = np.asarray(graph.dated.years)[rows]
    first: NDArray[np.int32] = rows[years == years[0]]
    return first
