"""Two reports compared in both orders: no preference for a position, no verdict from an unusable answer."""

from __future__ import annotations

import pytest

from novum.core import Topic
from novum.errors import EmptyAnswer
from novum.judges.report_pair import OVERALL, REPORT_CRITERIA, ReportComparison, WrittenReport
from novum.judges.report_pair import compare_reports_in_both_orders as compare
from novum.llm import ModelName
from novum.prompts import builtin_prompts

MODEL = ModelName.parse("openai:gpt-5.5")
PAPER = Topic(text="Why bees dance\n\nBees dance.")
MINE, REAL = WrittenReport("It lacks a control.", "mini"), WrittenReport("Which bees?", "a real reviewer")


def said(better):
    return ReportComparison(**{name: {"reason": "report B asks more", "better": better} for name in REPORT_CRITERIA})


def outcome_of(protocol, *answers):
    next(protocol)
    with pytest.raises(StopIteration) as done:
        protocol.send(list(answers))
    return done.value.value


def test_a_judge_who_always_takes_the_first_position_prefers_each_once():
    there, back = outcome_of(compare(PAPER, MINE, REAL, MODEL), said("A"), said("A"))
    assert [there.first_id, back.first_id] == [MINE.id, REAL.id]
    assert {verdict.outcome for match in (there, back) for verdict in match.verdicts} == {"first"}


def test_reasons_name_the_makers_and_the_questions_do_not():
    protocol = compare(PAPER, MINE, REAL, MODEL)
    questions = next(protocol)
    for question in questions:
        prompt = builtin_prompts().get(question.prompt).render(question.needs)
        asked = "\n".join(message.content for message in prompt.messages)
        assert "mini" not in asked
        assert "real reviewer" not in asked
        assert "It lacks a control." in asked
    there, _ = outcome_of(compare(PAPER, MINE, REAL, MODEL), said("B"), said("A"))
    reasons = {verdict.criterion: verdict.reason for verdict in there.verdicts}
    assert reasons[OVERALL] == "the report of a real reviewer asks more"


def test_an_answer_that_cannot_be_used_gives_no_verdict():
    there, back = outcome_of(compare(PAPER, MINE, REAL, MODEL), EmptyAnswer("nothing said"), said("tie"))
    assert (there.verdicts, there.failure) == ((), "nothing said")
    assert {verdict.outcome for verdict in back.verdicts} == {"tie"}
