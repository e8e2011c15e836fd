"""The rules that select opportunities and their kinds, from what is known at the end of the year.

A pair may be of several kinds. All rules require that both concepts have recent papers, that the pair is at least as
likely as an average one, and that the concepts have informative common neighbours: pairs with less similar neighbours
than most real pairs are chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Bools, Floats, Ints, Vectors
from novum.core.opportunity import OpportunityKind
from novum.opportunities.inactive_links import inactive_links
from novum.opportunities.search.candidates import CandidatePair, forecast_pairs
from novum.opportunities.search.concept_properties import is_studied_after
from novum.opportunities.search.pair_properties import PairTable
from novum.opportunities.search.tables import SearchTables
from novum.opportunities.settings import SMALL_LIBRARY
from novum.opportunities.snapshot import RECENT
from novum.opportunities.sparse import Table

LONG_AGO = 6
"""Years without a joint paper from which a pair is dormant."""
MUCH_CITED = 0.9
"""Citation rank from which a paper is much cited."""
FASTER = 0.1
"""Yearly growth of a rising concept beyond that of the library."""
HARDLY = 0.02
"""Largest share of references between two sides that hardly cite each other, of the references of the side with
fewer."""
SHARED = 3
"""Informative common neighbours that a bridge needs."""
ACTIVE = 5
"""An active concept has a paper of the last so many years; in a small library, of twice as many."""
FARTHEST = 0.92
"""A pair with a higher unusualness (share of more usual real pairs) is chance."""
NEAREST = 0.1
"""A pair with a lower unusualness is of nearly the same concepts."""
OBVIOUS = 0.6
"""Smallest unusualness of a pair whose names share a word."""
SIMILAR = 0.5
"""Share of real pairs with less similar neighbours than two similar problems have."""


def unlinked_candidates(tables: SearchTables, others: Mapping[int, Ints]) -> list[CandidatePair]:
    """Transfers, bridges and rising pairs. `others`: for each concept the unlinked concepts to combine it with."""
    sizes = [len(each) for each in others.values()]
    none = np.zeros(0, np.int64)
    pairs = PairTable.of(
        tables.map, np.repeat(np.array([*others], np.int64), sizes), np.concatenate([none, *others.values()])
    )
    unusual = tables.unusual(pairs)
    values = forecast_pairs(tables, pairs)
    fit = _is_candidate(tables, pairs, unusual) & values.likely
    plain: tuple[tuple[OpportunityKind, Bools], ...] = (
        ("bridge", bridges(tables, pairs)),
        ("rising", rising(tables, pairs)),
    )
    results = []
    for near in others:
        rows = np.flatnonzero(fit & (pairs.one == near))
        facts = {row: {"unusual": float(unusual[row]), **values.of(row)} for row in rows.tolist()}
        for which, holds in plain:
            results += [
                CandidatePair(which, near, int(pairs.other[row]), **facts[row]) for row in rows[holds[rows]].tolist()
            ]
        for row, one, other, through in _transfer_rows(tables, near, rows, pairs.other[rows]):
            results.append(CandidatePair("transfer", one, other, **facts[row], through=through))
    return results


def _transfer_rows(
    tables: SearchTables, near: int, rows: NDArray[np.intp], others: Ints
) -> Iterator[tuple[int, int, int, int]]:
    """Transfers between `near` and `others`, the concepts of `rows`: the row of the pair, the method, its new problem,
    and the problem that it was applied to."""
    for is_method, through in zip((True, False), transfers(tables, near, others), strict=True):
        for at in np.flatnonzero(through >= 0).tolist():
            step, end = int(through[at]), int(others[at])
            words = tables.name_stems[step]
            if words and not any(words & tables.name_stems[each] for each in (near, end)):
                yield int(rows[at]), *((near, end) if is_method else (end, near)), step


def inactive_candidates(tables: SearchTables, near: Ints) -> list[CandidatePair]:
    """Dormant and follow-up pairs with one of the concepts `near`; both concepts have been studied since."""
    among = np.zeros(len(tables.map.names), bool)
    among[near] = True
    links = inactive_links(tables.map.snapshot, tables.map.card.settings.fewest, among)
    pairs = PairTable.of(tables.map, links.one, links.other)
    unusual = tables.unusual(pairs)
    values = forecast_pairs(tables, pairs, inactive=True)
    edges = tables.map.stored.graph.edges
    results = []
    for row in np.flatnonzero(_is_candidate(tables, pairs, unusual) & values.likely).tolist():
        rows = edges.papers_of(int(links.edge[row]))
        much_cited = float(np.nan_to_num(tables.citation_rank[rows]).max()) >= MUCH_CITED
        ends = int(pairs.one[row]), int(pairs.other[row])
        if not all(is_studied_after(tables.map, at, int(links.last[row])) for at in ends):
            continue
        if much_cited or links.last[row] <= tables.map.year - LONG_AGO:
            kind: OpportunityKind = "follow-up" if much_cited else "dormant"
            facts = values.of(row)
            results.append(CandidatePair(kind, *ends, unusual=float(unusual[row]), rows=tuple(rows.tolist()), **facts))
    return results


def rising(tables: SearchTables, pairs: PairTable) -> Bools:
    """Which pairs consist of concepts that have recent papers and grow faster than the library, shape (pairs,)."""
    fast = (tables.growth >= tables.library_growth + FASTER) & (tables.recent_papers >= RECENT)
    return np.asarray(fast[pairs.one] & fast[pairs.other])


def bridges(tables: SearchTables, pairs: PairTable) -> Bools:
    """Which pairs are of different communities that hardly cite each other, with enough informative common neighbours,
    shape (pairs,)."""
    between = np.expm1(pairs.column("references"))
    least = np.minimum(tables.references[pairs.one], tables.references[pairs.other])
    hardly = (least > 0) & (between <= HARDLY * least)
    apart = pairs.column("same_community") == 0
    return np.asarray(apart & hardly & (tables.informative_neighbours(pairs) >= SHARED))


def transfers(tables: SearchTables, near: int, others: Ints) -> tuple[Ints, Ints]:
    """For each of `others` two concepts, each of shape (others,), -1 where there is none: the most similar concept
    among those that were recently linked with `near` for the first time, and the concept most similar to `near` among
    those recently linked with the other."""
    out, back = np.full((2, len(others)), -1)
    if not len(others):
        return out, back
    surprising = tables.map.features.neighbourhood.surprising
    least = tables.similarity_quantile(SIMILAR)
    steps = tables.recently_linked(np.array([near])).indices
    if len(steps):
        like = np.asarray((surprising[steps] @ surprising[others].T).todense())
        best = like.argmax(axis=0)
        out = np.where(like.max(axis=0) >= least, steps[best], -1)
    links = tables.recently_linked(others)
    linked = np.unique(links.indices)
    to_near = np.zeros(len(tables.map.names), np.float32)
    to_near[linked] = np.asarray((surprising[linked] @ surprising[near].T).todense()).ravel()
    return out, _most_similar(links, to_near, least)


def _most_similar(steps: Table, like: Vectors, least: float) -> Ints:
    """For each row of `steps` the column with the highest value in `like`, if that is at least `least`, else -1."""
    values = np.full(steps.shape[0], -1)
    for row in range(len(values)):
        some = steps.indices[steps.indptr[row] : steps.indptr[row + 1]]
        if len(some) and like[some].max() >= least:
            values[row] = some[like[some].argmax()]
    return values


def _is_candidate(tables: SearchTables, pairs: PairTable, unusual: Floats) -> Bools:
    """Which pairs meet the conditions of all rules, shape (pairs,)."""
    alike = tables.name_stems.shared(pairs.one, pairs.other)
    active = tables.years_inactive < ACTIVE * (2 if tables.map.card.papers < SMALL_LIBRARY else 1)
    return np.asarray(
        active[pairs.one]
        & active[pairs.other]
        & (unusual >= NEAREST)
        & (unusual <= FARTHEST)
        & (tables.informative_neighbours(pairs) > 0)
        & ~(alike & (unusual < OBVIOUS))
    )
