"""Under which other name a pair has been joined: *genome editing* and *t cells* by papers that say *gene editing*.

Such names are no synonyms, and the pair stays an opening; but who reads of it must know.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from novum.core.arrays import Ints
from novum.opportunities.features.table import COLUMNS
from novum.opportunities.search.pair_features import OpportunityFeatures
from novum.opportunities.search.results import CandidatePair

_LIKE = 0.7
"""How alike two names are that a reader may take for one thing; they also share a word that says something."""


@dataclass(frozen=True, eq=False)
class LinkUnderOtherName:
    """`rows`: papers that hold `one` with `name`, whose name is like that of `other`; later than the pair's own."""

    one: int
    other: int
    name: int
    rows: Ints


def link_under_other_name(scene: OpportunityFeatures, found: CandidatePair) -> LinkUnderOtherName | None:
    """That of the most papers; None where no like name is joined."""
    after = max(found.rows, default=-1)
    made = [each for ends in (found.pair, found.pair[::-1]) for each in _links_of_similar_names(scene, *ends, after)]
    return max(made, key=lambda each: len(each.rows), default=None)


def _links_of_similar_names(scene: OpportunityFeatures, one: int, other: int, after: int) -> list[LinkUnderOtherName]:
    of, words = scene.map.found.graph.by_concept.of, scene.words_of
    beside = scene.map.features.company.known[one].indices
    some = np.array([at for at in beside.tolist() if at != other and words[at] & words[other]], np.int64)
    if not len(some):
        return []
    likeness = scene.map.features.of(np.full(len(some), other), some)[:, COLUMNS.index("names_alike")]
    rows = {at: np.intersect1d(of(one), of(at)).astype(np.int64) for at in some[likeness >= _LIKE].tolist()}
    later = {at: those[(those > after) & ~np.isin(those, of(other))] for at, those in rows.items()}
    return [LinkUnderOtherName(one, other, at, those) for at, those in later.items() if len(those)]
