"""Arenas whose truth is known: judges are noisy, prefer the first seat, and may say tie.

A judge takes the first of two for the better one, for equal, or for the worse one in the proportions exp(u / 2) : ν :
exp(-u / 2), where u is the difference of the strengths and the help of the first seat. Both orders are asked, each with
noise of its own; two that disagree are a tie. With ν = 0, settled wins, ties and losses are in the proportions exp(d) :
exp(b) + exp(-b) : exp(-d), with d the difference of the strengths and b the help of the seat. That is the model of the
ratings, on whose scale strengths are twice those of one order. Judges who say tie themselves are not quite of that
model, though the odds of a settled win are the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from novum.statistics.games import Games

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SPREAD = 1.0
"""Standard deviation of strengths in natural units of one order, so about as much as the noise; 347 Elo points on the
scale of settled games."""
SEAT = 0.5
"""What the first seat is worth: of two equals it wins 62%."""


@dataclass(frozen=True)
class World:
    """One truth, and one judge of it."""

    entrants: int
    topics: int
    seed: int
    drawn: bool = False
    """Strengths drawn from a normal distribution, with some nearly equal, instead of spread evenly over it."""
    ties: float = 0.0
    """ν of one order."""

    def again(self) -> World:
        """The same truth, with the judge's noise from the beginning."""
        return replace(self)

    @cached_property
    def rng(self) -> np.random.Generator:
        """Where judges' noise comes from."""
        return np.random.default_rng((self.seed, self.entrants, 1))

    @cached_property
    def truth(self) -> Floats:
        """(n,), on the scale of settled games, mean 0."""
        rng = np.random.default_rng((self.seed, self.entrants))
        if self.drawn:
            strengths = rng.standard_normal(self.entrants)
        else:
            shares = (np.arange(self.entrants) + 0.5) / self.entrants
            strengths = rng.permutation([NormalDist().inv_cdf(share) for share in shares])
        truth: Floats = 2 * SPREAD * (strengths - strengths.mean())
        return truth

    @property
    def pairings(self) -> int:
        """Of full round robin."""
        return self.entrants * (self.entrants - 1) // 2 * self.topics

    @cached_property
    def _settled(self) -> tuple[Floats, Floats]:
        """(n, n): the chances that the row wins in both orders, and that it loses in both."""
        apart = (self.truth[:, None] - self.truth[None, :]) / 2
        (won, lost), (won_back, lost_back) = (_order(apart + seat, self.ties) for seat in (SEAT, -SEAT))
        return won * won_back, lost * lost_back

    def judged(self, batch: Ints) -> Floats:
        """Scores of a batch of questions × (topic, first, second): 1, 0.5 or 0 for the first."""
        _, first, second = batch.T
        won, lost = (chances[first, second] for chances in self._settled)
        drawn = self.rng.random(len(batch))
        scores: Floats = np.where(drawn < won, 1.0, np.where(drawn < won + lost, 0.0, 0.5))
        return scores

    def games(self, batch: Ints, scores: Floats) -> Games:
        """What ratings are made from."""
        topic, first, second = batch.T
        names = tuple(f"e{number}" for number in range(self.entrants))
        return Games(players=names, first=first, second=second, outcome=scores, group=topic)


def _order(apart: Floats, ties: float) -> tuple[Floats, Floats]:
    won, lost = np.exp(apart / 2), np.exp(-apart / 2)
    total = won + lost + ties
    return won / total, lost / total


def kendall(truth: Floats, strengths: Floats) -> float:
    """Kendall's tau of two rankings: the share of pairs in the same order less that of the others."""
    rows, columns = np.triu_indices(len(truth), 1)
    same = np.sign(truth[rows] - truth[columns]) * np.sign(strengths[rows] - strengths[columns])
    return float(same.mean())
