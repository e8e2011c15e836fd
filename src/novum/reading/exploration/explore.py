"""The doors: a question, a weak point of an idea, a follow-up. Each goes through the same rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from novum.core import shorten
from novum.core.evidence import Exploration
from novum.errors import NoUsableAnswer
from novum.llm import Answer, Models, Question, listed, prose
from novum.reading.exploration.answering import answer_from_evidence
from novum.reading.exploration.live_search import LiveSearch, ReadingLab
from novum.reading.exploration.options import ExploreOptions
from novum.reading.exploration.queries import new_queries
from novum.reading.exploration.search_rounds import ExplorationLoop
from novum.reading.exploration.session import ExplorationSession

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
class ExplorationQuestion:
    """A question, and queries to begin with."""

    question: str
    queries: tuple[str, ...] = ()


async def question_about_weakness(models: Models, idea: str, weakness: str, count: int) -> ExplorationQuestion:
    """What to ask the literature about a weak point of an idea, with at most `count` queries.

    The weakness itself, where the writer gave no usable answer.
    """
    needs = {"idea": idea, "weakness": weakness, "count": count}
    try:
        answer = await models.ask(Question("ask_about_weakness", needs, WeaknessQuestion, temperature=0.0))
    except NoUsableAnswer:
        return ExplorationQuestion(shorten(weakness, QUESTION_LIMIT))
    question = shorten(" ".join(answer.question.split()), QUESTION_LIMIT) or shorten(weakness, QUESTION_LIMIT)
    return ExplorationQuestion(question, new_queries(answer.queries, [question])[:count])


async def standalone_question(models: Models, before: Sequence[Exploration], asked: str) -> str:
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


async def explore(
    lab: ReadingLab,
    question: str,
    options: ExploreOptions | None = None,
    *,
    live: LiveSearch | None = None,
    queries: Sequence[str] = (),
    session: ExplorationSession | None = None,
) -> Exploration:
    """Evidence for `question` from the library, and through `live` from other sources.

    `queries`: searched for in the first round beside the question itself. `session`: goes on in an earlier one, with
    its options. The outcome holds no answer yet: `answered` writes one.
    """
    session = session or ExplorationSession(lab, options, live)
    return await ExplorationLoop(session, question).run(queries)


async def explore_weakness(
    lab: ReadingLab,
    idea: str,
    weakness: str,
    options: ExploreOptions | None = None,
    *,
    live: LiveSearch | None = None,
    session: ExplorationSession | None = None,
) -> Exploration:
    """Evidence that would help to mend a given `weakness` of an idea (its text). The question is written by a model.

    Without a usable question the weakness itself is searched for.
    """
    session = session or ExplorationSession(lab, options, live)
    with lab.run.step("question"):
        inquiry = await question_about_weakness(lab.models, idea, weakness, session.options.queries)
    return await ExplorationLoop(session, inquiry.question, weakness=weakness).run(inquiry.queries)


async def ask(session: ExplorationSession, words: str) -> Exploration:
    """One question of a talk with its answer. It may lean on those before it in `session`, whose passages it reuses."""
    models, question = session.lab.models, words
    if session.explorations:
        with session.lab.run.step("question"):
            question = await standalone_question(models, session.explorations, words)
    exploration = await ExplorationLoop(session, question, asked=words).run(())
    with session.lab.run.step("answer"):
        answered = await answer_from_evidence(models, exploration, session.options.shown)
    session.explorations.append(answered)
    return answered
