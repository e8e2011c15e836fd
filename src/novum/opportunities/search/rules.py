"""Which pairs are openings, and of which kind: rules that are stated, on what is known at the year.

A pair may be of several kinds. Every rule asks that both ends are alive, that the pair is at least as likely as the
usual one, and that the two keep some of the same company: pairs whose ends have less in common than most real pairs are
chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Bools, Floats, Ints, Vectors
from novum.core.opportunity import OpportunityKind
from novum.opportunities.inactive_links import inactive_links
from novum.opportunities.search.candidates import CandidatePair, forecast_pairs
from novum.opportunities.search.pair_features import OpportunityFeatures, PairTable
from novum.opportunities.settings import SMALL_LIBRARY
from novum.opportunities.snapshot import RECENT
from novum.opportunities.sparse import Table

LONG_AGO = 6
"""Years without a joint paper from which a pair is dormant."""
MUCH_CITED = 0.9
"""A milestone stands above this share of the papers of its year."""
FASTER = 0.1
"""A rising concept grows by so much more a year than the library."""
HARDLY = 0.02
"""Two sides hardly cite each other when the references between them are at most this share of those of the side that
has fewer."""
SHARED = 3
"""Concepts beside both that a bridge needs."""
ALIVE = 5
"""A concept of which there is no paper of so many years is dead; of twice as many in a small library, which holds few
of a field."""
FARTHEST = 0.92
"""Of real pairs so many are more usual than a pair that is just chance."""
NEAREST = 0.1
"""Of real pairs more must be more usual than a pair that says anything: its ends are nearly one thing."""
OBVIOUS = 0.6
"""Names that share a word say something new only if so many real pairs are more usual."""
SIMILAR = 0.5
"""A neighbouring problem keeps more of the same company than the ends of so many real pairs do."""


def unlinked_candidates(features: OpportunityFeatures, others: Mapping[int, Ints]) -> list[CandidatePair]:
    """Transfers, bridges and rising pairs of concepts with the `others` of each, which no paper links with it."""
    sizes = [len(each) for each in others.values()]
    none = np.zeros(0, np.int64)
    pairs = features.pairs(np.repeat(np.array([*others], np.int64), sizes), np.concatenate([none, *others.values()]))
    unusual = features.unusual(pairs)
    values = forecast_pairs(features, pairs)
    fit = _is_candidate(features, pairs, unusual) & values.likely
    plain: tuple[tuple[OpportunityKind, Bools], ...] = (
        ("bridge", bridges(features, pairs)),
        ("rising", rising(features, pairs)),
    )
    results = []
    for near in others:
        rows = np.flatnonzero(fit & (pairs.one == near))
        facts = {row: {"unusual": float(unusual[row]), **values.of(row)} for row in rows.tolist()}
        for which, holds in plain:
            results += [
                CandidatePair(which, near, int(pairs.other[row]), **facts[row]) for row in rows[holds[rows]].tolist()
            ]
        for row, one, other, through in _transfer_rows(features, near, rows, pairs.other[rows]):
            results.append(CandidatePair("transfer", one, other, **facts[row], through=through))
    return results


def _transfer_rows(
    features: OpportunityFeatures, near: int, rows: NDArray[np.intp], others: Ints
) -> Iterator[tuple[int, int, int, int]]:
    """Transfers between `near` and `others`: the row of the pair, what comes over, to what, and through what."""
    for mine, through in zip((True, False), transfers(features, near, others), strict=True):
        for at in np.flatnonzero(through >= 0).tolist():
            step, end = int(through[at]), int(others[at])
            words = features.name_stems[step]
            if words and not any(words & features.name_stems[each] for each in (near, end)):
                yield int(rows[at]), *((near, end) if mine else (end, near)), step


def inactive_candidates(features: OpportunityFeatures, near: Ints) -> list[CandidatePair]:
    """Dormant pairs of these concepts, and much cited papers without a successor; both concepts have been studied
    since."""
    mine = np.zeros(len(features.map.names), bool)
    mine[near] = True
    every = inactive_links(features.map.snapshot, features.map.card.settings.fewest, mine)
    pairs = features.pairs(every.one, every.other)
    unusual = features.unusual(pairs)
    values = forecast_pairs(features, pairs, inactive=True)
    edges = features.map.stored.graph.edges
    results = []
    for row in np.flatnonzero(_is_candidate(features, pairs, unusual) & values.likely).tolist():
        rows = edges.papers_of(int(every.edge[row]))
        much_cited = float(np.nan_to_num(features.citation_rank[rows]).max()) >= MUCH_CITED
        ends = int(pairs.one[row]), int(pairs.other[row])
        if not all(features.is_studied_after(at, int(every.last[row])) for at in ends):
            continue
        if much_cited or every.last[row] <= features.year - LONG_AGO:
            kind: OpportunityKind = "follow-up" if much_cited else "dormant"
            facts = values.of(row)
            results.append(CandidatePair(kind, *ends, unusual=float(unusual[row]), rows=tuple(rows.tolist()), **facts))
    return results


def rising(features: OpportunityFeatures, pairs: PairTable) -> Bools:
    """Both have recent papers, and grow by a tenth a year more than the library."""
    fast = (features.growth >= features.library_growth + FASTER) & (features.recent_papers >= RECENT)
    return np.asarray(fast[pairs.one] & fast[pairs.other])


def bridges(features: OpportunityFeatures, pairs: PairTable) -> Bools:
    """Pairs of different communities that hardly cite each other, with at least three informative common neighbours."""
    between = np.expm1(pairs.of("references"))
    least = np.minimum(features.references[pairs.one], features.references[pairs.other])
    hardly = (least > 0) & (between <= HARDLY * least)
    apart = pairs.of("same_community") == 0
    return np.asarray(apart & hardly & (features.between(pairs) >= SHARED))


def transfers(features: OpportunityFeatures, near: int, others: Ints) -> tuple[Ints, Ints]:
    """For each of the others, the concept recently linked with `near` for the first time that is most similar to it;
    and the concept recently linked with the other that is most similar to `near`. -1 where there is none."""
    out, back = np.full((2, len(others)), -1)
    if not len(others):
        return out, back
    surprising = features.map.features.neighbourhood.surprising
    least = features.usual_from(SIMILAR)
    steps = features.recently_linked(np.array([near])).indices
    if len(steps):
        like = np.asarray((surprising[steps] @ surprising[others].T).todense())
        best = like.argmax(axis=0)
        out = np.where(like.max(axis=0) >= least, steps[best], -1)
    recent_papers = features.recently_linked(others)
    theirs = np.unique(recent_papers.indices)
    to_near = np.zeros(len(features.map.names), np.float32)
    to_near[theirs] = np.asarray((surprising[theirs] @ surprising[near].T).todense()).ravel()
    return out, _most_like(recent_papers, to_near, least)


def _most_like(steps: Table, like: Vectors, least: float) -> Ints:
    values = np.full(steps.shape[0], -1)
    for row in range(len(values)):
        some = steps.indices[steps.indptr[row] : steps.indptr[row + 1]]
        if len(some) and like[some].max() >= least:
            values[row] = some[like[some].argmax()]
    return values


def _is_candidate(features: OpportunityFeatures, pairs: PairTable, unusual: Floats) -> Bools:
    ends = zip(pairs.one.tolist(), pairs.other.tolist(), strict=True)
    alike = np.array([bool(features.name_stems[one] & features.name_stems[other]) for one, other in ends], bool)
    alive = features.years_inactive < ALIVE * (2 if features.map.card.papers < SMALL_LIBRARY else 1)
    return np.asarray(
        alive[pairs.one]
        & alive[pairs.other]
        & (unusual >= NEAREST)
        & (unusual <= FARTHEST)
        & (features.between(pairs) > 0)
        & ~(alike & (unusual < OBVIOUS))
    )
