"""Adaptive: asks next where an answer is worth most for the ranking, and stops when the ranking is sure enough.

What one more judgement of a pair is worth follows from the posterior of all strengths. Its Fisher information p (1 - p)
shrinks the variances of all differences, not only of its own; each difference counts by how unsure its order still is,
which is next to nothing for two that are far apart. Within a batch, what was chosen counts as if it had been answered
already, so that not all of it goes to one pair.

The ranking is sure when the expected Kendall's tau with the true one, under the posterior, has reached a level: at 0.95
and ten entrants, when about one pair of 45 is expected to stand in the wrong order. With several criteria, on each.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from novum.benchmarks.arena.schedules.schedule import Batch, Bools, Floats, Ints
from novum.statistics.ranking_posterior import Comparisons, RankingPosterior, differences, ranking_posterior, tail

_AT_ONCE = 50
"""Pairings of a batch, at least: in two orders, a hundred questions in flight."""
_GROWTH = 16
"""A batch is at least this part of what was asked before: to choose more often would change little."""
_WORTHWHILE = 0.5
"""A pair joins a round only if it is worth this part of the best."""


@dataclass(frozen=True, eq=False)
class Learned:
    """What was asked, and what is known from it."""

    asked: Bools
    """Topics × entrants × entrants, the lower one first."""
    comparisons: tuple[Comparisons, ...]
    """For each criterion."""
    posteriors: tuple[RankingPosterior, ...]
    answered: Ints
    """(n, n), symmetric: pairings with a result."""


@dataclass(frozen=True, eq=False)
class Adaptive:
    """`level`: expected Kendall's tau at which it stops, to 1; at 1 it goes on until everything was asked."""

    present: Bools
    """Entrants × topics."""
    seed: int = 0
    criteria: int = 1
    level: float = 0.95
    batch: int = _AT_ONCE
    takes_any: ClassVar[bool] = True

    def start(self) -> Learned:
        entrants, topics = self.present.shape
        nothing = Comparisons.none(entrants)
        return Learned(
            asked=np.zeros((topics, entrants, entrants), dtype=bool),
            comparisons=(nothing,) * self.criteria,
            posteriors=(ranking_posterior(nothing),) * self.criteria,
            answered=np.zeros((entrants, entrants), dtype=np.int64),
        )

    def choose(self, state: Learned) -> Batch:
        size = max(self.batch, len(self.present), int(state.asked.sum()) // _GROWTH)
        left = self._left(state)
        if not left.any() or self._sure(state):
            return np.empty((0, 3), dtype=np.int64)
        pairs = _Rounds(state, left, self._taste).pairs(size)
        return self._with_topics(state, pairs)

    def learn(self, state: Learned, batch: Batch, scores: Floats) -> Learned:
        topic, first, second = batch.T
        entrants = len(self.present)
        asked = state.asked.copy()
        asked[topic, first, second] = True
        comparisons = tuple(
            known + Comparisons.of(entrants, first, second, column)
            for known, column in zip(state.comparisons, scores.T, strict=True)
        )
        posteriors = tuple(
            ranking_posterior(each, start=known.strengths)
            for each, known in zip(comparisons, state.posteriors, strict=True)
        )
        told = np.isfinite(scores).any(axis=1)
        more = np.bincount(first[told] * entrants + second[told], minlength=entrants**2).reshape(entrants, entrants)
        return Learned(asked, comparisons, posteriors, state.answered + more + more.T)

    def enough(self, state: Learned) -> str:
        if self._sure(state):
            return f"the ranking is sure (Kendall's tau {self.sureness(state):.3f} expected, {self.level:g} wanted)"
        return f"every pair was judged on every topic (Kendall's tau {self.sureness(state):.3f} expected)"

    def sureness(self, state: Learned) -> float:
        """The expected tau, of the least sure criterion; of those who met anyone or still can."""
        playing = (self._left(state) + state.answered).sum(axis=1) > 0
        return min(posterior.expected_tau(playing) for posterior in state.posteriors)

    def _sure(self, state: Learned) -> bool:
        return bool(state.answered.any()) and self.level < 1 and self.sureness(state) >= self.level

    def _left(self, state: Learned) -> Ints:
        """(n, n), symmetric: topics on which two can still meet."""
        present = self.present.astype(np.int64)
        asked = state.asked.sum(axis=0)
        left: Ints = np.maximum(present @ present.T - asked - asked.T, 0)
        np.fill_diagonal(left, 0)
        return left

    @cached_property
    def _taste(self) -> Floats:
        """(n, n), symmetric, next to 1: decides between pairs that are worth the same, by the seed."""
        entrants = len(self.present)
        drawn = 1 + 1e-6 * np.random.default_rng(self.seed).random((entrants, entrants))
        return np.triu(drawn) + np.triu(drawn, 1).T

    @cached_property
    def _order(self) -> Ints:
        """Topics as they are taken from, all else equal."""
        return np.random.default_rng((self.seed, 1)).permutation(self.present.shape[1])

    def _with_topics(self, state: Learned, pairs: Sequence[tuple[int, int]]) -> Batch:
        """Each pair on a topic that is new to it, and that its two have been on least: one idea should not decide."""
        asked = state.asked.copy()
        used = (asked.sum(axis=1).T + asked.sum(axis=2).T).astype(float)
        batch = np.empty((len(pairs), 3), dtype=np.int64)
        for place, (first, second) in enumerate(pairs):
            free = self.present[first] & self.present[second] & ~asked[:, first, second]
            load = np.where(free, used[first] + used[second], np.inf)[self._order]
            topic = self._order[np.argmin(load)]
            asked[topic, first, second] = True
            used[[first, second], topic] += 1
            batch[place] = topic, first, second
        return batch


class _Rounds:
    """A batch in the making, in rounds: in each nobody plays twice, and after each what it will tell is counted in."""

    def __init__(self, state: Learned, left: Ints, taste: Floats) -> None:
        self.left = left.copy()
        asked = state.asked.sum(axis=0)
        # A pair on which judges keep failing is asked less and less.
        self.worth = taste * (state.answered + 1) / (asked + asked.T + 1)
        self.posteriors = state.posteriors
        self.precisions = [each.precision.copy() for each in state.posteriors]
        self.covariances = [each.covariance for each in state.posteriors]

    def pairs(self, size: int) -> list[tuple[int, int]]:
        """At most `size`, as many as there are."""
        chosen: list[tuple[int, int]] = []
        while len(chosen) < size and self.left.any():
            round_ = self._round()[: size - len(chosen)]
            first, second = np.array(round_, dtype=np.int64).T
            self.left[first, second] -= 1
            self.left[second, first] -= 1
            self._count_in(first, second)
            chosen += round_
        return chosen

    def _round(self) -> list[tuple[int, int]]:
        gain = np.where(self.left > 0, self.worth * self._gains(), -1.0)
        first, second = np.triu_indices(len(gain), 1)
        gains = gain[first, second]
        worthwhile = np.flatnonzero((gains >= 0) & (gains >= _WORTHWHILE * gains.max()))
        free = [True] * len(gain)
        found: list[tuple[int, int]] = []
        for place in worthwhile[np.argsort(-gains[worthwhile], kind="stable")]:
            one, other = int(first[place]), int(second[place])
            if free[one] and free[other]:
                free[one] = free[other] = False
                found.append((one, other))
        return found

    def _gains(self) -> Floats:
        gains = [gain(*each) for each in zip(self.posteriors, self.covariances, strict=True)]
        total: Floats = np.sum(gains, axis=0)
        return total

    def _count_in(self, first: Ints, second: Ints) -> None:
        for place, posterior in enumerate(self.posteriors):
            told = information(posterior, self.covariances[place])[first, second]
            precision = self.precisions[place]
            np.add.at(precision, (first, first), told)
            np.add.at(precision, (second, second), told)
            np.add.at(precision, (first, second), -told)
            np.add.at(precision, (second, first), -told)
            self.covariances[place] = np.linalg.inv(precision).astype(float, copy=False)


def information(posterior: RankingPosterior, covariance: Floats) -> Floats:
    """(n, n): the Fisher information about their difference that one more judgement of two is expected to bring."""
    # The mean of a logistic curve over a normal distribution is about the curve of a smaller difference (MacKay 1992).
    apart = posterior.apart / np.sqrt(1 + math.pi / 8 * differences(covariance))
    chance = 1 / (1 + np.exp(np.clip(np.abs(apart), 0, 30)))
    told: Floats = chance * (1 - chance) / posterior.dispersion
    return told


def importance(posterior: RankingPosterior, covariance: Floats) -> Floats:
    """(n, n): what a little less variance of each difference is worth; 0 on the diagonal.

    How unsure the order of the two is, e (1 - e) with the chance e that it is wrong, over the variance: so it is shares
    of a variance that count, and a close pair is not given up because it is known more exactly than others.
    """
    variance = differences(covariance)
    np.fill_diagonal(variance, 1.0)
    wrong = tail(np.abs(posterior.apart) / np.sqrt(variance))
    weight: Floats = wrong * (1 - wrong) / variance
    np.fill_diagonal(weight, 0.0)
    return weight


def gain(posterior: RankingPosterior, covariance: Floats) -> Floats:
    """(n, n): how much one more judgement of two is expected to lower the importance-weighted sum of the variances."""
    told = information(posterior, covariance)
    weight = importance(posterior, covariance)
    laplacian = np.diag(weight.sum(axis=1)) - weight
    spread = differences(covariance)
    lowered: Floats = told / (1 + told * spread) * differences(covariance @ laplacian @ covariance)
    return lowered
