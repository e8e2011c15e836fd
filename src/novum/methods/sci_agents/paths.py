"""Ways through the graph: where they begin, where they end, what they pass."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from novum.core import Topic
from novum.core.opportunity import OpportunitySide
from novum.lab import Lab
from novum.literature.embedding import vectors_of
from novum.literature.search.ranking.concept_graph import ConceptGraph
from novum.literature.search.ranking.keywords import groups
from novum.methods.starting_points import StartingPoint

_FAR = 3
"""Least number of steps from the start to a random end, where the graph is large enough."""

_DETOURS = 3
"""Concepts that a way across an opportunity passes at most, where all shorter ones are taken."""


@dataclass(frozen=True)
class PathEnds:
    """The requested ends of paths. `start` and `end` in the user's words; empty: chosen automatically."""

    start: str
    end: str
    waypoints: int


async def find_paths(
    lab: Lab, topic: Topic, graph: ConceptGraph, ends: PathEnds, count: int, notes: list[str]
) -> list[tuple[str, ...]]:
    """At most `count` different ways, each of two concepts or more. None, and a note why, where the graph has none."""
    if not graph.joined():
        notes.append("Papers near the topic share no concepts, so there is no graph in which to find a path.")
        return []
    start = await _start(lab, topic, graph, ends, notes)
    away = {name: steps for name, steps in graph.steps_from(start).items() if steps}
    goal = await _matching_concept(lab, ends.end, sorted(away), notes) if ends.end else ""
    found = [
        tuple(graph.wandering(start, goal or random_end(away, rng), ends.waypoints, rng))
        for rng in (lab.rng(f"sci-agents, way {number}") for number in range(1, count + 1))
    ]
    different = list(dict.fromkeys(found))
    if (lacking := count - len(different)) > 0:
        notes.append(f"{lacking} of {count} paths through the graph were identical to another one.")
    return different


async def paths_for_opportunities(
    lab: Lab, graph: ConceptGraph, points: Sequence[StartingPoint], notes: list[str]
) -> dict[int, tuple[str, ...]]:
    """A path between the two concepts of each opportunity, by the position of the opportunity: the shortest, as what
    surprises is the pair and not what is passed; where another has that, one past other concepts, if there is any. A
    concept that the graph lacks is replaced by the nearest of those that its papers speak of, and a note says so."""
    if not graph.joined():
        notes += ["No idea starts from an opportunity: papers near the topic share no concepts."] if points else []
        return {}
    found: dict[int, tuple[str, ...]] = {}
    for place, point in enumerate(points):
        one, other = point.opening.pair
        start = await _matching_concept(
            lab, one, graph.joined(), notes, _concepts_of_side(graph, point, point.opening.one)
        )
        away = sorted(name for name, steps in graph.steps_from(start).items() if steps)
        end = await _matching_concept(lab, other, away, notes, _concepts_of_side(graph, point, point.opening.other))
        rng = lab.rng(f"sci-agents, opening {place + 1}")
        offered = (tuple(graph.wandering(start, end, waypoints, rng)) for waypoints in range(_DETOURS + 1))
        found[place] = next((each for each in offered if each not in found.values()), tuple(graph.shortest(start, end)))
    return found


def _concepts_of_side(graph: ConceptGraph, point: StartingPoint, side: OpportunitySide) -> set[str]:
    """Concepts of the graph that the opportunity's papers of one side speak of."""
    texts = (text for paper in point.papers if paper.id in side.papers for text in (paper.title, paper.gist))
    return set(graph.concepts).intersection(chain.from_iterable(groups(text) for text in texts))


async def _start(lab: Lab, topic: Topic, graph: ConceptGraph, ends: PathEnds, notes: list[str]) -> str:
    """As asked for; else the nearest to the topic of those from which there is most to reach."""
    if ends.start:
        return await _matching_concept(lab, ends.start, graph.joined(), notes)
    return await _nearest(lab, topic.text, graph.largest_component())


def random_end(away: dict[str, int], rng: random.Random) -> str:
    """A random concept among those far enough away; if there is none, among the farthest."""
    least = min(_FAR, max(away.values()))
    return rng.choice(sorted(name for name, steps in away.items() if steps >= least))


async def _matching_concept(
    lab: Lab, words: str, known: Sequence[str], notes: list[str], rather: Collection[str] = ()
) -> str:
    """The concept of that name, else the one nearest in meaning, and then a note says so: one of `rather`, where any of
    them is known."""
    name = " ".join(words.lower().split())
    if name in known:
        return name
    nearest = await _nearest(lab, words, [each for each in known if each in rather] or known)
    notes.append(f"The graph has no concept «{words}»: the nearest one, «{nearest}», was used.")
    return nearest


async def _nearest(lab: Lab, text: str, concepts: Sequence[str]) -> str:
    """By cosine of the library's embeddings, equals by the alphabet."""
    vectors = await vectors_of(lab.library.embedder, [text, *concepts])
    lengths = np.linalg.norm(vectors, axis=1)
    cosines = vectors[1:] @ vectors[0] / np.maximum(lengths[1:] * lengths[0], np.finfo(np.float32).tiny)
    return concepts[int(np.argmax(cosines))]
