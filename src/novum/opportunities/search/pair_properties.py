"""Properties of pairs of concepts by which opportunities are selected: common neighbours, similarity, recent links."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from novum.core.arrays import Bools, Floats, Ints, Vectors
from novum.opportunities.concept_map import ConceptMap
from novum.opportunities.features.table import COLUMNS
from novum.opportunities.settings import SMALL_LIBRARY
from novum.opportunities.snapshot import RECENT
from novum.opportunities.sparse import Table

_REAL_PAIRS = 3000
"""Pairs in recent papers to which a pair is compared."""


@dataclass(frozen=True, eq=False)
class PairTable:
    """Pairs of concepts, each column of shape (pairs,), with their features, shape (pairs, len(COLUMNS))."""

    one: Ints
    other: Ints
    table: Vectors

    @classmethod
    def of(cls, concept_map: ConceptMap, one: Ints, other: Ints) -> PairTable:
        """The pairs of `one` and `other` with their features."""
        return cls(one, other, concept_map.features.of(one, other))

    def __len__(self) -> int:
        return len(self.one)

    def column(self, name: str) -> Floats:
        """One feature of all pairs, 0 where unknown, shape (pairs,)."""
        values: Floats = np.nan_to_num(self.table[:, COLUMNS.index(name)].astype(float))
        return values


def neighbour_similarity(concept_map: ConceptMap, one: Ints, other: Ints) -> Floats:
    """Similarity of the neighbours of the concepts of each pair, 0 to 1, shape (pairs,): the cosine of their rows of
    positive pointwise mutual information."""
    rows = concept_map.features.neighbourhood.surprising
    return np.asarray(rows[one].multiply(rows[other]).sum(axis=1), float).ravel()


def real_similarities(concept_map: ConceptMap) -> Floats:
    """Similarity of the neighbours of a sample of linked pairs in recent papers, ascending; a pair is drawn as often as
    papers contain it."""
    edges = concept_map.stored.graph.edges
    entries = np.flatnonzero(np.asarray(edges.paper) >= concept_map.snapshot.back(RECENT))
    sample = np.random.default_rng(0).choice(entries, min(len(entries), _REAL_PAIRS), replace=False)
    edge = np.searchsorted(np.asarray(edges.papers_from), sample, side="right") - 1
    one, other = edges.first[edge].astype(np.int64), np.asarray(edges.other)[edge].astype(np.int64)
    return np.sort(neighbour_similarity(concept_map, one, other))


def unusualness(real: Floats, similarity: Floats) -> Floats:
    """The share of real pairs whose neighbours are more similar, in the shape of `similarity`; NaN without real pairs.
    `real`: similarities of real pairs, ascending."""
    if not len(real):
        return np.full(len(similarity), np.nan)
    share: Floats = 1 - np.searchsorted(real, similarity, side="right") / len(real)
    return share


def informative_neighbours(concept_map: ConceptMap, informative: Bools, pairs: PairTable) -> Floats:
    """The number of informative common neighbours of each pair, shape (pairs,). `informative`: shape (concepts,)."""
    known = concept_map.features.neighbourhood.known
    both = known[pairs.one].multiply(known[pairs.other])
    return np.asarray(both @ informative.astype(float), float).ravel()


def recently_linked(concept_map: ConceptMap, recent_joint: Table, some: Ints) -> Table:
    """Rows `some` of a table of concepts × concepts, 1 where recent papers linked two concepts and no earlier paper
    did: at least two papers of the last `RECENT` years, or in a small library one paper of twice as many years.
    `recent_joint`: joint papers of these years (see `recent_joint_papers`)."""
    recent = recent_joint[some]
    earlier = (concept_map.snapshot.joint[some] - recent) > 0
    enough = (recent > (0 if concept_map.card.papers < SMALL_LIBRARY else 1)).astype(np.float32)
    result = (enough - enough.multiply(earlier)).tocsr()
    result.eliminate_zeros()
    return result


def recent_joint_papers(concept_map: ConceptMap) -> Table:
    """Concepts × concepts: joint papers of the last `RECENT` years, in a small library of twice as many."""
    snapshot = concept_map.snapshot
    return snapshot.joint_since(2 * RECENT) if concept_map.card.papers < SMALL_LIBRARY else snapshot.recent
