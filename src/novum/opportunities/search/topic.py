"""The concepts of a topic, and whether the library knows the topic at all."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from novum.literature.search.ranking.keywords import runs
from novum.opportunities.concept_map import ConceptMap, NearConcept, common_words
from novum.opportunities.features.table import COLUMNS
from novum.opportunities.search.plain_words import is_generic, is_vague
from novum.opportunities.settings import SMALL_LIBRARY

MOST, FARTHEST = 12, 0.2
"""Largest number of concepts of a topic, and smallest nearness relative to the nearest concept."""
FEW, LEAST = 6, 0.06
"""A topic with fewer concepts also gets the next ones of at least this relative nearness."""
FEWEST_USES = 3
"""Uses of a word in the library from which the word is known."""
NAMED_NEARNESS = 0.9
"""Smallest nearness of a concept of several words that the topic names."""
MOST_SUGGESTED = 8
_SEVERAL_PAPERS, _OF_TOPIC, _OF_CONCEPT = 2, 0.15, 0.4
"""Papers on a topic that contain a concept of it; and their share of the papers on the topic, or of those of the
concept."""
_REFERENCES, _ENOUGH_PAPERS = 3, 5
"""References between two related concepts of a small library; and papers of a concept from which its neighbours decide
what is related to it."""


@dataclass(frozen=True)
class TopicConcepts:
    """The concepts of a topic. `near`: relative nearness by concept number, 1 for the nearest; `unknown`: words of the
    topic that the library hardly uses; `known`: whether it knows the topic; `named`: whether the topic names a
    concept."""

    near: dict[int, float]
    unknown: tuple[str, ...]
    known: bool
    named: bool = False


async def topic_concepts(concept_map: ConceptMap, topic: str, on_topic: Collection[str] | None = None) -> TopicConcepts:
    """The concepts of a topic. For a topic that the library does not know, the concepts to suggest instead.

    `on_topic`: ids of the papers on the topic; concepts that do not share a word with the topic must be frequent in
    them. None: it is not known which papers are.
    """
    near = await concept_map.near(topic, 2 * MOST)
    words = list(dict.fromkeys(word for run in runs(topic) for word in run))
    unknown = tuple(word for word in words if _uses(concept_map, word) < FEWEST_USES)
    if concept_map.named(topic) is None and len(unknown) == len(words):
        return TopicConcepts(
            {concept_map.place[each.name]: each.nearness for each in near[:MOST_SUGGESTED]}, unknown, known=False
        )
    if on_topic is not None:
        near = _touching(concept_map, topic, near, on_topic)
    best = near[0].nearness if near else 1.0
    selected = _selected(concept_map, topic, [each for each in near if each.nearness >= LEAST * best])
    requested = {each.name for each in selected if " " in each.name and common_words(topic, [each.name])[0] == 1}
    return TopicConcepts(
        {
            concept_map.place[each.name]: max(each.nearness / best, NAMED_NEARNESS * (each.name in requested))
            for each in selected
        },
        unknown,
        known=bool(selected),
        named=any(common_words(topic, [each.name])[0] == 1 for each in selected),
    )


def _selected(concept_map: ConceptMap, topic: str, near: Sequence[NearConcept]) -> list[NearConcept]:
    """The concepts that the topic names and those related to them; all, where it names none with enough papers. Vague
    names are left out where there are others, and distant concepts where there are enough, or where they are near only
    by a shared word."""
    shares = dict(zip((each.name for each in near), common_words(topic, [each.name for each in near]), strict=True))
    enough = near[0].nearness * FARTHEST if near else 0.0
    named = [name for name, share in shares.items() if share == 1]
    known = [
        name for name in named if len(concept_map.stored.graph.by_concept.of(concept_map.place[name])) >= _ENOUGH_PAPERS
    ]
    selected: list[NearConcept] = []
    for each in near:
        by_words_alone = each.nearness <= shares[each.name] / 10 + 1e-9
        close = each.nearness >= enough or each.name in named or (len(selected) < FEW and not by_words_alone)
        belongs = not known or each.name in named or any(_are_related(concept_map, each.name, one) for one in known)
        if close and belongs and (not is_generic(each.name) or each.nearness == near[0].nearness):
            selected.append(each)
    return ([each for each in selected if not is_vague(each.name)] or selected)[:MOST]


def _touching(
    concept_map: ConceptMap, topic: str, concepts: Sequence[NearConcept], on_topic: Collection[str]
) -> list[NearConcept]:
    """The concepts that share a word with the topic, or are in several papers on it, which are a good part of either
    the papers on the topic or the papers of the concept."""
    graph = concept_map.stored.graph
    rows = np.flatnonzero(np.isin(np.asarray(graph.dated.tokens.paper_id), [each.encode() for each in on_topic]))

    def belongs(name: str) -> bool:
        papers = np.asarray(graph.by_concept.of(concept_map.place[name]))
        both = int(np.isin(papers, rows).sum())
        return both >= _SEVERAL_PAPERS and (both >= _OF_TOPIC * len(rows) or both >= _OF_CONCEPT * len(papers))

    shares = common_words(topic, [each.name for each in concepts])
    return [each for each, share in zip(concepts, shares, strict=True) if share > 0 or belongs(each.name)]


def _are_related(concept_map: ConceptMap, one: str, other: str) -> bool:
    """Whether at least two papers, and more than by chance, link the two; in a small library one paper or some
    references between their papers are enough."""
    graph = concept_map.stored.graph
    ends = concept_map.place[one], concept_map.place[other]
    edge = int(graph.edges.find(np.array(ends[:1]), np.array(ends[1:]))[0])
    joint = len(graph.edges.papers_of(edge)) if edge >= 0 else 0
    chance = float(np.prod([len(graph.by_concept.of(at)) for at in ends])) / max(len(graph.dated), 1)
    if len(graph.dated) >= SMALL_LIBRARY:
        return joint > max(1, chance)
    references = concept_map.features.of(np.array(ends[:1]), np.array(ends[1:]))[0, COLUMNS.index("references")]
    return joint > chance or float(np.expm1(np.nan_to_num(references))) >= _REFERENCES - 0.5


def _uses(concept_map: ConceptMap, word: str) -> int:
    forms = {word, word.removesuffix("s"), word + "s", word.replace("-", "")}
    numbers = [number for form in forms if (number := concept_map.words.known(form)) is not None]
    counts = concept_map.stored.used
    return int(counts[[number for number in numbers if number < len(counts)]].sum()) if numbers else 0
