"""How often judges prefer one entrant to another, without knowing who wrote what."""

from __future__ import annotations

import pytest

from novum.benchmarks.arena.statistics.blind_wins import blind_wins
from novum.core import Verdict
from novum.core.comparison import IDEA_CRITERIA, JudgedPair


def judged(first, second, *outcomes, topic="t", judge="j"):
    """One comparison, with these outcomes on the first criteria; none: a failed request."""
    verdicts = tuple(Verdict(criterion=name, outcome=each) for name, each in zip(IDEA_CRITERIA, outcomes, strict=False))
    return JudgedPair(
        topic=topic, first=first, second=second, judge=judge, verdicts=verdicts, failure="" if verdicts else "refused"
    )


def counts(pairs):
    found = blind_wins(pairs, "a", "b")
    return found.won, found.tied, found.lost


def test_the_idea_that_is_better_on_more_criteria_wins_a_comparison():
    assert counts([judged("a", "b", "first", "first", "second")]) == (1, 0, 0)
    assert counts([judged("b", "a", "first", "second", "tie")]) == (0, 1, 0)
    assert counts([judged("b", "a", "first", "first", "second")]) == (0, 0, 1)


def test_a_preference_for_a_position_wins_nothing():
    found = blind_wins([judged("a", "b", "first"), judged("b", "a", "first")], "a", "b")
    assert (found.won, found.lost, found.rate.value, found.p) == (1, 1, 0.5, None)


def test_a_comparison_whose_other_order_failed_does_not_count():
    assert counts([judged("a", "b", "first"), judged("b", "a")]) == (0, 0, 0)
    assert blind_wins([judged("a", "b"), judged("b", "a")], "a", "b").rate.value is None


def test_people_who_judge_one_order_count_as_they_are_and_others_not_at_all():
    assert counts([judged("a", "b", "first"), judged("a", "c", "first"), judged("c", "b", "first")]) == (1, 0, 0)


def test_topics_are_the_units_of_the_interval_and_of_the_test():
    once = [judged("a", "b", "first", topic=f"t{number}") for number in range(8)]
    often = [judged("a", "b", "first", topic=f"t{at}", judge=f"j{judge}") for at in range(8) for judge in range(9)]
    few, many = blind_wins(once, "a", "b"), blind_wins(often, "a", "b")
    assert (few.rate.low, few.rate.high) == pytest.approx((many.rate.low, many.rate.high))
    assert few.p == many.p == pytest.approx(2 / 2**8)
    assert (few.comparisons, many.comparisons, many.topics) == (8, 72, 8)
