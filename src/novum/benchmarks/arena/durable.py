"""Arenas as durable runs.

    async with Workplace(load_settings()) as workplace:
        run = await start(ARENA, workplace, ArenaTask(topics=…, entrants=…, judges=…))

The events of a run hold the entries and the chosen pairs, and its calls the answers of judges: enough to recreate all
of its records.
"""

from __future__ import annotations

import datetime as dt
import time

from pydantic import JsonValue

from novum.benchmarks.arena.entries import EntrySource
from novum.benchmarks.arena.judging import JudgePanel, failed_requests_in
from novum.benchmarks.arena.protocol import FIXED_SCHEDULES, ArenaSession, arena_notes
from novum.benchmarks.arena.records import ArenaRun
from novum.benchmarks.arena.task import ArenaTask, options_for
from novum.benchmarks.arena.topics import TopicList, choose_papers, topics_of_papers
from novum.benchmarks.liveidea.task import short_names
from novum.core import Account, Paper
from novum.core.record import Value
from novum.errors import BadInput
from novum.judges.judging_protocol import (
    NEWEST_PROTOCOL,
    PUBLISHED_PROTOCOL,
    JudgingProtocol,
    built_in_protocol,
)
from novum.judges.published import idea_arena, published_protocol
from novum.lab import Lab, Workplace
from novum.ledger import Run, RunRecord
from novum.literature import Filters, Library
from novum.llm import ModelName, Models
from novum.reports.phrases import count
from novum.runs.engine import (
    NOT_FINISHED,
    RunHeader,
    RunKind,
    SessionResult,
    account_of,
    check_models,
    ensure_library,
    iso,
    replayed_account,
    seed_of,
)
from novum.runs.published_prompts import needed_prompts
from novum.runs.replay import open_for_replay
from novum.settings import LoadedSettings

INSTALL = "novum arena protocol install"
_NAMED = 3
"""Entrants at most that the title of a run names."""


class TopicSearchTask(Value):
    """Topics to be extracted from papers of the library: so many that became public on `since` or later."""

    since: dt.date
    papers: int


async def _prepare(workplace: Workplace, task: ArenaTask) -> RunHeader[ArenaTask]:
    generators = [each for each in task.entrants if each.method]
    for entrant in generators:
        for topic in task.topics[:1]:
            options_for(entrant, topic, task)
    judges = [ModelName.parse(name) for name in task.judges]
    short_names(judges)
    roles = workplace.model_settings.roles
    if generators:
        ensure_library(workplace)
    await check_models(workplace, [roles.writer, roles.reader, *judges] if generators else judges)
    names = [each.name for each in task.entrants]
    entrants = ", ".join(names) if len(names) <= _NAMED else count(len(names), "entrant")
    settled = task.model_copy(update={"protocol": task.protocol or NEWEST_PROTOCOL})
    hashes = judging_protocol(settled.protocol, workplace.settings).hashes
    settled = settled.model_copy(update={"prompt_hashes": dict(hashes)})
    lead = f"{task.study} study: " if task.study else ""
    return RunHeader(f"{lead}{entrants} on {count(len(task.topics), 'topic')}", _shown_options(settled), task=settled)


async def _carry_out(lab: Lab, record: RunRecord, task: ArenaTask) -> SessionResult[ArenaRun]:
    judging = judging_protocol(task.protocol, lab.settings)
    session = _session(task, judging, lab.run, lab.models, lab.settings.values.seed, lab)
    await session.carry_out()
    account = await account_of(lab, record)
    gathered = _gathered(session, record, account, session.stopped, time.time())
    notes = lab.live.notes if lab.live else ()
    run = gathered.model_copy(update={"notes": (*gathered.notes, *notes)})
    stored = run.model_copy(update={"entries": (), "judged_pairs": ()})  # the ledger has them, one by one
    return SessionResult(run, stored, session.stopped, sum(each.idea is not None for each in run.entries))


async def _replay(workplace: Workplace, record: RunRecord, task: ArenaTask) -> ArenaRun:
    run, models = open_for_replay(workplace, record)
    judging = judging_protocol(task.protocol, workplace.settings)
    session = _session(task, judging, run, models, seed_of(record))
    await session.carry_out()
    stopped = (record.reason or NOT_FINISHED) if session.stopped else ""
    return _gathered(session, record, replayed_account(workplace.ledger, record), stopped, record.updated)


ARENA = RunKind(
    "arena", "an arena", ArenaTask, ArenaRun, _prepare, _carry_out, _replay,
    task_key="assignment", continues_finished=True,
)  # fmt: skip
"""Resuming also a finished arena gives entrants that forfeited another try, and asks judges for what is missing."""


