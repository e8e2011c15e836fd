"""Foretold numbers beside those that came: errors, orders, probabilities, spread and likeness, by hand and by law."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from novum.benchmarks.judge_evaluation.statistics.rater_spread import RaterSpread
from novum.benchmarks.judge_evaluation.statistics.token_matching import (
    mean_similarity,
    ranks_of_own,
    token_bag,
    token_rarity,
    token_similarity,
)
from novum.statistics.auc import auc
from novum.statistics.calibration import (
    brier,
    calibration_error,
    cross_fitted_probabilities,
    probability_bins,
    reliability_table,
)
from novum.statistics.correlation import mean_ranks, spearman
from novum.statistics.weighted import (
    less_group_mean,
    root_mean_square,
    weighted_auc,
    weighted_mean,
    weighted_ranks,
    weighted_spearman,
)

SIZE = 9
numbers = arrays(np.float64, SIZE, elements=st.integers(0, 4).map(float))
counts = arrays(np.float64, (3, SIZE), elements=st.integers(0, 3).map(float))
ALL = [np.arange(SIZE)]


def once(size):
    return np.ones((1, size))


def drawn_out(values, times):
    return np.repeat(values, times.astype(int))


# -- how far off ----------------------------------------------------------------------------------------------------


def test_errors_are_averaged_as_squares_and_each_thing_counts_as_often_as_it_was_drawn():
    errors = np.array([0.3, -0.1])
    times = np.array([[1.0, 1.0], [2.0, 0.0], [0.0, 0.0]])
    found = root_mean_square(errors, times)
    assert found[:2] == pytest.approx([math.sqrt((0.09 + 0.01) / 2), 0.3])
    assert math.isnan(found[2])


def test_a_reviewer_who_is_only_too_mild_is_right_once_the_level_is_set_right():
    real, output = np.array([0.2, 0.4, 0.6]), np.array([0.5, 0.7, 0.9])
    assert less_group_mean(output - real, [np.arange(3)]) == pytest.approx([0, 0, 0])
    assert root_mean_square(output - real, once(3)) == pytest.approx([0.3])


def test_every_venue_and_year_has_a_level_of_its_own():
    errors = np.array([0.1, 0.3, -0.2, -0.2])
    groups = [np.array([0, 1]), np.array([2, 3])]
    assert less_group_mean(errors, groups) == pytest.approx([-0.2, 0.2, 0, 0])


def test_no_paper_sets_its_own_level_right():
    """By the mean of all, its own among them, a paper by itself would be without fault."""
    errors = np.array([0.5, 0.1, 0.2, 0.6])
    left = less_group_mean(errors, [np.array([0]), np.array([1, 2, 3])])
    assert math.isnan(left[0])
    assert left[1:] == pytest.approx([0.1 - 0.4, 0.2 - 0.35, 0.6 - 0.15])


# -- orders ---------------------------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(numbers, counts)
def test_ranks_are_those_of_the_sample_written_out(values, times):
    for row, ranks in zip(times, weighted_ranks(values, times), strict=True):
        assert drawn_out(ranks, row) == pytest.approx(mean_ranks(drawn_out(values, row)))


def test_means_of_the_same_marks_in_another_order_share_their_rank():
    values = np.array([(0.1 + 0.2 + 0.3) / 3, (0.3 + 0.2 + 0.1) / 3, 1.0])
    assert weighted_ranks(values, np.array([[1.0, 1.0, 1.0]])).tolist() == [[1.5, 1.5, 3.0]]


@settings(max_examples=30)
@given(numbers, numbers, counts)
def test_spearman_is_that_of_the_sample_written_out(x, y, times):
    for row, r in zip(times, weighted_spearman(x, y, times, ALL), strict=True):
        plain = spearman(drawn_out(x, row), drawn_out(y, row)).r if row.sum() >= 3 else None
        assert (math.isnan(r) and plain is None) or r == pytest.approx(plain, abs=1e-9)


@settings(max_examples=30)
@given(numbers, arrays(np.bool_, SIZE), counts)
def test_the_area_is_that_of_the_sample_written_out(scores, selected, times):
    for row, area in zip(times, weighted_auc(scores, selected, times, ALL), strict=True):
        plain = auc(drawn_out(scores, row), drawn_out(selected.astype(float), row)).area.value
        assert (math.isnan(area) and plain is None) or area == pytest.approx(plain, abs=1e-9)


def test_orders_are_compared_within_groups_only():
    """Within each venue the order is upside down; together, the second venue's level would hide it."""
    output, real = np.array([1, 2, 3, 11, 12, 13.0]), np.array([3, 2, 1, 13, 12, 11.0])
    groups = [np.arange(3), np.arange(3, 6)]
    assert weighted_spearman(output, real, once(6), groups) == pytest.approx([-1])
    assert weighted_spearman(output, real, once(6), [np.arange(6)])[0] > 0.5
    selected = np.array([True, False, False, True, False, False])
    assert weighted_auc(output, selected, once(6), groups) == pytest.approx([0])


