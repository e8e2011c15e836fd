"""Judging protocols: each asks by its own prompts, and the first one asks as it always did."""

from __future__ import annotations

import hashlib

import pytest

from novum.core import Experiment, Idea, Topic
from novum.errors import BadInput
from novum.judges.experiment_pair import PlanOfIdea
from novum.judges.judging_protocol import NEWEST_PROTOCOL, built_in_protocol
from novum.llm import ModelName
from novum.llm.schema import schema_text
from novum.prompts import builtin_prompts

MODEL = ModelName.parse("server:judge@http://127.0.0.1:1/v1")
TOPIC = Topic(text="widgets")


def idea(title):
    return Idea(topic="widgets", title=title, motivation="m", novelty="n", method="x", summary=f"about {title}")


def plan(title):
    made = idea(title)
    return PlanOfIdea(Experiment(idea_id=made.id, hypothesis=f"{title} learn", steps=("Build one.",)), made)


def digest(question, *, small):
    """Of everything about a question that enters the key of its answer."""
    messages = builtin_prompts().get(question.prompt, small=small).render(question.needs).messages
    texts = [each.content for each in messages]
    return hashlib.sha256("\n\n".join([*texts, schema_text(question.returns)]).encode()).hexdigest()[:16]


@pytest.mark.parametrize(
    ("kind", "small", "expected"),
    [
        ("ideas", False, "1c912304c763b9bf"),
        ("ideas", True, "62b4a51c34470703"),
        ("plans", False, "aa76382d089dc40e"),
        ("plans", True, "0a4b2bb1c3cd54e3"),
    ],
)
def test_the_first_protocol_asks_as_it_always_did(kind, small, expected):
    protocol, make = built_in_protocol("novum-1"), idea if kind == "ideas" else plan
    there, back = next(getattr(protocol, kind)(TOPIC, make("Widgets"), make("Gadgets"), MODEL))
    assert digest(there, small=small) == expected
    assert (there.needs["a"], there.needs["b"]) == (back.needs["b"], back.needs["a"])


def test_a_stored_arena_without_a_protocol_was_judged_by_the_first_one():
    assert built_in_protocol("").name == "novum-1"


def test_the_newest_protocol_asks_by_prompts_of_its_own():
    first, newest = built_in_protocol("novum-1"), built_in_protocol(NEWEST_PROTOCOL)
    asked = [next(each.ideas(TOPIC, idea("A"), idea("B"), MODEL))[0].prompt for each in (first, newest)]
    assert len(set(asked)) == 2


def test_an_unknown_protocol_is_refused_with_the_names_that_there_are():
    with pytest.raises(BadInput, match=r"novum-3.*novum-1, novum-2, published"):
        built_in_protocol("novum-3")
