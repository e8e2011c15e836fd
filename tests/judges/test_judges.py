"""Judges stepped through by hand: what each asks, and how it reads the answers. No model, no network."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from novum.core import Idea, Topic
from novum.errors import InvalidAnswer
from novum.judges import get_judge, judge_names
from novum.judges.pair import (
    CRITERIA,
    CheckedIdea,
    Comparison,
    compare_checked_ideas,
    compare_in_both_orders,
)
from novum.judges.rubric import RUBRIC, Marks, mark_by_rubric
from novum.judges.win_rate import WIN_RATE_CRITERIA, Winners, choose_winner_in_both_orders
from novum.llm import ModelName

MODEL = ModelName.parse("server:judge@http://127.0.0.1:1/v1")


def idea(title):
    return Idea(topic="t", title=title, motivation="m", novelty="n", method="x", summary=f"about {title}")


FIRST, SECOND = idea("Widgets"), idea("Gadgets")


def finish(protocol, reply):
    """The protocol's result after its last answer."""
    with pytest.raises(StopIteration) as end:
        protocol.send(reply)
    return end.value.value


def verdicts(better, reason="idea A is sharper"):
    return Comparison(**{name: {"reason": reason, "better": better} for name in CRITERIA})


def test_the_built_in_pairwise_judges_are_found_by_name():
    assert {"pair", "win-rate"} <= set(judge_names())
    assert get_judge("pair") is compare_in_both_orders


def test_a_pair_is_compared_twice_with_the_positions_exchanged():
    protocol = compare_in_both_orders(Topic(text="t"), FIRST, SECOND, MODEL)
    there, back = next(protocol)
    assert (there.needs["a"], there.needs["b"]) == (FIRST.text, SECOND.text)
    assert (back.needs["a"], back.needs["b"]) == (SECOND.text, FIRST.text)
    assert (there.role, there.temperature) == (MODEL, 0.0)


def test_each_order_is_a_match_of_its_own_with_reasons_that_name_the_ideas():
    protocol = compare_in_both_orders(Topic(text="t"), FIRST, SECOND, MODEL)
    next(protocol)
    there, back = finish(protocol, [verdicts("A"), verdicts("tie")])
    assert (there.first_id, back.first_id) == (FIRST.id, SECOND.id)
    assert {verdict.outcome for verdict in there.verdicts} == {"first"}
    assert {verdict.outcome for verdict in back.verdicts} == {"tie"}
    assert there.verdicts[0].reason == "«Widgets» is sharper"
    assert back.verdicts[0].reason == "«Gadgets» is sharper"


def test_an_answer_that_cannot_be_used_makes_a_match_without_verdicts():
    protocol = compare_in_both_orders(Topic(text="t"), FIRST, SECOND, MODEL)
    next(protocol)
    there, back = finish(protocol, [InvalidAnswer("prose", "I like both"), verdicts("B")])
    assert (there.verdicts, there.failure) == ((), "prose")
    assert len(back.verdicts) == len(CRITERIA)


def test_a_win_rate_judge_must_name_a_winner_in_either_order():
    protocol = choose_winner_in_both_orders(Topic(text="t"), FIRST, SECOND, MODEL)
    there, back = next(protocol)
    assert (there.needs["a"], back.needs["a"]) == (FIRST.text, SECOND.text)
    won = Winners(**{name: {"reason": "idea B says how", "better": "B"} for name in WIN_RATE_CRITERIA})
    first, second = finish(protocol, [won, InvalidAnswer("a tie")])
    assert {verdict.outcome for verdict in first.verdicts} == {"second"}
    assert first.verdicts[0].reason == "«Gadgets» says how"
    assert (second.verdicts, second.failure) == ((), "a tie")
    with pytest.raises(ValidationError):
        Winners(**{name: {"reason": "both", "better": "tie"} for name in WIN_RATE_CRITERIA})


def test_a_rubric_is_marked_item_by_item_with_the_case_against():
    protocol = mark_by_rubric(Topic(text="t"), FIRST, MODEL)
    assert next(protocol).needs["idea"] == FIRST.text
    marks = Marks(**{name: {"fault": f"{name}: little", "satisfied": name != "flawless"} for name in RUBRIC})
    sheet = finish(protocol, marks)
    assert [mark.item for mark in sheet.marks if not mark.satisfied] == ["flawless"]
    assert sheet.marks[0].fault == "specific: little"
    again = mark_by_rubric(Topic(text="t"), FIRST, MODEL)
    next(again)
    assert finish(again, InvalidAnswer("prose")).failure == "prose"


def test_judges_see_the_finding_of_a_novelty_check_below_the_idea_that_it_is_about():
    one, other = idea("Maps"), idea("Soups")
    topic, finding = Topic(text="widgets"), "Result: partly anticipated by Atlases"
    there, back = next(compare_checked_ideas(topic, CheckedIdea(one, finding), CheckedIdea(other), MODEL))
    assert there.needs["a"] == f"{one.text}\n\nNovelty check by somebody else:\n{finding}"
    assert there.needs["b"] == back.needs["a"] == other.text, "an idea without a finding is shown as it is"
    assert back.needs["b"] == there.needs["a"]


def test_the_mechanism_of_an_idea_comes_before_the_parts_that_use_its_terms():
    parts = {"mechanism": "gears", "assumption": "teeth", "check": "count them", "rival": "belts", "unchecked": "rust"}
    text = idea("Maps").but(**parts).text
    order = ["Motivation:", "Central mechanism: gears", "Novelty:", "Method:", "Assumption: teeth", "count them",
             "Strongest rival: belts", "rust", "Final idea:"]  # fmt: skip
    assert [text.index(part) for part in order] == sorted(text.index(part) for part in order)
