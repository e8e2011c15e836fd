"""Areas, correlations inside strata, and many questions at once: against counting by hand, and by what must hold."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.statistics.auc import auc
from novum.statistics.correlation import FEWEST, mean_ranks, spearman, spearman_within
from novum.statistics.significance import benjamini_hochberg

scored = st.lists(
    st.tuples(st.integers(-5, 5), st.booleans(), st.sampled_from("ab")), min_size=1, max_size=30
)  # few values: ties are common


def columns(rows):
    values, selected, strata = zip(*rows, strict=True)
    return np.array(values, float), np.array(selected, float), np.array(strata)


def by_pairs(values, selected, strata):
    """Every pair of a stratum, one chosen and one not, looked at in turn."""
    wins = [
        (1.0 if up > down else 0.5 if up == down else 0.0)
        for up, is_up, one in zip(values, selected, strata, strict=True)
        for down, is_down, other in zip(values, selected, strata, strict=True)
        if is_up and not is_down and one == other
    ]
    return sum(wins) / len(wins) if wins else None


@given(scored)
def test_the_area_is_the_share_of_pairs_in_the_right_order(rows):
    values, selected, strata = columns(rows)
    assert auc(values, selected, strata).area.value == pytest.approx(by_pairs(values, selected, strata))


@given(scored)
def test_only_the_order_of_scores_matters_and_turned_round_it_is_the_rest(rows):
    values, selected, strata = columns(rows)
    found = auc(values, selected, strata)
    stretched = auc(np.exp(values) + 7, selected, strata)
    assert stretched == found
    turned, exchanged = auc(-values, selected, strata), auc(values, 1 - selected, strata)
    if found.area.value is not None:
        assert turned.area.value == pytest.approx(1 - found.area.value)
        assert exchanged.area.value == pytest.approx(1 - found.area.value)
        assert found.positives + found.negatives + found.left_out == len(rows)
    if found.area.low is not None:
        assert 0 <= found.area.low <= found.area.value <= found.area.high <= 1
        assert turned.area.low == pytest.approx(1 - found.area.high)


def test_the_interval_is_delongs():
    """By its formula: the variance of placements, those of three chosen among two others and the other way round. It is
    even on the scale of the odds, 3 to 1 here, whose slope is 1 / (0.75 · 0.25)."""
    found = auc([1, 3, 4, 2, 3], [0, 0, 1, 1, 1]).area
    above, below = np.array([1, 0.5, 0.75]), np.array([1, 0.5])  # of 4, 2, 3 over {1, 3}; of 1, 3 under {4, 2, 3}
    assert below.mean() == pytest.approx(above.mean())
    reach = 1.959964 * math.sqrt(above.var(ddof=1) / 3 + below.var(ddof=1) / 2)
    assert found.value == pytest.approx(0.75)
    ends = [math.log(3) + side * reach / (0.75 * 0.25) for side in (-1, 1)]
    assert [found.low, found.high] == pytest.approx([1 / (1 + math.exp(-end)) for end in ends])


@pytest.mark.parametrize(
    ("strata", "rows", "share", "ahead"), [(1, 60, 0.1, 1.5), (8, 12, 0.4, 0.7), (30, 4, 0.3, 0.7)]
)
def test_the_interval_holds_the_true_area_about_as_often_as_it_says(strata, rows, share, ahead):
    """Of many studies with few of a kind, whose area is Φ(d / √2), at least nine in ten intervals hold it."""
    rng = np.random.default_rng(0)
    true = NormalDist().cdf(ahead / math.sqrt(2))
    held = []
    for _ in range(150):
        names = np.repeat(np.arange(strata), rows)
        selected = rng.random(len(names)) < share
        found = auc(rng.normal(size=len(names)) + ahead * selected + names, selected, names).area
        if found.low is not None:
            held.append(found.low <= true <= found.high)
    assert np.mean(held) > 0.88


def test_a_stratum_with_one_of_a_kind_does_not_take_the_interval_from_the_others():
    rng = np.random.default_rng(1)
    values, selected = rng.normal(size=40), np.arange(40) % 2
    alone = auc(values, selected).area
    both = auc([*values, 0.5, 0.1], [*selected, 1, 0], ["a"] * 40 + ["b"] * 2).area
    assert alone.low is not None
    assert both.low is not None
    assert both.high - both.low == pytest.approx(alone.high - alone.low, rel=0.05)


def test_a_difference_between_strata_is_no_skill():
    """The venue that takes more has higher scores; inside each the order is wrong."""
    values, selected = [1, 2, 11, 12, 13], [1, 0, 1, 1, 0]
    assert auc(values, selected).area.value == pytest.approx(2 / 6)
    assert auc(values, selected, list("aabbb")).area.value == 0


@pytest.mark.parametrize(
    ("values", "selected"),
    [([], []), ([1, 2], [1, 1]), ([1, math.nan], [1, 0]), ([1, 2], [1, math.nan])],
)
def test_without_a_pair_there_is_no_area(values, selected):
    found = auc(values, selected).area
    assert (found.value, found.low, found.high) == (None, None, None)


def test_a_perfect_order_of_few_has_no_interval_that_could_be_told():
    found = auc([1, 2, 3, 4], [0, 0, 1, 1]).area
    assert (found.value, found.low) == (1, None)


def test_within_one_stratum_it_is_spearmans_correlation():
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 9, 60).astype(float), rng.integers(0, 9, 60).astype(float)
    (found,) = spearman_within(x[:, None], y, np.zeros(60), draws=500)
    assert found.rho.value == pytest.approx(spearman(x, y).r)
    assert found.rho.low < found.rho.value < found.rho.high
    assert found.p == pytest.approx(spearman(x, y).p, abs=0.02)


def test_strata_are_averaged_by_their_sizes():
    """By hand: ten papers in perfect order, twenty in perfect disorder."""
    x = [*range(10), *range(20)]
    y = [*range(100, 110), *range(20, 0, -1)]
    (found,) = spearman_within(np.array(x)[:, None], y, ["a"] * 10 + ["b"] * 20, draws=200)
    assert found.rho.value == pytest.approx((10 * 1 + 20 * -1) / 30)
    assert (found.n, found.strata) == (30, 2)
    assert (found.rho.low, found.rho.high) == pytest.approx((found.rho.value, found.rho.value))


def test_small_strata_and_those_without_spread_are_left_out():
    x = np.arange(FEWEST * 2 + 3, dtype=float)
    strata = ["whole"] * FEWEST + ["flat"] * FEWEST + ["small"] * 3
    y = np.where(np.array(strata) == "flat", 1.0, x)
    (found,) = spearman_within(x[:, None], y, strata, draws=10)
    assert (found.n, found.strata, found.rho.value) == (FEWEST, 1, pytest.approx(1))


def test_what_is_only_length_is_nothing_at_equal_length():
    rng = np.random.default_rng(2)
    length = rng.normal(size=400)
    outcome = length + rng.normal(size=400)
    only_length, more = length + 0.01 * rng.normal(size=400), outcome + rng.normal(size=400)
    scored_columns = np.stack([only_length, more], axis=1)
    plain = spearman_within(scored_columns, outcome, np.zeros(400), draws=200)
    equal = spearman_within(scored_columns, outcome, np.zeros(400), given=length[:, None], draws=200)
    assert plain[0].rho.low > 0.4
    assert equal[0].rho.low < 0 < equal[0].rho.high
    assert equal[1].rho.low > 0.3


def test_a_partial_correlation_is_that_of_what_two_regressions_leave():
    rng = np.random.default_rng(3)
    x, y, z = rng.normal(size=(3, 50))
    x += z
    ranks = [mean_ranks(each) for each in (x, y, z)]
    left = [one - np.polyval(np.polyfit(ranks[2] - 25.5, one, 3), ranks[2] - 25.5) for one in ranks[:2]]
    (found,) = spearman_within(x[:, None], y, np.zeros(50), given=z[:, None], draws=10)
    assert found.rho.value == pytest.approx(np.corrcoef(*left)[0, 1])


@given(st.integers(0, 2**32 - 1), st.sampled_from([math.exp, lambda value: value**3]))
def test_only_ranks_inside_strata_matter(seed, stretched):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(-3, 4, (2, 40)).astype(float)
    strata = rng.integers(0, 2, 40)
    moved = np.vectorize(stretched)(x) + 1000 * strata
    one, other = (spearman_within(each[:, None], y, strata, draws=20)[0] for each in (x, moved))
    assert (one.n, one.strata) == (other.n, other.strata)
    if one.rho.value is not None:
        assert -1 <= one.rho.value <= 1
        assert one.rho.value == pytest.approx(other.rho.value)


def test_missing_values_cost_only_the_column_that_has_them():
    x = np.column_stack([np.arange(30.0), np.arange(30.0)])
    x[:15, 1] = np.nan
    whole, half = spearman_within(x, np.arange(30.0), np.zeros(30), draws=10)
    assert (whole.n, half.n) == (30, 15)


def test_many_questions_are_adjusted_as_by_hand():
    """Benjamini and Hochberg: the i-th smallest of m times m / i, and never above a larger one's."""
    adjusted = benjamini_hochberg([0.04, 0.01, math.nan, 0.03, 0.5])
    assert adjusted.tolist() == pytest.approx([0.04 * 4 / 3, 0.04, math.nan, 0.04 * 4 / 3, 0.5], nan_ok=True)


@given(st.lists(st.floats(0, 1), max_size=20))
def test_adjusted_values_keep_the_order_and_are_never_smaller(p):
    adjusted = benjamini_hochberg(p)
    assert all(one <= other <= 1 for one, other in zip(p, adjusted, strict=True))
    assert all(np.diff(adjusted[np.argsort(p, kind="stable")]) >= 0)


def test_a_score_that_likes_texts_of_usual_length_knows_nothing_but_length():
    """So do people here: both rise and fall with length, which no straight line through it takes away."""
    rng = np.random.default_rng(5)
    length = rng.normal(size=400)
    score, rating = (-(length**2) + 0.3 * rng.normal(size=400) for _ in range(2))
    plain, given_length = (
        spearman_within(score[:, None], rating, np.zeros(400), given=given, draws=200)[0].rho
        for given in (None, length[:, None])
    )
    assert plain.low > 0.7
    assert given_length.value < plain.value / 2
