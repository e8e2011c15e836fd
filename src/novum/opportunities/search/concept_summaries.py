"""Summaries of the concepts of opportunities: their most typical papers, their neighbours, and the existing links
between them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from novum.core.opportunity import ConceptLink, ConceptSummary, Opportunity
from novum.opportunities.query import OpportunityQuery
from novum.opportunities.search.evidence import latest_papers, nearness, paper_ids
from novum.opportunities.search.tables import SearchTables

_TYPICAL, _BESIDE = 3, 4


def concept_summaries(
    tables: SearchTables, openings: Sequence[Opportunity], query: OpportunityQuery
) -> tuple[ConceptSummary, ...]:
    """A summary of each concept of the opportunities, alphabetical, with papers of the years of the query."""
    return tuple(_summary(tables, name, query) for name in _names(openings))


def concept_links(tables: SearchTables, openings: Sequence[Opportunity]) -> tuple[ConceptLink, ...]:
    """The linked pairs among the concepts of the opportunities, alphabetical."""
    pairs = list(combinations(_names(openings), 2))
    ends = np.array([[tables.map.place[name] for name in pair] for pair in pairs], np.int64).reshape(-1, 2)
    edges = tables.map.stored.graph.edges
    result = edges.find(ends[:, 0], ends[:, 1])
    starts = np.asarray(edges.papers_from)
    return tuple(
        ConceptLink(one=one, other=other, papers=int(starts[edge + 1] - starts[edge]))
        for (one, other), edge in zip(pairs, result.tolist(), strict=True)
        if edge >= 0
    )


def _names(openings: Sequence[Opportunity]) -> list[str]:
    return sorted({name for opening in openings for name in opening.pair})


def _summary(tables: SearchTables, name: str, query: OpportunityQuery) -> ConceptSummary:
    at = tables.map.place[name]
    rows = latest_papers(tables, at, query)
    typical = rows[np.lexsort((-rows, -nearness(tables, rows, at)))][:_TYPICAL]
    concept = tables.map.concept(name)
    return ConceptSummary(
        concept=name,
        first_year=concept.first_year,
        papers_by_year=concept.papers,
        typical=paper_ids(tables, typical),
        beside=_beside(tables, at),
    )


def _beside(tables: SearchTables, at: int) -> tuple[str, ...]:
    """Names of the neighbours with the largest product of joint papers and pointwise mutual information."""
    values = np.asarray(tables.surprise[at].multiply(tables.map.snapshot.joint[at]).todense(), float).ravel()
    values[at] = 0
    best = np.argsort(-values, kind="stable")[:_BESIDE]
    return tuple(tables.map.names[each] for each in best.tolist() if values[each] > 0)
