"""The concept graph at the end of a year: everything that a forecast made then may use.

All tables are computed from papers up to that year, the references between them, and the names of concepts. Present
citation counts are not used, since they were unknown then.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Floats, Ints, Vectors
from novum.opportunities.graph import DatedConceptGraph
from novum.opportunities.sparse import Table, csr
from novum.opportunities.tokens import take_groups

RECENT = 3
"""Years that count as recent."""


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The `graph` at the end of `year`. `units`: whitened vectors of the names, shape (concepts, d)."""

    graph: DatedConceptGraph
    year: int
    units: Vectors

    @property
    def concepts(self) -> int:
        """The number of concepts, including those without a paper by then."""
        return len(self.graph.names)

    @cached_property
    def papers(self) -> int:
        """The number of known papers."""
        return self.graph.dated.until(self.year)

    def back(self, years: int) -> int:
        """The number of papers known `years` years earlier."""
        return self.graph.dated.until(self.year - years)

    @cached_property
    def held(self) -> Table:
        """Concepts × papers, 1 where the paper contains the concept."""
        starts = np.asarray(self.graph.by_concept.starts)
        members = np.asarray(self.graph.by_concept.members)
        early = members < self.papers
        to = np.concatenate([[0], np.cumsum(early)])[starts]
        ones = np.ones(int(to[-1]), np.float32)
        return csr((ones, members[early], to), shape=(self.concepts, max(self.papers, 1)))

    def held_by(self, years_back: int = 0) -> Ints:
        """The number of papers of each concept `years_back` years earlier, shape (concepts,)."""
        return self.graph.papers_until(self.back(years_back))

    @cached_property
    def joint(self) -> Table:
        """Concepts × concepts: the number of joint papers."""
        return self._symmetric(self._counts)

    @cached_property
    def recent(self) -> Table:
        """Concepts × concepts: the number of joint papers of the last `RECENT` years."""
        return self.joint_since(RECENT)

    def joint_since(self, years: int) -> Table:
        """Concepts × concepts: the number of joint papers of the last `years` years."""
        return self._symmetric(self._counts - self.graph.edges.counts(self.back(years)))

    @cached_property
    def _counts(self) -> NDArray[np.int32]:
        return self.graph.edges.counts(self.papers)

    def _symmetric(self, counts: NDArray[np.int32]) -> Table:
        """A symmetric table, concepts × concepts, from the counts of edges."""
        existing = np.flatnonzero(counts)
        starts = np.concatenate([[0], np.cumsum(counts > 0)])[np.asarray(self.graph.edges.starts)]
        values, other = counts[existing].astype(np.float32), np.asarray(self.graph.edges.other)[existing]
        upper = csr((values, other, starts), shape=(self.concepts, self.concepts))
        return upper + upper.T.tocsr()

    def degrees(self, years_back: int = 0) -> Ints:
        """The number of neighbours of each concept `years_back` years earlier, shape (concepts,)."""
        linked = np.flatnonzero(self.graph.edges.first_paper < self.back(years_back))
        ends = self.graph.edges.first[linked], np.asarray(self.graph.edges.other)[linked]
        return np.bincount(np.concatenate(ends), minlength=self.concepts)

    @cached_property
    def first_and_last(self) -> tuple[Floats, Floats]:
        """Years since the first and since the last paper of each concept, each of shape (concepts,); NaN without a
        paper."""
        years = np.asarray(self.graph.dated.years)[: self.papers].astype(float)
        starts, counts = self.held.indptr[:-1], np.diff(self.held.indptr)
        values = np.full((2, self.concepts), np.nan)
        some = counts > 0
        if some.any():
            values[0, some] = self.year - years[self.held.indices[starts[some]]]
            values[1, some] = self.year - years[self.held.indices[(starts + counts - 1)[some]]]
        return values[0], values[1]

    @cached_property
    def cites(self) -> Table:
        """Papers × papers, 1 where the paper of the row cites that of the column."""
        dated, papers = self.graph.dated, self.papers
        cited, to = take_groups(dated.cites, dated.cites_to, np.arange(papers))
        citing = np.repeat(np.arange(papers), np.diff(to, prepend=0))
        known = cited < papers
        ones = np.ones(int(known.sum()), np.float32)
        return csr((ones, (citing[known], cited[known])), shape=(max(papers, 1),) * 2)

    def distribution(self, columns: NDArray[np.int32], rows: Ints) -> Table:
        """Concepts × kinds, rows of unit length: the distribution of their papers over kinds (venues, fields). Paper
        `rows[i]` is of kind `columns[i]`; a kind below 0 is unknown."""
        known = (columns >= 0) & (rows < self.papers)
        kinds = int(columns.max(initial=0)) + 1
        ones = np.ones(int(known.sum()), np.float32)
        of_kind = csr((ones, (rows[known], columns[known])), shape=(max(self.papers, 1), kinds))
        return unit_rows(self.held @ of_kind)

    def eligible(self, fewest: int) -> Ints:
        """The numbers of the concepts with at least `fewest` papers."""
        return np.flatnonzero(self.held_by() >= fewest)


def unit_rows(table: Table) -> Table:
    """The table with rows of length 1; an empty row stays empty."""
    table = table.tocsr().astype(np.float32)
    table.sort_indices()
    squared = csr((table.data**2, table.indices, table.indptr), shape=table.shape)
    squares = np.asarray(squared.sum(axis=1)).ravel()
    scale = np.divide(1, np.sqrt(squares), out=np.zeros(len(squares)), where=squares > 0)
    table.data *= np.repeat(scale.astype(np.float32), np.diff(table.indptr))
    return table
