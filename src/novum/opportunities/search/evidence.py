"""Papers behind an opportunity: those of each side nearest to the other side, and those that come nearest to linking
both."""

from __future__ import annotations

import numpy as np

from novum.core.arrays import Floats, Ints
from novum.core.opportunity import OpportunitySide
from novum.opportunities.query import OpportunityQuery
from novum.opportunities.search.candidates import CandidatePair
from novum.opportunities.search.other_names import link_under_other_name
from novum.opportunities.search.pair_features import OpportunityFeatures

SHOWN, ATTEMPTS = 5, 3
_LOOKED_AT = 1000
"""Papers of a concept that are compared, the latest."""


def side(features: OpportunityFeatures, at: int, other: int, query: OpportunityQuery) -> OpportunitySide:
    """Of concept `at`; papers that hold both are not among its own."""
    rows = latest_papers(features, at, query)
    apart = rows[~np.isin(rows, features.map.stored.graph.by_concept.of(other))]
    best = apart[np.lexsort((-apart, -nearness(features, apart, other)))][:SHOWN]
    name = features.map.names[at]
    concept = features.map.concept(name)
    return OpportunitySide(
        concept=name, first_year=concept.first_year, papers_by_year=concept.papers, papers=paper_ids(features, best)
    )


def attempts(features: OpportunityFeatures, candidate: CandidatePair, query: OpportunityQuery) -> tuple[str, ...]:
    """Papers that linked them once, or link one with a name similar to the other's, the latest first; else those of
    either side that cite the other most, then those that share most of its neighbours."""
    result = link_under_other_name(features, candidate)
    like = result.rows[::-1][:ATTEMPTS].tolist() if result else []
    if candidate.rows:
        return paper_ids(features, np.array([*candidate.rows[::-1], *like], np.int64)[:ATTEMPTS])
    sides = [latest_papers(features, at, query) for at in (candidate.one, candidate.other)]
    every = np.concatenate(sides)
    cited = np.concatenate(
        [_citing(features, rows, at) for rows, at in zip(sides, (candidate.other, candidate.one), strict=True)]
    )
    near = np.concatenate(
        [nearness(features, rows, at) for rows, at in zip(sides, (candidate.other, candidate.one), strict=True)]
    )
    nearest = dict.fromkeys([*like, *every[np.lexsort((-near, -cited))][: 2 * ATTEMPTS].tolist()])
    return paper_ids(features, np.array(list(nearest), np.int64)[:ATTEMPTS])


def latest_papers(features: OpportunityFeatures, at: int, query: OpportunityQuery) -> Ints:
    """Rows of the latest papers of a concept, as far as their years are wished."""
    rows = np.asarray(features.map.stored.graph.by_concept.of(at), np.int64)
    years = np.asarray(features.map.stored.graph.dated.years)[rows]
    wished = (years >= (query.since or 0)) & (years <= (query.until or 9999))
    return rows[wished][-_LOOKED_AT:]


def nearness(features: OpportunityFeatures, rows: Ints, other: int) -> Floats:
    """How surprisingly many neighbours of a concept the papers contain, given their number of concepts."""
    held = features.concepts_of_paper[rows]
    neighbourhood = np.asarray(features.surprise[other].todense(), float).ravel()
    values: Floats = (held @ neighbourhood) / np.sqrt(np.maximum(np.asarray(held.sum(axis=1), float).ravel(), 1))
    return values


def paper_ids(features: OpportunityFeatures, rows: Ints) -> tuple[str, ...]:
    """Of papers."""
    return tuple(each.decode() for each in np.asarray(features.map.stored.graph.dated.tokens.paper_id)[rows].tolist())


def _citing(features: OpportunityFeatures, rows: Ints, other: int) -> Floats:
    theirs = np.zeros(features.concepts_of_paper.shape[0], np.float32)
    theirs[np.asarray(features.map.stored.graph.by_concept.of(other))] = 1
    return np.asarray(features.map.snapshot.cites[rows] @ theirs, float)
