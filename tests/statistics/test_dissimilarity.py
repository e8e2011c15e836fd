"""How far from the past, how near to what came after, and what that was worth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.idea_metrics.dissimilarity import dissimilarity, distance, impact, overall_novelty, percentile, relative

cosines = st.floats(-1, 1)
amounts = st.floats(0.01, 100)


@pytest.mark.parametrize(("cosine", "apart"), [(1, 0), (0, math.sqrt(2)), (-1, 2), (0.5, 1)])
def test_the_distance_of_a_cosine_is_that_of_unit_vectors(cosine: float, apart: float) -> None:
    other = np.array([cosine, math.sqrt(1 - cosine**2)])
    assert distance(cosine) == pytest.approx(apart) == pytest.approx(float(np.linalg.norm(np.array([1, 0]) - other)))


def test_dissimilarity_is_the_mean_distance_and_nothing_of_nothing() -> None:
    assert dissimilarity([0.5, 1.0]) == pytest.approx(0.5)  # (1 + 0) / 2
    assert dissimilarity([]) is None


@settings(max_examples=25)
@given(st.lists(cosines, min_size=1, max_size=8), st.floats(0, 0.5))
def test_dissimilarity_stays_in_bounds_and_falls_as_papers_come_nearer(found: list[float], nearer: float) -> None:
    apart = dissimilarity(found)
    assert apart is not None
    assert 0 <= apart <= 2
    assert (dissimilarity([min(1.0, each + nearer) for each in found]) or 0.0) <= apart + 1e-12
    assert dissimilarity(found[::-1]) == pytest.approx(apart)


def test_citations_count_against_what_is_usual_for_their_year_and_unknown_ones_not_at_all() -> None:
    assert relative(30, 10.0) == 3
    assert relative(None, 10.0) is None
    assert relative(3, None) is None
    assert relative(0, 0.0) is None  # nobody of that year is cited: nothing can be said
    assert impact([3.0, None, 1.0]) == 2
    assert impact([None]) is None


def test_overall_novelty_is_far_from_the_past_cited_and_near_to_what_came_after() -> None:
    assert overall_novelty(1.2, 0.8, 2.0) == pytest.approx(3.0)  # 1.2 × 2 / 0.8
    assert overall_novelty(1.2, 0.0, 2.0) is None  # a later paper says the very same: no bound
    assert overall_novelty(1.2, 0.8, None) is None
    assert overall_novelty(None, 0.8, 2.0) is None


@settings(max_examples=25)
@given(amounts, amounts, amounts, st.floats(1.01, 3))
def test_overall_novelty_grows_with_each_of_its_merits(past: float, now: float, reach: float, more: float) -> None:
    plain = overall_novelty(past, now, reach)
    assert plain is not None
    assert (overall_novelty(past * more, now, reach) or 0.0) > plain
    assert (overall_novelty(past, now, reach * more) or 0.0) > plain
    assert (overall_novelty(past, now * more, reach) or 0.0) < plain


def test_a_percentile_counts_equal_ones_half_and_unknown_ones_not_at_all() -> None:
    assert percentile(2.0, [1.0, 2.0, 3.0, None, 1.5]) == pytest.approx(100 * (2 + 0.5) / 4)
    assert percentile(None, [1.0]) is None
    assert percentile(1.0, [None]) is None


@settings(max_examples=25)
@given(st.lists(st.integers(-5, 5), min_size=1, max_size=30), st.integers(-6, 6))
def test_a_percentile_agrees_with_counting_and_turns_round_with_the_sign(sample: list[int], value: int) -> None:
    counted = 100 * sum(1.0 if each < value else 0.5 if each == value else 0.0 for each in sample) / len(sample)
    found = percentile(float(value), [float(each) for each in sample])
    assert found == pytest.approx(counted)
    assert percentile(-float(value), [-float(each) for each in sample]) == pytest.approx(100 - counted)
