"""Summaries of the concepts of opportunities: their most typical papers, their neighbours, and the existing links
between them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from novum.core.opportunity import ConceptLink, ConceptSummary, Opportunity
from novum.opportunities.query import OpportunityQuery
from novum.opportunities.search.evidence import latest_papers, nearness, paper_ids
from novum.opportunities.search.pair_features import OpportunityFeatures

_TYPICAL, _BESIDE = 3, 4


def concept_summaries(
    features: OpportunityFeatures, openings: Sequence[Opportunity], query: OpportunityQuery
) -> tuple[ConceptSummary, ...]:
    """A summary of each concept of the opportunities, alphabetical, with papers of the years of the query."""
    return tuple(_summary(features, name, query) for name in _names(openings))


def concept_links(features: OpportunityFeatures, openings: Sequence[Opportunity]) -> tuple[ConceptLink, ...]:
    """Pairs of the concepts of the opportunities that some paper contains, alphabetical."""
    pairs = list(combinations(_names(openings), 2))
    ends = np.array([[features.map.place[name] for name in pair] for pair in pairs], np.int64).reshape(-1, 2)
    edges = features.map.stored.graph.edges
    result = edges.find(ends[:, 0], ends[:, 1])
    starts = np.asarray(edges.papers_from)
    return tuple(
        ConceptLink(one=one, other=other, papers=int(starts[edge + 1] - starts[edge]))
        for (one, other), edge in zip(pairs, result.tolist(), strict=True)
        if edge >= 0
    )


def _names(openings: Sequence[Opportunity]) -> list[str]:
    return sorted({name for opening in openings for name in opening.pair})


def _summary(features: OpportunityFeatures, name: str, query: OpportunityQuery) -> ConceptSummary:
    at = features.map.place[name]
    rows = latest_papers(features, at, query)
    typical = rows[np.lexsort((-rows, -nearness(features, rows, at)))][:_TYPICAL]
    concept = features.map.concept(name)
    return ConceptSummary(
        concept=name,
        first_year=concept.first_year,
        papers_by_year=concept.papers,
        typical=paper_ids(features, typical),
        beside=_beside(features, at),
    )


def _beside(features: OpportunityFeatures, at: int) -> tuple[str, ...]:
    """The neighbours that co-occur far more often than by chance, weighted by how often."""
    values = np.asarray(features.surprise[at].multiply(features.map.snapshot.joint[at]).todense(), float).ravel()
    values[at] = 0
    best = np.argsort(-values, kind="stable")[:_BESIDE]
    return tuple(features.map.names[each] for each in best.tolist() if values[each] > 0)
