"""Links of a pair under a similar name: *genome editing* and *t cells* by papers that write *gene editing*. Such names
are not synonyms, so the pair remains an opportunity, but readers must know of these papers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from novum.core.arrays import Ints
from novum.opportunities.features.table import COLUMNS
from novum.opportunities.search.candidates import CandidatePair
from novum.opportunities.search.tables import SearchTables

_LIKE = 0.7
"""Smallest cosine of similar names, which also share a word that is not generic."""


@dataclass(frozen=True, eq=False)
class LinkUnderOtherName:
    """Papers that link concept `one` with concept `name`, whose name is similar to that of `other`. `rows`: of papers
    later than the last joint paper of the pair."""

    one: int
    other: int
    name: int
    rows: Ints


def link_under_other_name(tables: SearchTables, candidate: CandidatePair) -> LinkUnderOtherName | None:
    """The link with the most papers; None where no similar name is linked."""
    after = max(candidate.rows, default=-1)
    results = [
        each
        for ends in (candidate.pair, candidate.pair[::-1])
        for each in _links_of_similar_names(tables, *ends, after)
    ]
    return max(results, key=lambda each: len(each.rows), default=None)


def _links_of_similar_names(tables: SearchTables, one: int, other: int, after: int) -> list[LinkUnderOtherName]:
    of, words = tables.map.stored.graph.by_concept.of, tables.name_stems
    beside = tables.map.features.neighbourhood.known[one].indices
    some = np.array([at for at in beside.tolist() if at != other and words[at] & words[other]], np.int64)
    if not len(some):
        return []
    likeness = tables.map.features.of(np.full(len(some), other), some)[:, COLUMNS.index("names_alike")]
    rows = {at: np.intersect1d(of(one), of(at)).astype(np.int64) for at in some[likeness >= _LIKE].tolist()}
    later = {at: papers[(papers > after) & ~np.isin(papers, of(other))] for at, papers in rows.items()}
    return [LinkUnderOtherName(one, other, at, papers) for at, papers in later.items() if len(papers)]
