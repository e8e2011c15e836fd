"""Agreement of people and judges, on single matches and on ratings."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.benchmarks.arena.statistics.agreement import agreement_of_judges, agreement_of_ratings
from novum.statistics.agreement import quadratic_kappa
from novum.statistics.correlation import mean_ranks, spearman
from tests.statistics.arena_pairs import both_orders, judged_pair
from tests.statistics.arena_published import CRITERIA, TABLE_1, TABLE_26

outcomes = st.sampled_from(["first", "second", "tie"])


def both_judges(*columns, names=("people", "model")):
    """Each judge's outcomes, topic by topic."""
    return [
        each
        for name, column in zip(names, columns, strict=True)
        for topic, outcome in enumerate(column)
        for each in both_orders("a", "b", outcome, judge=name, topic=str(topic))
    ]


def test_agreement_is_the_share_of_matches_with_the_same_winner():
    (found,) = agreement_of_judges(
        both_judges(["first", "first", "second", "tie"], ["first", "second", "second", "first"]), draws=50
    )
    (novelty,) = found.criteria
    assert (found.first, found.second, novelty.matches, novelty.decided) == ("people", "model", 4, 3)
    assert (novelty.same.value, novelty.same_winner.value) == (0.5, pytest.approx(2 / 3))
    assert novelty.same.low < 0.5 < novelty.same.high


def test_ties_of_both_are_agreement_but_no_winner():
    (found,) = agreement_of_judges(both_judges(["tie", "tie"], ["tie", "tie"]), draws=10)
    assert (found.criteria[0].same.value, found.criteria[0].same_winner.value) == (1, None)
    assert found.criteria[0].kappa.value is None  # nothing to be better than chance at


def test_kappa_of_a_worked_example():
    """20 cases: 9 both first, 5 both second, 6 apart: (0.7 - 0.49) / (1 - 0.49) ... by the definition."""
    people = ["first"] * 12 + ["second"] * 8
    model = ["first"] * 9 + ["second"] * 3 + ["first"] * 3 + ["second"] * 5
    (found,) = agreement_of_judges(both_judges(people, model), draws=0)
    chance = 0.6 * 0.6 + 0.4 * 0.4
    assert found.criteria[0].kappa.value == pytest.approx((0.7 - chance) / (1 - chance))


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(outcomes, outcomes), min_size=1, max_size=12))
def test_weighted_kappa_is_the_quadratic_one_and_all_is_symmetric(pairs):
    people, model = zip(*pairs, strict=True)
    (found,) = agreement_of_judges(both_judges(people, model), draws=0)
    (turned,) = agreement_of_judges(both_judges(model, people), draws=0)
    points = {"first": 2, "tie": 1, "second": 0}
    expected = quadratic_kappa([points[each] for each in people], [points[each] for each in model])
    weighted = found.criteria[0].weighted_kappa.value
    assert weighted == (None if expected is None else pytest.approx(expected))
    for name in ("same", "same_winner", "kappa", "weighted_kappa"):
        one, other = (getattr(each.average, name).value for each in (found, turned))
        assert one == (None if other is None else pytest.approx(other))


def test_only_pairs_that_both_judged_count_and_failures_do_not():
    judged_pairs = [
        *both_judges(["first", "first"], ["first", "second"]),
        judged_pair("a", "c", "first", judge="model", topic="9"),
    ]
    failed = [
        judged_pair("a", "b", None, judge="model", topic="8"),
        *both_orders("a", "b", "first", judge="people", topic="8"),
    ]
    (found,) = agreement_of_judges([*judged_pairs, *failed], draws=0)
    assert found.average.matches == 2


def test_judges_that_judged_nothing_in_common_have_no_agreement():
    judged_pairs = [
        judged_pair("a", "b", "first", judge="j", topic="1"),
        judged_pair("a", "b", "first", judge="k", topic="2"),
    ]
    (found,) = agreement_of_judges(judged_pairs)
    assert (found.average.matches, found.average.same.value, found.criteria[0].kappa.value) == (0, None, None)


