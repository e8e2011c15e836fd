"""Answers of a very small model that say nothing, or say what it cannot know, are not used."""

from __future__ import annotations

import json

import pytest

from novum.llm.offline.answer_faults import answer_fault
from tests.offline.test_interview import asking, hold

SHOWN = (
    "<material 8fca9ea4> Learning on molecules. MoleculeNet was published in 2018 and gains 12% over GCN. "
    "How does it work?"
)


@pytest.mark.parametrize(
    ("field", "answer"),
    [
        ("title", "<c1234f8d0>"),
        ("title", "c1234f8d0 and others"),
        ("title", "<material 8fca9ea4>"),
        ("title", "material 8fca9ea4"),
        ("title", "A 3-2"),
        ("novelty", "A new idea inspired by the work of Dr. Dr."),
        ("steps", "It compares the old network with the new one to compare the old network with the new one."),
        ("title", "The title of the paper"),
        ("method", "Sure, here is a method."),
        ("method", "The method is as follows."),
        ("method", "This paper should use a new method."),
        ("summary", "It would reach 95% on all molecules."),
        ("summary", "It gains 40 percent."),
        ("baselines", "It should be compared with the Hopfield network of older days."),
        ("baselines", "An approach published in 1987 is older."),
        ("datasets", "It needs the ZINC molecules."),
    ],
)
def test_what_says_nothing_or_was_not_told_is_a_fault(field, answer):
    assert answer_fault(field, answer, SHOWN)


@pytest.mark.parametrize(
    ("field", "answer"),
    [
        ("title", "Molecules that teach each other"),
        ("method", "It passes messages between atoms, as MoleculeNet does."),
        ("method", "It edits genes in three steps."),
        ("summary", "It gains 12% over older networks."),
        ("baselines", "GCN, from the years before 2018, is older."),
        ("datasets", "It needs MoleculeNet."),
        ("hypothesis", "Transformers of 2031 would learn from molecules."),
    ],
)
def test_what_rests_on_the_text_that_was_shown_is_none(field, answer):
    assert answer_fault(field, answer, SHOWN) == ""


def test_a_faulty_answer_is_requested_again_and_a_better_one_is_used():
    said = iter(["<c1234f8d0>", "The title of the paper", "Prime editing without cuts"])
    reply, asked = hold(asking("Prime editing.\n\ntitle: Write a title."), lambda _: next(said))
    assert json.loads(reply.content)["title"] == "Prime editing without cuts"
    assert len(asked) == 3


def test_a_field_that_never_gets_a_usable_answer_stays_empty_and_a_list_has_no_empty_item():
    prompt = "Prime editing.\n\ntitle: Write a title.\npoints: What is good?\npoints: What is weak?"
    reply, _ = hold(asking(prompt), lambda question: "Here is it. <x9y8z7a1>")
    assert json.loads(reply.content)["title"] == ""
    assert json.loads(reply.content)["points"] == []
