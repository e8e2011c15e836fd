"""Ideation runs: a topic turned into ranked research ideas by one method.

async with Workplace(load_settings()) as workplace:
    report = await start(IDEATION, workplace, IdeationTask(topic="protein design", method="rag"))
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from novum.core import TOPIC_LIMIT, Ideation, IdeationReport, Topic
from novum.core.record import Value
from novum.errors import BadInput
from novum.judges.agreement import agreement_sentence
from novum.lab import Lab, Workplace
from novum.ledger import RunRecord
from novum.methods import get_method
from novum.methods.effort import EFFORT, has_effort, no_effort_note, with_effort
from novum.methods.method import FROM_OPPORTUNITIES
from novum.methods.opportunities import OpportunitySearch, opportunities_of
from novum.reading.live_library import LiveLibrary
from novum.runs.engine import RunHeader, RunKind, SessionResult, account_of, check_models, ensure_library, role_models
from novum.runs.topic_coverage import ensure_coverage, starter_abstracts
from novum.runs.topic_literature import topic_literature

DEFAULT_METHOD = "portfolio"
"""The method that is rated highest at equal cost in the studies of `docs/evidence.md`, if not surely better."""
CHAINS = "chain-of-ideas"
"""The method that is used instead where options or the offline model ask for chains of papers."""
OPPORTUNITIES_WITHIN = 20.0
"""Seconds that opportunities at the head of a report may take after its ideas are done; once for a library."""


class IdeationTask(Value):
    """What a user asks for. `options`: those of the method, checked before anything is spent."""

    topic: str
    method: str = ""
    """Empty: see `default_method`."""
    options: Mapping[str, Any] = {}
    opportunities: bool = True
    """Show the best opportunities of the topic at the head of the report. They are computed from the whole library: for
    one topic that somebody waits for, not for many at once. A method that starts from them computes them in any case.
    """
    force: bool = False
    """Go on where the library knows nothing about the topic."""


def default_method(options: Collection[str], *, offline: bool) -> str:
    """The method where none is named: `DEFAULT_METHOD`; `CHAINS` for options that the default one has not, for
    opportunities, which are no source of the default one, and with the offline model, whose text is a demonstration
    while the chains of papers are real. `options`: names that were given.
    """
    own = {*get_method(DEFAULT_METHOD).options.model_fields, EFFORT} - {FROM_OPPORTUNITIES}
    return CHAINS if offline or not own.issuperset(options) else DEFAULT_METHOD


def read_topic(text: str) -> Topic:
    """The topic on one line. Raises BadInput for one that is empty or too long."""
    if not text.strip():
        raise BadInput('The topic is empty. Say in a phrase or two what the ideas should be about: novum ideate "…"')
    if len(text.strip()) > TOPIC_LIMIT:
        raise BadInput(
            f"The topic has {len(text.strip()):,} characters; at most {TOPIC_LIMIT:,} are read. Give the "
            "question; put documents into the library instead."
        )
    try:
        return Topic(text=" ".join(text.split()))
    except ValidationError as error:
        raise BadInput(f"The topic cannot be used: {error.errors()[0]['msg']}.") from error


async def _prepare(workplace: Workplace, task: IdeationTask) -> RunHeader[IdeationTask]:
    topic = read_topic(task.topic)
    is_offline = workplace.model_settings.roles.writer.provider.name == "offline"
    method = get_method(task.method or default_method(task.options.keys(), offline=is_offline))
    given = with_effort(method.name, workplace.settings.values.effort, task.options)
    options = method.options_from(given).model_dump(mode="json")
    ensure_library(workplace)
    await check_models(workplace, role_models(workplace))
    settled = task.model_copy(update={"topic": topic.text, "method": method.name, "options": options})
    return RunHeader(topic.text, options, method.name, task=settled)


async def _carry_out(lab: Lab, record: RunRecord, task: IdeationTask) -> SessionResult[IdeationReport]:
    lab, method = lab.going_on(), get_method(task.method)
    options = method.options_from(task.options)
    topic, wanted = Topic(text=task.topic), bool(getattr(options, FROM_OPPORTUNITIES, 0))
    notes = await ensure_coverage(lab, topic.text, options.before, force=task.force)
    search = None
    if wanted or task.opportunities:
        search = asyncio.create_task(opportunities_of(lab, topic.text, options.before, requested=wanted))
    try:
        if lab.live:
            lab = replace(lab, library=LiveLibrary(lab.library.stored, lab.run, lab.live))
        async with starter_abstracts(lab):
            ideation = await method.generate(lab, topic, options)
        result = await _in_time(lab, search) if search else OpportunitySearch()
    finally:
        if search:
            search.cancel()
    if lab.settings.values.effort and not has_effort(method.name):
        notes = (*notes, no_effort_note(method.name))
    ideation = ideation.but(notes=(*notes, *ideation.notes, *(lab.live.notes if lab.live else ()), *lab.missing))
    account = await account_of(lab, record)
    report = IdeationReport(
        ideation=ideation,
        account=account,
        literature=await topic_literature(lab.library, topic.text, options.before),
        judges_and_people=_agreement(lab, ideation),
        openings=result.openings,
        without_openings=result.why,
    )
    return SessionResult(report, count=len(ideation.candidates))


def _agreement(lab: Lab, ideation: Ideation) -> str:
    if not ideation.matches:
        return ""
    judges = [judge.short for judge in lab.models.settings.roles.judges]
    return agreement_sentence(lab.settings.metrics_folder.parent, judges)


async def _in_time(lab: Lab, search: asyncio.Task[OpportunitySearch]) -> OpportunitySearch:
    """The result of a search that ran beside the ideas, which wait for it only so long."""
    if not search.done():
        lab.run.note("opportunities: the concepts of the library are still being counted")
    await asyncio.wait([search], timeout=OPPORTUNITIES_WITHIN)
    if not search.done():
        return OpportunitySearch(why="Computing them took longer than the ideas: `novum opportunities` shows them.")
    return search.result()


IDEATION = RunKind("ideate", "an ideation", IdeationTask, IdeationReport, _prepare, _carry_out, task_key="")