def test_people_who_judged_a_pair_several_times_speak_by_majority():
    judged_pairs = [judged_pair("a", "b", text, judge="people") for text in ("first", "second", "first")]
    (found,) = agreement_of_judges([*judged_pairs, *both_orders("a", "b", "first", judge="model")], draws=0)
    assert (found.average.matches, found.average.same.value) == (1, 1)


def test_the_average_is_the_mean_over_criteria_as_published():
    criteria, average = TABLE_1
    assert np.mean(criteria) == pytest.approx(average, abs=0.05)
    verdicts = {"novelty": "first", "clarity": "first"}, {"novelty": "first", "clarity": "second"}
    judged_pairs = [judged_pair("a", "b", text, judge=judge) for judge, text in zip("jk", verdicts, strict=True)]
    (found,) = agreement_of_judges(judged_pairs, draws=0)
    assert [each.same.value for each in found.criteria] == [1, 0]
    assert found.average.same.value == 0.5


def by_criterion(judge):
    return {name: TABLE_26[judge][:, place] for place, name in enumerate(CRITERIA)}


def test_published_ratings_of_models_and_people_correlate():
    """The paper prints its correlations in pictures only; these follow from its Table 26."""
    found = {pair: agreement_of_ratings(*(by_criterion(judge) for judge in pair)) for pair in combinations(TABLE_26, 2)}
    with_people = [each for pair, each in found.items() if "human" in pair]
    among_models = [each for pair, each in found.items() if "human" not in pair]
    assert min(each.mean_pearson for each in with_people) > 0.7
    assert min(each.mean_pearson for each in among_models) > max(each.mean_pearson for each in with_people)
    people = found["human", "GPT-4o"]
    assert (round(people.mean_pearson, 3), round(people.mean_spearman, 3)) == (0.838, 0.784)
    assert people.mean_pearson == pytest.approx(
        np.mean([np.corrcoef(by_criterion("human")[name], by_criterion("GPT-4o")[name])[0, 1] for name in CRITERIA])
    )


def test_criteria_of_only_one_judge_and_ratings_without_spread_are_left_out():
    found = agreement_of_ratings({"a": [1, 2, 3], "b": [5, 5, 5], "c": [1, 2, 3]}, {"a": [2, 4, 6], "b": [1, 2, 3]})
    assert (list(found.pearson), found.pearson["b"].r, found.mean_pearson) == (["a", "b"], None, pytest.approx(1))
    assert agreement_of_ratings({}, {}).mean_spearman is None


def test_ranks_do_not_care_about_distances_and_equal_values_share_theirs():
    assert mean_ranks([10, 30, 20, 20]).tolist() == [1, 4, 2.5, 2.5]
    assert spearman([1, 2, 3, 4], [1, 10, 100, 1000]).r == pytest.approx(1)
    assert spearman([1, 2, 3, np.nan], [3, 2, 1, 5]).left_out == 1
    with pytest.raises(ValueError, match="equal length"):
        spearman([1, 2], [1])


def test_means_of_the_same_marks_in_another_order_are_ties():
    one, other = (0.1 + 0.2 + 0.3) / 3, (0.3 + 0.2 + 0.1) / 3
    assert one != other
    assert mean_ranks([one, other, 1]).tolist() == [1.5, 1.5, 3]
    assert mean_ranks([1e-9, 2e-9, -1e5, -1e5 - 0.001, np.inf, np.inf]).tolist() == [3, 4, 2, 1, 5.5, 5.5]
    assert mean_ranks([]).tolist() == []


def test_spearman_of_a_known_example():
    """Ten pairs without ties: 1 - 6 Σd² / (n (n² - 1))."""
    x, y = [106, 100, 86, 101, 99, 103, 97, 113, 112, 110], [7, 27, 2, 50, 28, 29, 20, 12, 6, 17]
    assert spearman(x, y).r == pytest.approx(-29 / 165)
