"""How sure a ranking is, while the comparisons for it still go on.

Strengths have a normal prior around 0 whose width is estimated from them; the score of a comparison has the mean
p = 1 / (1 + exp(-d)), d being the difference of the strengths, and a variance in a proportion to p (1 - p) that is
estimated as well. So ties, means over several criteria and over several judges are all taken for what they tell, and no
more. The posterior is approximated by a normal distribution at its peak (Laplace). It is there to choose by and to stop
by; ratings for a report come from the model with ties.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_STEPS, _STILL, _LONGEST_STEP = 50, 1e-4, 1.5
_NARROWEST, _WIDEST = 0.05, 9.0
"""Variance of the prior: never so narrow that nothing could be learned, nor so wide that nothing is assumed."""
_ASSUMED = 4.0
"""Comparisons' worth of belief, to begin with, that scores vary as those of single games without ties."""


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Sums over the comparisons of each two of n things; add two of them to have them all."""

    won: Floats
    """(n, n): sum of the scores, 0 to 1, of the row against the column."""
    squared: Floats
    """(n, n): sum of their squares."""
    count: Floats
    """(n, n), symmetric."""

    @classmethod
    def none(cls, things: int) -> Comparisons:
        """Nothing compared yet."""
        return cls(*(np.zeros((things, things)) for _ in range(3)))

    @classmethod
    def of(cls, things: int, first: NDArray[np.int64], second: NDArray[np.int64], score: Floats) -> Comparisons:
        """From the score of `first` in each comparison; NaN: it has none, and does not count."""
        kept = np.isfinite(score)
        forth, back, score = first[kept] * things + second[kept], second[kept] * things + first[kept], score[kept]
        sums: list[Floats] = [
            np.bincount(np.concatenate([forth, back]), np.concatenate(both), things * things)
            .reshape(things, things)
            .astype(float)
            for both in ((score, 1 - score), (score**2, (1 - score) ** 2), (np.ones(score.size),) * 2)
        ]
        return cls(*sums)

    def __add__(self, more: Comparisons) -> Comparisons:
        return Comparisons(self.won + more.won, self.squared + more.squared, self.count + more.count)


@dataclass(frozen=True, eq=False)
class RankingPosterior:
    """What is known of n strengths."""

    strengths: Floats
    """(n,), natural logarithms of odds, mean 0."""
    precision: Floats
    """(n, n): the inverse of their covariance."""
    covariance: Floats
    dispersion: float
    """Variance of a score over p (1 - p): 1 for games without ties, less with them and for means."""

    @property
    def apart(self) -> Floats:
        """(n, n): strength of the row less that of the column."""
        return self.strengths[:, None] - self.strengths[None, :]

    @property
    def wrong(self) -> Floats:
        """(n, n): the chance that two stand in the wrong order, 0 to 0.5; 0.5 on the diagonal."""
        spread = np.sqrt(np.maximum(differences(self.covariance), 1e-300))
        return tail(np.abs(self.apart) / spread)

    def expected_tau(self, among: NDArray[np.bool_] | None = None) -> float:
        """The expected Kendall's tau of this ranking with the true one, -1 to 1; of those in the mask `among`.

        1 for fewer than two.
        """
        chosen = np.arange(len(self.strengths)) if among is None else np.flatnonzero(among)
        if len(chosen) < 2:
            return 1.0
        wrong = self.wrong[np.ix_(chosen, chosen)]
        return float(1 - 2 * wrong[np.triu_indices(len(chosen), 1)].mean())

    def adjacent(self) -> Floats:
        """(n - 1,): the chance that the first and second of the ranking stand in the right order, and so on down."""
        order = np.argsort(-self.strengths, kind="stable")
        right: Floats = 1 - self.wrong[order[:-1], order[1:]]
        return right


def ranking_posterior(comparisons: Comparisons, start: Floats | None = None) -> RankingPosterior:
    """The posterior after these comparisons. `start`: strengths to begin the search at, which saves steps."""
    things = len(comparisons.count)
    strengths = np.zeros(things) if start is None else start.copy()
    width, dispersion = 1.0, 1.0
    score = comparisons.won.sum(axis=1)
    for _ in range(_STEPS):
        expected = _expected(strengths)
        dispersion = _dispersion(comparisons, expected)
        precision = _laplacian(comparisons.count * expected * (1 - expected) / dispersion) + np.eye(things) / width
        covariance: Floats = np.linalg.inv(precision).astype(float, copy=False)
        gradient = (score - (comparisons.count * expected).sum(axis=1)) / dispersion - strengths / width
        step = np.clip(covariance @ gradient, -_LONGEST_STEP, _LONGEST_STEP)
        strengths = strengths + step
        wider = float(np.clip(np.mean(strengths**2 + np.diag(covariance)), _NARROWEST, _WIDEST))
        still = np.abs(step).max() < _STILL and abs(wider / width - 1) < 1e-3
        width = wider
        if still:
            break
    return RankingPosterior(strengths - strengths.mean(), precision, covariance, dispersion)


def differences(covariance: Floats) -> Floats:
    """(n, n): variances of the differences."""
    own = np.diag(covariance)
    return np.maximum(own[:, None] + own[None, :] - 2 * covariance, 0.0)


def tail(z: Floats) -> Floats:
    """The share of a standard normal distribution above `z` (0 or more), right to seven digits.

    By the formula 26.2.17 of Abramowitz & Stegun: NumPy has no error function.
    """
    t = 1 / (1 + 0.2316419 * z)
    series = t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
    share: Floats = np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi) * series
    return share


def _expected(strengths: Floats) -> Floats:
    expected: Floats = 1 / (1 + np.exp(np.clip(strengths[None, :] - strengths[:, None], -30, 30)))
    return expected


def _dispersion(comparisons: Comparisons, expected: Floats) -> float:
    """Pearson's, with a little of what would be without ties."""
    count, things = comparisons.count, len(expected)
    residual = (comparisons.squared - 2 * expected * comparisons.won + count * expected**2).sum() / 2
    games = count.sum() / 2
    # Strengths that were fitted to the scores leave less over than the true ones would.
    free = max(1 - (things - 1) / games, 0.5) if games else 1.0
    binomial = (count * expected * (1 - expected)).sum() / 2 * free
    return float(np.clip((residual + _ASSUMED / 4) / (binomial + _ASSUMED / 4), 0.02, 4.0))


def _laplacian(weights: Floats) -> Floats:
    laplacian: Floats = np.diag(weights.sum(axis=1)) - weights
    return laplacian
