"""One schedule in one simulated arena, looked at after every batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from figures.arena_simulation import Floats, Ints, World, kendall
from novum.benchmarks.arena.schedules.adaptive import Adaptive
from novum.benchmarks.arena.schedules.round_robin import RoundRobin
from novum.benchmarks.arena.schedules.swiss import Swiss
from novum.statistics.games import Games
from novum.statistics.ranking_posterior import Comparisons, ranking_posterior

TAU, LOOKS, LEVEL = 0.95, 3, 0.95
"""Kendall's tau with the truth that counts, looks in a row that must show it, and the level to stop at."""


@dataclass(frozen=True)
class Look:
    """How far it was after one batch."""

    judgements: int
    tau: float
    """With the truth."""
    expected: float
    """Of the posterior: what the schedule itself can know."""


@dataclass
class Course:
    """All looks, and what was judged."""

    world: World
    looks: list[Look] = field(default_factory=list)
    batches: list[Ints] = field(default_factory=list)
    scores: list[Floats] = field(default_factory=list)

    @property
    def reached(self) -> float:
        """Judgements at the first of several looks in a row that are all good enough; infinite where there are none."""
        good = [look.tau >= TAU for look in self.looks]
        starts = (at for at in range(len(good) - LOOKS + 1) if all(good[at : at + LOOKS]))
        at = next(starts, None)
        return np.inf if at is None else self.looks[at].judgements

    @property
    def stop(self) -> int | None:
        """Number of the look at which it is sure by itself."""
        return next((at for at, look in enumerate(self.looks) if look.expected >= LEVEL), None)

    @property
    def end(self) -> int:
        """Number of the look at which the schedule would have ended by itself."""
        return len(self.looks) - 1 if self.stop is None else self.stop

    def games(self, look: int) -> Games:
        """All that was judged until then."""
        upto = slice(0, look + 1)
        return self.world.games(np.concatenate(self.batches[upto]), np.concatenate(self.scores[upto]))

    @property
    def done(self) -> bool:
        return self.stop is not None and np.isfinite(self.reached)


def follow(world: World, batches: Callable[[World], Iterator[tuple[Ints, Floats]]]) -> Course:
    """A schedule until its ranking is good enough and sure, or everything was asked."""
    course = Course(world)
    known, strengths, asked = Comparisons.none(world.entrants), None, 0
    for batch, scores in batches(world):
        known += Comparisons.of(world.entrants, batch[:, 1], batch[:, 2], scores)
        posterior = ranking_posterior(known, start=strengths)
        strengths, asked = posterior.strengths, asked + len(batch)
        course.batches.append(batch)
        course.scores.append(scores)
        course.looks.append(Look(asked, kendall(world.truth, strengths), posterior.expected_tau()))
        if course.done:
            break
    return course


def adaptive(world: World) -> Iterator[tuple[Ints, Floats]]:
    """As it chooses, with no level to stop at."""
    strategy = Adaptive(_everyone(world), world.seed, level=1.0)
    state = strategy.start()
    while len(batch := strategy.choose(state)):
        scores = world.judged(batch)
        state = strategy.learn(state, batch, scores[:, None])
        yield batch, scores


def swiss(world: World) -> Iterator[tuple[Ints, Floats]]:
    """Lap after lap, with new opponents after ten topics."""
    strategy = Swiss(_everyone(world), world.seed, laps=world.entrants - 1, legs=10)
    state = strategy.start()
    while len(batch := strategy.choose(state)):
        scores = world.judged(batch)
        state = strategy.learn(state, batch, scores[:, None])
        yield batch, scores


def shuffled(world: World) -> Iterator[tuple[Ints, Floats]]:
    """Round robin, in batches as large as those of the adaptive schedule."""
    strategy = RoundRobin(_everyone(world), world.seed)
    every = strategy.choose(strategy.start())
    asked = 0
    while asked < len(every):
        batch = every[asked : asked + max(50, world.entrants, asked // 16)]
        asked += len(batch)
        yield batch, world.judged(batch)


def _everyone(world: World) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    return np.ones((world.entrants, world.topics), dtype=bool)
