"""From a topic to its openings: its concepts, pairs that rules choose, the best of them, and their evidence."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from novum.core.opportunity import Opportunity, OpportunityKind, OpportunityList
from novum.errors import BadInput
from novum.literature import Library
from novum.opportunities import folder as kept
from novum.opportunities.concept_map import ConceptMap
from novum.opportunities.folder import ConceptMapCard
from novum.opportunities.paper_columns import Progress, ignore_progress
from novum.opportunities.query import OpportunityQuery
from novum.opportunities.search.candidates import CandidatePair
from novum.opportunities.search.concept_summaries import concept_links, concept_summaries
from novum.opportunities.search.evidence import attempts, paper_ids, side
from novum.opportunities.search.filters import allowed_concepts, requested_concept
from novum.opportunities.search.pair_features import OpportunityFeatures
from novum.opportunities.search.ranking import expected_value, select_diverse, title_share
from novum.opportunities.search.reasons import reasons
from novum.opportunities.search.rules import inactive_candidates, unlinked_candidates
from novum.opportunities.search.titles import is_in_title, is_used_as_means
from novum.opportunities.search.topic import MOST_SUGGESTED, NAMED_NEARNESS, TopicConcepts, topic_concepts
from novum.opportunities.settings import default_settings

_BESIDE = 150
"""Concepts that each concept of a topic is paired with, by company and by the map."""
_READ, _TITLES = 400, 12
"""Pairs whose titles are read, the best; and how many titles of a concept."""


async def find_opportunities(
    library: Library,
    topic: str,
    query: OpportunityQuery | None = None,
    count: int = 20,
    progress: Progress = ignore_progress,
) -> OpportunityList:
    """The `count` most promising openings around a topic, as far as there are so many, the best first.

    What a library's concepts need is built when it is missing or behind. A topic that the library does not know, and a
    library that taught too little to forecast, have no openings, and `notes` say so. Raises BadInput where the library
    holds no concepts at all, or a wish names what it does not have.
    """
    result = await ensure_concept_map(library, progress)
    return await search_map(result, library, topic, query or OpportunityQuery(), count)


async def search_map(
    concept_map: ConceptMap, library: Library, topic: str, query: OpportunityQuery, count: int = 20
) -> OpportunityList:
    """The same of a concept map that is open."""
    if concept_map.card.unlearnt:
        return _no_opportunities(concept_map, topic, (), f"No openings can be told. {concept_map.card.unlearnt}")
    meant = await topic_concepts(concept_map, topic)
    names = tuple(concept_map.names[at] for at in meant.near)
    if not meant.known and not query.with_concept:
        return _no_opportunities(concept_map, topic, names, _unknown_topic(topic, names))
    return await asyncio.to_thread(_search, concept_map, library, topic, meant, query, count)


def _search(
    concept_map: ConceptMap, library: Library, topic: str, meant: TopicConcepts, query: OpportunityQuery, count: int
) -> OpportunityList:
    scene = OpportunityFeatures(concept_map)
    offered = [concept_map.names[at] for at in meant.near][:MOST_SUGGESTED]
    near = _subjects(scene, meant.near) if meant.known else {}
    mine = -1
    if query.with_concept:
        mine = concept_map.place[requested_concept(concept_map, query.with_concept, offered)]
        near[mine] = 1.0
    every, looked_at = _candidates(scene, near, query, mine)
    best = _best(scene, library, every, near)
    worths = [expected_value(scene, each, near) * title_share(scene, each) for each in best]
    selected = select_diverse(scene, best, worths, near, count)
    openings = tuple(_opportunity(scene, each, query) for each in selected)
    concepts = concept_summaries(scene, openings, query)
    named = [each for opening in openings for each in (*opening.one.papers, *opening.other.papers, *opening.attempts)]
    named += [each for gloss in concepts for each in gloss.typical]
    return OpportunityList(
        topic=topic,
        until=concept_map.year,
        horizon=concept_map.card.settings.horizon,
        near=tuple(concept_map.names[at] for at in near),
        openings=openings,
        papers=tuple(library.get_many(dict.fromkeys(named))),
        looked_at=looked_at,
        concepts=concepts,
        links=concept_links(scene, openings),
        notes=_notes(concept_map, meant, openings, count, query),
    )


def _subjects(features: OpportunityFeatures, near: Mapping[int, float]) -> dict[int, float]:
    """The topic's concepts without those that are no subject or keep everybody's company, if others are left; what it
    names itself may be any."""
    names = features.map.names

    def fits(at: int) -> bool:
        return features.is_valid(at) and (" " not in names[at] or bool(features.informative[at]))

    return {at: each for at, each in near.items() if each >= NAMED_NEARNESS or fits(at)} or dict(near)


def _candidates(
    features: OpportunityFeatures, near: Mapping[int, float], query: OpportunityQuery, mine: int
) -> tuple[list[CandidatePair], int]:
    """Pairs that rules chose among those that wishes allow, and how many were looked at."""
    fit = allowed_concepts(features, query)
    ends = [mine] if mine >= 0 else [at for at in near if fit[at]]
    others = {at: some[fit[some]] for at in ends for some in [features.map.beside(at, _BESIDE)]}
    inactive = inactive_candidates(features, np.array(ends, np.int64))
    result = unlinked_candidates(features, others) + [each for each in inactive if fit[each.one] and fit[each.other]]
    wished = query.kinds
    looked_at = sum(map(len, others.values())) + len(inactive)
    return [each for each in result if not wished or each.kind in wished], looked_at


@dataclass(frozen=True, eq=False)
class _Titles:
    """Titles that were read."""

    titles: Mapping[str, str]

    def of(self, names: Sequence[str]) -> list[str]:
        return [self.titles[name] for name in names if name in self.titles]


def _best(
    features: OpportunityFeatures, library: Library, candidates: Sequence[CandidatePair], near: Mapping[int, float]
) -> list[CandidatePair]:
    """The best, without concepts that name nothing, transfers of what titles never speak of as a means, and milestones
    whose titles speak of neither concept. What the topic names itself may be anything."""
    best = sorted(candidates, key=lambda each: -expected_value(features, each, near))[:_READ]
    names = features.map.names
    used = {each.one for each in best if each.kind == "transfer"}
    papers_of = {at: features.map.papers_of(names[at], _TITLES) for at in used}
    milestones = {
        each: paper_ids(features, np.array([_milestone(features, each)])) for each in best if each.kind == "follow-up"
    }
    wanted = dict.fromkeys(name for some in (*papers_of.values(), *milestones.values()) for name in some)
    shelf = _Titles({paper.id: paper.title for paper in library.get_many(wanted)})
    means = {at for at in used if is_used_as_means(names[at], shelf.of(papers_of[at]))}

    def holds(each: CandidatePair) -> bool:
        if each.kind == "transfer":
            return each.one in means
        if each.kind == "follow-up":
            titles = shelf.of(milestones[each])
            return any(is_in_title(names[at], title) for at in each.pair for title in titles)
        return True

    asked = {at for at, nearness in near.items() if nearness >= NAMED_NEARNESS}
    is_valid = {at: at in asked or features.is_valid(at) for each in best for at in each.pair}
    return [each for each in best if all(is_valid[at] for at in each.pair) and holds(each)]


def _milestone(features: OpportunityFeatures, candidate: CandidatePair) -> int:
    return max(candidate.rows, key=lambda row: float(np.nan_to_num(features.standing[row])))


def _opportunity(features: OpportunityFeatures, candidate: CandidatePair, query: OpportunityQuery) -> Opportunity:
    return Opportunity(
        kind=candidate.kind,
        pair=(features.map.names[candidate.one], features.map.names[candidate.other]),
        until=features.year,
        one=side(features, candidate.one, candidate.other, query),
        other=side(features, candidate.other, candidate.one, query),
        probability=candidate.probability,
        probability_interval=candidate.interval,
        attention=candidate.attention,
        attention_interval=candidate.attention_interval,
        reasons=reasons(features, candidate),
        attempts=attempts(features, candidate, query),
        unusual=candidate.unusual,
    )


def _no_opportunities(concept_map: ConceptMap, topic: str, near: tuple[str, ...], why: str) -> OpportunityList:
    horizon = concept_map.card.settings.horizon
    return OpportunityList(topic=topic, until=concept_map.year, horizon=horizon, near=near, openings=(), notes=(why,))


def _unknown_topic(topic: str, near: Sequence[str]) -> str:
    text = f"The library does not know “{topic}”: hardly any of its papers has a word of it."
    return f"{text} The nearest that it has: {', '.join(near)}." if near else text


def _notes(
    concept_map: ConceptMap, meant: TopicConcepts, openings: Sequence[Opportunity], count: int, query: OpportunityQuery
) -> tuple[str, ...]:
    results, selected, kinds = [], len(openings), {each.kind for each in openings}
    if meant.unknown:
        words = ", ".join(f"“{word}”" for word in meant.unknown)
        left = "it was" if len(meant.unknown) == 1 else "they were"
        results.append(f"The library hardly knows {words}: {left} left out.")
    if meant.known and not meant.named:
        results.append("No concept has a name of the topic's words alone: these are what its nearest papers speak of.")
    papers = f"the library's {concept_map.card.papers:,} papers"
    if not selected:
        met = " that meets all that was asked for" if query != OpportunityQuery() else ""
        results.append(f"No opening{met} is found in {papers}.")
    elif selected < count:
        those = "opening that meets" if selected == 1 else "openings that meet"
        which = f"{those} all that was asked for" if query != OpportunityQuery() else those.split(maxsplit=1)[0]
        results.append(f"{selected} {which} {'is' if selected == 1 else 'are'} all that {papers} give.")
    if concept_map.card.titles_only:
        results.append("Hardly any paper has an abstract, so titles and keywords alone were read.")
    if not concept_map.card.attention:
        results.append("Nothing is told of attention: too few joint papers have citation counts.")
    results += _without_intervals(concept_map, kinds)
    if selected:
        results.append("Take probabilities as an order with a rough size: literatures change, and no model knows how.")
    return tuple(results)


def _without_intervals(concept_map: ConceptMap, kinds: set[OpportunityKind]) -> list[str]:
    """What else would look as if it were sure."""
    results = []
    unlinked, inactive = concept_map.score_bins
    if unlinked is None:
        results.append("Probabilities have no intervals: too few pairs came to be joined in earlier years.")
    elif inactive is None and kinds & {"dormant", "follow-up"}:
        results.append(
            "Dormant and follow-up pairs have the chance of pairs that were never joined, and no interval: too few "
            "like them were joined again in earlier years to tell."
        )
    if concept_map.attention and not concept_map.attention.errors and kinds:
        results.append("Expected attention has no interval: too few joined pairs were left to test it on.")
    return results


async def ensure_concept_map(library: Library, progress: Progress = ignore_progress) -> ConceptMap:
    """In step with the library, with the settings of the last build, if there was one. Raises BadInput where the
    library holds no concepts, or another process is building."""
    card = kept.read_card(kept.map_folder(library.folder))
    if card is None:
        return await _built(library, None, progress)
    try:
        result = ConceptMap.open(library)
    except BadInput:
        return await _built(library, card, progress, anew=True)
    return await _built(library, card, progress) if result.behind else result


async def _built(
    library: Library, card: ConceptMapCard | None, progress: Progress, *, anew: bool = False
) -> ConceptMap:
    from novum.opportunities.building import build_concept_map  # noqa: PLC0415  what only builds is not loaded to answer

    await build_concept_map(
        library, card.settings if card else default_settings(library.size().papers), progress, anew=anew
    )
    return ConceptMap.open(library)
