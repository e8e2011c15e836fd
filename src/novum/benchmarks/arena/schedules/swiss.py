"""Swiss: on each topic an entrant is compared with one opponent of similar standing; opponents change between rounds.

n entrants on t topics take about t n / 2 pairings; round robin takes n - 1 times as many. The standing is the share of
points so far, so that a forfeit, a bye or a failed judge changes no standing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from novum.benchmarks.arena.schedules.schedule import PairingBatch, mean_scores
from novum.core.arrays import Bools, Floats, Ints
from novum.statistics.tournament import Standings, SwissRound, swiss_round

_AT_ONCE = 50
"""Least number of pairings in a round when there are topics enough: in two orders, a hundred requests in flight."""


@dataclass(frozen=True, eq=False)
class _SwissState:
    """The rounds played so far."""

    rounds: int
    standings: Standings
    requested: Bools
    """Topics × entrants × entrants, the lower one first."""


@dataclass(frozen=True, eq=False)
class Swiss:
    """`laps`: how often all topics are used; None: once, or often enough for log2 n + 2 rounds. `legs`: topics of one
    round; None: enough for a batch of reasonable size, but few enough for log2 n + 2 rounds.
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

    def start(self) -> _SwissState:
        entrants, topics = self.present.shape
        return _SwissState(0, Standings.at_start(entrants), np.zeros((topics, entrants, entrants), dtype=bool))

    def choose(self, state: _SwissState) -> PairingBatch:
        return self._next(state)[1]

    def learn(self, state: _SwissState, batch: PairingBatch, scores: Floats) -> _SwissState:
        before, _, round_ = self._next(state)
        topic, first, second = batch.T
        requested = before.requested.copy()
        requested[topic, first, second] = True
        points = mean_scores(scores)
        return _SwissState(before.rounds + 1, _with(before.standings, round_, batch, points), requested)

    def enough(self, state: _SwissState) -> str:
        return f"all {len(self.blocks)} rounds were played,"

    def _next(self, state: _SwissState) -> tuple[_SwissState, PairingBatch, SwissRound]:
        """The next round, skipping rounds in which every pair forfeits or was compared on all topics before."""
        none = np.empty((0, 3), dtype=np.int64)
        while state.rounds < len(self.blocks):
            round_ = swiss_round(state.standings, np.random.default_rng((self.seed, state.rounds)))
            batch = self._batch(state, round_)
            if len(batch):
                return state, batch, round_
            standings = _with(state.standings, round_, none, np.empty(0))
            state = replace(state, rounds=state.rounds + 1, standings=standings)
        return state, none, SwissRound(())

    def _batch(self, state: _SwissState, round_: SwissRound) -> PairingBatch:
        first, second = np.sort(np.array(round_.pairs, dtype=np.int64), axis=1).T
        topics = self.blocks[state.rounds]
        open_ = self.present[first][:, topics] & self.present[second][:, topics]
        open_ &= ~state.requested[topics[None, :], first[:, None], second[:, None]]
        pair, topic = np.nonzero(open_)
        return np.column_stack([topics[topic], first[pair], second[pair]])


def _with(standings: Standings, round_: SwissRound, batch: PairingBatch, points: Floats) -> Standings:
    """Standings after a round: its pairs have met once, and every topic with a result is a match."""
    met = standings.after(round_, [None] * len(round_.pairs))
    finite = np.isfinite(points)
    (_, first, second), points = batch[finite].T, points[finite]
    size = len(standings.points)
    won = np.bincount(first, points, size) + np.bincount(second, 1 - points, size)
    played = np.bincount(first, minlength=size) + np.bincount(second, minlength=size)
    return replace(met, points=met.points + won, played=met.played + played)
