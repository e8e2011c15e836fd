"""Ways through the graph: where they begin, where they end, what they pass."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from novum.core import Topic
from novum.lab import Lab
from novum.literature.embedding import vectors_of
from novum.literature.ranking.concept_graph import ConceptGraph

_FAR = 3
"""Steps that an end drawn by lot is away from the beginning at least, where there is any so far."""


@dataclass(frozen=True)
class Ends:
    """What is asked for. `start` and `end` in the user's words; empty: chosen."""

    start: str
    end: str
    waypoints: int


async def ways(
    lab: Lab, topic: Topic, graph: ConceptGraph, ends: Ends, count: int, notes: list[str]
) -> list[tuple[str, ...]]:
    """At most `count` different ways, each of two concepts or more. None, and a note why, where the graph has none."""
    if not graph.joined():
        notes.append(
            "The papers near the topic have no concepts in common, so there is no graph to find a way through."
        )
        return []
    start = await _start(lab, topic, graph, ends, notes)
    away = {name: steps for name, steps in graph.steps_from(start).items() if steps}
    goal = await _meant(lab, ends.end, sorted(away), notes) if ends.end else ""
    found = [
        tuple(graph.wandering(start, goal or drawn_end(away, rng), ends.waypoints, rng))
        for rng in (lab.rng(f"sci-agents, way {number}") for number in range(1, count + 1))
    ]
    different = list(dict.fromkeys(found))
    if (lacking := count - len(different)) > 0:
        notes.append(f"{lacking} of {count} ways through the graph were the same as another.")
    return different


async def across(
    lab: Lab, graph: ConceptGraph, pairs: Sequence[tuple[str, str]], waypoints: int, notes: list[str]
) -> dict[int, tuple[str, ...]]:
    """A way from the one concept of each pair to the other, by the places of the pairs; a concept that the graph lacks
    is replaced by the nearest. Pairs that no way joins are left out, and told."""
    if not graph.joined():
        return {}
    found: dict[int, tuple[str, ...]] = {}
    for place, (one, other) in enumerate(pairs):
        start = await _meant(lab, one, graph.joined(), notes)
        away = sorted(name for name, steps in graph.steps_from(start).items() if steps)
        end = await _meant(lab, other, away, notes)
        way = tuple(graph.wandering(start, end, waypoints, lab.rng(f"sci-agents, opening {place + 1}")))
        if way in found.values():
            notes.append(f"No way of its own leads from {one} to {other}.")
        else:
            found[place] = way
    return found


async def _start(lab: Lab, topic: Topic, graph: ConceptGraph, ends: Ends, notes: list[str]) -> str:
    """As asked for; else the nearest to the topic of those from which there is most to reach."""
    if ends.start:
        return await _meant(lab, ends.start, graph.joined(), notes)
    return await _nearest(lab, topic.text, graph.mainland())


def drawn_end(away: dict[str, int], rng: random.Random) -> str:
    """A concept by lot among those far enough away; where none is, among the farthest."""
    least = min(_FAR, max(away.values()))
    return rng.choice(sorted(name for name, steps in away.items() if steps >= least))


async def _meant(lab: Lab, words: str, concepts: Sequence[str], notes: list[str]) -> str:
    """The concept of that name, else the one nearest in meaning, and then a note says so."""
    name = " ".join(words.lower().split())
    if name in concepts:
        return name
    nearest = await _nearest(lab, words, concepts)
    notes.append(f"No way leads by a concept «{words}»: the nearest one, «{nearest}», was taken.")
    return nearest


async def _nearest(lab: Lab, text: str, concepts: Sequence[str]) -> str:
    """By cosine of the library's embeddings, equals by the alphabet."""
    vectors = await vectors_of(lab.library.embedder, [text, *concepts])
    lengths = np.linalg.norm(vectors, axis=1)
    cosines = vectors[1:] @ vectors[0] / np.maximum(lengths[1:] * lengths[0], np.finfo(np.float32).tiny)
    return concepts[int(np.argmax(cosines))]
