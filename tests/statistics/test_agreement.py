"""Agreement of people and panels: the published study's own ratings, and values known from elsewhere."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from novum.statistics.agreement import band, krippendorff_alpha, quadratic_kappa, reliability
from novum.statistics.correlation import pearson
from tests.statistics.published import DIMENSIONS, EXPERTS, LEADERBOARD, PANEL

grades = st.integers(1, 10).map(float)
tables = arrays(float, st.tuples(st.integers(2, 8), st.integers(2, 5)), elements=grades)


def alpha_of_table(table, scale="ordinal", **options):
    """Krippendorff's alpha of a table with one row for each unit and one column for each rater."""
    ratings = np.asarray(table, float)
    return krippendorff_alpha(np.repeat(np.arange(len(ratings)), ratings.shape[1]), ratings.ravel(), scale, **options)


def test_people_and_panel_correlate_as_published():
    found = {name: round(pearson(PANEL[name], EXPERTS[name].mean(axis=1)).r, 3) for name in DIMENSIONS}
    assert found == {"originality": 0.820, "feasibility": 0.572, "clarity": 0.420}


def test_the_correlation_of_clarity_is_not_significant_at_five_percent():
    clarity = pearson(PANEL["clarity"], EXPERTS["clarity"].mean(axis=1))
    assert clarity.n == 22
    assert clarity.p == pytest.approx(0.05176, abs=1e-5)
    assert (clarity.low, clarity.high) == pytest.approx((-0.00219, 0.71489), abs=1e-5)


def test_the_published_coefficients_are_those_of_consistency():
    found = {name: round(reliability(EXPERTS[name]).consistency_average.value, 3) for name in DIMENSIONS}
    assert found == {"originality": 0.823, "feasibility": 0.453, "clarity": 0.782}


def test_absolute_agreement_which_the_text_names_is_lower():
    found = {name: round(reliability(EXPERTS[name]).agreement_average.value, 3) for name in DIMENSIONS}
    assert found == {"originality": 0.766, "feasibility": 0.396, "clarity": 0.637}


def test_each_coefficient_comes_with_interval_test_and_band():
    icc = reliability(EXPERTS["originality"]).consistency_average
    assert (icc.form, icc.freedom, icc.band) == ("ICC(C,k)", (21, 105), "good")
    assert icc.f == pytest.approx(5.65988, abs=1e-5)
    assert icc.p == pytest.approx(7.501e-10, rel=1e-3)
    assert icc.low < icc.value < icc.high


def test_the_ratings_of_shrout_and_fleiss():
    """Six targets, four judges (Shrout & Fleiss 1979, table 4), with the intervals of McGraw & Wong's formulas."""
    found = reliability([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]])
    forms = (found.agreement_single, found.consistency_single, found.agreement_average, found.consistency_average)
    assert [round(each.value, 2) for each in forms] == [0.29, 0.71, 0.62, 0.91]
    assert (found.agreement_single.low, found.agreement_single.high) == pytest.approx((0.019, 0.761), abs=1e-3)
    assert (found.consistency_single.low, found.consistency_single.high) == pytest.approx((0.342, 0.946), abs=1e-3)
    assert (found.agreement_average.low, found.agreement_average.high) == pytest.approx((0.071, 0.927), abs=1e-3)
    assert (found.consistency_average.low, found.consistency_average.high) == pytest.approx((0.676, 0.986), abs=1e-3)


@pytest.mark.parametrize(
    ("icc", "word"),
    [(-0.2, "poor"), (0.49, "poor"), (0.5, "moderate"), (0.75, "moderate"), (0.76, "good"), (0.91, "excellent")],
)
def test_bands_are_those_of_koo_and_li(icc, word):
    assert band(icc) == word


def test_raters_in_perfect_step_agree_perfectly_only_if_equally_severe():
    one = np.arange(1.0, 9)
    same, shifted = reliability(np.column_stack([one, one])), reliability(np.column_stack([one, one + 1]))
    assert (same.agreement_average.value, same.agreement_average.low) == (1, 1)
    assert (shifted.consistency_average.value, shifted.consistency_average.p) == (1, 0)
    assert shifted.agreement_single.value < 1


def test_a_row_with_a_missing_rating_is_left_out_and_told():
    table = EXPERTS["clarity"].copy()
    table[3, 2] = np.nan
    found = reliability(table)
    assert (found.subjects, found.left_out, found.raters) == (21, 1, 6)


@pytest.mark.parametrize("table", [np.full((5, 3), 7.0), np.ones((1, 3)), np.ones((4, 1)), np.full((3, 3), np.nan)])
def test_ratings_that_say_nothing_have_no_coefficient(table):
    found = reliability(table).agreement_average
    assert (found.value, found.low, found.p, found.band) == (None, None, None, "")
    assert found.reason


# People who order ideas in opposite ways, or nearly so: the denominator of ICC(A,k) is zero, or below.
@pytest.mark.parametrize("table", [[[1, 5], [5, 1.0000001]], [[2, 7], [7, 2 - 1e-9], [4, 5]], [[1, 2, 9], [9, 2, 1.5]]])
def test_a_coefficient_without_a_denominator_is_undefined_and_says_why(table):
    found = reliability(table).agreement_average
    assert (found.value, found.low, found.high, found.band) == (None, None, None, "")
    assert "denominator" in found.reason


def test_an_interval_that_has_no_lower_end_says_none():
    found = reliability([[1, 4, 2], [3, 2, 5], [4, 5, 1], [5, 4, 4]]).agreement_average
    assert found.value is not None
    assert found.low is None


