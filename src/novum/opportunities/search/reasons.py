"""The reasons for an opportunity, in sentences with numbers: its rule first, then what raised the forecast most."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from novum.opportunities.features.table import COLUMNS
from novum.opportunities.search.candidates import CandidatePair
from novum.opportunities.search.other_names import link_under_other_name
from novum.opportunities.search.pair_features import OpportunityFeatures, PairTable
from novum.opportunities.snapshot import RECENT

_MOST = 5
_TELLING = 3
"""Concepts that are named."""


def reasons(features: OpportunityFeatures, candidate: CandidatePair) -> tuple[str, ...]:
    """Up to five sentences, the strongest reason first."""
    pair = features.pairs(np.array([candidate.one]), np.array([candidate.other]))
    first, *more = _OF_KIND[candidate.kind](features, candidate, pair)
    shifted = [_SENTENCES[group](features, candidate, pair) for group in _groups(features, pair)]
    result = f"{first} {_other_name(features, candidate)}".strip()
    return tuple(dict.fromkeys(each for each in [result, *more, *shifted] if each))[:_MOST]


def _other_name(features: OpportunityFeatures, candidate: CandidatePair) -> str:
    """Warns that papers link a similar name; part of the first reason, the only one that some readers see."""
    link = link_under_other_name(features, candidate)
    if link is None:
        return ""
    one, other, name = (_name(features, at) for at in (link.one, link.other, link.name))
    verb = "links" if len(link.rows) == 1 else "link"
    since = f"Since {_last(features, candidate)}, " if candidate.rows else ""
    return f"{since}{_papers(len(link.rows))} {verb} “{one}” with “{name}”, a name similar to “{other}”."


def _bridge(features: OpportunityFeatures, candidate: CandidatePair, pair: PairTable) -> list[str]:
    between, least = (
        _between(features, candidate),
        int(min(features.references[candidate.one], features.references[candidate.other])),
    )
    go = "1 reference goes" if between == 1 else f"{between:,} references go" if between else "no reference goes"
    return [
        f"Their papers hardly cite each other: {go} between the two sides, out of {least:,} on the side with fewer.",
        _shared_neighbours(features, candidate, pair),
    ]


def _transfer(features: OpportunityFeatures, candidate: CandidatePair, pair: PairTable) -> list[str]:
    one, other, through = (features.map.names[at] for at in (candidate.one, candidate.other, candidate.through))
    joint = features.map.joint(one, through, 0).papers
    papers = _papers(sum(joint.values()))
    return [
        f"“{one}” has recently been applied to “{through}” ({papers} since {min(joint)}, none before), which shares "
        f"many neighbours with “{other}”.",
        _shared_neighbours(features, candidate, pair),
    ]


def _rising(features: OpportunityFeatures, candidate: CandidatePair, pair: PairTable) -> list[str]:
    one, other = (f"{100 * features.growth[at]:+.0f}%" for at in (candidate.one, candidate.other))
    return [
        "Both grow faster than the library, whose number of papers changes by "
        f"{100 * features.library_growth:+.0f}% a year: "
        f"“{_name(features, candidate.one)}” by {one}, “{_name(features, candidate.other)}” by {other}.",
        _shared_neighbours(features, candidate, pair),
    ]


def _dormant(features: OpportunityFeatures, candidate: CandidatePair, pair: PairTable) -> list[str]:
    when = "in" if len(candidate.rows) == 1 else "the last in"
    return [
        f"{_papers(len(candidate.rows))} linked them, {when} {_last(features, candidate)}, and none since.",
        _since(features, candidate),
    ]


def _follow_up(features: OpportunityFeatures, candidate: CandidatePair, pair: PairTable) -> list[str]:
    rows = np.array(candidate.rows)
    best = float(np.nan_to_num(features.citation_rank[rows]).max())
    return [
        f"A paper that linked them is cited more often than {100 * best:.0f}% of the library's papers of its year, and "
        f"none has linked them since {_last(features, candidate)}.",
        _since(features, candidate),
    ]


def _since(features: OpportunityFeatures, candidate: CandidatePair) -> str:
    """What has changed since their last joint paper."""
    last = _last(features, candidate)
    graph = features.map.stored.graph
    then = graph.dated.until(last)
    more = [int((np.asarray(graph.by_concept.of(at)) >= then).sum()) for at in (candidate.one, candidate.other)]
    known = features.map.features.neighbourhood.known
    both = np.intersect1d(known[candidate.one].indices, known[candidate.other].indices)
    edges = [graph.edges.find(np.full(len(both), at), both) for at in (candidate.one, candidate.other)]
    new = both[np.maximum(*(graph.edges.first_paper[each] for each in edges)) >= then]
    one, other = (_name(features, at) for at in (candidate.one, candidate.other))
    text = f"Since then there have been {_papers(more[0])} on “{one}” and {more[1]:,} on “{other}”"
    if not len(new):
        return f"{text}."
    return f"{text}; {_concepts(len(new))} have since been studied with both: {_named(features, candidate, new)}."


def _shared_neighbours(features: OpportunityFeatures, candidate: CandidatePair, _: PairTable) -> str:
    known = features.map.features.neighbourhood.known
    both = np.intersect1d(known[candidate.one].indices, known[candidate.other].indices)
    if not len(both):
        return ""
    if len(both) <= _TELLING:
        return f"Studied with both: {_named(features, candidate, both)}."
    return f"{_concepts(len(both))} are studied with both, above all {_named(features, candidate, both)}."


def _named(features: OpportunityFeatures, candidate: CandidatePair, some: np.ndarray) -> str:
    """The concepts that co-occur most surprisingly often with both."""
    one, other = (
        np.asarray(features.surprise[at].todense(), float).ravel()[some] for at in (candidate.one, candidate.other)
    )
    best = some[np.argsort(-np.minimum(one, other), kind="stable")][:_TELLING]
    return ", ".join(f"“{_name(features, at)}”" for at in best.tolist())


def _growth(features: OpportunityFeatures, candidate: CandidatePair, _: PairTable) -> str:
    """The growth of the concepts that have more papers than before."""
    more = [at for at in (candidate.one, candidate.other) if features.recent_papers[at] > features.earlier[at]]
    result = (
        f"“{_name(features, at)}” {_papers(int(features.recent_papers[at]))} after {int(features.earlier[at]):,}"
        for at in more
    )
    return f"In the last {RECENT} years, compared with the {RECENT} before: {', '.join(result)}." if more else ""


def _size(features: OpportunityFeatures, candidate: CandidatePair, _: PairTable) -> str:
    degree = features.map.features.neighbourhood.degree
    one, other = (int(degree[at]) for at in (candidate.one, candidate.other))
    first, second = (_name(features, at) for at in (candidate.one, candidate.other))
    return f"“{first}” co-occurs with {_concepts(one)}, “{second}” with {other:,}."


def _cites(features: OpportunityFeatures, candidate: CandidatePair, _: PairTable) -> str:
    between = _between(features, candidate)
    return f"Papers of one side cite papers of the other {between:,} times." if between > 1 else ""


def _together(features: OpportunityFeatures, candidate: CandidatePair, _: PairTable) -> str:
    """Each cited paper once, however many of either side cite it."""
    held, cites = features.map.snapshot.held, features.map.snapshot.cites
    one, other = ((held[[at]][:, : cites.shape[0]] @ cites).indices for at in (candidate.one, candidate.other))
    together = len(np.intersect1d(one, other))
    return f"Both cite the same papers: {together:,} references in common." if together > 1 else ""


def _venues(_: OpportunityFeatures, __: CandidatePair, pair: PairTable) -> str:
    alike = float(pair.of("venues")[0])
    return f"They appear in similar venues (similarity {alike:.2f} of 1)." if alike >= 0.5 else ""


def _map(features: OpportunityFeatures, candidate: CandidatePair, pair: PairTable) -> str:
    position = features.map.features.position
    mine, theirs = (int(position.community[at]) for at in (candidate.one, candidate.other))
    share = float(position.density[mine, theirs])
    whole = "In their community" if mine == theirs else "Between their communities"
    return f"{whole} {100 * share:.0f}% of all pairs of concepts are already linked." if share >= 0.01 else ""


def _groups(features: OpportunityFeatures, pair: PairTable) -> list[str]:
    """Groups of features that raise the odds, the strongest first."""
    shares = features.map.link_forecast.shares(pair.table)[0]
    sums: dict[str, float] = {}
    for column, share in zip(COLUMNS, shares.tolist(), strict=True):
        group = _group(column)
        sums[group] = sums.get(group, 0.0) + share
    return [group for group in sorted(sums, key=lambda each: -sums[each]) if sums[group] > 0 and group in _SENTENCES]


def _group(column: str) -> str:
    plain = column.removesuffix("_of_lesser").removesuffix("_of_greater")
    return next((group for group, columns in _COLUMNS.items() if plain in columns), "")


_COLUMNS = {
    "growth": {"papers_recent", "papers_growth", "papers_last_year", "neighbours_new", "neighbours_growth"},
    "size": {"papers", "neighbours", "pagerank", "breadth", "attachment"},
    "company": {
        "common", "common_recent", "jaccard", "cosine", "adamic_adar", "allocation", "surprise", "hub_promoted",
    },
    "cites": {"references"},
    "together": {"cited_together"},
    "venues": {"venues"},
    "map": {"near_on_map", "expected", "communities_joined", "same_community"},
}  # fmt: skip
_Sentence = Callable[[OpportunityFeatures, CandidatePair, PairTable], str]
_SENTENCES: dict[str, _Sentence] = {
    "growth": _growth, "size": _size, "company": _shared_neighbours, "cites": _cites, "together": _together,
    "venues": _venues, "map": _map,
}  # fmt: skip
_OF_KIND: dict[str, Callable[[OpportunityFeatures, CandidatePair, PairTable], list[str]]] = {
    "bridge": _bridge, "transfer": _transfer, "rising": _rising, "dormant": _dormant, "follow-up": _follow_up,
}  # fmt: skip


def _between(features: OpportunityFeatures, candidate: CandidatePair) -> int:
    """References from papers of either side to those of the other; counted, as features may be of a sample."""
    held, cites = features.map.snapshot.held, features.map.snapshot.cites
    one, other = (held[[at]][:, : cites.shape[0]] for at in (candidate.one, candidate.other))
    there, back = ((mine @ cites).multiply(theirs).sum() for mine, theirs in ((one, other), (other, one)))
    return round(float(there + back))


def _last(features: OpportunityFeatures, candidate: CandidatePair) -> int:
    return int(np.asarray(features.map.stored.graph.dated.years)[max(candidate.rows)])


def _name(features: OpportunityFeatures, at: int) -> str:
    return features.map.names[at]


def _papers(count: int) -> str:
    return "1 paper" if count == 1 else f"{count:,} papers"


def _concepts(count: int) -> str:
    return "1 concept" if count == 1 else f"{count:,} concepts"
