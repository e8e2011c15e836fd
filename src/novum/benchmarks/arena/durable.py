"""The arena as durable runs: started, taken up again, and read from the ledger without asking anybody.

    async with Workplace(load_settings()) as place:
        run = await compete(place, Assignment(topics=…, entrants=…, judges=…))

What entrants handed in and which pairs met stands in the run's events, what judges said in its calls: that is enough to
make all of its records anew.
"""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Sequence

from pydantic import JsonValue

import novum
from novum.benchmarks.arena.entries import Entering
from novum.benchmarks.arena.judging import Panel, unheard_in
from novum.benchmarks.arena.protocol import Competition, notes_of
from novum.benchmarks.arena.records import ArenaRun
from novum.benchmarks.arena.task import Assignment, options_for
from novum.benchmarks.arena.topics import TopicList, choose_papers, topics_of
from novum.benchmarks.liveidea.task import short_names
from novum.core import Account
from novum.errors import BadInput
from novum.lab import Lab, Workplace
from novum.ledger import Run, RunRecord
from novum.ledger.run import Listener
from novum.literature import Filters
from novum.llm import ModelName, Models
from novum.reports.phrases import count
from novum.runs.durable import SessionResult, run_until_budget, task_of
from novum.runs.engine import (
    ARENA,
    ARENA_TOPICS,
    account_of,
    check_models,
    ensure_library,
    run_session,
    seed_of,
    settings_of,
    settings_to_repeat,
)
from novum.runs.replay import iso, open_for_replay

NOT_DONE = "it was not finished"
_NAMED = 3
"""Entrants at most that the title of a run names."""


async def compete(
    workplace: Workplace, assignment: Assignment, listeners: Sequence[Listener] = (), *, fresh: bool = False
) -> ArenaRun:
    """Starts an arena and works on it until everything is known or the budget ends: then `stopped` says so, and what
    there is counts. `fresh`: no answers of other runs are used.

    Raises ModelRefusedUs when a model has no key, and BadInput when two judges cannot be told apart, a method does not
    know an option, or a budget in dollars lacks a price, all before anything is spent. After that an entrant that
    fails forfeits, and a judge that cannot be asked is missing, with the reason.
    """
    await _see_to(workplace, assignment)
    names = [each.name for each in assignment.entrants]
    entrants = ", ".join(names) if len(names) <= _NAMED else count(len(names), "entrant")
    title = f"{entrants} on {count(len(assignment.topics), 'topic')}"
    params: dict[str, JsonValue] = {
        "method": "arena",
        "options": _told(assignment),
        "assignment": assignment.model_dump(mode="json"),
        "fresh": fresh,
        "settings": settings_to_repeat(workplace),
    }
    return await _work(workplace, workplace.ledger.start_run(ARENA, title, params), assignment, listeners)


async def resume(
    workplace: Workplace, run_id: str, listeners: Sequence[Listener] = (), *, anyway: bool = False
) -> ArenaRun:
    """Takes an arena up again, also a finished one: those who forfeited are given another try, and judges are asked
    for what they owe.

    The workplace must be opened with the run's own settings. `anyway`: also when another process seems to be at it.
    """
    record = workplace.ledger.run(run_id)
    assignment = assignment_of(record)
    return await _work(workplace, workplace.ledger.reopen_run(record.id, anyway=anyway), assignment, listeners)


async def recall(workplace: Workplace, run_id: str) -> ArenaRun:
    """The records of an arena as far as it came, from what is in the ledger. Asks nobody."""
    record = workplace.ledger.run(run_id)
    assignment = assignment_of(record)
    run, models = open_for_replay(workplace, record)
    competition = _competition(assignment, run, models, seed_of(record))
    await competition.carry_out()
    account = Account(
        run_id=record.id, novum_version=novum.__version__, started=iso(record.started), seconds=record.seconds,
        models=_cast(record), spend=workplace.ledger.spend(record.id),
    )  # fmt: skip
    why = (record.reason or NOT_DONE) if competition.stopped else ""
    return _gathered(competition, record, account, why, record.updated)


def assignment_of(record: RunRecord) -> Assignment:
    """What took part in a run. Raises BadInput where it is no arena."""
    return task_of(record, ARENA, Assignment, "assignment", "arena")


async def find_topics(
    workplace: Workplace, since: dt.date, number: int, listeners: Sequence[Listener] = (), *, fresh: bool = False
) -> TopicList:
    """Topics of so many papers of the library that became public on `since` or later, extracted by the reader.

    Asked again, the same papers are chosen, and what was answered is used. Raises BadInput where no paper is that
    new.
    """
    ensure_library(workplace)
    papers = choose_papers(workplace.library, Filters(since=since), number, workplace.settings.values.seed)
    if not papers:
        raise BadInput(
            f"No paper of the library was published on {since} or later and has an abstract. Name an earlier day, or "
            "add newer papers: novum library update."
        )
    reader = workplace.model_settings.cast.reader
    await check_models(workplace, [reader])
    params: dict[str, JsonValue] = {
        "method": "arena topics",
        "options": {"since": since.isoformat(), "papers": number},
        "fresh": fresh,
        "settings": settings_to_repeat(workplace),
    }
    title = f"topics of {count(len(papers), 'paper')} since {since}"

    async def carry_out(lab: Lab, record: RunRecord, began: float) -> TopicList:
        lab.run.emit("run-began", method="arena topics", topic=record.title)
        with lab.run.step("topics"):
            found = await topics_of(lab.models, lab.library, papers)
        lab.run.emit("run-done", ideas=len(found.topics))
        return found

    return await run_session(workplace, workplace.ledger.start_run(ARENA_TOPICS, title, params), listeners, carry_out)


