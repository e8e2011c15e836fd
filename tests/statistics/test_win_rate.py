"""Win rates: a preference that follows the seat is no preference."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.core import Match, Verdict
from novum.statistics.win_rates import position_free_points, win_rates

outcomes = st.sampled_from(["first", "second", "tie"])


def pair(there, back):
    forth = Match(
        first_id="a",
        second_id="b",
        judge="j",
        verdicts=tuple(Verdict(criterion=name, outcome=value) for name, value in there.items()),
    )
    reverse = Match(
        first_id="b",
        second_id="a",
        judge="j",
        verdicts=tuple(Verdict(criterion=name, outcome=value) for name, value in back.items()),
    )
    return forth, reverse


@pytest.mark.parametrize(
    ("there", "back", "points"),
    [
        ("first", "second", 1.0),  # a in both orders
        ("second", "first", 0.0),  # b in both orders
        ("first", "first", 0.5),  # whoever sits left
        ("tie", "tie", 0.5),
        ("first", "tie", 0.5),  # the two orders disagree
    ],
)
def test_only_what_both_orders_say_counts(there, back, points):
    assert position_free_points(*pair({"novelty": there}, {"novelty": back})) == {"novelty": points}


def test_a_criterion_that_one_order_left_open_counts_by_the_other():
    assert position_free_points(*pair({"novelty": "first"}, {})) == {"novelty": 1.0}
    assert position_free_points(*pair({}, {})) == {}


def test_an_idea_that_was_never_judged_has_no_win_rate():
    assert win_rates([pair({}, {})], ["a", "b", "c"]) == {"a": None, "b": None, "c": None}


@given(
    st.dictionaries(st.sampled_from("pqrst"), outcomes, min_size=1),
    st.dictionaries(st.sampled_from("pqrst"), outcomes, min_size=1),
)
def test_two_rivals_share_one_whole(there, back):
    rates = win_rates([pair(there, back)], ["a", "b"])
    assert rates["a"] + rates["b"] == pytest.approx(1.0)
