"""Adaptive: chooses the pairs whose judgement helps the ranking most, and stops when the ranking is certain enough.

The value of one more judgement of a pair follows from the posterior of all strengths. Its Fisher information p (1 - p)
reduces the variances of all differences, not only of its own. Each difference counts by how uncertain its order still
is, which is almost nothing for two entrants that are far apart. Within a batch, a chosen pair counts as if it had been
judged already, so that not all of the batch goes to one pair.

The ranking is certain when its expected Kendall's tau with the true one, under the posterior, reaches a level: at 0.95
and ten entrants, when about one pair of 45 is expected to be in the wrong order. With several criteria, on each.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from scipy.special import ndtr

from novum.benchmarks.arena.schedules.schedule import PairingBatch
from novum.core.arrays import Bools, Floats, Ints
from novum.statistics.ranking_posterior import Comparisons, RankingPosterior, differences, ranking_posterior

_AT_ONCE = 50
"""Least number of pairings in a batch: in two orders, a hundred requests in flight."""
_GROWTH = 16
"""A batch has at least 1/16 of the pairings before it: choosing more often would change little."""
_WORTHWHILE = 0.5
"""A pair joins a round only if its value is at least this share of the best."""


@dataclass(frozen=True, eq=False)
class AdaptiveState:
    """The pairings chosen so far, and what is known from their results."""

    requested: Bools
    """Topics × entrants × entrants, the lower one first."""
    comparisons: tuple[Comparisons, ...]
    """For each criterion."""
    posteriors: tuple[RankingPosterior, ...]
    answered: Ints
    """(n, n), symmetric: pairings with a result."""


@dataclass(frozen=True, eq=False)
class Adaptive:
    """`level`: expected Kendall's tau at which it stops; at 1 it continues until all pairings are judged."""

    present: Bools
    """Entrants × topics."""
    seed: int = 0
    criteria: int = 1
    level: float = 0.95
    batch: int = _AT_ONCE
    takes_any: ClassVar[bool] = True

    def start(self) -> AdaptiveState:
        entrants, topics = self.present.shape
        nothing = Comparisons.none(entrants)
        return AdaptiveState(
            requested=np.zeros((topics, entrants, entrants), dtype=bool),
            comparisons=(nothing,) * self.criteria,
            posteriors=(ranking_posterior(nothing),) * self.criteria,
            answered=np.zeros((entrants, entrants), dtype=np.int64),
        )

    def choose(self, state: AdaptiveState) -> PairingBatch:
        size = max(self.batch, len(self.present), int(state.requested.sum()) // _GROWTH)
        left = self._left(state)
        if not left.any() or self._certain(state):
            return np.empty((0, 3), dtype=np.int64)
        pairs = _Rounds(state, left, self._tie_breaker).pairs(size)
        return self._with_topics(state, pairs)

    def learn(self, state: AdaptiveState, batch: PairingBatch, scores: Floats) -> AdaptiveState:
        topic, first, second = batch.T
        entrants = len(self.present)
        requested = state.requested.copy()
        requested[topic, first, second] = True
        comparisons = tuple(
            known + Comparisons.of(entrants, first, second, column)
            for known, column in zip(state.comparisons, scores.T, strict=True)
        )
        posteriors = tuple(
            ranking_posterior(each, start=known.strengths)
            for each, known in zip(comparisons, state.posteriors, strict=True)
        )
        judged = np.isfinite(scores).any(axis=1)
        more = np.bincount(first[judged] * entrants + second[judged], minlength=entrants**2).reshape(entrants, entrants)
        return AdaptiveState(requested, comparisons, posteriors, state.answered + more + more.T)

    def enough(self, state: AdaptiveState) -> str:
        if self._certain(state):
            tau = self.expected_tau(state)
            return f"the ranking is certain enough (Kendall's tau {tau:.3f} expected, {self.level:g} wanted)"
        return f"every pair was judged on every topic (Kendall's tau {self.expected_tau(state):.3f} expected)"

    def expected_tau(self, state: AdaptiveState) -> float:
        """The expected tau of the least certain criterion, over entrants that were or can still be compared."""
        playing = (self._left(state) + state.answered).sum(axis=1) > 0
        return min(posterior.expected_tau(playing) for posterior in state.posteriors)

    def _certain(self, state: AdaptiveState) -> bool:
        return bool(state.answered.any()) and self.level < 1 and self.expected_tau(state) >= self.level

    def _left(self, state: AdaptiveState) -> Ints:
        """(n, n), symmetric: number of topics on which two can still be compared."""
        present = self.present.astype(np.int64)
        requested = state.requested.sum(axis=0)
        left: Ints = np.maximum(present @ present.T - requested - requested.T, 0)
        np.fill_diagonal(left, 0)
        return left

    @cached_property
    def _tie_breaker(self) -> Floats:
        """(n, n), symmetric, close to 1: decides by the seed between pairs of the same value."""
        entrants = len(self.present)
        factors = 1 + 1e-6 * np.random.default_rng(self.seed).random((entrants, entrants))
        return np.triu(factors) + np.triu(factors, 1).T

    @cached_property
    def _order(self) -> Ints:
        """The order in which topics are preferred, all else equal."""
        return np.random.default_rng((self.seed, 1)).permutation(self.present.shape[1])

    def _with_topics(self, state: AdaptiveState, pairs: Sequence[tuple[int, int]]) -> PairingBatch:
        """Each pair on a topic that is new to it, the one its two entrants used least: one idea should not decide."""
        requested = state.requested.copy()
        used = (requested.sum(axis=1).T + requested.sum(axis=2).T).astype(float)
        batch = np.empty((len(pairs), 3), dtype=np.int64)
        for place, (first, second) in enumerate(pairs):
            free = self.present[first] & self.present[second] & ~requested[:, first, second]
            load = np.where(free, used[first] + used[second], np.inf)[self._order]
            topic = self._order[np.argmin(load)]
            requested[topic, first, second] = True
            used[[first, second], topic] += 1
            batch[place] = topic, first, second
        return batch


class _Rounds:
    """Builds a batch in rounds: no entrant occurs twice in a round, and each round counts as judged for the next."""

    def __init__(self, state: AdaptiveState, left: Ints, tie_breaker: Floats) -> None:
        self.left = left.copy()
        requested = state.requested.sum(axis=0)
        # A pair on which judges keep failing is chosen less and less.
        self.value = tie_breaker * (state.answered + 1) / (requested + requested.T + 1)
        self.posteriors = state.posteriors
        self.precisions = [each.precision.copy() for each in state.posteriors]
        self.covariances = [each.covariance for each in state.posteriors]

    def pairs(self, size: int) -> list[tuple[int, int]]:
        """At most `size` pairs; fewer when there are no more."""
        chosen: list[tuple[int, int]] = []
        while len(chosen) < size and self.left.any():
            round_ = self._round()[: size - len(chosen)]
            first, second = np.array(round_, dtype=np.int64).T
            self.left[first, second] -= 1
            self.left[second, first] -= 1
            self._count_as_judged(first, second)
            chosen += round_
        return chosen

    def _round(self) -> list[tuple[int, int]]:
        gain = np.where(self.left > 0, self.value * self._gains(), -1.0)
        first, second = np.triu_indices(len(gain), 1)
        gains = gain[first, second]
        candidates = np.flatnonzero((gains >= 0) & (gains >= _WORTHWHILE * gains.max()))
        free = [True] * len(gain)
        found: list[tuple[int, int]] = []
        for place in candidates[np.argsort(-gains[candidates], kind="stable")]:
            one, other = int(first[place]), int(second[place])
            if free[one] and free[other]:
                free[one] = free[other] = False
                found.append((one, other))
        return found

    def _gains(self) -> Floats:
        gains = [gain(*each) for each in zip(self.posteriors, self.covariances, strict=True)]
        total: Floats = np.sum(gains, axis=0)
        return total

    def _count_as_judged(self, first: Ints, second: Ints) -> None:
        for place, posterior in enumerate(self.posteriors):
            gained = information(posterior, self.covariances[place])[first, second]
            precision = self.precisions[place]
            np.add.at(precision, (first, first), gained)
            np.add.at(precision, (second, second), gained)
            np.add.at(precision, (first, second), -gained)
            np.add.at(precision, (second, first), -gained)
            self.covariances[place] = np.linalg.inv(precision).astype(float, copy=False)


def information(posterior: RankingPosterior, covariance: Floats) -> Floats:
    """(n, n): expected Fisher information of one more judgement about the difference of two entrants."""
    # The mean of a logistic curve over a normal distribution is about the curve of a smaller difference (MacKay 1992).
    apart = posterior.apart / np.sqrt(1 + math.pi / 8 * differences(covariance))
    chance = 1 / (1 + np.exp(np.clip(np.abs(apart), 0, 30)))
    expected: Floats = chance * (1 - chance) / posterior.dispersion
    return expected


def importance(posterior: RankingPosterior, covariance: Floats) -> Floats:
    """(n, n): the value of a slightly smaller variance of each difference; 0 on the diagonal.

    It is e (1 - e), with the probability e that the order of the two is wrong, divided by the variance. So relative
    changes of a variance count, and a close pair is not neglected because it is known more exactly than others.
    """
    variance = differences(covariance)
    np.fill_diagonal(variance, 1.0)
    wrong = ndtr(-np.abs(posterior.apart) / np.sqrt(variance))
    weight: Floats = wrong * (1 - wrong) / variance
    np.fill_diagonal(weight, 0.0)
    return weight


def gain(posterior: RankingPosterior, covariance: Floats) -> Floats:
    """(n, n): expected decrease of the importance-weighted sum of variances after one more judgement."""
    expected = information(posterior, covariance)
    weight = importance(posterior, covariance)
    laplacian = np.diag(weight.sum(axis=1)) - weight
    spread = differences(covariance)
    lowered: Floats = expected / (1 + expected * spread) * differences(covariance @ laplacian @ covariance)
    return lowered
