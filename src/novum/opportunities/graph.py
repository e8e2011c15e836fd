"""Concepts that papers join, with every paper that does: columns in order, of any size, in memory or on a disk.

Papers are numbered in order of their years. So the first entry of an edge is the paper that joined it, and what was
known at the end of a year is whatever comes before a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Bools, Ints
from novum.opportunities.concepts import ConceptNames
from novum.opportunities.paper_columns import DatedPapers
from novum.opportunities.tokens import ragged

Number = TypeVar("Number", np.int32, np.int64)
_AT_ONCE = 4_000_000
"""Entries sorted together."""


@dataclass(frozen=True, eq=False)
class GroupedIndices:
    """Rows by concept: those of concept i are `members[starts[i]:starts[i + 1]]`, ascending."""

    starts: Ints
    members: NDArray[np.int32]

    def of(self, group: int) -> NDArray[np.int32]:
        """Of one."""
        return self.members[self.starts[group] : self.starts[group + 1]]


@dataclass(frozen=True, eq=False)
class Edges:
    """Pairs of concepts, the lower number first, in order: those of concept i with higher ones are `other` from
    `starts[i]` to `starts[i + 1]`. The papers that hold both of edge e are `paper[papers_from[e]:papers_from[e + 1]]`,
    ascending."""

    starts: Ints
    other: NDArray[np.int32]
    papers_from: Ints
    paper: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.other)

    @cached_property
    def first(self) -> NDArray[np.int32]:
        """The lower concept of each edge."""
        return np.repeat(np.arange(len(self.starts) - 1, dtype=np.int32), np.diff(self.starts))

    @cached_property
    def joined_by(self) -> NDArray[np.int32]:
        """The row of the first paper of each edge."""
        return np.asarray(self.paper[self.papers_from[:-1]]) if len(self) else np.zeros(0, np.int32)

    def counts(self, papers: int) -> NDArray[np.int32]:
        """The number of papers of each pair among the first papers."""
        if not len(self.paper) or int(np.max(self.paper)) < papers:
            return np.diff(self.papers_from).astype(np.int32)
        early = np.asarray(self.paper) < papers
        return np.asarray(np.add.reduceat(early, np.asarray(self.papers_from[:-1]), dtype=np.int32))

    def find(self, one: Ints, other: Ints) -> Ints:
        """The edges of these pairs, -1 where nothing joins them. In any order."""
        low, high = np.minimum(one, other), np.maximum(one, other)
        starts, others = np.asarray(self.starts), np.asarray(self.other)
        begin, end = starts[low].astype(np.int64), starts[low + 1].astype(np.int64)
        last = end.copy()
        for _ in range(int((end - begin).max(initial=0)).bit_length()):  # all at once, by halves; no table of keys
            middle = (begin + end) // 2
            below = (begin < end) & (others[np.minimum(middle, len(others) - 1)] < high)
            begin, end = np.where(below, middle + 1, begin), np.where(below, end, middle)
        there = begin < last
        there[there] = others[begin[there]] == high[there]
        return np.where(there, begin, -1)

    def with_one_of(self, some: Bools) -> Bools:
        """Which edges have an end, or both, among these concepts (a mask)."""
        return np.asarray(some[self.first] | some[np.asarray(self.other)])

    def papers_of(self, edge: int) -> NDArray[np.int32]:
        """Rows of the papers of one edge."""
        return self.paper[self.papers_from[edge] : self.papers_from[edge + 1]]


@dataclass(frozen=True, eq=False)
class DatedConceptGraph:
    """`names` of the concepts, alphabetical; the papers that hold each; the pairs; and the papers themselves."""

    names: tuple[str, ...]
    by_concept: GroupedIndices
    edges: Edges
    shelf: DatedPapers

    @classmethod
    def of(cls, concepts: ConceptNames, shelf: DatedPapers) -> DatedConceptGraph:
        """In memory."""
        edges = joined(edge_blocks(concepts), len(concepts.names))
        return cls(concepts.names, grouped(concepts), edges, shelf)

    def papers_until(self, papers: int) -> Ints:
        """The number of papers of each concept among the first papers."""
        early = np.concatenate([[0], np.cumsum(np.asarray(self.by_concept.members) < papers, dtype=np.int64)])
        return np.diff(early[np.asarray(self.by_concept.starts)])

    def years_of(self, rows: NDArray[np.int32]) -> dict[int, int]:
        """Papers by year."""
        years, counts = np.unique(np.asarray(self.shelf.years)[rows], return_counts=True)
        return dict(zip(years.tolist(), counts.tolist(), strict=True))


def grouped(concepts: ConceptNames) -> GroupedIndices:
    """Papers by concept."""
    sizes = np.diff(concepts.concept_to, prepend=0)
    owner = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    order = np.argsort(concepts.concept, kind="stable")
    counts = np.bincount(concepts.concept, minlength=len(concepts.names))
    return GroupedIndices(np.concatenate([[0], np.cumsum(counts)]), owner[order])


@dataclass(frozen=True, eq=False)
class EdgeBlock:
    """Edges of some concepts in a row: the lower concept, the higher, papers of each edge, and these one after the
    other."""

    first: NDArray[np.int32]
    other: NDArray[np.int32]
    sizes: Ints
    paper: NDArray[np.int32]


def edge_blocks(concepts: ConceptNames) -> Iterator[EdgeBlock]:
    """All edges, a piece at a time: memory is bounded however many there are."""
    count = len(concepts.names)
    ends = np.asarray(concepts.concept_to)
    sizes = np.diff(ends, prepend=0)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    partners = ends[owner] - np.arange(len(owner)) - 1
    order = np.argsort(concepts.concept, kind="stable")  # places of each concept, in the order of its papers
    load = np.concatenate([[0], np.cumsum(partners[order])])
    begins = np.searchsorted(concepts.concept[order], np.arange(count + 1))
    at = 0
    while at < count:
        upto = int(np.searchsorted(load[begins], load[begins[at]] + _AT_ONCE, side="right")) - 1
        upto = min(max(upto, at + 1), count)
        places = order[begins[at] : begins[upto]]
        yield _block(concepts, owner, places, partners[places])
        at = upto


def _block(concepts: ConceptNames, owner: Ints, places: Ints, partners: Ints) -> EdgeBlock:
    first = np.repeat(concepts.concept[places].astype(np.int64), partners)
    other = concepts.concept[ragged(places + 1, partners)]
    paper = np.repeat(owner[places], partners).astype(np.int32)
    keys = first * len(concepts.names) + other
    by_edge = np.argsort(keys, kind="stable")
    keys = keys[by_edge]
    new = np.flatnonzero(np.diff(keys, prepend=-1))
    result = keys[new]
    sizes = np.diff(np.append(new, len(keys)))
    return EdgeBlock(
        (result // max(len(concepts.names), 1)).astype(np.int32),
        (result % max(len(concepts.names), 1)).astype(np.int32),
        sizes,
        paper[by_edge],
    )


def joined(blocks: Iterable[EdgeBlock], concepts: int) -> Edges:
    """One after the other. Each column is put together by itself and its pieces let go: of a million papers there are
    gigabytes of them."""
    higher, sizes, papers = [np.zeros(0, np.int32)], [np.zeros(1, np.int64)], [np.zeros(0, np.int32)]
    edges_of = np.zeros(concepts, np.int64)
    for block in blocks:
        edges_of += np.bincount(block.first, minlength=concepts)
        higher.append(block.other)
        sizes.append(block.sizes)
        papers.append(block.paper)
    starts = np.concatenate([[0], np.cumsum(edges_of)])
    return Edges(starts, _together(higher), np.cumsum(_together(sizes)), _together(papers))


def _together(pieces: list[NDArray[Number]]) -> NDArray[Number]:
    values = np.concatenate(pieces)
    pieces.clear()
    return values
