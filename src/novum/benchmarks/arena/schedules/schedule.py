"""Which pairs are judged next: a schedule works in batches, each of which follows from the results of those before.

It is a pure function from the results so far to the next pairings. The same results give the same pairings, in whatever
order they arrived, so that a resumed run sends the requests it would have sent. A batch is as large as possible without
choosing much worse.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Generic, Protocol, TypeVar

import numpy as np

from novum.core.arrays import Bools, Floats, Ints
from novum.core.comparison import ComparisonKind, JudgedPair
from novum.statistics.games import AVERAGE, games_of


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two entrants to compare on one topic, in both orders and by every judge. Their order here has no meaning."""

    topic: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class PairingResult:
    """The outcome of a pairing. Raises ValueError for a score out of bounds."""

    pairing: Pairing
    scores: Mapping[str, float]
    """Score of the first entrant by criterion, or for `average`: 1 a win, 0.5 a tie, the mean over judges. Empty when
    the pairing failed: it carries no information and is not requested again.
    """

    def __post_init__(self) -> None:
        if wrong := next((name for name, score in self.scores.items() if not 0 <= score <= 1), ""):
            raise ValueError(f"the score by {wrong} is a share from 0 to 1, not {self.scores[wrong]:g}")


@dataclass(frozen=True)
class PairingSpace:
    """The pairings that are possible: all pairs of entrants on all topics, except forfeits.

    Raises ValueError for fewer than two entrants, no topic, or a duplicate name.
    """

    entrants: tuple[str, ...]
    topics: tuple[str, ...]
    forfeits: frozenset[tuple[str, str]] = frozenset()
    """(topic, entrant) without anything to compare."""

    def __post_init__(self) -> None:
        if len(self.entrants) < 2 or not self.topics:
            raise ValueError(f"{len(self.entrants)} entrants on {len(self.topics)} topics: two and one are needed")
        if len(set(self.entrants)) < len(self.entrants) or len(set(self.topics)) < len(self.topics):
            raise ValueError("two entrants or two topics have the same name")

    @cached_property
    def present(self) -> Bools:
        """Entrants × topics: whether there is an entry."""
        return np.array([[(topic, name) not in self.forfeits for topic in self.topics] for name in self.entrants])

    @cached_property
    def pairings(self) -> int:
        """Number of possible pairings."""
        there = self.present.sum(axis=0)
        return int((there * (there - 1) // 2).sum())


State = TypeVar("State")
PairingBatch = Ints
"""Pairings × 3: positions of the topic and of two entrants, the lower one first."""


class PairingStrategy(Protocol[State]):
    """How a schedule chooses. States are immutable: `learn` returns a new one."""

    @property
    def takes_any(self) -> bool:
        """Whether it can learn from pairings that it did not choose."""

    def start(self) -> State:
        """The state before the first batch."""

    def choose(self, state: State) -> PairingBatch:
        """The next batch; empty when nothing is left to learn."""

    def learn(self, state: State, batch: PairingBatch, scores: Floats) -> State:
        """The state after a batch. `scores`: pairings × criteria, of the first entrant; NaN where there is none."""

    def enough(self, state: State) -> str:
        """Why no more pairings are chosen, for users; a number of pairings is added to it."""


@dataclass(frozen=True)
class _Progress(Generic[State]):
    """The state learned from `requested` pairings, and the current batch."""

    state: State
    requested: int
    batch: PairingBatch
    cut: bool
    """Whether the budget was smaller than a batch."""


class PairSchedule(Generic[State]):
    """A strategy for one pairing space. It caches its progress, which changes no result."""

    def __init__(
        self,
        space: PairingSpace,
        strategy: PairingStrategy[State],
        criteria: Sequence[str] = (),
        budget: int | None = None,
    ) -> None:
        self.space, self.strategy, self.budget = space, strategy, budget
        self.criteria = tuple(criteria) or (AVERAGE,)
        """The scores that are learned from."""
        self._topics = {name: place for place, name in enumerate(space.topics)}
        self._entrants = {name: place for place, name in enumerate(space.entrants)}
        self._past: list[tuple[PairingBatch, Floats]] = []
        self._now: _Progress[State] = self._beginning()

    def next_pairs(self, results: Iterable[PairingResult]) -> tuple[Pairing, ...]:
        """The pairings to judge now: those of the current batch without a result, otherwise the next batch.

        Empty when the schedule is finished. Results on other topics or of other entrants are ignored. Results of
        pairings that it did not choose (an entrant forfeited then, and no longer does) count for the adaptive schedule,
        and no schedule requests them again.
        """
        known, names = self._known(results), self.space
        return tuple(
            Pairing(names.topics[topic], names.entrants[first], names.entrants[second])
            for topic, first, second in _questions(self._progress(known).batch)
            if (topic, first, second) not in known
        )

    def finished(self, results: Iterable[PairingResult]) -> str:
        """Why no more pairings are chosen; empty while there are some."""
        progress = self._progress(self._known(results))
        if len(progress.batch):
            return ""
        reason = "the budget is spent" if progress.cut else self.strategy.enough(progress.state)
        return f"{reason} after {progress.requested:,} of {self.space.pairings:,} pairings"

    def _progress(self, known: _Known) -> _Progress[State]:
        if not all(_same(known, *step) for step in self._past):
            self._past, self._now = [], self._beginning()
        while len(self._now.batch) and not _unknown(known, self._now.batch):
            batch = self._now.batch
            self._past.append((batch, _scores_of(known, batch)))
            self._now = self._after(self._now, *self._past[-1])
        current = len(self._now.batch) - len(_unknown(known, self._now.batch))
        others = len(known) - self._now.requested - current
        return self._from_all(known) if others and self.strategy.takes_any else self._now

    def _from_all(self, known: _Known) -> _Progress[State]:
        """The progress as if all known results had been one batch."""
        batch = np.array(sorted(known), dtype=np.int64)
        return self._after(replace(self._beginning(), cut=False), batch, _scores_of(known, batch))

    def _beginning(self) -> _Progress[State]:
        return self._choosing(self.strategy.start(), 0, cut=False)

    def _after(self, before: _Progress[State], batch: PairingBatch, scores: Floats) -> _Progress[State]:
        state = self.strategy.learn(before.state, batch, scores)
        return self._choosing(state, before.requested + len(batch), cut=before.cut)

    def _choosing(self, state: State, requested: int, *, cut: bool) -> _Progress[State]:
        batch = self.strategy.choose(state)
        left = len(batch) if self.budget is None else max(self.budget - requested, 0)
        return _Progress(state, requested, batch[:left], cut or len(batch) > left)

    def _known(self, results: Iterable[PairingResult]) -> _Known:
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
"""The scores of each pairing that has a result, by positions."""


def _questions(batch: PairingBatch) -> list[_Question]:
    return [(topic, first, second) for topic, first, second in batch.tolist()]


def _unknown(known: _Known, batch: PairingBatch) -> list[_Question]:
    return [each for each in _questions(batch) if each not in known]


def _scores_of(known: _Known, batch: PairingBatch) -> Floats:
    return np.array([known[each] for each in _questions(batch)], dtype=float)


def _same(known: _Known, batch: PairingBatch, scores: Floats) -> bool:
    """Whether the results that were learned from are unchanged."""
    return not _unknown(known, batch) and np.array_equal(_scores_of(known, batch), scores, equal_nan=True)


def mean_scores(scores: Floats) -> Floats:
    """The mean of each row over the criteria that have a score; NaN where none has."""
    there = np.isfinite(scores)
    count = there.sum(axis=1)
    mean: Floats = np.where(count > 0, np.where(there, scores, 0.0).sum(axis=1) / np.maximum(count, 1), np.nan)
    return mean


def pairing_results(
    judged_pairs: Iterable[JudgedPair], kind: ComparisonKind, criteria: Sequence[str] = ()
) -> list[PairingResult]:
    """The result of each pairing by `criteria`, by default their average; the two orders combined as for ratings."""
    of_kind = [judged for judged in judged_pairs if judged.kind == kind]
    scores: dict[tuple[str, frozenset[str]], dict[str, float]] = {}
    named: dict[tuple[str, frozenset[str]], Pairing] = {}
    for judged in of_kind:
        key = judged.topic, frozenset((judged.first, judged.second))
        named.setdefault(key, Pairing(judged.topic, judged.first, judged.second))
    for criterion in tuple(criteria) or (AVERAGE,):
        for key, score in _scores(of_kind, kind, criterion, named).items():
            scores.setdefault(key, {})[criterion] = score
    return [PairingResult(pairing, scores.get(key, {})) for key, pairing in named.items()]


def _scores(
    judged_pairs: Sequence[JudgedPair],
    kind: ComparisonKind,
    criterion: str,
    named: Mapping[tuple[str, frozenset[str]], Pairing],
) -> dict[tuple[str, frozenset[str]], float]:
    """Weighted mean of the games of each pairing, of its first entrant."""
    found = games_of(judged_pairs, kind, criterion)
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
