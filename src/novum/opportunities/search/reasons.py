"""Why a pair is an opening, in words with their numbers: the rule that chose it, then what moved the forecast most."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from novum.opportunities.features.table import COLUMNS
from novum.opportunities.search.other_names import link_under_other_name
from novum.opportunities.search.pair_features import OpportunityFeatures, PairTable
from novum.opportunities.search.results import CandidatePair
from novum.opportunities.snapshot import RECENT

_MOST = 5
_TELLING = 3
"""Concepts that are named."""


def reasons(scene: OpportunityFeatures, found: CandidatePair) -> tuple[str, ...]:
    """The strongest first."""
    pair = scene.pairs(np.array([found.one]), np.array([found.other]))
    first, *more = _OF_KIND[found.kind](scene, found, pair)
    moved = [_SAID[group](scene, found, pair) for group in _groups(scene, pair)]
    said = f"{first} {_otherwise(scene, found)}".strip()
    return tuple(dict.fromkeys(each for each in [said, *more, *moved] if each))[:_MOST]


def _otherwise(scene: OpportunityFeatures, found: CandidatePair) -> str:
    """What would else look as if nobody had thought of it: it stands with the rule, as some readers see no more."""
    said = link_under_other_name(scene, found)
    if said is None:
        return ""
    one, other, name = (_name(scene, at) for at in (said.one, said.other, said.name))
    join = "joins" if len(said.rows) == 1 else "join"
    since = f"Since {_last(scene, found)}, " if found.rows else ""
    return f"{since}{_papers(len(said.rows))} {join} “{one}” with “{name}”, a name like “{other}”."


def _bridge(scene: OpportunityFeatures, found: CandidatePair, pair: PairTable) -> list[str]:
    between, least = _between(scene, found), int(min(scene.references[found.one], scene.references[found.other]))
    go = "1 reference goes" if between == 1 else f"{between:,} references go" if between else "no reference goes"
    return [
        f"Their papers hardly cite each other: {go} between the two sides, of {least:,} that the side with fewer has.",
        _company(scene, found, pair),
    ]


def _transfer(scene: OpportunityFeatures, found: CandidatePair, pair: PairTable) -> list[str]:
    one, other, through = (scene.map.names[at] for at in (found.one, found.other, found.through))
    joint = scene.map.joint(one, through, 0).papers
    papers = _papers(sum(joint.values()))
    return [
        f"“{one}” has lately been put to work on “{through}” ({papers} since {min(joint)}, none before), which keeps "
        f"much the same company as “{other}”.",
        _company(scene, found, pair),
    ]


def _rising(scene: OpportunityFeatures, found: CandidatePair, pair: PairTable) -> list[str]:
    one, other = (f"{100 * scene.growth[at]:+.0f}%" for at in (found.one, found.other))
    return [
        f"Both grow faster than the library, whose papers change by {100 * scene.library_growth:+.0f}% a year: "
        f"“{_name(scene, found.one)}” by {one}, “{_name(scene, found.other)}” by {other}.",
        _company(scene, found, pair),
    ]


def _dormant(scene: OpportunityFeatures, found: CandidatePair, pair: PairTable) -> list[str]:
    when = "in" if len(found.rows) == 1 else "the last in"
    return [
        f"{_papers(len(found.rows))} joined them, {when} {_last(scene, found)}, and none since.",
        _since(scene, found),
    ]


def _follow_up(scene: OpportunityFeatures, found: CandidatePair, pair: PairTable) -> list[str]:
    rows = np.array(found.rows)
    best = float(np.nan_to_num(scene.standing[rows]).max())
    return [
        f"A paper that joined them is cited more than {100 * best:.0f}% of the library's papers of its year, and none "
        f"has joined them since {_last(scene, found)}.",
        _since(scene, found),
    ]


def _since(scene: OpportunityFeatures, found: CandidatePair) -> str:
    """What has changed since their last joint paper."""
    last = _last(scene, found)
    graph = scene.map.found.graph
    then = graph.shelf.until(last)
    more = [int((np.asarray(graph.by_concept.of(at)) >= then).sum()) for at in (found.one, found.other)]
    known = scene.map.features.company.known
    both = np.intersect1d(known[found.one].indices, known[found.other].indices)
    edges = [graph.edges.find(np.full(len(both), at), both) for at in (found.one, found.other)]
    new = both[np.maximum(*(graph.edges.joined_by[each] for each in edges)) >= then]
    one, other = (_name(scene, at) for at in (found.one, found.other))
    told = f"Since then there have been {_papers(more[0])} on “{one}” and {more[1]:,} on “{other}”"
    if not len(new):
        return f"{told}."
    return f"{told}; {_concepts(len(new))} came to be studied with both: {_named(scene, found, new)}."


def _company(scene: OpportunityFeatures, found: CandidatePair, _: PairTable) -> str:
    known = scene.map.features.company.known
    both = np.intersect1d(known[found.one].indices, known[found.other].indices)
    if not len(both):
        return ""
    if len(both) <= _TELLING:
        return f"Studied with both: {_named(scene, found, both)}."
    return f"{_concepts(len(both))} are studied with both, most tellingly {_named(scene, found, both)}."


def _named(scene: OpportunityFeatures, found: CandidatePair, some: np.ndarray) -> str:
    """Those that stand most surprisingly often beside both."""
    one, other = (np.asarray(scene.surprise[at].todense(), float).ravel()[some] for at in (found.one, found.other))
    best = some[np.argsort(-np.minimum(one, other), kind="stable")][:_TELLING]
    return ", ".join(f"“{_name(scene, at)}”" for at in best.tolist())


def _growth(scene: OpportunityFeatures, found: CandidatePair, _: PairTable) -> str:
    """Of those that have more papers than before."""
    more = [at for at in (found.one, found.other) if scene.lately[at] > scene.earlier[at]]
    said = (f"“{_name(scene, at)}” {_papers(int(scene.lately[at]))} after {int(scene.earlier[at]):,}" for at in more)
    return f"In the last {RECENT} years beside the {RECENT} before: {', '.join(said)}." if more else ""


def _size(scene: OpportunityFeatures, found: CandidatePair, _: PairTable) -> str:
    degree = scene.map.features.company.degree
    one, other = (int(degree[at]) for at in (found.one, found.other))
    return (
        f"“{_name(scene, found.one)}” stands beside {_concepts(one)}, “{_name(scene, found.other)}” beside {other:,}."
    )


def _cites(scene: OpportunityFeatures, found: CandidatePair, _: PairTable) -> str:
    between = _between(scene, found)
    return f"Papers of one side cite papers of the other {between:,} times." if between > 1 else ""


def _together(scene: OpportunityFeatures, found: CandidatePair, _: PairTable) -> str:
    """Each cited paper once, however many of either side cite it."""
    held, cites = scene.map.snapshot.held, scene.map.snapshot.cites
    one, other = ((held[[at]][:, : cites.shape[0]] @ cites).indices for at in (found.one, found.other))
    together = len(np.intersect1d(one, other))
    return f"Both cite the same papers: {together:,} references in common." if together > 1 else ""


def _venues(_: OpportunityFeatures, __: CandidatePair, pair: PairTable) -> str:
    alike = float(pair.of("venues")[0])
    return f"They appear in much the same venues (likeness {alike:.2f} of 1)." if alike >= 0.5 else ""


def _map(scene: OpportunityFeatures, found: CandidatePair, pair: PairTable) -> str:
    position = scene.map.features.position
    mine, theirs = (int(position.community[at]) for at in (found.one, found.other))
    share = float(position.density[mine, theirs])
    whole = "In their community" if mine == theirs else "Between their communities"
    return f"{whole} {100 * share:.0f}% of all pairs of concepts are joined already." if share >= 0.01 else ""


def _groups(scene: OpportunityFeatures, pair: PairTable) -> list[str]:
    """Groups of features that raise the odds, the strongest first."""
    shares = scene.map.joining.shares(pair.table)[0]
    sums: dict[str, float] = {}
    for column, share in zip(COLUMNS, shares.tolist(), strict=True):
        group = _group(column)
        sums[group] = sums.get(group, 0.0) + share
    return [group for group in sorted(sums, key=lambda each: -sums[each]) if sums[group] > 0 and group in _SAID]


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
_Said = Callable[[OpportunityFeatures, CandidatePair, PairTable], str]
_SAID: dict[str, _Said] = {
    "growth": _growth, "size": _size, "company": _company, "cites": _cites, "together": _together, "venues": _venues,
    "map": _map,
}  # fmt: skip
_OF_KIND: dict[str, Callable[[OpportunityFeatures, CandidatePair, PairTable], list[str]]] = {
    "bridge": _bridge, "transfer": _transfer, "rising": _rising, "dormant": _dormant, "follow-up": _follow_up,
}  # fmt: skip


def _between(scene: OpportunityFeatures, found: CandidatePair) -> int:
    """References from papers of either side to those of the other; counted, as features may be of a sample."""
    held, cites = scene.map.snapshot.held, scene.map.snapshot.cites
    one, other = (held[[at]][:, : cites.shape[0]] for at in (found.one, found.other))
    there, back = ((mine @ cites).multiply(theirs).sum() for mine, theirs in ((one, other), (other, one)))
    return round(float(there + back))


def _last(scene: OpportunityFeatures, found: CandidatePair) -> int:
    return int(np.asarray(scene.map.found.graph.shelf.years)[max(found.rows)])


def _name(scene: OpportunityFeatures, at: int) -> str:
    return scene.map.names[at]


def _papers(count: int) -> str:
    return "1 paper" if count == 1 else f"{count:,} papers"


def _concepts(count: int) -> str:
    return "1 concept" if count == 1 else f"{count:,} concepts"
