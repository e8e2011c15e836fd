"""A graph of the concepts that co-occur in papers, and paths through it.

Two concepts that occur in the same paper are linked; the stronger their association, the shorter the edge between them.
Memory is bounded by the number of concepts and by how many of them one paper can link.
"""

from __future__ import annotations

import heapq
import math
import random
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, pairwise

from novum.core import Paper
from novum.literature.search.ranking.concepts import concepts

_PER_PAPER = 24
"""Maximum number of concepts linked by one paper: those of several words first, then the rarer ones."""
_PAPERS_KEPT = 3
"""Papers stored for each pair: the first ones, which are the best if papers are given best first."""
_HOP = 0.25
"""Cost of each step besides its weakness (0 to 2): small, or paths would use concepts that occur with everything."""
_SINGLE_WORD = 0.5
"""Additional cost of steps to and from a concept of one word: it has many meanings, and paths would change the
subject."""

Pair = tuple[int, int]
"""Numbers of two concepts, the lower first."""


@dataclass(frozen=True)
class Relation:
    """Two concepts that co-occur in papers. `association`: normalised pointwise mutual information, -1 to 1, 1 when
    neither occurs without the other. `papers`: some that show it.
    """

    first: str
    second: str
    together_in: int
    association: float
    papers: tuple[Paper, ...]


class ConceptGraph:
    """Concepts and the papers that link them. The same papers in the same order give the same graph."""

    def __init__(self, papers: Sequence[Paper], *, most: int = 2000, fewest: int = 2) -> None:
        """`most`: maximum number of concepts, the most frequent ones. Each is in `fewest` of `papers` or more, and in
        no more than half of them."""
        self._papers = papers
        found = concepts(papers, fewest)
        totals = Counter(chain.from_iterable(found))
        self.concepts = tuple(sorted(sorted(totals, key=lambda name: (-totals[name], name))[:most]))
        """In alphabetical order."""
        self._number = {name: number for number, name in enumerate(self.concepts)}
        self._totals = [totals[name] for name in self.concepts]
        self._papers_of: dict[Pair, list[int]] = {}
        self._together: Counter[Pair] = Counter()
        for place, names in enumerate(found):
            self._join(place, names)
        self._near = self._neighbours()

    def _join(self, place: int, names: Iterable[str]) -> None:
        numbers = [self._number[name] for name in names if name in self._number]
        numbers.sort(key=lambda one: (" " not in self.concepts[one], self._totals[one], one))
        for pair in combinations(sorted(numbers[:_PER_PAPER]), 2):
            self._together[pair] += 1
            papers_of = self._papers_of.setdefault(pair, [])
            if len(papers_of) < _PAPERS_KEPT:
                papers_of.append(place)

    def _neighbours(self) -> list[list[tuple[int, float]]]:
        """For each concept its neighbours and their distances."""
        near: list[list[tuple[int, float]]] = [[] for _ in self.concepts]
        for (one, other), _ in sorted(self._together.items()):
            words = sum(_SINGLE_WORD for number in (one, other) if " " not in self.concepts[number])
            distance = _HOP + words + 1 - self._association(one, other)
            near[one].append((other, distance))
            near[other].append((one, distance))
        return near

    def _association(self, one: int, other: int) -> float:
        """0 for two that co-occur as often as by chance."""
        count = len(self._papers)
        both = self._together[one, other] / count
        by_chance = self._totals[one] * self._totals[other] / count**2
        return math.log(both / by_chance) / -math.log(both)

    def joined(self) -> list[str]:
        """Concepts with at least one neighbour."""
        return [name for name, near in zip(self.concepts, self._near, strict=True) if near]

    def largest_component(self) -> list[str]:
        """Concepts of the largest connected component, in alphabetical order; of equal ones the first."""
        left, largest = set(self.joined()), list[str]()
        while len(left) > len(largest):
            part = self.steps_from(min(left)).keys()
            left -= part
            largest = max(largest, sorted(part), key=len)
        return largest

    def steps_from(self, start: str) -> dict[str, int]:
        """All concepts that can be reached from `start`, with the number of steps; `start` has 0.

        Raises KeyError for a concept that is not in the graph.
        """
        begin = self._number[start]
        steps, queue = {begin: 0}, deque([begin])
        while queue:
            here = queue.popleft()
            for other, _ in self._near[here]:
                if other not in steps:
                    steps[other] = steps[here] + 1
                    queue.append(other)
        return {self.concepts[number]: away for number, away in steps.items()}

    def shortest(self, start: str, end: str) -> list[str]:
        """The shortest path with both ends; ties in alphabetical order. Empty when there is none.

        Raises KeyError for a concept that is not in the graph.
        """
        begin, goal = self._number[start], self._number[end]
        reached: dict[int, float] = {begin: 0.0}
        before: dict[int, int] = {}
        queue = [(0.0, begin)]
        done: set[int] = set()
        while queue:
            far, here = heapq.heappop(queue)
            if here == goal:
                return self._names(before, begin, goal)
            if here in done:
                continue
            done.add(here)
            for other, distance in self._near[here]:
                if far + distance < reached.get(other, math.inf):
                    reached[other] = far + distance
                    before[other] = here
                    heapq.heappush(queue, (far + distance, other))
        return []

    def _names(self, before: dict[int, int], begin: int, goal: int) -> list[str]:
        way = [goal]
        while way[-1] != begin:
            way.append(before[way[-1]])
        return [self.concepts[number] for number in reversed(way)]

    def wandering(self, start: str, end: str, waypoints: int, rng: random.Random) -> list[str]:
        """A way past `waypoints` concepts that `rng` draws, by the shortest way from each to the next, never twice
        through the same; with none it is the shortest way. Empty when there is no way. Raises KeyError as `shortest`.
        """
        between = sorted(self.steps_from(start).keys() - {start, end})
        drawn = rng.sample(between, min(waypoints, len(between)))
        way = [start]
        for leg_begin, leg_end in pairwise([start, *drawn, end]):
            leg = self.shortest(leg_begin, leg_end)
            if not leg:
                return []
            way += leg[1:]
        return without_loops(way)

    def relation(self, first: str, second: str) -> Relation:
        """The relation of two neighbours. Raises KeyError for concepts that do not co-occur."""
        one, other = sorted((self._number[first], self._number[second]))
        papers = tuple(self._papers[place] for place in self._papers_of[one, other])
        return Relation(first, second, self._together[one, other], self._association(one, other), papers)


def without_loops(way: Sequence[str]) -> list[str]:
    """The path without loops."""
    last = {name: place for place, name in enumerate(way)}
    kept, place = [], 0
    while place < len(way):
        kept.append(way[place])
        place = last[way[place]] + 1
    return kept