@settings(deadline=None, max_examples=50)
@given(tables)
def test_any_table_has_coefficients_inside_their_intervals_or_none(table):
    found = reliability(table)
    for icc in (found.agreement_single, found.agreement_average, found.consistency_single, found.consistency_average):
        assert (icc.value is None) == (icc.p is None) == bool(icc.reason)
        numbers = [each for each in (icc.value, icc.low, icc.high, icc.p) if each is not None]
        assert all(math.isfinite(each) and abs(each) <= 1e7 for each in numbers)
        assert icc.low is None or icc.high is None or icc.low <= icc.high + 1e-9
    single = found.consistency_single
    assert single.value is None or single.low - 1e-9 <= single.value <= single.high + 1e-9


@settings(deadline=None, max_examples=30)
@given(tables, st.permutations(range(5)))
def test_the_order_of_raters_does_not_matter(table, order):
    turned = table[:, [each for each in order if each < table.shape[1]]]
    first, second = reliability(table).agreement_single, reliability(turned).agreement_single
    assert (first.value is None and second.value is None) or first.value == pytest.approx(second.value)


# Krippendorff's own example with missing data (2011): 4 observers, 12 units.
_OBSERVERS = [
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
]
KRIPPENDORFF = np.array([[math.nan if each == "." else float(each) for each in row.split()] for row in _OBSERVERS]).T


def test_krippendorffs_own_example():
    ordinal, interval = alpha_of_table(KRIPPENDORFF), alpha_of_table(KRIPPENDORFF, "interval")
    assert (round(ordinal.alpha, 3), round(interval.alpha, 3)) == (0.815, 0.849)
    assert (ordinal.units, ordinal.ratings) == (11, 40)  # the last unit was rated once


def test_alpha_of_the_published_ratings():
    found = [round(alpha_of_table(EXPERTS[name]).alpha, 3) for name in DIMENSIONS]
    assert found == [0.342, 0.051, 0.176]


def test_alpha_has_an_interval_when_draws_are_requested():
    found = alpha_of_table(EXPERTS["originality"], draws=300, seed=1)
    assert found.low < found.alpha < found.high
    assert found == alpha_of_table(EXPERTS["originality"], draws=300, seed=1)


@pytest.mark.parametrize("table", [np.full((4, 3), 5.0), [[1, math.nan], [math.nan, 2]], np.empty((0, 3))])
def test_nothing_to_compare_has_no_alpha(table):
    assert alpha_of_table(table, draws=10).alpha is None


@given(tables)
def test_alpha_does_not_care_who_said_what(table):
    units = np.repeat(np.arange(len(table)), table.shape[1])
    shuffled = np.array([sorted(row) for row in table])
    there, back = krippendorff_alpha(units, table.ravel()), krippendorff_alpha(units, shuffled.ravel())
    assert there.alpha == (None if back.alpha is None else pytest.approx(back.alpha))
    assert there.alpha is None or there.alpha <= 1


def test_kappa_of_a_worked_example():
    """By the definition, with a 4 × 4 table of weights: 1 − Σwo / Σwe."""
    first, second = [1, 2, 3, 4, 4, 2], [1, 3, 3, 4, 2, 2]
    observed = sum((a - b) ** 2 for a, b in zip(first, second, strict=True)) / 6
    expected = sum((a - b) ** 2 for a in first for b in second) / 36
    assert quadratic_kappa(first, second) == pytest.approx(1 - observed / expected)


@given(st.lists(st.tuples(grades, grades), min_size=1, max_size=20))
def test_kappa_is_symmetric_and_at_most_one(pairs):
    first, second = zip(*pairs, strict=True)
    kappa = quadratic_kappa(first, second)
    assert kappa == (None if kappa is None else pytest.approx(quadratic_kappa(second, first)))
    assert kappa is None or -1 - 1e-9 <= kappa <= 1
    assert quadratic_kappa(first, first) in {None, 1}


def test_pairs_with_a_missing_side_are_left_out():
    assert quadratic_kappa([1, 2, math.nan, 4], [1, 2, 3, math.nan]) == 1
    found = pearson([1, 2, 3, math.nan, 5], [2, 4, 6, 8, math.nan])
    assert (found.r, found.n, found.left_out) == (pytest.approx(1), 3, 2)


@pytest.mark.parametrize("x", [[1, 2], [3, 3, 3, 3], []])
def test_too_little_to_correlate_is_no_correlation(x):
    found = pearson(x, range(len(x)))
    assert (found.r, found.p, found.low) == (None, None, None)


@given(st.lists(st.tuples(*[st.floats(-1e100, 1e100)] * 2), min_size=3, max_size=30))
def test_r_stays_within_one_for_any_numbers(pairs):
    found = pearson(*zip(*pairs, strict=True))
    assert found.r is None or (-1 <= found.r <= 1 and 0 <= found.p <= 1)


def test_the_published_averages_follow_from_the_five_columns():
    apart = sorted(abs(sum(row[:5]) / 5 - row[5]) for row in LEADERBOARD.values())
    assert len(apart) == 41
    assert apart[-2] <= 0.0065  # both sides are rounded to hundredths
    assert apart[-1] == pytest.approx(0.008)
    assert [name for name, row in LEADERBOARD.items() if abs(sum(row[:5]) / 5 - row[5]) > 0.0065] == [
        "qwen-2.5-coder-32b-instruct"
    ]


def test_the_published_flexibilities_are_percentiles_of_keyword_means():
    """Mean of three means of six scores and of one grade: a whole number of twenty-fourths, and so nearly all are."""
    off = [abs(row[4] * 24 - round(row[4] * 24)) / 24 for row in LEADERBOARD.values()]
    assert sum(each <= 0.0051 for each in off) == 40
