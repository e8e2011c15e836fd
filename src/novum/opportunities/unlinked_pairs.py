"""Unlinked pairs of concepts, all or a uniform sample, and which of them became linked later."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Bools, Ints
from novum.opportunities.graph import DatedConceptGraph
from novum.opportunities.snapshot import Snapshot


@dataclass(frozen=True, eq=False)
class UnlinkedPairs:
    """Pairs of concept numbers, `one` < `other`, each of shape (n,). `of`: the number of all unlinked pairs; if it
    exceeds `n`, these are a uniform sample."""

    one: Ints
    other: Ints
    of: int

    def __len__(self) -> int:
        return len(self.one)


def unlinked_pairs(snapshot: Snapshot, fewest: int, most: int, rng: np.random.Generator) -> UnlinkedPairs:
    """Pairs of concepts with at least `fewest` papers each that were unlinked at the end of the year; a uniform sample
    of about `most` where there are more."""
    among = snapshot.eligible(fewest)
    count = len(among)
    total = count * (count - 1) // 2
    if total <= most:
        one, other = np.triu_indices(count, 1)
    else:
        one, other = _random_pairs(count, round(most * 1.02), rng)
    low, high = among[one], among[other]
    unlinked = np.flatnonzero(~_linked(snapshot, low, high))
    if total > most:
        unlinked = unlinked[:most]
    return UnlinkedPairs(low[unlinked], high[unlinked], total - _number_linked(snapshot, among))


def _random_pairs(count: int, size: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """About `size` different pairs of numbers below `count`, uniformly distributed, in random order."""
    one, other = rng.integers(0, count, (2, size + size // 4))
    low, high = np.minimum(one, other), np.maximum(one, other)
    _, first = np.unique((low * count + high)[low < high], return_index=True)
    places = np.flatnonzero(low < high)[np.sort(first)][:size]
    return low[places], high[places]


def _linked(snapshot: Snapshot, one: Ints, other: Ints) -> Bools:
    edges = snapshot.graph.edges
    edge = edges.find(one, other)
    values = np.zeros(len(one), bool)
    values[edge >= 0] = edges.first_paper[edge[edge >= 0]] < snapshot.papers
    return values


def _number_linked(snapshot: Snapshot, among: Ints) -> int:
    """The number of linked pairs of the concepts `among`."""
    inside = np.zeros(snapshot.concepts, bool)
    inside[among] = True
    edges = snapshot.graph.edges
    early = edges.first_paper < snapshot.papers
    return int((early & inside[edges.first] & inside[np.asarray(edges.other)]).sum())


@dataclass(frozen=True, eq=False)
class LinkOutcomes:
    """Outcomes of pairs. `linked`: whether they became linked, shape (pairs,); `first`: rows of their joint papers of
    the first year with any, concatenated, those of pair i ending at `first_to[i]`."""

    linked: Bools
    first: NDArray[np.int32]
    first_to: Ints


def link_outcomes(graph: DatedConceptGraph, pairs: UnlinkedPairs, year: int, horizon: int, joint: int) -> LinkOutcomes:
    """Which pairs were linked by at least `joint` papers at the end of `year + horizon`."""
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
