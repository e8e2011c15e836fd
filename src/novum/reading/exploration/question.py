"""From what somebody wants to the question that is explored: a weak point of an idea, or a follow-up in a talk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from novum.core import shorten
from novum.core.evidence import Exploration
from novum.errors import NoUsableAnswer
from novum.llm import Answer, Models, Question, listed, prose
from novum.reading.exploration.queries import new_queries

QUESTION_LIMIT = 2_000
_REMEMBERED = 3
"""Questions of a talk that a follow-up is read with."""


class WeaknessQuestion(Answer):
    """The answer to `ask_about_weakness`."""

    question: str = prose(400, "one question to the literature whose answer would mend the weak point")
    queries: list[str] = listed(10, "search queries of 3 to 10 words, as many as asked for", longest=120)


class WholeQuestion(Answer):
    """The answer to `restate_question`."""

    question: str = prose(400, "the new question, told so that it can be understood without the talk before it")


@dataclass(frozen=True)
class Inquiry:
    """A question, and queries to begin with."""

    question: str
    queries: tuple[str, ...] = ()


async def question_about_weakness(models: Models, idea: str, weakness: str, count: int) -> Inquiry:
    """What to ask the literature about a weak point of an idea, with at most `count` queries.

    The weakness itself, where the writer gave no usable answer.
    """
    needs = {"idea": idea, "weakness": weakness, "count": count}
    try:
        answer = await models.ask(Question("ask_about_weakness", needs, WeaknessQuestion, temperature=0.0))
    except NoUsableAnswer:
        return Inquiry(shorten(weakness, QUESTION_LIMIT))
    question = shorten(" ".join(answer.question.split()), QUESTION_LIMIT) or shorten(weakness, QUESTION_LIMIT)
    return Inquiry(question, new_queries(answer.queries, [question])[:count])


async def question_by_itself(models: Models, before: Sequence[Exploration], asked: str) -> str:
    """A follow-up as a question that stands by itself; as it was asked, where no usable answer comes."""
    if models.model_for("writer").provider.small:
        return asked  # it would only spoil it
    talk = [
        {"question": each.question, "answer": each.reply.text if each.reply else ""} for each in before[-_REMEMBERED:]
    ]
    try:
        answer = await models.ask(
            Question("restate_question", {"talk": talk, "asked": asked}, WholeQuestion, temperature=0.0)
        )
    except NoUsableAnswer:
        return asked
    return shorten(" ".join(answer.question.split()), QUESTION_LIMIT) or asked
