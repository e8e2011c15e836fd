"""Papers behind an opportunity: those of each side nearest to the other side, and those that come nearest to linking
both."""

from __future__ import annotations

import numpy as np

from novum.core.arrays import Floats, Ints
from novum.core.opportunity import OpportunitySide
from novum.opportunities.query import OpportunityQuery
from novum.opportunities.search.candidates import CandidatePair
from novum.opportunities.search.other_names import link_under_other_name
from novum.opportunities.search.tables import SearchTables

MAX_PAPERS, ATTEMPTS = 5, 3
"""Papers of a side, and nearest attempts, of an opportunity."""
_COMPARED = 1000
"""Number of the latest papers of a concept that are compared."""


def side(tables: SearchTables, at: int, other: int, query: OpportunityQuery) -> OpportunitySide:
    """The side of concept `at`, with papers that do not contain the `other` concept, those nearest to it first."""
    rows = latest_papers(tables, at, query)
    apart = rows[~np.isin(rows, tables.map.stored.graph.by_concept.of(other))]
    best = apart[np.lexsort((-apart, -nearness(tables, apart, other)))][:MAX_PAPERS]
    name = tables.map.names[at]
    concept = tables.map.concept(name)
    return OpportunitySide(
        concept=name, first_year=concept.first_year, papers_by_year=concept.papers, papers=paper_ids(tables, best)
    )


def attempts(tables: SearchTables, candidate: CandidatePair, query: OpportunityQuery) -> tuple[str, ...]:
    """Ids of the papers that come nearest to linking the pair: those that linked it in the past, and those that link
    one concept with a name similar to the other's, the latest first; else papers of either side that cite the other
    side most, then those with most of its neighbours."""
    link = link_under_other_name(tables, candidate)
    similar = link.rows[::-1][:ATTEMPTS].tolist() if link else []
    if candidate.rows:
        return paper_ids(tables, np.array([*candidate.rows[::-1], *similar], np.int64)[:ATTEMPTS])
    sides = [latest_papers(tables, at, query) for at in (candidate.one, candidate.other)]
    others = (candidate.other, candidate.one)
    papers = np.concatenate(sides)
    cited = np.concatenate([_citing(tables, rows, at) for rows, at in zip(sides, others, strict=True)])
    near = np.concatenate([nearness(tables, rows, at) for rows, at in zip(sides, others, strict=True)])
    nearest = dict.fromkeys([*similar, *papers[np.lexsort((-near, -cited))][: 2 * ATTEMPTS].tolist()])
    return paper_ids(tables, np.array(list(nearest), np.int64)[:ATTEMPTS])


def latest_papers(tables: SearchTables, at: int, query: OpportunityQuery) -> Ints:
    """Rows of the latest papers of a concept, of the years of the query."""
    rows = np.asarray(tables.map.stored.graph.by_concept.of(at), np.int64)
    years = np.asarray(tables.map.stored.graph.dated.years)[rows]
    inside = (years >= (query.since or 0)) & (years <= (query.until or 9999))
    return rows[inside][-_COMPARED:]


def nearness(tables: SearchTables, rows: Ints, other: int) -> Floats:
    """Nearness of papers to a concept, shape (papers,): the sum of pointwise mutual information of their concepts with
    it, divided by the square root of the number of their concepts."""
    held = tables.concepts_of_paper[rows]
    neighbourhood = np.asarray(tables.surprise[other].todense(), float).ravel()
    values: Floats = (held @ neighbourhood) / np.sqrt(np.maximum(np.asarray(held.sum(axis=1), float).ravel(), 1))
    return values


def paper_ids(tables: SearchTables, rows: Ints) -> tuple[str, ...]:
    """The ids of papers."""
    return tuple(each.decode() for each in np.asarray(tables.map.stored.graph.dated.tokens.paper_id)[rows].tolist())


def _citing(tables: SearchTables, rows: Ints, other: int) -> Floats:
    """The number of references of each paper to papers of the concept `other`, shape (papers,)."""
    contains = np.zeros(tables.concepts_of_paper.shape[0], np.float32)
    contains[np.asarray(tables.map.stored.graph.by_concept.of(other))] = 1
    return np.asarray(tables.map.snapshot.cites[rows] @ contains, float)
