"""Links of a pair under another name: *genome editing* and *t cells* by papers that write *gene editing*. Such names
are no synonyms, so the pair remains an opportunity, but readers must know."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from novum.core.arrays import Ints
from novum.opportunities.features.table import COLUMNS
from novum.opportunities.search.candidates import CandidatePair
from novum.opportunities.search.pair_features import OpportunityFeatures

_LIKE = 0.7
"""How alike two names are that a reader may take for one thing; they also share a word that says something."""


@dataclass(frozen=True, eq=False)
class LinkUnderOtherName:
    """`rows`: papers that hold `one` with `name`, whose name is like that of `other`; later than the pair's own."""

    one: int
    other: int
    name: int
    rows: Ints


def link_under_other_name(features: OpportunityFeatures, candidate: CandidatePair) -> LinkUnderOtherName | None:
    """The link with the most papers; None where no similar name is linked."""
    after = max(candidate.rows, default=-1)
    results = [
        each
        for ends in (candidate.pair, candidate.pair[::-1])
        for each in _links_of_similar_names(features, *ends, after)
    ]
    return max(results, key=lambda each: len(each.rows), default=None)


def _links_of_similar_names(
    features: OpportunityFeatures, one: int, other: int, after: int
) -> list[LinkUnderOtherName]:
    of, words = features.map.stored.graph.by_concept.of, features.name_stems
    beside = features.map.features.neighbourhood.known[one].indices
    some = np.array([at for at in beside.tolist() if at != other and words[at] & words[other]], np.int64)
    if not len(some):
        return []
    likeness = features.map.features.of(np.full(len(some), other), some)[:, COLUMNS.index("names_alike")]
    rows = {at: np.intersect1d(of(one), of(at)).astype(np.int64) for at in some[likeness >= _LIKE].tolist()}
    later = {at: those[(those > after) & ~np.isin(those, of(other))] for at, those in rows.items()}
    return [LinkUnderOtherName(one, other, at, those) for at, those in later.items() if len(those)]
