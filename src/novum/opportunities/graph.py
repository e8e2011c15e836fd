"""The graph of concepts: pairs that papers link, with all linking papers, as sorted columns in memory or on disk.

Papers are numbered in the order of their years. So the first paper of an edge is the one that linked it, and the graph
at the end of a year consists of all papers before a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Bools, Ints, ranges
from novum.opportunities.concepts import ConceptNames
from novum.opportunities.paper_columns import DatedPapers

Number = TypeVar("Number", np.int32, np.int64)
_AT_ONCE = 4_000_000
"""Entries that are sorted together."""


@dataclass(frozen=True, eq=False)
class GroupedIndices:
    """Papers by concept: the rows of concept i are `members[starts[i]:starts[i + 1]]`, ascending."""

    starts: Ints
    members: NDArray[np.int32]

    def of(self, group: int) -> NDArray[np.int32]:
        """The rows of one concept."""
        return self.members[self.starts[group] : self.starts[group + 1]]


@dataclass(frozen=True, eq=False)
class Edges:
    """Linked pairs of concepts, sorted, the lower number first: concept i is linked with the higher concepts
    `other[starts[i]:starts[i + 1]]`. The papers that contain both concepts of edge e are
    `paper[papers_from[e]:papers_from[e + 1]]`, ascending."""

    starts: Ints
    other: NDArray[np.int32]
    papers_from: Ints
    paper: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.other)

    @cached_property
    def first(self) -> NDArray[np.int32]:
        """The lower concept of each edge, shape (edges,)."""
        return np.repeat(np.arange(len(self.starts) - 1, dtype=np.int32), np.diff(self.starts))

    @cached_property
    def first_paper(self) -> NDArray[np.int32]:
        """The row of the first paper of each edge, shape (edges,)."""
        return np.asarray(self.paper[self.papers_from[:-1]]) if len(self) else np.zeros(0, np.int32)

    def counts(self, papers: int) -> NDArray[np.int32]:
        """The number of papers of each edge among the first `papers` papers, shape (edges,)."""
        if not len(self.paper) or int(np.max(self.paper)) < papers:
            return np.diff(self.papers_from).astype(np.int32)
        early = np.asarray(self.paper) < papers
        return np.asarray(np.add.reduceat(early, np.asarray(self.papers_from[:-1]), dtype=np.int32))

    def find(self, one: Ints, other: Ints) -> Ints:
        """The edges of the pairs of `one` and `other`, in any order, shape (pairs,); -1 for unlinked pairs."""
        low, high = np.minimum(one, other), np.maximum(one, other)
        starts, others = np.asarray(self.starts), np.asarray(self.other)
        begin, end = starts[low].astype(np.int64), starts[low + 1].astype(np.int64)
        last = end.copy()
        for _ in range(
            int((end - begin).max(initial=0)).bit_length()
        ):  # bisection of all pairs at once, without a table of keys
            middle = (begin + end) // 2
            below = (begin < end) & (others[np.minimum(middle, len(others) - 1)] < high)
            begin, end = np.where(below, middle + 1, begin), np.where(below, end, middle)
        exists = begin < last
        exists[exists] = others[begin[exists]] == high[exists]
        return np.where(exists, begin, -1)

    def with_one_of(self, some: Bools) -> Bools:
        """Which edges have at least one end in the mask `some`, shape (concepts,): a mask of shape (edges,)."""
        return np.asarray(some[self.first] | some[np.asarray(self.other)])

    def papers_of(self, edge: int) -> NDArray[np.int32]:
        """The rows of the papers of one edge."""
        return self.paper[self.papers_from[edge] : self.papers_from[edge + 1]]


@dataclass(frozen=True, eq=False)
class DatedConceptGraph:
    """Names of the concepts, alphabetical; the papers that contain each; the linked pairs; and the dated papers."""

    names: tuple[str, ...]
    by_concept: GroupedIndices
    edges: Edges
    dated: DatedPapers

    @classmethod
    def of(cls, concepts: ConceptNames, dated: DatedPapers) -> DatedConceptGraph:
        """The graph of these concepts, in memory."""
        edges = _edges(_edge_blocks(concepts), len(concepts.names))
        return cls(concepts.names, _papers_by_concept(concepts), edges, dated)

    def papers_until(self, papers: int) -> Ints:
        """The number of papers of each concept among the first `papers` papers, shape (concepts,)."""
        early = np.concatenate([[0], np.cumsum(np.asarray(self.by_concept.members) < papers, dtype=np.int64)])
        return np.diff(early[np.asarray(self.by_concept.starts)])

    def years_of(self, rows: NDArray[np.int32]) -> dict[int, int]:
        """The number of papers by year, for papers of these rows."""
        years, counts = np.unique(np.asarray(self.dated.years)[rows], return_counts=True)
        return dict(zip(years.tolist(), counts.tolist(), strict=True))


def _papers_by_concept(concepts: ConceptNames) -> GroupedIndices:
    sizes = np.diff(concepts.concept_to, prepend=0)
    owner = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    order = np.argsort(concepts.concept, kind="stable")
    counts = np.bincount(concepts.concept, minlength=len(concepts.names))
    return GroupedIndices(np.concatenate([[0], np.cumsum(counts)]), owner[order])


@dataclass(frozen=True, eq=False)
class _EdgeBlock:
    """The edges of consecutive concepts: lower and higher concept, number of papers of each edge, and all their papers,
    concatenated."""

    first: NDArray[np.int32]
    other: NDArray[np.int32]
    sizes: Ints
    paper: NDArray[np.int32]


def _edge_blocks(concepts: ConceptNames) -> Iterator[_EdgeBlock]:
    """All edges in blocks, which bounds memory."""
    count = len(concepts.names)
    ends = np.asarray(concepts.concept_to)
    sizes = np.diff(ends, prepend=0)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    partners = ends[owner] - np.arange(len(owner)) - 1
    order = np.argsort(concepts.concept, kind="stable")  # entries of each concept, in the order of its papers
    load = np.concatenate([[0], np.cumsum(partners[order])])
    begins = np.searchsorted(concepts.concept[order], np.arange(count + 1))
    at = 0
    while at < count:
        upto = int(np.searchsorted(load[begins], load[begins[at]] + _AT_ONCE, side="right")) - 1
        upto = min(max(upto, at + 1), count)
        places = order[begins[at] : begins[upto]]
        yield _block(concepts, owner, places, partners[places])
        at = upto


def _block(concepts: ConceptNames, owner: Ints, places: Ints, partners: Ints) -> _EdgeBlock:
    first = np.repeat(concepts.concept[places].astype(np.int64), partners)
    other = concepts.concept[ranges(places + 1, partners)]
    paper = np.repeat(owner[places], partners).astype(np.int32)
    keys = first * len(concepts.names) + other
    by_edge = np.argsort(keys, kind="stable")
    keys = keys[by_edge]
    new = np.flatnonzero(np.diff(keys, prepend=-1))
    low, high = np.divmod(keys[new], max(len(concepts.names), 1))
    sizes = np.diff(np.append(new, len(keys)))
    return _EdgeBlock(low.astype(np.int32), high.astype(np.int32), sizes, paper[by_edge])


def _edges(blocks: Iterable[_EdgeBlock], concepts: int) -> Edges:
    """All blocks, concatenated column by column; the pieces of each column are freed at once, since a million papers
    have gigabytes of them."""
    higher, sizes, papers = [np.zeros(0, np.int32)], [np.zeros(1, np.int64)], [np.zeros(0, np.int32)]
    edges_of = np.zeros(concepts, np.int64)
    for block in blocks:
        edges_of += np.bincount(block.first, minlength=concepts)
        higher.append(block.other)
        sizes.append(block.sizes)
        papers.append(block.paper)
    starts = np.concatenate([[0], np.cumsum(edges_of)])
    return Edges(starts, _concatenated(higher), np.cumsum(_concatenated(sizes)), _concatenated(papers))


def _concatenated(pieces: list[NDArray[Number]]) -> NDArray[Number]:
    values = np.concatenate(pieces)
    pieces.clear()
    return values
