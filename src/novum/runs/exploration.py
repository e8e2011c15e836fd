"""Exploration runs: a question answered from the literature, and the questions that follow it up.

async with Workplace(load_settings()) as workplace:
    report = await start(EXPLORATION, workplace, ExplorationTask(question="Why do batteries age?"))
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from novum.core import Exploration, ExplorationReport
from novum.core.record import Value
from novum.errors import BadInput
from novum.lab import Lab, Workplace
from novum.ledger import RunRecord
from novum.reading.exploration import ExplorationSession, ExploreOptions, LiveSearch, ask
from novum.runs.engine import RunHeader, RunKind, SessionResult, account_of, check_models, ensure_library, role_models
from novum.runs.topic_coverage import ensure_coverage, starter_abstracts

QUESTION_LIMIT = 2_000
"""Characters of a question to the literature."""
_FOLLOW_UP = "asked"
"""The event of a follow-up question; the name is the one that stored runs have."""
NextQuestion = Callable[[Exploration], Awaitable[str]]
"""Is shown an answer and returns the question that follows it up, empty when there is none."""


class ExplorationTask(Value):
    """What a user asks of the literature. `options`: those of `ExploreOptions`, checked before anything is spent."""

    question: str
    options: Mapping[str, Any] = {}
    force: bool = False
    """Go on where the library knows nothing about the question."""


def read_question(text: str) -> str:
    """The question on one line. Raises BadInput for one that is empty or too long."""
    question = " ".join(text.split())
    if not question:
        raise BadInput('The question is empty. Say what you want to know of the literature: novum explore "…"')
    if len(question) > QUESTION_LIMIT:
        raise BadInput(
            f"The question has {len(question):,} characters; at most {QUESTION_LIMIT:,} are read. Ask one thing, and "
            "put documents into the library instead."
        )
    return question


def exploration(
    live: LiveSearch | None = None, next_question: NextQuestion | None = None
) -> RunKind[ExplorationTask, ExplorationReport]:
    """The kind of run that explores. `live`: brings papers of other sources into the library. `next_question`: asked
    after each answer. Resumed runs repeat the follow-up questions of earlier sessions first."""
    carry_out = partial(_carry_out, live=live, next_question=next_question)
    return RunKind("explore", "an exploration", ExplorationTask, ExplorationReport, _prepare, carry_out, task_key="")


async def _prepare(workplace: Workplace, task: ExplorationTask) -> RunHeader[ExplorationTask]:
    question = read_question(task.question)
    options = ExploreOptions.from_given(task.options).model_dump(mode="json")
    ensure_library(workplace)
    await check_models(workplace, role_models(workplace))
    return RunHeader(question, options, task=task.model_copy(update={"question": question, "options": options}))


async def _carry_out(
    lab: Lab, record: RunRecord, task: ExplorationTask, live: LiveSearch | None, next_question: NextQuestion | None
) -> SessionResult[ExplorationReport]:
    lab = lab.going_on()
    options = ExploreOptions.from_given(task.options)
    known = await ensure_coverage(lab, task.question, options.before, force=task.force or live is not None)
    session = ExplorationSession(lab, options, live or lab.live)
    repeated = [str(event.data["question"]) for event in lab.run.earlier(_FOLLOW_UP)]
    async with starter_abstracts(lab):
        last = await ask(session, task.question)
    while question := repeated.pop(0) if repeated else await _follow_up(lab, last, next_question):
        with lab.run.step(f"follow-up {len(session.explorations)}"):
            last = await ask(session, question)
    notes = (*known, *(lab.live.notes if lab.live else ()), *lab.missing)
    first, *others = session.explorations
    explorations = (first.but(notes=(*first.notes, *notes)), *others)
    report = ExplorationReport(explorations=explorations, account=await account_of(lab, record))
    return SessionResult(report, count=sum(len(each.evidence) for each in explorations))


async def _follow_up(lab: Lab, last: Exploration, next_question: NextQuestion | None) -> str:
    """The next question of a person, recorded before it is worked on."""
    question = await next_question(last) if next_question else ""
    if question:
        lab.run.emit(_FOLLOW_UP, question=question)
        await lab.run.ledger.written()
    return question


EXPLORATION = exploration()