async def _prepare_topics(workplace: Workplace, task: TopicSearchTask) -> RunHeader[TopicSearchTask]:
    ensure_library(workplace)
    if not (papers := _papers(workplace.library, task, workplace.settings.values.seed)):
        raise BadInput(
            f"No paper of the library was published on {task.since} or later and has an abstract. Name an earlier day, "
            "or add newer papers: novum library update."
        )
    await check_models(workplace, [workplace.model_settings.roles.reader])
    return RunHeader(f"topics of {count(len(papers), 'paper')} since {task.since}", method="arena topics")


async def _carry_out_topics(lab: Lab, record: RunRecord, task: TopicSearchTask) -> SessionResult[TopicList]:
    with lab.run.step("topics"):
        papers = _papers(lab.library.stored, task, lab.settings.values.seed)
        found = await topics_of_papers(lab.models, lab.library.stored, papers)
    return SessionResult(found, count=len(found.topics))


def _papers(library: Library, task: TopicSearchTask, seed: int) -> list[Paper]:
    """The same papers for the same seed."""
    return choose_papers(library, Filters(since=task.since), task.papers, seed)


ARENA_TOPICS = RunKind(
    "arena-topics", "a search for topics", TopicSearchTask, TopicList, _prepare_topics, _carry_out_topics,
    task_key="options",
)  # fmt: skip


def judging_protocol(name: str, settings: LoadedSettings) -> JudgingProtocol:
    """The protocol of that name. Raises BadInput for an unknown one, and where the published prompts are missing."""
    if name != PUBLISHED_PROTOCOL:
        return built_in_protocol(name)
    instrument = idea_arena()
    names = [each.name for each in instrument.prompts]
    return published_protocol(needed_prompts(instrument, settings.protocols_folder, names, INSTALL))


def _session(
    task: ArenaTask, judging: JudgingProtocol, run: Run, models: Models, seed: int, lab: Lab | None = None
) -> ArenaSession:
    judges = short_names([ModelName.parse(name) for name in task.judges])
    failed = {} if lab else failed_requests_in(event for _, event in run.ledger.events(run.id))
    panel = JudgePanel(models.with_prompts(judging.prompts), judges, judging, failed)
    return ArenaSession(task, run, EntrySource(task, run, lab), panel, seed)


def _gathered(session: ArenaSession, record: RunRecord, account: Account, stopped: str, ended: float) -> ArenaRun:
    task, entries, judged_pairs = session.task, session.entries, session.judged_pairs
    notes = arena_notes(task, entries, judged_pairs, session.panel)
    finished = [f"No more pairs were chosen: {session.finished}."] if task.schedule not in FIXED_SCHEDULES else []
    return ArenaRun(
        name=record.id,
        topics=tuple(each.topic for each in task.topics),
        papers={each.topic: each.paper_id for each in task.topics if each.paper_id},
        entrants=task.entrants,
        judges=tuple(session.panel.judges),
        kinds=task.kinds,
        schedule=task.schedule,
        protocol=session.panel.protocol.name,
        prompt_hashes=dict(session.panel.protocol.hashes),
        study=task.study,
        form=task.form,
        words=task.words,
        seed=session.seed,
        before=task.before.isoformat() if task.before else "",
        began=iso(record.started),
        ended=iso(ended),
        entries=entries,
        judged_pairs=judged_pairs,
        stopped=stopped,
        notes=(*notes, *(finished if session.finished else [])),
        account=_of_arena(account, task, session.panel),
    )


def _of_arena(account: Account, task: ArenaTask, panel: JudgePanel) -> Account:
    """The account with the models that took part: without a generator at work, the judges alone."""
    generates = any(each.method for each in task.entrants)
    roles = {role: name for role, name in account.models.items() if generates and role != "judges"}
    models = roles | {"judges": ", ".join(panel.judges)}
    demonstration = generates and account.models.get("writer", "").startswith("offline:")
    return account.model_copy(update={"models": models, "demonstration": demonstration})


def _shown_options(task: ArenaTask) -> dict[str, JsonValue]:
    """What `novum runs show` prints about the arena."""
    return {
        "entrants": [each.name for each in task.entrants],
        "judges": [ModelName.parse(name).short for name in task.judges],
        "experiments": task.with_experiments,
        "schedule": task.schedule,
        "protocol": task.protocol,
        "study": task.study or None,
        "form": task.form if task.form == "as-written" else f"{task.form}, at most {count(task.words, 'word')}",
        "before": task.before.isoformat() if task.before else None,
    }
