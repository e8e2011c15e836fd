"""The concepts of a topic, and whether the library knows the topic at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from novum.literature.search.ranking.keywords import runs
from novum.opportunities.concept_map import ConceptMap, NearConcept, common_words
from novum.opportunities.features.table import COLUMNS
from novum.opportunities.search.plain_words import is_generic, is_vague
from novum.opportunities.settings import SMALL_LIBRARY

MOST, FARTHEST = 12, 0.2
"""Concepts of a topic, and how near the farthest is beside the nearest."""
FEW, LEAST = 6, 0.06
"""Of fewer concepts a topic has the next ones too, as far as these are so near."""
FEWEST_USES = 3
"""Times that the library must have used a word to know it."""
NAMED_NEARNESS = 0.9
"""How near a concept of several words is at least that the topic names."""
MOST_SUGGESTED = 8
_REFERENCES, _TELLING = 3, 5
"""Between two concepts that belong together; and papers of one from which its company tells what belongs to it."""


@dataclass(frozen=True)
class TopicConcepts:
    """`near`: nearness of concepts by number, 1 for the nearest; `unknown`: words of the topic that the library hardly
    ever uses; `known`: whether it knows the topic at all; `named`: whether a concept has a name of its words alone."""

    near: dict[int, float]
    unknown: tuple[str, ...]
    known: bool
    named: bool = False


async def topic_concepts(concept_map: ConceptMap, topic: str) -> TopicConcepts:
    """The concepts of a topic; of one that the library does not know those to offer instead."""
    near = await concept_map.near(topic, 2 * MOST)
    words = list(dict.fromkeys(word for run in runs(topic) for word in run))
    unknown = tuple(word for word in words if _times(concept_map, word) < FEWEST_USES)
    if concept_map.named(topic) is None and len(unknown) == len(words):
        return TopicConcepts(
            {concept_map.place[each.name]: each.nearness for each in near[:MOST_SUGGESTED]}, unknown, known=False
        )
    best = near[0].nearness if near else 1.0
    selected = _selected(concept_map, topic, [each for each in near if each.nearness >= LEAST * best])
    asked = {each.name for each in selected if " " in each.name and common_words(topic, [each.name])[0] == 1}
    return TopicConcepts(
        {
            concept_map.place[each.name]: max(each.nearness / best, NAMED_NEARNESS * (each.name in asked))
            for each in selected
        },
        unknown,
        known=bool(selected),
        named=any(common_words(topic, [each.name])[0] == 1 for each in selected),
    )


def _selected(concept_map: ConceptMap, topic: str, near: Sequence[NearConcept]) -> list[NearConcept]:
    """Those that the topic names and that papers join with these, or all where it names none that can tell; without
    names of many things where there are others; the farther ones only as far as there are few, and never for a common
    word alone."""
    shares = dict(zip((each.name for each in near), common_words(topic, [each.name for each in near]), strict=True))
    enough = near[0].nearness * FARTHEST if near else 0.0
    named = [name for name, share in shares.items() if share == 1]
    known = [name for name in named if len(concept_map.stored.graph.by_concept.of(concept_map.place[name])) >= _TELLING]
    selected: list[NearConcept] = []
    for each in near:
        by_words_alone = each.nearness <= shares[each.name] / 10 + 1e-9
        close = each.nearness >= enough or each.name in named or (len(selected) < FEW and not by_words_alone)
        belongs = not known or each.name in named or any(_belong_together(concept_map, each.name, one) for one in known)
        if close and belongs and (not is_generic(each.name) or each.nearness == near[0].nearness):
            selected.append(each)
    return ([each for each in selected if not is_vague(each.name)] or selected)[:MOST]


def _belong_together(concept_map: ConceptMap, one: str, other: str) -> bool:
    """By two papers or more and more than by chance; in a small library by one, or by references between the two."""
    graph = concept_map.stored.graph
    ends = concept_map.place[one], concept_map.place[other]
    edge = int(graph.edges.find(np.array(ends[:1]), np.array(ends[1:]))[0])
    joint = len(graph.edges.papers_of(edge)) if edge >= 0 else 0
    chance = float(np.prod([len(graph.by_concept.of(at)) for at in ends])) / max(len(graph.dated), 1)
    if len(graph.dated) >= SMALL_LIBRARY:
        return joint > max(1, chance)
    references = concept_map.features.of(np.array(ends[:1]), np.array(ends[1:]))[0, COLUMNS.index("references")]
    return joint > chance or float(np.expm1(np.nan_to_num(references))) >= _REFERENCES - 0.5


def _times(concept_map: ConceptMap, word: str) -> int:
    forms = {word, word.removesuffix("s"), word + "s", word.replace("-", "")}
    numbers = [number for form in forms if (number := concept_map.words.known(form)) is not None]
    counts = concept_map.stored.used
    return int(counts[[number for number in numbers if number < len(counts)]].sum()) if numbers else 0
