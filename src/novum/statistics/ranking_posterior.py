"""The uncertainty of a ranking while comparisons are still being made.

Strengths have a normal prior around 0 whose width is estimated from them; the score of a comparison has the mean
p = 1 / (1 + exp(-d)), d being the difference of the strengths, and a variance proportional to p (1 - p) whose factor is
estimated too. So ties, and means over several criteria or judges, are weighted by the information that they carry. The
posterior is approximated by a normal distribution at its mode (Laplace). It serves to choose the next comparisons and
to decide when to stop; ratings for a report come from the model with ties.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, ndtr

from novum.core.arrays import Bools, Floats, Ints

_STEPS, _TOLERANCE, _LONGEST_STEP = 50, 1e-4, 1.5
_NARROWEST, _WIDEST = 0.05, 9.0
"""Limits of the variance of the prior."""
_ASSUMED = 4.0
"""Weight, in comparisons, of the prior belief that scores vary like those of single games without ties."""


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Sums over the comparisons of each pair of n items; the sum of two contains the comparisons of both."""

    won: Floats
    """(n, n): sum of the scores, 0 to 1, of the row against the column."""
    squared: Floats
    """(n, n): sum of their squares."""
    count: Floats
    """(n, n), symmetric."""

    @classmethod
    def none(cls, things: int) -> Comparisons:
        """No comparison yet."""
        return cls(*(np.zeros((things, things)) for _ in range(3)))

    @classmethod
    def of(cls, things: int, first: Ints, second: Ints, score: Floats) -> Comparisons:
        """From the score of `first` in each comparison; one with a NaN does not count."""
        known = np.isfinite(score)
        forth, back, score = first[known] * things + second[known], second[known] * things + first[known], score[known]
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
    """The normal approximation of the posterior of n strengths."""

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
        """(n, n): the probability that two are in the wrong order, 0 to 0.5; 0.5 on the diagonal."""
        spread = np.sqrt(np.maximum(differences(self.covariance), 1e-300))
        wrong: Floats = ndtr(-np.abs(self.apart) / spread)
        return wrong

    def expected_tau(self, among: Bools | None = None) -> float:
        """The expected Kendall's tau of this ranking with the true one, -1 to 1, among those in the mask `among`.

        1 for fewer than two.
        """
        members = np.arange(len(self.strengths)) if among is None else np.flatnonzero(among)
        if len(members) < 2:
            return 1.0
        wrong = self.wrong[np.ix_(members, members)]
        return float(1 - 2 * wrong[np.triu_indices(len(members), 1)].mean())


def ranking_posterior(comparisons: Comparisons, start: Floats | None = None) -> RankingPosterior:
    """The posterior after these comparisons. `start`: strengths to start the search at, which saves steps."""
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
        converged = np.abs(step).max() < _TOLERANCE and abs(wider / width - 1) < 1e-3
        width = wider
        if converged:
            break
    return RankingPosterior(strengths - strengths.mean(), precision, covariance, dispersion)


def differences(covariance: Floats) -> Floats:
    """(n, n): variances of the differences."""
    own = np.diag(covariance)
    return np.maximum(own[:, None] + own[None, :] - 2 * covariance, 0.0)


def _expected(strengths: Floats) -> Floats:
    expected: Floats = expit(strengths[:, None] - strengths[None, :])
    return expected


def _dispersion(comparisons: Comparisons, expected: Floats) -> float:
    """Pearson's estimate, shrunk towards the dispersion without ties."""
    count, things = comparisons.count, len(expected)
    residual = (comparisons.squared - 2 * expected * comparisons.won + count * expected**2).sum() / 2
    games = count.sum() / 2
    # Residuals of fitted strengths are smaller than those of the true ones.
    free = max(1 - (things - 1) / games, 0.5) if games else 1.0
    binomial = (count * expected * (1 - expected)).sum() / 2 * free
    return float(np.clip((residual + _ASSUMED / 4) / (binomial + _ASSUMED / 4), 0.02, 4.0))


def _laplacian(weights: Floats) -> Floats:
    laplacian: Floats = np.diag(weights.sum(axis=1)) - weights
    return laplacian
