"""Win rates without ties: majorities of a panel, and the forms of experts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.statistics.win_rates import GRADES, expert_share, majority, panel_win_shares, rubric_shares, wilson_interval
from tests.statistics.arena_pairs import both_orders, judged_pair
from tests.statistics.arena_published import EXPERTS, PANEL_WIN_RATES

votes = st.lists(st.sampled_from([True, False, None]), max_size=7)
CELLS = [cell for row in EXPERTS.values() for cell in row]


@pytest.mark.parametrize("cell", CELLS)
def test_the_counts_of_the_published_table_give_its_percentages(cell):
    *counts, printed = cell.split()
    found = expert_share(dict(zip(GRADES, map(int, counts), strict=True)))
    assert f"{100 * found.rate.value:.1f}" == printed
    assert found.undecided == int(counts[-1])


def test_the_published_table_has_the_number_of_answers_that_its_text_says():
    answers = {}
    for (domain, _), row in EXPERTS.items():
        answers.setdefault(domain, set()).add(sum(int(each) for cell in row for each in cell.split()[:-1]))
    assert answers == {"law": {26}, "education": {30}, "biotech": {29}}


def test_published_win_rates_of_the_panel_are_shares_of_its_113_ideas():
    """Each is a whole number of decided pairs: with majorities of five and no ties, none is left out."""
    for printed in " ".join(PANEL_WIN_RATES).split():
        won = round(float(printed) * 1.13)
        assert f"{100 * wilson_interval(won, 113).value:.2f}" == printed


def test_the_majority_of_the_panel_decides_each_topic():
    judged_pairs = [
        judged_pair("ours", "theirs", text, judge=judge)
        for judge, text in zip("abc", ("first", "second", "first"), strict=True)
    ]
    found = panel_win_shares(judged_pairs, "ours", "theirs")
    assert (found["novelty"].yes, found["novelty"].no, found["novelty"].undecided) == (1, 0, 0)
    assert panel_win_shares(judged_pairs, "theirs", "ours")["novelty"].no == 1


def test_a_judge_that_follows_the_position_votes_for_either_side_once():
    judged_pairs = [judged_pair("ours", "theirs", "first"), judged_pair("theirs", "ours", "first")]
    assert panel_win_shares(judged_pairs, "ours", "theirs")["novelty"].undecided == 1
    outvoted = [*judged_pairs, *both_orders("ours", "theirs", "first", judge="k")]
    assert panel_win_shares(outvoted, "ours", "theirs")["novelty"].yes == 1


def test_a_verdict_does_not_count_where_the_other_order_failed():
    half = [judged_pair("ours", "theirs", "first"), judged_pair("theirs", "ours", None)]
    found = panel_win_shares(half, "ours", "theirs")["novelty"]
    assert (found.yes, found.no, found.undecided, found.rate.value) == (0, 0, 1, None)
    outvoted = [*half, *both_orders("ours", "theirs", "second", judge="k")]
    assert panel_win_shares(outvoted, "ours", "theirs")["novelty"].no == 1


def test_topics_without_a_decision_are_left_out_and_counted():
    judged_pairs = [
        judged_pair("ours", "theirs", "first", topic="one"),
        judged_pair("ours", "theirs", "tie", topic="two"),
        judged_pair("ours", "theirs", None, topic="three"),
        judged_pair("ours", "others", "second", topic="four"),
    ]
    found = panel_win_shares(judged_pairs, "ours", "theirs")["novelty"]
    assert (found.yes, found.no, found.undecided, found.rate.value) == (1, 0, 2, 1.0)


def test_each_item_of_the_rubric_is_decided_by_majority():
    ideas = [
        [{"detailed": True, "ethical": True}, {"detailed": True, "ethical": False}, {"detailed": False}],
        [{"detailed": False, "ethical": True}],
        [],
    ]
    found = rubric_shares(ideas, ("detailed", "ethical"))
    assert (found["detailed"].yes, found["detailed"].no, found["detailed"].undecided) == (1, 1, 1)
    assert (found["ethical"].yes, found["ethical"].undecided, found["ethical"].rate.value) == (1, 2, 1.0)


def test_nothing_decided_is_no_rate():
    assert expert_share({"both bad": 4}).rate.value is None
    assert panel_win_shares([], "ours", "theirs") == {}
    with pytest.raises(ValueError, match="below 0"):
        expert_share({"better": -1})


def test_wilsons_interval_of_a_known_case():
    """Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29."""
    known = {(81, 263): (0.2553, 0.3662), (15, 148): (0.0624, 0.1605), (0, 20): (0, 0.1611), (1, 29): (0.0061, 0.1718)}
    for (yes, of), ends in known.items():
        found = wilson_interval(yes, of)
        assert (round(found.low, 4), round(found.high, 4)) == ends


@settings(deadline=None)
@given(votes)
def test_the_majority_turns_with_the_votes_and_not_with_their_order(text):
    turned = [None if each is None else not each for each in text]
    expected = majority(text)
    assert majority(turned) == (None if expected is None else not expected)
    assert majority(reversed(text)) == expected


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 50), st.integers(0, 50))
def test_the_interval_of_a_share_holds_it_and_mirrors(yes, no):
    found, mirrored = wilson_interval(yes, yes + no), wilson_interval(no, yes + no)
    if yes + no:
        assert 0 <= found.low <= found.value <= found.high <= 1
        assert found.low == pytest.approx(1 - mirrored.high)
