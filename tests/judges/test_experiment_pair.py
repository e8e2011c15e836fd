"""The judge of experiment designs stepped through by hand: what it asks, and how it reads the answers."""

from __future__ import annotations

import json

import pytest

from novum.core import Experiment, Idea, Topic
from novum.errors import InvalidAnswer
from novum.judges.experiment_pair import (
    CRITERIA,
    ExperimentComparison,
    PlanOfIdea,
    compare_experiments_in_both_orders,
)
from novum.llm import ModelName
from novum.llm.offline.interview import leaf_of, split_questions
from novum.llm.schema import schema_text
from novum.prompts import PromptBook

MODEL = ModelName.parse("server:judge@http://127.0.0.1:1/v1")
FIRST = Experiment(idea_id="a", hypothesis="Widgets learn", steps=("Build one.",))
SECOND = Experiment(idea_id="b", hypothesis="Gadgets forget", steps=("Wait.",))


def asked():
    protocol = compare_experiments_in_both_orders(Topic(text="t"), PlanOfIdea(FIRST), PlanOfIdea(SECOND), MODEL)
    return protocol, next(protocol)


def finish(protocol, reply):
    with pytest.raises(StopIteration) as end:
        protocol.send(reply)
    return end.value.value


def verdicts(better, reason="Plan A has a control; plan a walk first."):
    return ExperimentComparison(**{name: {"reason": reason, "better": better} for name in CRITERIA})


def test_two_plans_are_compared_in_both_orders_by_three_criteria():
    _, (there, back) = asked()
    assert (there.needs["a"], there.needs["b"]) == (FIRST.text, SECOND.text)
    assert (back.needs["a"], back.needs["b"]) == (SECOND.text, FIRST.text)
    assert list(there.needs["criteria"]) == ["feasibility", "quality", "clarity"]


def test_the_judge_of_a_plan_sees_the_idea_that_it_tests():
    idea = Idea(topic="t", title="A map", motivation="m", novelty="n", method="m", summary="A map of gadgets.")
    protocol = compare_experiments_in_both_orders(
        Topic(text="t"), PlanOfIdea(FIRST, idea), PlanOfIdea(SECOND, idea), MODEL
    )
    there, _ = next(protocol)
    plan, _, shown = there.needs["a"].partition("The idea that it tests:")
    assert (plan.strip(), shown.strip()) == (FIRST.text, idea.text), "the plan first: short forms cut the end"


def test_a_reason_names_the_plans_and_common_words_stay():
    protocol, _ = asked()
    there, back = finish(protocol, [verdicts("A"), verdicts("B")])
    assert there.verdicts[0].reason == "the plan for «Widgets learn» has a control; plan a walk first."
    assert back.verdicts[0].reason.startswith("the plan for «Gadgets forget»")
    assert {each.outcome for each in there.verdicts} == {"first"}
    assert {each.outcome for each in back.verdicts} == {"second"}


def test_an_answer_that_cannot_be_used_makes_a_match_without_verdicts():
    protocol, _ = asked()
    there, back = finish(protocol, [InvalidAnswer("prose", "I like both"), verdicts("tie")])
    assert ((there.verdicts, there.failure), len(back.verdicts)) == (((), "prose"), 3)


def test_the_small_model_gets_a_plain_question_for_every_criterion():
    _, (there, _) = asked()
    rendered = PromptBook().get("compare_experiments", small=True).render(there.needs)
    _, lines = split_questions(rendered.messages[-1].content)
    schema = json.loads(schema_text(ExperimentComparison, "small"))
    choices = [line for line in lines if "enum" in leaf_of(schema, line.path)]
    assert [line.path[0] for line in choices] == list(CRITERIA)
