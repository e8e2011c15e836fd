"""From a topic to its openings: its concepts, pairs that rules choose, the best of them, and their evidence."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from novum.core.opportunity import Opportunity, OpportunityKind, OpportunityList
from novum.literature import Library
from novum.opportunities.concept_map import ConceptMap
from novum.opportunities.paper_columns import Progress, ignore_progress
from novum.opportunities.query import OpportunityQuery
from novum.opportunities.search.evidence import attempts, paper_ids, side
from novum.opportunities.search.filters import allowed_concepts, requested_concept
from novum.opportunities.search.pair_features import OpportunityFeatures
from novum.opportunities.search.prepared_map import ensure_concept_map
from novum.opportunities.search.ranking import expected_value, select_diverse, title_share
from novum.opportunities.search.reasons import reasons
from novum.opportunities.search.results import CandidatePair
from novum.opportunities.search.rules import inactive_candidates, unlinked_candidates
from novum.opportunities.search.shared_neighbours import concept_links, concept_summaries
from novum.opportunities.search.titles import is_in_title, is_used_as_means
from novum.opportunities.search.topic import MOST_SUGGESTED, NAMED_NEARNESS, TopicConcepts, topic_concepts

_BESIDE = 150
"""Concepts that each concept of a topic is paired with, by company and by the map."""
_READ, _TITLES = 400, 12
"""Pairs whose titles are read, the best; and how many titles of a concept."""


async def find_opportunities(
    library: Library,
    topic: str,
    wishes: OpportunityQuery | None = None,
    count: int = 20,
    told: Progress = ignore_progress,
) -> OpportunityList:
    """The `count` most promising openings around a topic, as far as there are so many, the best first.

    What a library's concepts need is built when it is missing or behind. A topic that the library does not know, and a
    library that taught too little to forecast, have no openings, and `notes` say so. Raises BadInput where the library
    holds no concepts at all, or a wish names what it does not have.
    """
    found = await ensure_concept_map(library, told)
    return await search_map(found, library, topic, wishes or OpportunityQuery(), count)


async def search_map(
    found: ConceptMap, library: Library, topic: str, wishes: OpportunityQuery, count: int = 20
) -> OpportunityList:
    """The same of a concept map that is open."""
    if found.card.unlearnt:
        return _no_opportunities(found, topic, (), f"No openings can be told. {found.card.unlearnt}")
    meant = await topic_concepts(found, topic)
    names = tuple(found.names[at] for at in meant.near)
    if not meant.known and not wishes.with_concept:
        return _no_opportunities(found, topic, names, _unknown_topic(topic, names))
    return await asyncio.to_thread(_search, found, library, topic, meant, wishes, count)


def _search(
    found: ConceptMap, library: Library, topic: str, meant: TopicConcepts, wishes: OpportunityQuery, count: int
) -> OpportunityList:
    scene = OpportunityFeatures(found)
    offered = [found.names[at] for at in meant.near][:MOST_SUGGESTED]
    near = _subjects(scene, meant.near) if meant.known else {}
    mine = -1
    if wishes.with_concept:
        mine = found.place[requested_concept(found, wishes.with_concept, offered)]
        near[mine] = 1.0
    every, looked_at = _candidates(scene, near, wishes, mine)
    best = _best(scene, library, every, near)
    worths = [expected_value(scene, each, near) * title_share(scene, each) for each in best]
    chosen = select_diverse(scene, best, worths, near, count)
    openings = tuple(_opportunity(scene, each, wishes) for each in chosen)
    concepts = concept_summaries(scene, openings, wishes)
    named = [each for opening in openings for each in (*opening.one.papers, *opening.other.papers, *opening.attempts)]
    named += [each for gloss in concepts for each in gloss.typical]
    return OpportunityList(
        topic=topic,
        until=found.year,
        horizon=found.card.settings.horizon,
        near=tuple(found.names[at] for at in near),
        openings=openings,
        papers=tuple(library.get_many(dict.fromkeys(named))),
        looked_at=looked_at,
        concepts=concepts,
        links=concept_links(scene, openings),
        notes=_notes(found, meant, openings, count, wishes),
    )


def _subjects(scene: OpportunityFeatures, near: Mapping[int, float]) -> dict[int, float]:
    """The topic's concepts without those that are no subject or keep everybody's company, if others are left; what it
    names itself may be any."""
    names = scene.map.names

    def fits(at: int) -> bool:
        return scene.sound(at) and (" " not in names[at] or bool(scene.telling[at]))

    return {at: each for at, each in near.items() if each >= NAMED_NEARNESS or fits(at)} or dict(near)


def _candidates(
    scene: OpportunityFeatures, near: Mapping[int, float], wishes: OpportunityQuery, mine: int
) -> tuple[list[CandidatePair], int]:
    """Pairs that rules chose among those that wishes allow, and how many were looked at."""
    fit = allowed_concepts(scene, wishes)
    ends = [mine] if mine >= 0 else [at for at in near if fit[at]]
    others = {at: some[fit[some]] for at in ends for some in [scene.map.beside(at, _BESIDE)]}
    let_be = inactive_candidates(scene, np.array(ends, np.int64))
    made = unlinked_candidates(scene, others) + [each for each in let_be if fit[each.one] and fit[each.other]]
    wished = wishes.kinds
    looked_at = sum(map(len, others.values())) + len(let_be)
    return [each for each in made if not wished or each.kind in wished], looked_at


@dataclass(frozen=True, eq=False)
class _Titles:
    """Titles that were read."""

    titles: Mapping[str, str]

    def of(self, names: Sequence[str]) -> list[str]:
        return [self.titles[name] for name in names if name in self.titles]


def _best(
    scene: OpportunityFeatures, library: Library, found: Sequence[CandidatePair], near: Mapping[int, float]
) -> list[CandidatePair]:
    """The best, without concepts that name nothing, transfers of what titles never speak of as a means, and milestones
    whose titles speak of neither concept. What the topic names itself may be anything."""
    best = sorted(found, key=lambda each: -expected_value(scene, each, near))[:_READ]
    names = scene.map.names
    used = {each.one for each in best if each.kind == "transfer"}
    papers_of = {at: scene.map.papers_of(names[at], _TITLES) for at in used}
    milestones = {
        each: paper_ids(scene, np.array([_milestone(scene, each)])) for each in best if each.kind == "follow-up"
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
    sound = {at: at in asked or scene.sound(at) for each in best for at in each.pair}
    return [each for each in best if all(sound[at] for at in each.pair) and holds(each)]


def _milestone(scene: OpportunityFeatures, found: CandidatePair) -> int:
    return max(found.rows, key=lambda row: float(np.nan_to_num(scene.standing[row])))


def _opportunity(scene: OpportunityFeatures, found: CandidatePair, wishes: OpportunityQuery) -> Opportunity:
    return Opportunity(
        kind=found.kind,
        pair=(scene.map.names[found.one], scene.map.names[found.other]),
        until=scene.year,
        one=side(scene, found.one, found.other, wishes),
        other=side(scene, found.other, found.one, wishes),
        probability=found.probability,
        probability_interval=found.interval,
        attention=found.attention,
        attention_interval=found.attention_interval,
        reasons=reasons(scene, found),
        attempts=attempts(scene, found, wishes),
        unusual=found.unusual,
    )


def _no_opportunities(found: ConceptMap, topic: str, near: tuple[str, ...], why: str) -> OpportunityList:
    horizon = found.card.settings.horizon
    return OpportunityList(topic=topic, until=found.year, horizon=horizon, near=near, openings=(), notes=(why,))


def _unknown_topic(topic: str, near: Sequence[str]) -> str:
    told = f"The library does not know “{topic}”: hardly any of its papers has a word of it."
    return f"{told} The nearest that it has: {', '.join(near)}." if near else told


def _notes(
    found: ConceptMap, meant: TopicConcepts, openings: Sequence[Opportunity], count: int, wishes: OpportunityQuery
) -> tuple[str, ...]:
    made, shown, kinds = [], len(openings), {each.kind for each in openings}
    if meant.unknown:
        words = ", ".join(f"“{word}”" for word in meant.unknown)
        left = "it was" if len(meant.unknown) == 1 else "they were"
        made.append(f"The library hardly knows {words}: {left} left out.")
    if meant.known and not meant.named:
        made.append("No concept has a name of the topic's words alone: these are what its nearest papers speak of.")
    papers = f"the library's {found.card.papers:,} papers"
    if not shown:
        met = " that meets all that was asked for" if wishes != OpportunityQuery() else ""
        made.append(f"No opening{met} is found in {papers}.")
    elif shown < count:
        those = "opening that meets" if shown == 1 else "openings that meet"
        which = f"{those} all that was asked for" if wishes != OpportunityQuery() else those.split(maxsplit=1)[0]
        made.append(f"{shown} {which} {'is' if shown == 1 else 'are'} all that {papers} give.")
    if found.card.titles_only:
        made.append("Hardly any paper has an abstract, so titles and keywords alone were read.")
    if not found.card.attention:
        made.append("Nothing is told of attention: too few joint papers have citation counts.")
    made += _without_intervals(found, kinds)
    if shown:
        made.append("Take probabilities as an order with a rough size: literatures change, and no model knows how.")
    return tuple(made)


def _without_intervals(found: ConceptMap, kinds: set[OpportunityKind]) -> list[str]:
    """What else would look as if it were sure."""
    made = []
    unjoined, let_be = found.fared
    if unjoined is None:
        made.append("Probabilities have no intervals: too few pairs came to be joined in earlier years.")
    elif let_be is None and kinds & {"dormant", "follow-up"}:
        made.append(
            "Dormant and follow-up pairs have the chance of pairs that were never joined, and no interval: too few "
            "like them were joined again in earlier years to tell."
        )
    if found.attention and not found.attention.errors and kinds:
        made.append("Expected attention has no interval: too few joined pairs were left to test it on.")
    return made
