"""How sure a ranking is: what the posterior says must be so, as often as it says."""

from __future__ import annotations

import numpy as np
import pytest

from novum.statistics.ranking_posterior import Comparisons, ranking_posterior


def compared(truth, times, seed, ties=0.0):
    """Everyone against everyone, so many times; some games end in a tie whoever plays."""
    rng = np.random.default_rng(seed)
    first, second = (np.repeat(each, times) for each in np.triu_indices(len(truth), 1))
    won = rng.random(len(first)) < 1 / (1 + np.exp(truth[second] - truth[first]))
    scores = np.where(rng.random(len(first)) < ties, 0.5, won)
    return Comparisons.of(len(truth), first, second, scores)


def kendall(one, other):
    rows, columns = np.triu_indices(len(one), 1)
    return float((np.sign(one[rows] - one[columns]) * np.sign(other[rows] - other[columns])).mean())


def test_before_the_first_comparison_nothing_is_known():
    posterior = ranking_posterior(Comparisons.none(5))
    assert posterior.strengths.tolist() == [0.0] * 5
    assert posterior.expected_tau() == pytest.approx(0, abs=1e-6)
    assert posterior.wrong == pytest.approx(np.full((5, 5), 0.5), abs=1e-6)


def test_strengths_are_near_the_truth_after_many_comparisons():
    truth = np.array([1.5, 0.5, 0.0, -0.5, -1.5])
    posterior = ranking_posterior(compared(truth, 2000, seed=1))
    assert posterior.strengths == pytest.approx(truth, abs=0.1)
    assert posterior.dispersion == pytest.approx(1, abs=0.05)
    assert np.diag(posterior.wrong, 1).max() < 0.001


def test_ties_vary_less_and_the_dispersion_says_so():
    assert ranking_posterior(compared(np.zeros(6), 100, seed=2, ties=0.5)).dispersion == pytest.approx(0.5, abs=0.06)


def test_it_is_as_sure_as_it_is_right():
    expected, actual = [], []
    for seed in range(60):
        truth = np.random.default_rng((seed, 7)).standard_normal(20)
        posterior = ranking_posterior(compared(truth, 6, seed, ties=0.2))
        expected.append(posterior.expected_tau())
        actual.append(kendall(posterior.strengths, truth))
    assert np.mean(expected) == pytest.approx(np.mean(actual), abs=0.02)


def test_who_won_everything_has_a_finite_strength():
    everything = Comparisons.of(2, np.zeros(1000, dtype=np.int64), np.ones(1000, dtype=np.int64), np.ones(1000))
    strengths = ranking_posterior(everything).strengths
    assert np.isfinite(strengths).all()
    assert strengths[0] - strengths[1] > 3


def test_a_comparison_without_a_score_tells_nothing():
    one = np.array([0, 0]), np.array([1, 2])
    with_gap = Comparisons.of(3, *one, np.array([1.0, np.nan]))
    assert with_gap.count.sum() == 2
    assert with_gap.count[0, 2] == 0


def test_searching_from_elsewhere_finds_the_same_peak():
    comparisons = compared(np.linspace(-1, 1, 8), 5, seed=3)
    here, there = (ranking_posterior(comparisons, start) for start in (None, np.linspace(3, -3, 8)))
    assert here.strengths == pytest.approx(there.strengths, abs=1e-2)
