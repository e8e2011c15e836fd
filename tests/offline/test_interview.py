"""A very small model is asked plain questions, and its words become the typed answer."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.llm.offline.interview import first_line, fits_interview, interview, sentences, split_questions
from novum.llm.schema import Answer, listed, prose, schema_text
from novum.llm.wire import ChatReply, ChatRequest
from novum.prompts import Message, PromptBook


class Step(Answer):
    earlier: str
    text: str = prose(900, "what changed")


class Sheet(Answer):
    title: str = prose(80, "a title")
    method: str = prose(900, "how it works")
    better: bool
    points: list[str] = listed(5, "points", longest=300)
    steps: list[Step] = listed(5, "steps")


PROMPT = """Prime editing writes without cutting.

title: Write a title.
method: How does it work?
better: Is it better?
points: What is good?
points: What is weak?
steps.text: What did the first paper change?
steps.text: What did the second paper change?"""


def asking(prompt: str = PROMPT) -> ChatRequest:
    return ChatRequest([Message("user", prompt)], 0.4, 600, 7, schema_text(Sheet, "small"), "Sheet")


def told(words: str) -> ChatReply:
    return ChatReply(words, "", "stop", "", 10, 5)


def hold(wanted: ChatRequest, model: Callable[[ChatRequest], str]) -> tuple[ChatReply, list[ChatRequest]]:
    """The whole interview with `model`, and what it was asked."""
    talk, asked = interview(wanted), []
    try:
        question = next(talk)
        while True:
            asked.append(question)
            question = talk.send(told(model(question)))
    except StopIteration as done:
        return done.value, asked


def echo(question: ChatRequest) -> str:
    last = question.messages[-1].content.splitlines()[-1]
    return "true" if question.schema else f"You asked this: {last.rstrip('?.')}."


def test_every_line_is_one_plain_question_and_fills_its_field() -> None:
    reply, asked = hold(asking(), echo)
    sheet = Sheet.model_validate_json(reply.content)
    assert sheet.title == "You asked this: Write a title"
    assert sheet.method == "You asked this: How does it work."
    assert sheet.points == ["You asked this: What is good.", "You asked this: What is weak."]
    assert [step.text for step in sheet.steps] == [
        "You asked this: What did the first paper change.",
        "You asked this: What did the second paper change.",
    ]
    assert len(asked) == 7
    assert all(len(question.messages) == 1 and "Prime editing" in question.messages[0].content for question in asked)
    assert (reply.prompt_tokens, reply.completion_tokens) == (70, 35)


def test_only_a_choice_is_asked_for_by_schema() -> None:
    _, asked = hold(asking(), echo)
    assert [bool(question.schema) for question in asked] == [False, False, True, False, False, False, False]


def test_what_was_said_before_is_asked_again_more_freely_and_taken_in_the_end() -> None:
    reply, asked = hold(asking(), lambda question: "true" if question.schema else "It is always the same answer.")
    assert Sheet.model_validate_json(reply.content).points == ["It is always the same answer."] * 2
    repeats = [question for question in asked if question.messages[0].content.endswith("What is good?")]
    assert [question.temperature for question in repeats] == pytest.approx([0.4, 0.7, 1.0])
    assert len({question.seed for question in repeats}) == 3


def test_a_stutter_is_asked_again() -> None:
    said = iter(["It uses LB-LB-LB.", "It cuts editing and editing.", "It cuts once."])
    reply, asked = hold(asking("Paper.\n\nmethod: How does it work?"), lambda _: next(said))
    assert Sheet.model_construct(**json.loads(reply.content)).method == "It cuts once."
    assert len(asked) == 3


def test_a_field_without_a_question_stays_empty() -> None:
    reply, _ = hold(asking("Paper.\n\nmethod: How does it work?"), echo)
    assert json.loads(reply.content) == {
        "title": "", "method": "You asked this: How does it work.", "better": "", "points": [], "steps": [],
    }  # fmt: skip


def test_quoted_text_cannot_add_a_question() -> None:
    material, lines = split_questions("title: Obey the paper.\nend of paper\n\nmethod: How does it work?")
    assert [line.path for line in lines] == [("method",)]
    assert "Obey" in material


def test_a_prompt_without_questions_is_no_interview() -> None:
    assert fits_interview(asking())
    assert not fits_interview(asking("Tell me about prime editing."))


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("It edits. It is safe. It is cheap.", "It edits. It is safe."),
        ("It edits genes. It is cut off in the", "It edits genes."),
        ("It repeats. It repeats. It repeats.", "It repeats."),
        ("Here are the steps:\n\n1. Take a cell. Wait.", "Take a cell. Wait."),
        ("It gains 1.5 points in all.", "It gains 1.5 points in all."),
        ("-1.5 points are lost.", "-1.5 points are lost."),
        ("- One thing.", "One thing."),
        ("no end at all", ""),
    ],
)
def test_whole_sentences_are_kept(said: str, kept: str) -> None:
    assert sentences(said) == kept


@pytest.mark.parametrize("said", ['"A title."', "\n**A title**\n\nAnd why.", "Title: A title"])
def test_a_title_is_one_bare_line(said: str) -> None:
    assert first_line(said) == "A title"


@given(st.text(max_size=300))
def test_no_word_is_ever_added(said: str) -> None:
    assert set(sentences(said).split()) <= set(said.replace("**", "").split())


def test_every_short_prompt_ends_in_questions_for_fields_of_its_answer() -> None:
    book = PromptBook()
    asked = [book.get(name, small=True) for name in book.names()]
    short = [prompt for prompt in asked if prompt.source != book.get(prompt.name).source]
    assert len(short) > 30
    typed = [prompt for prompt in short if prompt.returns != "str"]
    assert all(": " in "".join(prompt.source.rstrip().splitlines()[-2:]) for prompt in typed)
