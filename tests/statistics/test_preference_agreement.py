"""Appendix F on examples that can be computed by hand: preferences (eq. 28), kappa (eq. 29), Pearson (eq. 30)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.idea_metrics.preference_agreement import (
    agreement_of_grades,
    agreement_of_preferences,
    matching_differences,
    preferences,
)

PEOPLE = [1, 2, 3, 4, 5, 1, 3, 5]
AUTOMATED = [1, 2, 3, 4, 4, 2, 3, 5]
GRADES = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=1, max_size=40)
SCORES = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=20)


def test_a_difference_is_graded_from_strongly_the_first_to_strongly_the_second():
    first, second = [0.9, 0.55, 0.5, 0.45, 0.1], [0.1, 0.5, 0.5, 0.5, 0.9]
    assert preferences(first, second, slight=0.04, strong=0.3).tolist() == [1, 2, 3, 4, 5]


def test_a_difference_that_reaches_a_bound_is_beyond_it():
    assert preferences([0.5, 0.5], [0.25, 0.0], slight=0.25, strong=0.5).tolist() == [2, 1]


@settings(max_examples=50)
@given(SCORES)
def test_exchanging_the_ideas_turns_a_preference_round(scores):
    first, second = zip(*scores, strict=True)
    there = preferences(first, second, slight=0.1, strong=0.4)
    back = preferences(second, first, slight=0.1, strong=0.4)
    assert (there + back == 6).all()


@pytest.mark.parametrize(("slight", "strong"), [(0, 1), (0.5, 0.2), (-1, 1)])
def test_bounds_that_make_no_sense_are_refused(slight, strong):
    with pytest.raises(ValueError, match="slight"):
        preferences([1], [2], slight=slight, strong=strong)


def test_scores_that_are_not_known_have_no_preference():
    with pytest.raises(ValueError, match="finite"):
        preferences([math.nan], [2], slight=0.1, strong=1)


def test_kappa_of_a_worked_example():
    """Six of eight agree: p_o = 0.75. People said 1 to 5 in 2, 1, 2, 1, 2 of 8 cases, the score in 1, 2, 2, 2, 1:
    p_e = (2·1 + 1·2 + 2·2 + 1·2 + 2·1) / 64 = 12 / 64. Kappa = (0.75 - 0.1875) / (1 - 0.1875) = 9 / 13."""
    found = agreement_of_grades(PEOPLE, AUTOMATED)
    assert (found.n, found.observed, found.by_chance) == (8, 0.75, 0.1875)
    assert found.kappa == pytest.approx(9 / 13)
    assert found.close == 1


def test_pearson_of_a_worked_example():
    """Both means are 3; Σ dx dy = 14, Σ dx² = 18, Σ dy² = 12: ρ = 14 / √216."""
    found = agreement_of_preferences(PEOPLE, AUTOMATED)
    assert found.pearson.r == pytest.approx(14 / math.sqrt(216))
    assert (found.decided, found.same_side) == (6, 1)


def test_quadratic_weights_of_a_worked_example():
    """Both are off by one twice: E(x - y)² = 2 / 8. By chance: 18 / 8 + 12 / 8 + 0. 1 - 2 / 30 = 14 / 15."""
    assert agreement_of_grades(PEOPLE, AUTOMATED).weighted_kappa == pytest.approx(14 / 15)


def test_sides_are_compared_only_where_both_took_one():
    found = agreement_of_preferences([1, 2, 3, 5, 4], [2, 4, 1, 4, 3])
    assert (found.decided, found.same_side) == (3, pytest.approx(2 / 3))


@settings(max_examples=50)
@given(GRADES)
def test_kappa_is_that_of_a_count_of_all_cells(pairs):
    found = agreement_of_grades(*zip(*pairs, strict=True))
    n = len(pairs)
    cells = [[sum(pair == (i, j) for pair in pairs) for j in range(1, 6)] for i in range(1, 6)]
    seen = sum(cells[i][i] for i in range(5)) / n
    chance = sum(sum(cells[i]) * sum(row[i] for row in cells) for i in range(5)) / n**2
    assert found.observed == pytest.approx(seen)
    assert found.by_chance == pytest.approx(chance)
    if chance < 1:
        assert found.kappa == pytest.approx((seen - chance) / (1 - chance))
        assert -1 <= found.kappa <= 1
    else:
        assert found.kappa is None


@settings(max_examples=50)
@given(GRADES, st.randoms(use_true_random=False))
def test_the_order_of_pairs_and_who_is_called_the_first_make_no_difference(pairs, random_order):
    shuffled = list(pairs)
    random_order.shuffle(shuffled)
    there = agreement_of_grades(*zip(*pairs, strict=True))
    back = agreement_of_grades(*reversed(list(zip(*shuffled, strict=True))))
    assert there.model_dump() == pytest.approx(back.model_dump())


def test_nothing_to_compare_is_not_agreement():
    found = agreement_of_preferences([], [])
    assert (found.grades.n, found.grades.kappa, found.same_side, found.pearson.r) == (0, None, None, None)
    assert agreement_of_grades([3, 3], [3, 3]).kappa is None


def test_what_is_no_preference_is_refused():
    with pytest.raises(ValueError, match="1 to 5"):
        agreement_of_preferences([0], [3])
    with pytest.raises(ValueError, match="equal length"):
        agreement_of_preferences([1, 2], [3])


def test_differences_count_as_slight_and_strong_as_often_as_people_had_such_preferences():
    people, ahead = [3, 3, 2, 4, 1], [0.05, -0.01, 0.2, -0.3, 0.9]
    slight, strong = matching_differences(people, ahead)
    assert (slight, strong) == (0.2, 0.9)
    assert preferences(ahead, np.zeros(5), slight=slight, strong=strong).tolist() == [3, 3, 2, 4, 1]


@settings(max_examples=50)
@given(
    st.lists(
        st.tuples(st.integers(1, 5), st.integers(-1000, 1000)), min_size=1, max_size=30, unique_by=lambda p: abs(p[1])
    )
)
def test_bounds_by_frequency_always_make_sense(text):
    people, ahead = (np.array(each, dtype=float) for each in zip(*text, strict=True))
    slight, strong = matching_differences(people, ahead)
    made = preferences(ahead, np.zeros(len(text)), slight=slight, strong=strong)
    strengths = [sorted(np.abs(each - 3).astype(int).tolist()) for each in (people, made)]
    if 0 not in ahead:
        assert strengths[0] == strengths[1]
    with pytest.raises(ValueError, match="for each preference"):
        matching_differences(people, ahead[1:])
