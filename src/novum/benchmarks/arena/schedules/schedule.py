"""Which pairs are judged next: a schedule goes in batches, each of which follows from the results of those before.

It asks nobody and keeps nothing: results so far in, the next questions out. The same results give the same questions,
in whatever order they came in, so that a run which is taken up again asks what it would have asked. A batch is as large
as can be asked at once without choosing much worse.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from novum.core.comparison import JudgedPair, Kind
from novum.statistics.games import AVERAGE, settled

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two entrants to be compared on one topic: in both orders, by every judge. Who is named first means nothing."""

    topic: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a pairing. Raises ValueError for a score out of bounds."""

    pairing: Pairing
    scores: Mapping[str, float]
    """By criterion, or for `average`: the share of its first entrant, 1 a win, 0.5 a tie, the mean over judges. Without
    any, the pairing has failed: it tells nothing, and is not asked again.
    """

    def __post_init__(self) -> None:
        if wrong := next((name for name, score in self.scores.items() if not 0 <= score <= 1), ""):
            raise ValueError(f"the score by {wrong} is a share from 0 to 1, not {self.scores[wrong]:g}")


@dataclass(frozen=True)
class Field:
    """Who can meet on what. Raises ValueError for fewer than two entrants, no topic, or a name that is there twice."""

    entrants: tuple[str, ...]
    topics: tuple[str, ...]
    forfeits: frozenset[tuple[str, str]] = frozenset()
    """(topic, entrant): nothing was handed in, so there is nothing to compare."""

    def __post_init__(self) -> None:
        if len(self.entrants) < 2 or not self.topics:
            raise ValueError(f"{len(self.entrants)} entrants on {len(self.topics)} topics: two and one are needed")
        if len(set(self.entrants)) < len(self.entrants) or len(set(self.topics)) < len(self.topics):
            raise ValueError("two entrants or two topics have the same name")

    @cached_property
    def present(self) -> Bools:
        """Entrants × topics: who handed something in."""
        return np.array([[(topic, name) not in self.forfeits for topic in self.topics] for name in self.entrants])

    @cached_property
    def pairings(self) -> int:
        """How many there are."""
        there = self.present.sum(axis=0)
        return int((there * (there - 1) // 2).sum())


State = TypeVar("State")
Batch = Ints
"""Questions × 3: places of the topic and of two entrants, the lower one first."""


class Strategy(Protocol[State]):
    """The way a schedule chooses. States are values: `learn` makes a new one."""

    @property
    def takes_any(self) -> bool:
        """Whether it can learn from pairings that it did not choose."""

    def start(self) -> State:
        """Before anything was asked."""

    def choose(self, state: State) -> Batch:
        """The next batch; without questions, when there is nothing left to learn."""

    def learn(self, state: State, batch: Batch, scores: Floats) -> State:
        """After the whole batch. `scores`: questions × criteria, of the first of the two; NaN where there is none."""

    def enough(self, state: State) -> str:
        """Why nothing more is chosen, for people."""


@dataclass(frozen=True)
class _Reached(Generic[State]):
    """How far it is: what was learned from so many pairings, and what is to be asked now."""

    state: State
    asked: int
    batch: Batch
    cut: bool
    """The budget was smaller than a batch."""


class PairSchedule(Generic[State]):
    """A strategy on a field. What it is asked twice, it remembers, which changes no answer."""

    def __init__(
        self, field: Field, strategy: Strategy[State], criteria: Sequence[str] = (), budget: int | None = None
    ) -> None:
        self.field, self.strategy, self.budget = field, strategy, budget
        self.criteria = tuple(criteria) or (AVERAGE,)
        """What results are learned from."""
        self._topics = {name: place for place, name in enumerate(field.topics)}
        self._entrants = {name: place for place, name in enumerate(field.entrants)}
        self._past: list[tuple[Batch, Floats]] = []
        self._at: _Reached[State] = self._beginning()

    def next_pairs(self, results: Iterable[Result]) -> tuple[Pairing, ...]:
        """What is to be asked now: of the batch that is under way, what has no result yet, else the next batch.

        Nothing when it is finished. Results on other topics or of other entrants are not looked at. Those of pairings
        that it did not choose (somebody forfeited then, and does no more) count for the adaptive schedule all the same,
        and no schedule asks for them again.
        """
        known, names = self._known(results), self.field
        return tuple(
            Pairing(names.topics[topic], names.entrants[first], names.entrants[second])
            for topic, first, second in _questions(self._reached(known).batch)
            if (topic, first, second) not in known
        )

    def finished(self, results: Iterable[Result]) -> str:
        """Why nothing more is asked; empty while something is."""
        reached = self._reached(self._known(results))
        if len(reached.batch):
            return ""
        asked = f"after {reached.asked:,} of {self.field.pairings:,} pairings"
        return f"{'the budget is spent' if reached.cut else self.strategy.enough(reached.state)} {asked}"

    def _reached(self, known: _Known) -> _Reached[State]:
        if not all(_same(known, *step) for step in self._past):
            self._past, self._at = [], self._beginning()
        while len(self._at.batch) and not _unknown(known, self._at.batch):
            batch = self._at.batch
            self._past.append((batch, _scores_of(known, batch)))
            self._at = self._after(self._at, *self._past[-1])
        under_way = len(self._at.batch) - len(_unknown(known, self._at.batch))
        strays = len(known) - self._at.asked - under_way
        return self._adopted(known) if strays and self.strategy.takes_any else self._at

    def _adopted(self, known: _Known) -> _Reached[State]:
        """As if all that is known had been one batch."""
        batch = np.array(sorted(known), dtype=np.int64)
        return self._after(replace(self._beginning(), cut=False), batch, _scores_of(known, batch))

    def _beginning(self) -> _Reached[State]:
        return self._choosing(self.strategy.start(), 0, cut=False)

    def _after(self, before: _Reached[State], batch: Batch, scores: Floats) -> _Reached[State]:
        state = self.strategy.learn(before.state, batch, scores)
        return self._choosing(state, before.asked + len(batch), cut=before.cut)

    def _choosing(self, state: State, asked: int, *, cut: bool) -> _Reached[State]:
        batch = self.strategy.choose(state)
        left = len(batch) if self.budget is None else max(self.budget - asked, 0)
        return _Reached(state, asked, batch[:left], cut or len(batch) > left)

    def _known(self, results: Iterable[Result]) -> _Known:
        known: dict[_Question, tuple[float, ...]] = {}
        for result in results:
            topic = self._topics.get(result.pairing.topic)
            first, second = (self._entrants.get(name) for name in (result.pairing.first, result.pairing.second))
            if topic is None or first is None or second is None or first == second:
                continue
            scores = [result.scores.get(name, np.nan) for name in self.criteria]
            if first > second:
                first, second, scores = second, first, [1 - score for score in scores]
            known[topic, first, second] = tuple(scores)
        return known


_Question = tuple[int, int, int]
_Known = Mapping[_Question, tuple[float, ...]]
"""The scores of each question that has a result."""


def _questions(batch: Batch) -> list[_Question]:
    return [(topic, first, second) for topic, first, second in batch.tolist()]


def _unknown(known: _Known, batch: Batch) -> list[_Question]:
    return [each for each in _questions(batch) if each not in known]


def _scores_of(known: _Known, batch: Batch) -> Floats:
    return np.array([known[each] for each in _questions(batch)], dtype=float)


def _same(known: _Known, batch: Batch, scores: Floats) -> bool:
    """Whether the results that were learned from are those that there are now."""
    return not _unknown(known, batch) and np.array_equal(_scores_of(known, batch), scores, equal_nan=True)


def mean_scores(scores: Floats) -> Floats:
    """The mean of each row over the criteria that have a score; NaN where none has."""
    there = np.isfinite(scores)
    count = there.sum(axis=1)
    mean: Floats = np.where(count > 0, np.where(there, scores, 0.0).sum(axis=1) / np.maximum(count, 1), np.nan)
    return mean


def results_of(bouts: Iterable[JudgedPair], kind: Kind, criteria: Sequence[str] = ()) -> list[Result]:
    """What bouts say of each pairing, orders settled as ratings have them; without criteria, of all together."""
    asked = [bout for bout in bouts if bout.kind == kind]
    scores: dict[tuple[str, frozenset[str]], dict[str, float]] = {}
    named: dict[tuple[str, frozenset[str]], Pairing] = {}
    for bout in asked:
        key = bout.topic, frozenset((bout.first, bout.second))
        named.setdefault(key, Pairing(bout.topic, bout.first, bout.second))
    for criterion in tuple(criteria) or (AVERAGE,):
        for key, score in _scores(asked, kind, criterion, named).items():
            scores.setdefault(key, {})[criterion] = score
    return [Result(pairing, scores.get(key, {})) for key, pairing in named.items()]


def _scores(
    bouts: Sequence[JudgedPair], kind: Kind, criterion: str, named: Mapping[tuple[str, frozenset[str]], Pairing]
) -> dict[tuple[str, frozenset[str]], float]:
    """Weighted mean of the games of each pairing, for its first entrant."""
    found = settled(bouts, kind, criterion)
    games = found.games
    groups = itertools.repeat(0) if games.group is None else games.group.tolist()
    sums: dict[tuple[str, frozenset[str]], tuple[float, float]] = {}
    columns = (groups, games.first.tolist(), games.second.tolist(), games.outcome.tolist(), games.weights.tolist())
    for group, first, second, outcome, weight in zip(*columns, strict=False):
        one, other = games.players[first], games.players[second]
        key = found.topics[group], frozenset((one, other))
        score = outcome if named[key].first == one else 1 - outcome
        won, of = sums.get(key, (0.0, 0.0))
        sums[key] = won + weight * score, of + weight
    return {key: won / of for key, (won, of) in sums.items()}
