"""Swiss: everyone meets one opponent on each topic, of about its own standing; new opponents after some topics.

n entrants on t topics take some t n / 2 pairings, where round robin takes n - 1 times as many. The standing is the
share of points so far, so a forfeit, a bye or a judge that failed neither lifts nor sinks anyone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from novum.benchmarks.arena.schedules.schedule import Batch, Bools, Floats, Ints, mean_scores
from novum.statistics.tournament import Round, Standings, swiss_round

_AT_ONCE = 50
"""Pairings of a round, at least where there are topics enough: in two orders, a hundred questions in flight."""


@dataclass(frozen=True, eq=False)
class _Played:
    """So many rounds, and what became of them."""

    rounds: int
    standings: Standings
    asked: Bools
    """Topics × entrants × entrants, the lower one first."""


@dataclass(frozen=True, eq=False)
class Swiss:
    """`laps`: how often all topics are gone through; None: once, or often enough for log2 n + 2 rounds. `legs`: topics
    of one round; None: as many as make a batch worth asking, though not fewer than log2 n + 2 rounds.
    """

    present: Bools
    """Entrants × topics."""
    seed: int = 0
    laps: int | None = None
    legs: int | None = None
    takes_any: ClassVar[bool] = False

    @property
    def _enough_rounds(self) -> int:
        return math.ceil(math.log2(len(self.present))) + 2

    @cached_property
    def blocks(self) -> list[Ints]:
        """The topics of each round."""
        entrants, topics = self.present.shape
        wanted = math.ceil(_AT_ONCE / (entrants // 2))
        legs = self.legs or max(1, min(wanted, topics // self._enough_rounds))
        blocks = math.ceil(topics / legs)
        laps = self.laps or max(1, min(math.ceil(self._enough_rounds / blocks), entrants - 1))
        order = np.random.default_rng(self.seed).permutation(topics)
        return [block for _ in range(laps) for block in np.array_split(order, blocks)]

    def start(self) -> _Played:
        entrants, topics = self.present.shape
        return _Played(0, Standings.at_start(entrants), np.zeros((topics, entrants, entrants), dtype=bool))

    def choose(self, state: _Played) -> Batch:
        return self._next(state)[1]

    def learn(self, state: _Played, batch: Batch, scores: Floats) -> _Played:
        before, _, round_ = self._next(state)
        topic, first, second = batch.T
        asked = before.asked.copy()
        asked[topic, first, second] = True
        points = mean_scores(scores)
        return _Played(before.rounds + 1, _with(before.standings, round_, batch, points), asked)

    def enough(self, state: _Played) -> str:
        return f"all {len(self.blocks)} rounds were played,"

    def _next(self, state: _Played) -> tuple[_Played, Batch, Round]:
        """The round to come; rounds in which all pairs forfeit or have met on all topics of theirs are passed over."""
        none = np.empty((0, 3), dtype=np.int64)
        while state.rounds < len(self.blocks):
            round_ = swiss_round(state.standings, np.random.default_rng((self.seed, state.rounds)))
            batch = self._batch(state, round_)
            if len(batch):
                return state, batch, round_
            standings = _with(state.standings, round_, none, np.empty(0))
            state = replace(state, rounds=state.rounds + 1, standings=standings)
        return state, none, Round(())

    def _batch(self, state: _Played, round_: Round) -> Batch:
        first, second = np.sort(np.array(round_.pairs, dtype=np.int64), axis=1).T
        topics = self.blocks[state.rounds]
        open_ = self.present[first][:, topics] & self.present[second][:, topics]
        open_ &= ~state.asked[topics[None, :], first[:, None], second[:, None]]
        pair, topic = np.nonzero(open_)
        return np.column_stack([topics[topic], first[pair], second[pair]])


def _with(standings: Standings, round_: Round, batch: Batch, points: Floats) -> Standings:
    """A round of several legs is one meeting; every leg with a result is a match."""
    met = standings.after(round_, [None] * len(round_.pairs))
    kept = np.isfinite(points)
    (_, first, second), points = batch[kept].T, points[kept]
    size = len(standings.points)
    won = np.bincount(first, points, size) + np.bincount(second, 1 - points, size)
    played = np.bincount(first, minlength=size) + np.bincount(second, minlength=size)
    return replace(met, points=met.points + won, played=met.played + played)
