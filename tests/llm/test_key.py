"""The key of a question: answers in the ledgers of users are found by it, so it must never change."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from tests.llm.conftest import PROMPT, Grade

from novum.core import content_id
from novum.llm import CallSettings, ModelName, Question
from novum.llm.exchange import Exchange
from novum.prompts import Message, builtin_prompts

TRICKY = 'A "quoted" tab\t, newline\n, é 漢字 \\ 😀 \x7f'
MODEL = ModelName.parse("server:scripted@http://127.0.0.1:1/v1")
QUESTION = Question("repair", {"problem": TRICKY}, Grade, sample=3, temperature=0.5)


def exchange(weights=""):
    prompt = builtin_prompts()._parse(PROMPT, "a prompt")
    return Exchange.of(QUESTION, prompt, MODEL, CallSettings(seed=2), weights)


def test_the_key_of_a_question_is_the_same_as_ever():
    assert exchange().key == "call-6b9f880447d36ab2"


def test_other_weights_are_another_key():
    assert exchange("abc").key not in {exchange().key, exchange("abd").key}


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@given(TEXTS, st.sampled_from(["", '{"type": "object"}']), st.integers(0, 9))
def test_a_key_is_the_content_id_of_all_that_was_asked(text, schema, sample):
    asked = replace(exchange(), messages=(Message("user", text),), schema=schema, sample=sample)
    content = [str(MODEL), asked.conversation, asked.schema, asked.settings, asked.sample]
    assert asked.key == content_id("call", content)
