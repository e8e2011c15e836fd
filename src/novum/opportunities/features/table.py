"""All features of pairs of concepts in one table. They do not depend on the order of the two concepts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from novum.core.arrays import Floats, Ints, Vectors
from novum.opportunities.features.neighbourhood import NEIGHBOURHOOD_COLUMNS, Neighbourhood
from novum.opportunities.features.overlap import OVERLAP_COLUMNS, Overlap
from novum.opportunities.features.position import POSITION_COLUMNS, GraphPosition
from novum.opportunities.features.single import SINGLE_COLUMNS, single_features
from novum.opportunities.snapshot import Snapshot

COLUMNS = (
    *(f"{name}_of_{which}" for name in SINGLE_COLUMNS for which in ("lesser", "greater")),
    *NEIGHBOURHOOD_COLUMNS,
    *POSITION_COLUMNS,
    *OVERLAP_COLUMNS,
)
_AT_ONCE = 50_000
_MOST_ENTRIES = 10_000_000
"""Entries of sparse rows that are in memory together."""


@dataclass(frozen=True, eq=False)
class PairFeatures:
    """Features of pairs at the end of one year. `fewest`: sizes are ranks among the concepts with at least so many
    papers; `layout`: stored coordinates and communities, if any (see `GraphPosition`)."""

    snapshot: Snapshot
    fewest: int
    seed: int
    layout: tuple[Vectors, Ints] | None = None

    @cached_property
    def single(self) -> Floats:
        """Features of single concepts, shape (concepts, len(SINGLE_COLUMNS))."""
        return single_features(self.snapshot, self.fewest)

    @cached_property
    def neighbourhood(self) -> Neighbourhood:
        """Features by common neighbours."""
        return Neighbourhood(self.snapshot)

    @cached_property
    def position(self) -> GraphPosition:
        """Features by position on the map."""
        return GraphPosition(self.snapshot, self.seed, self.layout)

    @cached_property
    def overlap(self) -> Overlap:
        """Features by shared venues, fields and references."""
        return Overlap(self.snapshot)

    def of(self, one: Ints, other: Ints) -> Vectors:
        """Features of the pairs of `one` and `other`, each of shape (pairs,): shape (pairs, len(COLUMNS)), single
        precision, NaN where unknown. Beside the result, memory is bounded."""
        values = np.empty((len(one), len(COLUMNS)), np.float32)
        for some in self._blocks(one, other):
            values[some] = self._block(one[some], other[some])
        return values

    def _blocks(self, one: Ints, other: Ints) -> Iterator[slice]:
        """Slices of pairs whose rows of the tables fit into memory together."""
        tables = (self.neighbourhood.known, self.overlap.cited, self.snapshot.held)
        sizes = sum(np.diff(table.indptr).astype(np.int64) for table in tables)
        upto = np.cumsum(sizes[one] + sizes[other])
        begin = 0
        while begin < len(one):
            before = upto[begin - 1] if begin else 0
            end = int(np.searchsorted(upto, before + _MOST_ENTRIES, side="right"))
            end = min(max(end, begin + 1), begin + _AT_ONCE, len(one))
            yield slice(begin, end)
            begin = end

    def _block(self, one: Ints, other: Ints) -> Floats:
        mine, theirs = self.single[one], self.single[other]
        ends = np.stack([np.minimum(mine, theirs), np.maximum(mine, theirs)], axis=2).reshape(len(one), -1)
        parts = (part.of(one, other) for part in (self.neighbourhood, self.position, self.overlap))
        return np.concatenate([ends, *parts], axis=1)
