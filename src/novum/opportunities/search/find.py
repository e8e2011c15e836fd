"""From a topic to its opportunities: its concepts, candidate pairs by rule, the best of them, and their evidence."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Awaitable, Callable, Mapping, Sequence

import numpy as np

from novum.core.opportunity import Opportunity, OpportunityKind, OpportunityList
from novum.errors import BadInput
from novum.literature import Coverage, Library, coverage_of
from novum.opportunities.concept_map import ConceptMap
from novum.opportunities.folder import ConceptMapCard, read_card, usable_map_folder
from novum.opportunities.paper_columns import Progress, ignore_progress
from novum.opportunities.query import OpportunityQuery
from novum.opportunities.search.candidates import CandidatePair
from novum.opportunities.search.concept_summaries import concept_links, concept_summaries
from novum.opportunities.search.evidence import attempts, paper_ids, side
from novum.opportunities.search.filters import allowed_concepts, requested_concept
from novum.opportunities.search.ranking import expected_value, select_diverse, title_share
from novum.opportunities.search.reasons import reasons
from novum.opportunities.search.rules import inactive_candidates, unlinked_candidates
from novum.opportunities.search.tables import SearchTables
from novum.opportunities.search.titles import is_in_title, is_used_as_means
from novum.opportunities.search.topic import MOST_SUGGESTED, NAMED_NEARNESS, TopicConcepts, topic_concepts
from novum.opportunities.settings import OpportunitySettings, default_settings

_BESIDE = 150
"""Concepts that each concept of a topic is paired with, by shared neighbours and by the map."""
FetchPapers = Callable[[str, dt.date | None], Awaitable[None]]
"""Adds papers on a topic, public before a day if one is given, to the library."""
PAPERS_NEEDED = 10
"""Papers on a topic from which its opportunities are shown: pairs of fewer papers are chance."""
TOO_FEW = "Too few papers on"
"""How the note begins that a topic has too few papers."""
_NO_CONCEPT = "No concept of the library belongs to the topic: no phrase of its words is in enough papers."
_LONGEST_TOPIC = 100
_READ, _TITLES = 400, 12
"""Number of best pairs whose titles are read, and of titles of a concept."""


async def find_opportunities(
    library: Library,
    topic: str,
    query: OpportunityQuery | None = None,
    count: int = 20,
    progress: Progress = ignore_progress,
    *,
    force: bool = False,
    fetch: FetchPapers | None = None,
) -> OpportunityList:
    """Up to `count` opportunities of a topic, the best first.

    Builds the concept map of the library when it is missing or out of date. Where the library has fewer than
    `PAPERS_NEEDED` papers on the topic, `fetch` is called, if given, to add some. If it has too few then, the topic has
    no opportunities, unless `force` is set; neither has one in a library too small to fit a forecast. `notes` says why.
    Raises BadInput where the library has no concepts, or `query` names a field or concept that it does not have, and
    what `fetch` raises.
    """
    coverage = await _coverage(library, topic, fetch) if topic.strip() else None
    lacking = too_few_papers(coverage) if coverage else ""
    if lacking and not force:
        end, years = dt.date.today().year, OpportunitySettings().horizon
        return OpportunityList(topic=topic, until=end, horizon=years, near=(), openings=(), notes=(lacking,))
    concept_map = await ensure_concept_map(library, progress)
    result = await search_map(concept_map, library, topic, query or OpportunityQuery(), count, coverage)
    return result.model_copy(update={"notes": (lacking, *result.notes) if lacking else result.notes})


async def _coverage(library: Library, topic: str, fetch: FetchPapers | None) -> Coverage:
    """How well the library covers the topic, after `fetch` has added papers where there were too few."""
    coverage = await coverage_of(library, topic)
    if fetch is None or not too_few_papers(coverage):
        return coverage
    await fetch(topic, None)
    return await coverage_of(library, topic)


def too_few_papers(coverage: Coverage) -> str:
    """Why a topic has too few papers for opportunities, in one sentence or two, and what to do; empty where it has
    enough."""
    if coverage.papers >= PAPERS_NEEDED and coverage.verdict == "good":
        return ""
    count = str(coverage.papers)
    if coverage.papers >= PAPERS_NEEDED:
        missing = ", ".join(f"“{word}”" for word in coverage.missing_words[:3])
        count = f"{coverage.papers} come close, but have no {missing}" if missing else f"{coverage.papers} come close"
    topic = " ".join(coverage.topic.split())
    named = topic if len(topic) <= _LONGEST_TOPIC else f"{topic[:_LONGEST_TOPIC].rstrip()}…"
    return (
        f"{TOO_FEW} “{named}” in this library: {count}; {PAPERS_NEEDED} are needed. Coverage is "
        f"{coverage.reason}. Add papers on it by `novum library add TOPIC`."
    )


async def search_map(
    concept_map: ConceptMap,
    library: Library,
    topic: str,
    query: OpportunityQuery,
    count: int = 20,
    coverage: Coverage | None = None,
) -> OpportunityList:
    """The same as `find_opportunities`, for an open concept map. `coverage`: how well the library covers the topic;
    without it, concepts of the papers nearest to the topic count as concepts of the topic."""
    if concept_map.card.unlearnt:
        why = f"No opportunities can be computed. {concept_map.card.unlearnt}"
        return _no_opportunities(concept_map, topic, (), why)
    subject = await topic_concepts(concept_map, topic, coverage.paper_ids if coverage else None)
    names = tuple(concept_map.names[at] for at in subject.near)
    if not subject.known and not query.with_concept:
        why = _unknown_topic(topic, names) if names else _NO_CONCEPT
        return _no_opportunities(concept_map, topic, names, why)
    return await asyncio.to_thread(_search, concept_map, library, topic, subject, query, count)


def _search(
    concept_map: ConceptMap, library: Library, topic: str, subject: TopicConcepts, query: OpportunityQuery, count: int
) -> OpportunityList:
    tables = SearchTables(concept_map)
    suggested = [concept_map.names[at] for at in subject.near][:MOST_SUGGESTED]
    near = _topic_concepts(tables, subject.near) if subject.known else {}
    mine = -1
    if query.with_concept:
        mine = concept_map.place[requested_concept(concept_map, query.with_concept, suggested)]
        near[mine] = 1.0
    candidates, compared = _candidates(tables, near, query, mine)
    best = _best(tables, library, candidates, near)
    values = [expected_value(tables, each, near) * title_share(tables, each) for each in best]
    selected = select_diverse(tables, best, values, near, count)
    opportunities = tuple(_opportunity(tables, each, query) for each in selected)
    concepts = concept_summaries(tables, opportunities, query)
    named = [each for one in opportunities for each in (*one.one.papers, *one.other.papers, *one.attempts)]
    named += [each for concept in concepts for each in concept.typical]
    return OpportunityList(
        topic=topic,
        until=concept_map.year,
        horizon=concept_map.card.settings.horizon,
        near=tuple(concept_map.names[at] for at in near),
        openings=opportunities,
        papers=tuple(library.get_many(dict.fromkeys(named))),
        looked_at=compared,
        concepts=concepts,
        links=concept_links(tables, opportunities),
        notes=_notes(concept_map, subject, opportunities, count, query),
    )


def _topic_concepts(tables: SearchTables, near: Mapping[int, float]) -> dict[int, float]:
    """The concepts of the topic that are subjects with informative neighbours, if there are any; concepts that the
    topic names are always included."""
    names = tables.map.names

    def fits(at: int) -> bool:
        return tables.is_valid(at) and (" " not in names[at] or bool(tables.informative[at]))

    return {at: each for at, each in near.items() if each >= NAMED_NEARNESS or fits(at)} or dict(near)


def _candidates(
    tables: SearchTables, near: Mapping[int, float], query: OpportunityQuery, mine: int
) -> tuple[list[CandidatePair], int]:
    """Candidate pairs that meet the query, and the number of pairs that were compared. `mine`: the number of the
    concept that every pair must contain, or -1."""
    fit = allowed_concepts(tables, query)
    ends = [mine] if mine >= 0 else [at for at in near if fit[at]]
    others = {at: some[fit[some]] for at in ends for some in [tables.map.beside(at, _BESIDE)]}
    inactive = inactive_candidates(tables, np.array(ends, np.int64))
    result = unlinked_candidates(tables, others) + [each for each in inactive if fit[each.one] and fit[each.other]]
    compared = sum(map(len, others.values())) + len(inactive)
    return [each for each in result if not query.kinds or each.kind in query.kinds], compared


def _best(
    tables: SearchTables, library: Library, candidates: Sequence[CandidatePair], near: Mapping[int, float]
) -> list[CandidatePair]:
    """The candidates of the highest expected value, without invalid concepts (unless the topic names them), transfers
    of a concept that titles do not use as a means, and follow-ups of a paper with neither concept in its title."""
    best = sorted(candidates, key=lambda each: -expected_value(tables, each, near))[:_READ]
    names = tables.map.names
    used = {each.one for each in best if each.kind == "transfer"}
    papers_of = {at: tables.map.papers_of(names[at], _TITLES) for at in used}
    milestones = {
        each: paper_ids(tables, np.array([_milestone(tables, each)])) for each in best if each.kind == "follow-up"
    }
    wanted = dict.fromkeys(name for some in (*papers_of.values(), *milestones.values()) for name in some)
    titles = {paper.id: paper.title for paper in library.get_many(wanted)}

    def titles_of(ids: Sequence[str]) -> list[str]:
        return [titles[each] for each in ids if each in titles]

    means = {at for at in used if is_used_as_means(names[at], titles_of(papers_of[at]))}

    def is_supported(each: CandidatePair) -> bool:
        if each.kind == "transfer":
            return each.one in means
        return each.kind != "follow-up" or any(
            is_in_title(names[at], title) for at in each.pair for title in titles_of(milestones[each])
        )

    requested = {at for at, nearness in near.items() if nearness >= NAMED_NEARNESS}
    is_valid = {at: at in requested or tables.is_valid(at) for each in best for at in each.pair}
    return [each for each in best if all(is_valid[at] for at in each.pair) and is_supported(each)]


def _milestone(tables: SearchTables, candidate: CandidatePair) -> int:
    return max(candidate.rows, key=lambda row: float(np.nan_to_num(tables.citation_rank[row])))


def _opportunity(tables: SearchTables, candidate: CandidatePair, query: OpportunityQuery) -> Opportunity:
    return Opportunity(
        kind=candidate.kind,
        pair=(tables.map.names[candidate.one], tables.map.names[candidate.other]),
        until=tables.map.year,
        one=side(tables, candidate.one, candidate.other, query),
        other=side(tables, candidate.other, candidate.one, query),
        probability=candidate.probability,
        probability_interval=candidate.interval,
        attention=candidate.attention,
        attention_interval=candidate.attention_interval,
        reasons=reasons(tables, candidate),
        attempts=attempts(tables, candidate, query),
        unusual=candidate.unusual,
    )


def _no_opportunities(concept_map: ConceptMap, topic: str, near: tuple[str, ...], why: str) -> OpportunityList:
    horizon = concept_map.card.settings.horizon
    return OpportunityList(topic=topic, until=concept_map.year, horizon=horizon, near=near, openings=(), notes=(why,))


def _unknown_topic(topic: str, near: Sequence[str]) -> str:
    text = f"The library does not know “{topic}”: hardly any of its papers uses a word of it."
    return f"{text} The nearest concepts it has: {', '.join(near)}." if near else text


def _notes(
    concept_map: ConceptMap,
    subject: TopicConcepts,
    opportunities: Sequence[Opportunity],
    count: int,
    query: OpportunityQuery,
) -> tuple[str, ...]:
    results, selected, kinds = [], len(opportunities), {each.kind for each in opportunities}
    if subject.unknown:
        words = ", ".join(f"“{word}”" for word in subject.unknown)
        left = "it was" if len(subject.unknown) == 1 else "they were"
        results.append(f"The library hardly uses {words}: {left} left out.")
    if selected and subject.known and not subject.named:
        results.append("No concept is named by the topic's words alone: these are the concepts of its nearest papers.")
    papers = f"the library's {concept_map.card.papers:,} papers"
    if not selected:
        conditions = " that meets all conditions" if query != OpportunityQuery() else ""
        results.append(f"No opportunity{conditions} was found in {papers}.")
    elif selected < count:
        those = "opportunity that meets" if selected == 1 else "opportunities that meet"
        which = f"{those} all conditions" if query != OpportunityQuery() else those.split(maxsplit=1)[0]
        results.append(f"Only {selected} {which} {'was' if selected == 1 else 'were'} found in {papers}.")
    if concept_map.card.titles_only:
        results.append("Hardly any paper has an abstract, so only titles and keywords were read.")
    if not concept_map.card.attention:
        results.append("Attention is not available: too few joint papers have citation counts.")
    results += _without_intervals(concept_map, kinds)
    if selected:
        results.append("Read probabilities as a ranking with a rough size: literatures change, and no model knows how.")
    return tuple(results)


def _without_intervals(concept_map: ConceptMap, kinds: set[OpportunityKind]) -> list[str]:
    """Notes on numbers that have no interval, which would otherwise look certain."""
    results = []
    unlinked, inactive = concept_map.score_bins
    if unlinked is None:
        results.append("Probabilities have no intervals: too few pairs became linked in earlier years.")
    elif inactive is None and kinds & {"dormant", "follow-up"}:
        results.append(
            "Dormant and follow-up pairs have the probability of pairs that were never linked, and no interval: too "
            "few such pairs became linked again in earlier years."
        )
    if concept_map.attention and not concept_map.attention.errors and kinds:
        results.append("Expected attention has no interval: too few linked pairs were left to test it on.")
    return results


async def ensure_concept_map(library: Library, progress: Progress = ignore_progress) -> ConceptMap:
    """The concept map of a library: the stored one, or a new one where it is missing, damaged or out of date, built
    with the settings of the last build. Raises BadInput where the library has no concepts, or while another process is
    building.

    In a folder that cannot be written, the new one is temporary.
    """
    card = read_card(usable_map_folder(library))
    if card is None:
        return await _build(library, None, progress)
    try:
        concept_map = ConceptMap.open(library)
    except BadInput:
        return await _build(library, card, progress, fresh=True)
    return await _build(library, card, progress) if concept_map.behind else concept_map


async def _build(
    library: Library, card: ConceptMapCard | None, progress: Progress, *, fresh: bool = False
) -> ConceptMap:
    from novum.opportunities.building import build_concept_map  # noqa: PLC0415  it loads XGBoost

    settings = card.settings if card else default_settings(library.size().papers)
    await build_concept_map(library, settings, progress, fresh=fresh, place=usable_map_folder(library))
    return ConceptMap.open(library)
