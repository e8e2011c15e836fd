"""Reading what models say."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from novum.llm.answers import declines, find_json, read_form, split_reasoning
from novum.llm.schema import Answer, schema_text


class Grade(Answer):
    reason: str = Field(max_length=50)
    grade: int = Field(ge=1, le=10)


@pytest.mark.parametrize(
    ("content", "text", "reasoning"),
    [
        ("plain", "plain", ""),
        ("<think>hm</think>answer", "answer", "hm"),
        ("<thinking>a</thinking>x<think>b</think>", "x", "a\n\nb"),
        ("never opened</think> answer", "answer", "never opened"),
        ("<think>never closed", "", "never closed"),
        ("if a<b then think", "if a<b then think", ""),
    ],
)
def test_thoughts_are_kept_apart_from_the_answer(content, text, reasoning):
    said = split_reasoning(content)
    assert (said.text, said.reasoning) == (text, reasoning)


def test_reasoning_that_comes_in_a_field_of_its_own_is_kept_too():
    assert split_reasoning("<think>b</think>x", "a").reasoning == "a\n\nb"


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't help with that.",
        "I cannot assist with this request.",
        "Sorry, I can't.",
        "I won't provide that.",
        "As an AI, I cannot do this.",
        "Unfortunately, I am unable to help.",
    ],
)
def test_an_answer_that_opens_by_declining_declines(text):
    assert declines(text)


@pytest.mark.parametrize(
    "text",
    [
        "The lab has an AI module that plans experiments.",
        "AI cannot yet read lab notebooks; we propose to change that.",
        "I can see three ways. I cannot assist with the fourth.",
        "We cannot help but notice a gap.",
        "Sorry states of matter: a review",
    ],
)
def test_an_idea_that_only_sounds_like_it_does_not(text):
    assert not declines(text)


@pytest.mark.parametrize(
    "answer",
    [
        '{"reason": "r", "grade": 7}',
        'Here it is:\n```json\n{"reason": "r", "grade": 7}\n```\nHope it helps.',
        'Well {"reason": "r", "grade": 7} and so on {"reason": "no", "grade": 1}',
        '```\n{"reason": "r", "grade": 7}\n```',
        '{"reason": "r", "grade": 7, "extra": [1, {"x": "}"}]}',
    ],
)
def test_an_object_is_found_wherever_it_stands(answer):
    assert read_form(answer, Grade) == Grade(reason="r", grade=7)


@given(st.dictionaries(st.text(), st.text() | st.integers() | st.lists(st.text())), st.text(alphabet="abc \n."))
def test_any_object_is_found_behind_any_words(data, before):
    assert json.loads(find_json(before + json.dumps(data) + " That is all.")) == data


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ("seven", "not valid JSON"),
        ('{"reason": "r", "grade": 7', "not valid JSON"),
        ('{"reason": "r"}', "grade: Field required"),
        ('{"reason": "r", "grade": 11}', "grade: Input should be less than or equal to 10"),
        ('{"reason": "' + "x" * 51 + '", "grade": 1}', "reason: String should have at most 50"),
        ("[1, 2]", "object"),
    ],
)
def test_what_is_wrong_is_said_so_that_the_model_can_mend_it(answer, complaint):
    with pytest.raises(ValueError, match=complaint):
        read_form(answer, Grade)


class Outer(Answer):
    title: str = Field(min_length=1, max_length=500, description="a title")
    grades: list[Grade] = Field(min_length=1, max_length=3)


def test_the_schema_sent_requires_every_field_and_allows_no_other():
    schema = json.loads(schema_text(Outer))
    assert schema["required"] == ["title", "grades"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["title"]["description"] == "a title (at most 62 words)"
    assert schema["properties"]["grades"]["items"]["required"] == ["reason", "grade"]


def test_a_strict_schema_has_no_lengths_or_ranges():
    text = schema_text(Outer, strict=True)
    assert not any(word in text for word in ("maxLength", "minLength", "minimum", "maximum", "minItems", "maxItems"))
    assert "title" in json.loads(text)["properties"]


def test_a_small_model_is_given_short_strings():
    schema = json.loads(schema_text(Outer, longest=80))
    assert schema["properties"]["title"]["maxLength"] == 80
    assert schema["properties"]["grades"]["items"]["properties"]["reason"]["maxLength"] == 50
