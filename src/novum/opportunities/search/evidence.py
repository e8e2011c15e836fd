"""Papers behind an opening: those of either side that lie nearest to the other, and those that come nearest to both."""

from __future__ import annotations

import numpy as np

from novum.core.arrays import Floats, Ints
from novum.core.opportunity import OpportunitySide
from novum.opportunities.query import OpportunityQuery
from novum.opportunities.search.other_names import link_under_other_name
from novum.opportunities.search.pair_features import OpportunityFeatures
from novum.opportunities.search.results import CandidatePair

SHOWN, ATTEMPTS = 5, 3
_LOOKED_AT = 1000
"""Papers of a concept that are compared, the latest."""


def side(scene: OpportunityFeatures, at: int, other: int, wishes: OpportunityQuery) -> OpportunitySide:
    """Of concept `at`; papers that hold both are not among its own."""
    rows = latest_papers(scene, at, wishes)
    apart = rows[~np.isin(rows, scene.map.found.graph.by_concept.of(other))]
    best = apart[np.lexsort((-apart, -nearness(scene, apart, other)))][:SHOWN]
    name = scene.map.names[at]
    concept = scene.map.concept(name)
    return OpportunitySide(
        concept=name, first_year=concept.first_year, papers_by_year=concept.papers, papers=paper_ids(scene, best)
    )


def attempts(scene: OpportunityFeatures, found: CandidatePair, wishes: OpportunityQuery) -> tuple[str, ...]:
    """Papers that once joined them, or join the one with a name like the other's, the latest first; else those of
    either side that cite most of the other, and among equals keep most of its company."""
    said = link_under_other_name(scene, found)
    like = said.rows[::-1][:ATTEMPTS].tolist() if said else []
    if found.rows:
        return paper_ids(scene, np.array([*found.rows[::-1], *like], np.int64)[:ATTEMPTS])
    sides = [latest_papers(scene, at, wishes) for at in (found.one, found.other)]
    every = np.concatenate(sides)
    cited = np.concatenate([_citing(scene, rows, at) for rows, at in zip(sides, (found.other, found.one), strict=True)])
    near = np.concatenate([nearness(scene, rows, at) for rows, at in zip(sides, (found.other, found.one), strict=True)])
    nearest = dict.fromkeys([*like, *every[np.lexsort((-near, -cited))][: 2 * ATTEMPTS].tolist()])
    return paper_ids(scene, np.array(list(nearest), np.int64)[:ATTEMPTS])


def latest_papers(scene: OpportunityFeatures, at: int, wishes: OpportunityQuery) -> Ints:
    """Rows of the latest papers of a concept, as far as their years are wished."""
    rows = np.asarray(scene.map.found.graph.by_concept.of(at), np.int64)
    years = np.asarray(scene.map.found.graph.shelf.years)[rows]
    wished = (years >= (wishes.since or 0)) & (years <= (wishes.until or 9999))
    return rows[wished][-_LOOKED_AT:]


def nearness(scene: OpportunityFeatures, rows: Ints, other: int) -> Floats:
    """How surprisingly much of the company of a concept papers hold, for papers of their number of concepts."""
    held = scene.of_paper[rows]
    company = np.asarray(scene.surprise[other].todense(), float).ravel()
    told: Floats = (held @ company) / np.sqrt(np.maximum(np.asarray(held.sum(axis=1), float).ravel(), 1))
    return told


def paper_ids(scene: OpportunityFeatures, rows: Ints) -> tuple[str, ...]:
    """Of papers."""
    return tuple(each.decode() for each in np.asarray(scene.map.found.graph.shelf.tokens.paper_id)[rows].tolist())


def _citing(scene: OpportunityFeatures, rows: Ints, other: int) -> Floats:
    theirs = np.zeros(scene.of_paper.shape[0], np.float32)
    theirs[np.asarray(scene.map.found.graph.by_concept.of(other))] = 1
    return np.asarray(scene.map.snapshot.cites[rows] @ theirs, float)
