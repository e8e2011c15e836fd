"""Nearness, the threshold of a hit, and gains: each against a calculation of another kind, and by what must hold."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from novum.benchmarks.foresight.statistics import (
    MIN_PAIRS,
    MIN_TOPICS,
    calibrate_cosines,
    gain,
    nearness,
    over_topics,
    separation,
)
from novum.statistics.records import Estimate

FEW = settings(max_examples=30)
COSINES = st.floats(-1, 1, allow_nan=False, width=32)
SOME = arrays(float, st.integers(MIN_PAIRS, 120), elements=COSINES)


@FEW
@given(
    arrays(float, st.tuples(st.integers(1, 5), st.integers(1, 12)), elements=COSINES), st.integers(1, 14), st.randoms()
)
def test_nearness_is_the_mean_of_the_nearest_k_whatever_their_order(cosines, k, lot):
    found = nearness(cosines, k)
    for row, similarity, best in zip(cosines.tolist(), found.similarity, found.best, strict=True):
        if len(row) < k:
            assert math.isnan(similarity)
            continue
        falling = sorted(row, reverse=True)
        assert similarity == pytest.approx(sum(falling[:k]) / k)
        assert best == falling[0]
    order = lot.sample(range(cosines.shape[1]), cosines.shape[1])
    np.testing.assert_allclose(nearness(cosines[:, order], k).similarity, found.similarity)


def test_an_idea_at_the_threshold_is_a_hit_and_unknown_without_numbers():
    near = nearness(np.array([[0.5, 0.1], [0.4, 0.49], [np.nan, np.nan]]), 1)
    np.testing.assert_array_equal(near.hits(0.5), [1, 0, np.nan])
    assert np.isnan(near.hits(None)).all()
    with pytest.raises(ValueError, match="at least 1"):
        nearness(np.ones((1, 1)), 0)


@FEW
@given(SOME, arrays(float, st.integers(0, 30), elements=COSINES), st.sampled_from([0.01, 0.05, 0.3]))
def test_the_threshold_lets_no_more_random_pairs_pass_than_asked_and_no_fewer_than_it_must(chance, citing, share):
    found = calibrate_cosines(chance, citing, share)
    passed = [value for value in chance.tolist() if value >= found.threshold]
    assert len(passed) <= share * len(chance)
    first_out = max(value for value in chance.tolist() if value < found.threshold)
    assert sum(value >= first_out for value in chance.tolist()) > share * len(chance)
    assert found.passed_random == pytest.approx(len(passed) / len(chance))
    assert sum(found.random_counts) == len(chance)
    assert sum(found.citing_counts) == len(citing)
    if len(citing):
        assert found.passed_citing == pytest.approx(sum(value >= found.threshold for value in citing) / len(citing))
    else:
        assert found.passed_citing is None


def test_a_threshold_by_hand():
    """100 random pairs at 0.00 to 0.99, one in a hundred may pass: the one at 0.99 does."""
    found = calibrate_cosines(np.arange(100) / 100, np.array([0.98, 0.99, 1.0, 0.2]), 0.01)
    assert 0.98 < found.threshold <= 0.99
    assert (found.passed_random, found.passed_citing) == (0.01, 0.5)


@pytest.mark.parametrize("pairs", [0, MIN_PAIRS - 1])
def test_too_few_pairs_set_no_threshold(pairs):
    found = calibrate_cosines(np.zeros(pairs), np.ones(3), 0.01)
    assert (found.threshold, found.passed_random, found.citing_pairs) == (None, None, 3)
    with pytest.raises(ValueError, match="between 0 and 1"):
        calibrate_cosines(np.zeros(pairs), np.ones(3), 1.0)


@FEW
@given(st.lists(st.integers(0, 5), max_size=12), st.lists(st.integers(0, 5), max_size=12))
def test_separation_counts_every_two_pairs(higher, lower):
    found = separation(np.array(higher, float), np.array(lower, float))
    won = [1 if a > b else 0.5 if a == b else 0 for a, b in product(higher, lower)]
    assert found == (pytest.approx(sum(won) / len(won)) if won else None)


CELLS = arrays(
    float, st.tuples(st.integers(1, 8), st.integers(1, 3)), elements=st.one_of(COSINES, st.just(float("nan")))
)


@FEW
@given(CELLS)
def test_the_mean_is_of_all_that_is_known_and_lies_in_its_interval(cells):
    found = over_topics(cells, draws=50)
    known = [value for value in cells.ravel().tolist() if not math.isnan(value)]
    if not known:
        assert found.value is None
        return
    assert found.value == pytest.approx(sum(known) / len(known), abs=1e-9)
    rows = [row for row in cells.tolist() if not all(map(math.isnan, row))]
    assert (found.low is None) == (len(rows) < MIN_TOPICS)
    if found.low is not None:
        assert min(known) - 1e-9 <= found.low <= found.high <= max(known) + 1e-9


@FEW
@given(CELLS)
def test_nothing_is_gained_over_the_same(cells):
    found = gain(cells, cells, draws=20)
    assert found.value in {0, None}
    assert found.low in {0, None}
    assert found.high in {0, None}


def test_a_gain_is_paired_so_that_differences_between_topics_cancel():
    topics = np.linspace(0, 1, 20)[:, None]
    found = gain(topics + 0.1, topics)
    assert (found.value, found.low, found.high) == (pytest.approx(0.1),) * 3
    one_missing = topics.copy()
    one_missing[3] = np.nan
    assert gain(topics + 0.1, one_missing).value == pytest.approx(0.1)
    with pytest.raises(ValueError, match="shapes must be equal"):
        gain(topics, topics.T)


@pytest.mark.parametrize("topics", [MIN_TOPICS, 8, 40])
def test_intervals_hold_the_truth_about_as_often_as_they_say(topics):
    """Drawing topics anew without more ado holds it in 83 of 100 studies of five topics."""
    rng = np.random.default_rng(0)
    held = 0
    for study in range(300):
        own = rng.normal(0.2, 0.1, size=(topics, 1)) + rng.normal(0, 0.05, size=(topics, 3))
        found = over_topics(own, draws=300, seed=study)
        held += found.low <= 0.2 <= found.high
    assert 0.88 <= held / 300 <= 0.99


def test_too_few_topics_have_a_mean_and_no_interval():
    few = np.arange(MIN_TOPICS - 1.0)[:, None]
    assert over_topics(few) == Estimate(value=1.5)
    assert over_topics(np.vstack([few, [[np.nan]]])) == Estimate(value=1.5), "what is not known is no topic"
    assert over_topics(np.vstack([few, few]), draws=0).low is None