async def _work(
    workplace: Workplace, record: RunRecord, assignment: Assignment, listeners: Sequence[Listener]
) -> ArenaRun:
    async def carry_out(lab: Lab, record: RunRecord, began: float) -> SessionResult[ArenaRun]:
        lab.run.emit("run-began", method="arena", topic=record.title)
        competition = _competition(assignment, lab.run, lab.models, lab.settings.values.seed, lab)
        await competition.carry_out()
        await lab.run.ledger.shares(record.id)  # whatever is queued is written before the account is made
        account = account_of(lab, record, time.perf_counter() - began)
        gathered = _gathered(competition, record, account, competition.stopped, time.time())
        told = lab.live.notes if lab.live else ()
        run = gathered.model_copy(update={"notes": (*gathered.notes, *told)})
        if not competition.stopped:
            lab.run.emit("run-done", ideas=sum(each.idea is not None for each in run.entries))
        kept = run.model_copy(update={"entries": (), "bouts": ()})  # the ledger has them, one by one
        return SessionResult(run, kept, competition.stopped)

    return await run_until_budget(workplace, record, listeners, carry_out)


def _competition(assignment: Assignment, run: Run, models: Models, seed: int, lab: Lab | None = None) -> Competition:
    judges = short_names([ModelName.parse(name) for name in assignment.judges])
    unheard = {} if lab else unheard_in(event for _, event in run.ledger.events(run.id))
    return Competition(assignment, run, Entering(assignment, run, lab), Panel(models, judges, unheard), seed)


def _gathered(competition: Competition, record: RunRecord, account: Account, stopped: str, ended: float) -> ArenaRun:
    assignment, entries, bouts = competition.assignment, competition.entries, competition.bouts
    notes = notes_of(assignment, entries, bouts, competition.panel)
    over = [f"No more pairs were chosen: {competition.over}."] if assignment.schedule != "round-robin" else []
    return ArenaRun(
        name=record.id,
        topics=tuple(each.topic for each in assignment.topics),
        papers={each.topic: each.paper_id for each in assignment.topics if each.paper_id},
        entrants=assignment.entrants,
        judges=tuple(competition.panel.judges),
        kinds=assignment.kinds,
        schedule=assignment.schedule,
        seed=competition.seed,
        before=assignment.before.isoformat() if assignment.before else "",
        began=iso(record.started),
        ended=iso(ended),
        entries=entries,
        bouts=bouts,
        stopped=stopped,
        notes=(*notes, *(over if competition.over else [])),
        account=_of_arena(account, assignment, competition.panel),
    )


def _of_arena(account: Account, assignment: Assignment, panel: Panel) -> Account:
    """The account with the models that took part: without a generator at work, the judges alone."""
    made = any(each.method for each in assignment.entrants)
    roles = {role: name for role, name in account.models.items() if made and role != "judges"}
    models = roles | {"judges": ", ".join(panel.judges)}
    demonstration = made and account.models.get("writer", "").startswith("offline:")
    return account.model_copy(update={"models": models, "demonstration": demonstration})


def _told(assignment: Assignment) -> dict[str, JsonValue]:
    """What `novum runs show` tells about the arena."""
    return {
        "entrants": [each.name for each in assignment.entrants],
        "judges": [ModelName.parse(name).short for name in assignment.judges],
        "experiments": assignment.with_experiments,
        "schedule": assignment.schedule,
        "before": assignment.before.isoformat() if assignment.before else None,
    }


async def _see_to(workplace: Workplace, assignment: Assignment) -> None:
    """A missing key or price, and an option that a method does not know, show before a run begins. Asks nobody."""
    made = [each for each in assignment.entrants if each.method]
    for entrant in made:
        for topic in assignment.topics[:1]:
            options_for(entrant, topic, assignment)
    short_names([ModelName.parse(name) for name in assignment.judges])
    cast = workplace.model_settings.cast
    models = [ModelName.parse(name) for name in assignment.judges]
    if made:
        ensure_library(workplace)
        models = [cast.writer, cast.reader, *models]
    await check_models(workplace, models)


def _cast(record: RunRecord) -> dict[str, str]:
    """Roles and models, as the run's parameters have them."""
    settings = settings_of(record)
    named = {role: str(settings.get(role) or "") for role in ("writer", "reader")}
    return {role: ModelName.parse(name).short for role, name in named.items() if name}
