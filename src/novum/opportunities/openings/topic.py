"""What a topic is about, in the concepts of a library; and whether the library knows it at all."""

from __future__ import annotations

from dataclasses import dataclass

from novum.literature.ranking.keywords import runs
from novum.opportunities.concept_map import ConceptMap
from novum.opportunities.openings.plain_words import vague

MOST, FARTHEST = 12, 0.2
"""Concepts of a topic, and how near the farthest is beside the nearest."""
KNOWN = 3
"""Times that the library must have used a word to know it."""
OFFERED = 8


@dataclass(frozen=True)
class About:
    """`near`: nearness of concepts by number, 1 for the nearest; `unknown`: words of the topic that the library hardly
    ever uses; `known`: whether it knows the topic at all."""

    near: dict[int, float]
    unknown: tuple[str, ...]
    known: bool


async def about(found: ConceptMap, topic: str) -> About:
    """The concepts of a topic; of one that the library does not know those to offer instead."""
    near = await found.near(topic, 2 * MOST)
    words = list(dict.fromkeys(word for run in runs(topic) for word in run))
    unknown = tuple(word for word in words if _times(found, word) < KNOWN)
    if found.named(topic) is None and len(unknown) == len(words):
        return About({found.place[each.name]: each.nearness for each in near[:OFFERED]}, unknown, known=False)
    best = near[0].nearness if near else 1.0
    chosen = [each for each in near if each.nearness >= FARTHEST * best][:MOST]
    chosen = [each for each in chosen if not vague(each.name)] or chosen
    return About({found.place[each.name]: each.nearness / best for each in chosen}, unknown, known=bool(chosen))


def _times(found: ConceptMap, word: str) -> int:
    forms = {word, word.removesuffix("s"), word + "s", word.replace("-", "")}
    numbers = [number for form in forms if (number := found.words.known(form)) is not None]
    counts = found.word_counts
    return int(counts[[number for number in numbers if number < len(counts)]].sum()) if numbers else 0
