"""The reasons for an opportunity in sentences with numbers: its rule, then what raised the forecast most."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from novum.opportunities.features.table import COLUMNS
from novum.opportunities.search.candidates import CandidatePair
from novum.opportunities.search.other_names import link_under_other_name
from novum.opportunities.search.pair_properties import PairTable
from novum.opportunities.search.tables import SearchTables
from novum.opportunities.snapshot import RECENT

_MOST = 5
_NAMED = 3
"""Number of concepts that a sentence names."""


def reasons(tables: SearchTables, candidate: CandidatePair) -> tuple[str, ...]:
    """Up to five sentences, the strongest reason first."""
    pair = PairTable.of(tables.map, np.array([candidate.one]), np.array([candidate.other]))
    first, *more = _OF_KIND[candidate.kind](tables, candidate, pair)
    shifted = [_SENTENCES[group](tables, candidate, pair) for group in _groups(tables, pair)]
    result = f"{first} {_other_name(tables, candidate)}".strip()
    return tuple(dict.fromkeys(each for each in [result, *more, *shifted] if each))[:_MOST]


def _other_name(tables: SearchTables, candidate: CandidatePair) -> str:
    """A warning that papers link a similar name. It is part of the first reason, which all readers see."""
    link = link_under_other_name(tables, candidate)
    if link is None:
        return ""
    one, other, name = (_name(tables, at) for at in (link.one, link.other, link.name))
    verb = "links" if len(link.rows) == 1 else "link"
    since = f"Since {_last(tables, candidate)}, " if candidate.rows else ""
    return f"{since}{_papers(len(link.rows))} {verb} “{one}” with “{name}”, a name similar to “{other}”."


def _bridge(tables: SearchTables, candidate: CandidatePair, pair: PairTable) -> list[str]:
    between, least = (
        _between(tables, candidate),
        int(min(tables.references[candidate.one], tables.references[candidate.other])),
    )
    go = "1 reference goes" if between == 1 else f"{between:,} references go" if between else "no reference goes"
    return [
        f"Their papers hardly cite each other: {go} between the two sides, out of {least:,} on the side with fewer.",
        _shared_neighbours(tables, candidate, pair),
    ]


def _transfer(tables: SearchTables, candidate: CandidatePair, pair: PairTable) -> list[str]:
    one, other, through = (tables.map.names[at] for at in (candidate.one, candidate.other, candidate.through))
    joint = tables.map.joint(one, through, 0).papers
    papers = _papers(sum(joint.values()))
    return [
        f"“{one}” has recently been applied to “{through}” ({papers} since {min(joint)}, none before), which shares "
        f"many neighbours with “{other}”.",
        _shared_neighbours(tables, candidate, pair),
    ]


def _rising(tables: SearchTables, candidate: CandidatePair, pair: PairTable) -> list[str]:
    one, other = (f"{100 * tables.growth[at]:+.0f}%" for at in (candidate.one, candidate.other))
    return [
        "Both grow faster than the library, whose number of papers changes by "
        f"{100 * tables.library_growth:+.0f}% a year: "
        f"“{_name(tables, candidate.one)}” by {one}, “{_name(tables, candidate.other)}” by {other}.",
        _shared_neighbours(tables, candidate, pair),
    ]


def _dormant(tables: SearchTables, candidate: CandidatePair, pair: PairTable) -> list[str]:
    when = "in" if len(candidate.rows) == 1 else "the last in"
    return [
        f"{_papers(len(candidate.rows))} linked them, {when} {_last(tables, candidate)}, and none since.",
        _since(tables, candidate),
    ]


def _follow_up(tables: SearchTables, candidate: CandidatePair, pair: PairTable) -> list[str]:
    rows = np.array(candidate.rows)
    best = float(np.nan_to_num(tables.citation_rank[rows]).max())
    return [
        f"A paper that linked them is cited more often than {100 * best:.0f}% of the library's papers of its year, and "
        f"none has linked them since {_last(tables, candidate)}.",
        _since(tables, candidate),
    ]


def _since(tables: SearchTables, candidate: CandidatePair) -> str:
    """What has changed since the last joint paper."""
    last = _last(tables, candidate)
    graph = tables.map.stored.graph
    then = graph.dated.until(last)
    more = [int((np.asarray(graph.by_concept.of(at)) >= then).sum()) for at in (candidate.one, candidate.other)]
    known = tables.map.features.neighbourhood.known
    both = np.intersect1d(known[candidate.one].indices, known[candidate.other].indices)
    edges = [graph.edges.find(np.full(len(both), at), both) for at in (candidate.one, candidate.other)]
    new = both[np.maximum(*(graph.edges.first_paper[each] for each in edges)) >= then]
    one, other = (_name(tables, at) for at in (candidate.one, candidate.other))
    text = f"Since then there have been {_papers(more[0])} on “{one}” and {more[1]:,} on “{other}”"
    if not len(new):
        return f"{text}."
    have = "has" if len(new) == 1 else "have"
    return f"{text}; {_concepts(len(new))} {have} since been studied with both: {_named(tables, candidate, new)}."


def _shared_neighbours(tables: SearchTables, candidate: CandidatePair, _: PairTable) -> str:
    known = tables.map.features.neighbourhood.known
    both = np.intersect1d(known[candidate.one].indices, known[candidate.other].indices)
    if not len(both):
        return ""
    if len(both) <= _NAMED:
        return f"Studied with both: {_named(tables, candidate, both)}."
    return f"{_concepts(len(both))} are studied with both, above all {_named(tables, candidate, both)}."


def _named(tables: SearchTables, candidate: CandidatePair, some: np.ndarray) -> str:
    """The names of those of `some` concepts that have the highest pointwise mutual information with both."""
    one, other = (
        np.asarray(tables.surprise[at].todense(), float).ravel()[some] for at in (candidate.one, candidate.other)
    )
    best = some[np.argsort(-np.minimum(one, other), kind="stable")][:_NAMED]
    return ", ".join(f"“{_name(tables, at)}”" for at in best.tolist())


def _growth(tables: SearchTables, candidate: CandidatePair, _: PairTable) -> str:
    """The growth of the concepts that have more papers than before."""
    more = [at for at in (candidate.one, candidate.other) if tables.recent_papers[at] > tables.earlier_papers[at]]
    result = (
        f"“{_name(tables, at)}” {_papers(int(tables.recent_papers[at]))} after {int(tables.earlier_papers[at]):,}"
        for at in more
    )
    return f"In the last {RECENT} years, compared with the {RECENT} before: {', '.join(result)}." if more else ""


def _size(tables: SearchTables, candidate: CandidatePair, _: PairTable) -> str:
    degree = tables.map.features.neighbourhood.degree
    one, other = (int(degree[at]) for at in (candidate.one, candidate.other))
    first, second = (_name(tables, at) for at in (candidate.one, candidate.other))
    return f"“{first}” co-occurs with {_concepts(one)}, “{second}” with {other:,}."


def _cites(tables: SearchTables, candidate: CandidatePair, _: PairTable) -> str:
    between = _between(tables, candidate)
    return f"Papers of one side cite papers of the other {between:,} times." if between > 1 else ""


def _together(tables: SearchTables, candidate: CandidatePair, _: PairTable) -> str:
    """Papers that both sides cite, each counted once."""
    held, cites = tables.map.snapshot.held, tables.map.snapshot.cites
    one, other = ((held[[at]][:, : cites.shape[0]] @ cites).indices for at in (candidate.one, candidate.other))
    together = len(np.intersect1d(one, other))
    return f"Both cite the same papers: {together:,} references in common." if together > 1 else ""


def _venues(_: SearchTables, __: CandidatePair, pair: PairTable) -> str:
    alike = float(pair.column("venues")[0])
    return f"They appear in similar venues (similarity {alike:.2f} of 1)." if alike >= 0.5 else ""


def _map(tables: SearchTables, candidate: CandidatePair, pair: PairTable) -> str:
    position = tables.map.features.position
    mine, theirs = (int(position.community[at]) for at in (candidate.one, candidate.other))
    share = float(position.density[mine, theirs])
    whole = "In their community" if mine == theirs else "Between their communities"
    return f"{whole} {100 * share:.0f}% of all pairs of concepts are already linked." if share >= 0.01 else ""


def _groups(tables: SearchTables, pair: PairTable) -> list[str]:
    """Groups of features that raise the odds, the strongest first."""
    shares = tables.map.link_forecast.shares(pair.table)[0]
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
    "neighbours": {
        "common", "common_recent", "jaccard", "cosine", "adamic_adar", "allocation", "surprise", "hub_promoted",
    },
    "cites": {"references"},
    "together": {"cited_together"},
    "venues": {"venues"},
    "map": {"near_on_map", "expected", "communities_joined", "same_community"},
}  # fmt: skip
_Sentence = Callable[[SearchTables, CandidatePair, PairTable], str]
_SENTENCES: dict[str, _Sentence] = {
    "growth": _growth, "size": _size, "neighbours": _shared_neighbours, "cites": _cites, "together": _together,
    "venues": _venues, "map": _map,
}  # fmt: skip
_OF_KIND: dict[str, Callable[[SearchTables, CandidatePair, PairTable], list[str]]] = {
    "bridge": _bridge, "transfer": _transfer, "rising": _rising, "dormant": _dormant, "follow-up": _follow_up,
}  # fmt: skip


def _between(tables: SearchTables, candidate: CandidatePair) -> int:
    """The number of references from papers of either side to papers of the other. The feature may be of a sample."""
    held, cites = tables.map.snapshot.held, tables.map.snapshot.cites
    one, other = (held[[at]][:, : cites.shape[0]] for at in (candidate.one, candidate.other))
    numbers = ((citing @ cites).multiply(cited).sum() for citing, cited in ((one, other), (other, one)))
    return round(float(sum(numbers)))


def _last(tables: SearchTables, candidate: CandidatePair) -> int:
    return int(np.asarray(tables.map.stored.graph.dated.years)[max(candidate.rows)])


def _name(tables: SearchTables, at: int) -> str:
    return tables.map.names[at]


def _papers(count: int) -> str:
    return "1 paper" if count == 1 else f"{count:,} papers"


def _concepts(count: int) -> str:
    return "1 concept" if count == 1 else f"{count:,} concepts"
