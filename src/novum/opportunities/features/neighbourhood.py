"""Features of pairs by the graph around them: common neighbours and the distance between the two.

Preferential attachment (Barabási & Albert 1999), Jaccard, Adamic & Adar (2003), resource allocation (Zhou, Lü & Zhang
2009), the cosine of Salton & McGill (1983), and the same for surprising and for recent links.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from novum.core.arrays import Floats, Ints
from novum.opportunities.snapshot import Snapshot, unit_rows
from novum.opportunities.sparse import Table, csr

NEIGHBOURHOOD_COLUMNS = (
    "attachment", "common", "common_recent", "jaccard", "cosine", "adamic_adar", "allocation", "surprise", "distance",
    "hub_promoted",
)  # fmt: skip
_FAR = 4.0
"""Distance of concepts that are more than three links apart or not connected."""
_WAYS = 1000
"""Pairs whose paths are searched together."""
_ENTRIES = 10_000_000
"""Linked pairs that are processed together."""


@dataclass(frozen=True, eq=False)
class Neighbourhood:
    """Tables of the neighbours of all concepts at the end of one year."""

    snapshot: Snapshot

    @cached_property
    def known(self) -> Table:
        """Concepts × concepts, 1 where the two are linked."""
        return _pattern(self.snapshot.joint)

    @cached_property
    def known_recently(self) -> Table:
        """Concepts × concepts, 1 where a recent paper contains both."""
        return _pattern(self.snapshot.recent)

    @cached_property
    def surprising(self) -> Table:
        """Positive pointwise mutual information of linked concepts, as rows of length 1."""
        return unit_rows(surprise(self.snapshot))

    @cached_property
    def degree(self) -> Floats:
        """Number of neighbours, shape (concepts,)."""
        return np.asarray(np.diff(self.known.indptr), np.float64)

    @cached_property
    def _weights(self) -> Floats:
        """Weight of each concept as a common neighbour: 1, Adamic & Adar's, resource allocation; shape (concepts,
        3)."""
        degree = np.maximum(self.degree, 2)
        return np.stack([np.ones(len(degree)), 1 / np.log(degree), 1 / degree], axis=1)

    def of(self, one: Ints, other: Ints) -> Floats:
        """Features of pairs, shape (pairs, len(NEIGHBOURHOOD_COLUMNS))."""
        mine, theirs = self.degree[one], self.degree[other]
        both = self.known[one].multiply(self.known[other]).tocsr()
        common, adamic_adar, allocation = (np.asarray(both @ self._weights)).T
        recent_papers = self.known_recently[one].multiply(self.known_recently[other])
        surprising = self.surprising[one].multiply(self.surprising[other])
        columns = {
            "attachment": np.log1p(mine * theirs),
            "common": np.log1p(common),
            "common_recent": np.log1p(np.asarray(recent_papers.sum(axis=1), float).ravel()),
            "jaccard": common / np.maximum(mine + theirs - common, 1),
            "cosine": common / np.sqrt(np.maximum(mine * theirs, 1)),
            "adamic_adar": adamic_adar,
            "allocation": allocation,
            "surprise": np.asarray(surprising.sum(axis=1), float).ravel(),
            "distance": self._distance(one, other, common),
            "hub_promoted": common / np.maximum(np.minimum(mine, theirs), 1),
        }
        return np.stack([columns[name] for name in NEIGHBOURHOOD_COLUMNS], axis=1)

    def _distance(self, one: Ints, other: Ints, common: Floats) -> Floats:
        """Length of the shortest path between two unlinked concepts: 2, 3, or `_FAR`."""
        values = np.where(common > 0, 2.0, _FAR)
        fewer = self.degree[one] <= self.degree[other]
        begins, ends = np.where(fewer, one, other), np.where(fewer, other, one)
        apart = np.flatnonzero(common == 0)
        for begin in range(0, len(apart), _WAYS):
            some = apart[begin : begin + _WAYS]
            reached = _pattern(self.known[begins[some]] @ self.known)
            connected = reached.multiply(self.known[ends[some]]).getnnz(axis=1) > 0
            values[some[connected]] = 3
        return values


def surprise(snapshot: Snapshot) -> Table:
    """Positive pointwise mutual information of co-occurring concepts, concepts × concepts."""
    joint = snapshot.joint.tocsr(copy=True)
    papers = np.maximum(snapshot.held_by(), 1).astype(float)
    row = np.repeat(np.arange(joint.shape[0], dtype=np.int32), np.diff(joint.indptr))
    for begin in range(0, joint.nnz, _ENTRIES):
        some = slice(begin, begin + _ENTRIES)
        values = np.log(joint.data[some] * snapshot.papers / (papers[row[some]] * papers[joint.indices[some]]))
        joint.data[some] = np.maximum(values, 0)
    joint.eliminate_zeros()
    return joint


def _pattern(table: Table) -> Table:
    result = csr((np.ones(len(table.data), np.float32), table.indices, table.indptr), shape=table.shape)
    if not result.has_sorted_indices:
        result = result.copy()  # the indices are the table's own
        result.sort_indices()
    return result