def test_a_constant_has_no_order_and_an_area_of_one_half():
    same, real, selected = np.full(4, 0.5), np.array([0.1, 0.2, 0.3, 0.4]), np.array([True, False, True, False])
    assert math.isnan(weighted_spearman(same, real, once(4), [np.arange(4)])[0])
    assert weighted_auc(same, selected, once(4), [np.arange(4)]) == pytest.approx([0.5])


# -- probabilities --------------------------------------------------------------------------------------------------


def test_brier_and_calibration_error_by_hand():
    output = np.array([0.2, 0.2, 0.8, 0.8])
    came = np.array([False, True, True, True])
    assert brier(output, came, once(4)) == pytest.approx([(0.04 + 0.64 + 0.04 + 0.04) / 4])
    assert [list(rows) for rows in probability_bins(output, 2)] == [[0, 1], [2, 3]]
    assert calibration_error(output, came, once(4)) == pytest.approx([(2 * 0.3 + 2 * 0.2) / 4])
    low, high = reliability_table(output, came)
    assert (low.cases, low.foretold, low.came) == (2, pytest.approx(0.2), 0.5)
    assert (high.foretold, high.came) == (pytest.approx(0.8), 1)


def test_equal_probabilities_stay_in_one_bin():
    assert [len(rows) for rows in probability_bins(np.full(50, 0.9))] == [50]
    assert probability_bins(np.zeros(0)) == []


def test_scores_become_the_probabilities_that_they_meant_elsewhere():
    rng = np.random.default_rng(0)
    scores = rng.normal(5, 2, 4_000)
    truth = 1 / (1 + np.exp(-(scores - 6)))
    output = cross_fitted_probabilities(scores, rng.random(4_000) < truth)
    assert np.abs(output - truth).mean() < 0.02


def test_a_score_that_says_nothing_becomes_the_share():
    came = np.arange(100) % 5 > 0
    assert cross_fitted_probabilities(np.full(100, 0.5), came) == pytest.approx(np.full(100, 0.8), abs=1e-6)


def test_without_both_kinds_there_is_nothing_to_fit():
    assert np.isnan(cross_fitted_probabilities(np.arange(10.0), np.ones(10, dtype=bool))).all()
    assert np.isnan(cross_fitted_probabilities(np.arange(3.0), np.array([True, False, True]))).all()


@settings(max_examples=30)
@given(arrays(np.float64, 40, elements=st.floats(-1e6, 1e6)), arrays(np.bool_, 40))
def test_probabilities_are_probabilities_whatever_the_scores(scores, came):
    output = cross_fitted_probabilities(scores, came)
    assert np.isnan(output).all() or ((output >= 0) & (output <= 1)).all()


# -- several ratings of one thing -----------------------------------------------------------------------------------


def test_the_one_way_coefficient_is_that_of_shrout_and_fleiss():
    """Their table of four judges and six subjects: ICC(1,1) is 0.17."""
    table = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    assert RaterSpread.of(table).icc(once(6)) == pytest.approx([0.1657], abs=1e-4)


def test_unequal_numbers_of_raters_by_hand():
    """Means 1.5, 5 and nothing to tell of the third; between 8.4 on 1, within 8.5 on 3, usual number 2.4."""
    spread = RaterSpread.of([[1, 2], [3, 5, 7], [4]])
    within, between = 8.5 / 3, 2 * (1.5 - 3.6) ** 2 + 3 * (5 - 3.6) ** 2
    usual = 5 - (4 + 9) / 5
    expected = (between - within) / (between + (usual - 1) * within)
    assert spread.icc(once(3)) == pytest.approx([expected])
    assert spread.difference(once(3)) == pytest.approx([(1 + (2 + 4 + 2) / 3) / 2])
    assert spread.noise(once(3)) == pytest.approx([math.sqrt((0.5 / 1 / 2 + 8 / 2 / 3) / 2)])


