"""A share whose cases depend on each other within a topic, and its interval."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.statistics.clustered_share import clustered_share
from novum.statistics.win_rates import wilson_interval

SHARES = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)).map(sorted), min_size=1, max_size=12)


def share(*topics):
    """Of topics as (yes, cases)."""
    yes, cases = np.array(topics, dtype=float).reshape(-1, 2).T
    return clustered_share(yes, cases)


@given(SHARES)
def test_an_interval_contains_its_share_stays_between_0_and_1_and_is_never_a_point(topics):
    found = share(*topics)
    judged = [cases for _, cases in topics if cases]
    if not judged:
        assert found.value is None
    elif len(judged) < 3:
        assert (found.low, found.high) == (None, None)
    else:
        assert 0 <= found.low <= found.value <= found.high <= 1
        assert found.high - found.low > 0.01


@given(SHARES)
def test_yes_and_no_are_mirror_images(topics):
    found, mirrored = share(*topics), share(*((cases - yes, cases) for yes, cases in topics))
    if found.low is not None:
        assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx((found.low, found.high))


def test_where_all_topics_agree_each_topic_is_one_case_however_often_it_was_judged():
    once, often = share(*[(1, 1)] * 8), share(*[(12, 12)] * 8)
    assert (once.value, once.low, once.high) == pytest.approx((often.value, often.low, often.high))
    assert once.high == 1
    assert 0.5 < once.low < wilson_interval(8, 8).low  # Student's t: the variance comes from eight topics


def test_repeated_judgements_of_one_topic_narrow_nothing():
    few, many = share(*[(1, 1), (0, 1)] * 5), share(*[(9, 9), (0, 9)] * 5)
    assert (few.low, few.high) == pytest.approx((many.low, many.high))


def test_with_many_independent_cases_it_is_wilsons_interval():
    rng = np.random.default_rng(3)
    yes = rng.binomial(1, 0.7, size=4000).astype(float)
    found, expected = clustered_share(yes, np.ones(4000)), wilson_interval(int(yes.sum()), 4000)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=2e-4)


@pytest.mark.parametrize(("topics", "truth"), [(5, 0.9), (8, 0.7), (8, 0.9), (20, 0.5)])
def test_intervals_contain_the_truth_as_often_as_they_say_also_for_few_topics(topics, truth):
    rng = np.random.default_rng(topics)
    held = 0
    for _ in range(400):
        chance = rng.beta(4 * truth, 4 * (1 - truth), size=topics)
        found = clustered_share(rng.binomial(4, chance).astype(float), np.full(topics, 4.0))
        held += found.low <= truth <= found.high
    assert held / 400 > 0.93