def test_agreement_is_on_things_and_not_on_the_groups_that_they_are_of():
    """Two groups far apart: within them ratings are drawn by lot, or things are by themselves and say nothing."""
    rng = np.random.default_rng(0)
    groups = [np.arange(0, 1_000), np.arange(1_000, 2_000)]
    table = np.repeat([0.0, 10.0], 1_000)[:, None] + rng.normal(size=(2_000, 3))
    assert RaterSpread.of(table.tolist()).icc(once(2_000))[0] > 0.9
    assert abs(RaterSpread.of(table.tolist(), groups).icc(once(2_000))[0]) < 0.05
    by_itself = [np.arange(0, 1_998), np.array([1_998]), np.array([1_999])]
    truth = rng.normal(size=(2_000, 1)) + rng.normal(size=(2_000, 3))
    assert RaterSpread.of(truth.tolist(), by_itself).icc(once(2_000)) == pytest.approx([0.5], abs=0.05)
    alone = RaterSpread.of([[1, 2], [5, 7]], [np.array([0]), np.array([1])])
    assert math.isnan(alone.icc(once(2))[0])


def test_pairs_of_things_agree_as_all_of_them_do_and_so_do_their_draws():
    """A thousand groups of two: degrees of freedom are those of the groups, in the table and in every draw."""
    rng = np.random.default_rng(1)
    table = rng.normal(size=(2_000, 1)) + rng.normal(size=(2_000, 4))
    groups = [np.array([at, at + 1]) for at in range(0, 2_000, 2)]
    times = np.concatenate([once(2_000), rng.multinomial(2_000, np.full(2_000, 1 / 2_000), size=50)])
    found = RaterSpread.of(table.tolist(), groups).icc(times)
    assert found[0] == pytest.approx(0.5, abs=0.05)
    assert found[1:].mean() == pytest.approx(found[0], abs=0.01)


def test_raters_who_say_the_same_agree_wholly_and_those_of_one_thing_tell_nothing():
    assert RaterSpread.of([[1, 1], [2, 2]]).icc(once(2)) == pytest.approx([1])
    assert math.isnan(RaterSpread.of([[1, 2]]).icc(once(1))[0])
    assert math.isnan(RaterSpread.of([[1], []]).difference(once(2))[0])


# -- texts ----------------------------------------------------------------------------------------------------------

TABLE = np.array([[1, 0], [0, 1], [0.6, 0.8], [0, 0]], dtype=np.float32)
EVEN = np.ones(4)


def test_each_token_is_matched_with_the_nearest_of_the_other_text():
    report, real = token_bag([0, 1], TABLE, EVEN), token_bag([2], TABLE, EVEN)
    found = token_similarity(report, real)
    assert (found.precision, found.recall) == (pytest.approx(0.7), pytest.approx(0.8))
    assert found.f == pytest.approx(2 * 0.7 * 0.8 / 1.5)


def test_rare_tokens_weigh_more_and_repeated_ones_as_often_as_they_stand_there():
    rare = np.array([3.0, 1.0, 1.0, 1.0])
    report = token_bag([0, 1, 1], TABLE, rare)
    assert token_similarity(report, token_bag([1], TABLE, rare)).precision == pytest.approx((0 * 3 + 2 * 1) / 5)


def test_a_text_of_nothing_known_is_like_nothing():
    assert token_similarity(token_bag([3], TABLE, EVEN), token_bag([0], TABLE, EVEN)) is None
    assert token_similarity(token_bag([], TABLE, EVEN), token_bag([0], TABLE, EVEN)) is None
    assert mean_similarity([None, None]) is None


def test_rarity_counts_texts_not_tokens():
    assert token_rarity([[0, 0, 1], [0]], 3) == pytest.approx([0, math.log(3 / 2), math.log(3)])


@given(st.lists(st.integers(0, 2), min_size=1, max_size=6))
def test_a_text_is_most_like_itself(tokens):
    bag = token_bag(tokens, TABLE, EVEN)
    assert token_similarity(bag, bag).f == pytest.approx(1)


def test_places_tell_how_many_lie_as_near_and_an_empty_text_comes_last():
    about = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    texts = np.array([[1.0, 0.1], [1.0, 0.1], [0.0, 0.0]])
    assert list(ranks_of_own(texts, np.array([0, 1, 0]), about)) == [1, 2, 3]
    aside = about + 5.0
    assert list(ranks_of_own(np.zeros((300, 2)), np.arange(300) % 3, aside)) == [3] * 300, "wherever their middle lies"


def test_a_mean_of_no_thing_is_none():
    assert np.isnan(weighted_mean(np.array([1.0]), np.zeros((1, 1))))[0]
