"""LiveIdeaBench as durable runs: started, taken up again, and read from the ledger without asking anybody.

    async with Workplace(load_settings()) as place:
        run = await measure(place, Assignment(models=…, keywords=…, panel=…, addresses=…))

What a run's ledger holds is enough to make all of its records anew: they are not kept twice.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from pydantic import JsonValue

import novum
from novum.benchmarks.liveidea.client import BEGAN, Failures
from novum.benchmarks.liveidea.context_papers import Find
from novum.benchmarks.liveidea.protocol import Measurement
from novum.benchmarks.liveidea.records import Effort, JudgeAssignment, LiveIdeaRun, NoSeat
from novum.benchmarks.liveidea.task import Assignment
from novum.core import Account, Paper
from novum.lab import Lab, Workplace
from novum.ledger import RunRecord, Share
from novum.ledger.run import Listener
from novum.literature import Filters, Library
from novum.llm import ModelName
from novum.reports.phrases import count
from novum.runs.durable import SessionResult, run_until_budget, task_of
from novum.runs.engine import MEASUREMENT, account_of, check_models, ensure_library, seed_of, settings_to_repeat
from novum.runs.replay import iso, open_for_replay

NOT_DONE = "it was not finished"
_NAMED = 3
"""Models at most that the title of a run names."""
_COMPARABLE = 2
"""Ideas that a keyword needs for fluency."""


async def measure(
    workplace: Workplace, assignment: Assignment, listeners: Sequence[Listener] = (), *, fresh: bool = False
) -> LiveIdeaRun:
    """Starts a run and works on it until everything is known or the budget ends: then `stopped` says so, and what
    there is counts. `fresh`: no answers of other runs are used.

    Raises ModelRefusedUs when a model has no key, and BadInput when two cannot be told apart or a budget in dollars
    lacks a price, or when judges are to be shown papers of a library that is empty, all before anything is spent. After
    that a model that cannot be asked is missing, with the reason.
    """
    await check_models(workplace, map(ModelName.parse, (*assignment.models, *assignment.judges)))
    await _see_to_papers(workplace, assignment)
    names = [ModelName.parse(name).short for name in assignment.models]
    models = ", ".join(names) if len(names) <= _NAMED else f"{len(names)} models"
    title = f"{models} on {count(len(assignment.keywords), 'keyword')}"
    cast: dict[str, JsonValue] = {
        "writer": assignment.models[0],
        "reader": assignment.models[0],
        "judges": [*assignment.judges],
    }
    params: dict[str, JsonValue] = {
        "method": "liveideabench",
        "options": assignment.protocol.model_dump(mode="json"),
        "assignment": assignment.model_dump(mode="json"),
        "fresh": fresh,
        "settings": settings_to_repeat(workplace) | cast,
    }
    return await _work(workplace, workplace.ledger.start_run(MEASUREMENT, title, params), assignment, listeners)


async def resume(
    workplace: Workplace, run_id: str, listeners: Sequence[Listener] = (), *, anyway: bool = False
) -> LiveIdeaRun:
    """Takes a run up again, also a finished one: what a model failed to answer then is asked for now.

    The workplace must be opened with the run's own settings. `anyway`: also when another process seems to be at it.
    """
    record = workplace.ledger.run(run_id)
    assignment = assignment_of(record)
    await _see_to_papers(workplace, assignment)
    return await _work(workplace, workplace.ledger.reopen_run(record.id, anyway=anyway), assignment, listeners)


async def recall(workplace: Workplace, run_id: str) -> LiveIdeaRun:
    """The records of a run as far as it came, from what is in the ledger. Asks nobody."""
    record = workplace.ledger.run(run_id)
    assignment = assignment_of(record)
    with _temperature(workplace, assignment):
        run, models = open_for_replay(workplace, record)
    measurement = Measurement.of(assignment, models, run, seed_of(record))
    await measurement.look_back(Failures.of_last_session(workplace.ledger.events(record.id)))
    why = (record.reason or NOT_DONE) if measurement.hearing.stopped else ""
    account = _account(assignment, Account(
        run_id=record.id, novum_version=novum.__version__, started=iso(record.started), seconds=record.seconds,
        models={}, spend=workplace.ledger.spend(record.id),
    ))  # fmt: skip
    shares = await workplace.ledger.shares(record.id)
    return _gathered(measurement, record, shares, account, why, record.updated)


def assignment_of(record: RunRecord) -> Assignment:
    """What a run was to measure. Raises BadInput where it measured nothing."""
    return task_of(record, MEASUREMENT, Assignment, "assignment", "measurement of models")


async def _work(
    workplace: Workplace, record: RunRecord, assignment: Assignment, listeners: Sequence[Listener]
) -> LiveIdeaRun:
    async def carry_out(lab: Lab, record: RunRecord, began: float) -> SessionResult[LiveIdeaRun]:
        lab.run.emit(BEGAN, method="liveideabench", topic=record.title)
        find = _finding(lab.library, assignment)
        measurement = Measurement.of(assignment, lab.models, lab.run, lab.settings.values.seed, find)
        await measurement.carry_out()
        shares = await lab.run.ledger.shares(record.id)
        account = _account(assignment, account_of(lab, record, time.perf_counter() - began))
        stopped = measurement.hearing.stopped
        run = _gathered(measurement, record, shares, account, stopped, time.time())
        if not stopped:
            lab.run.emit("run-done", ideas=len(measurement.ideas))
        known = {"ideas": (), "judgements": (), "anchor_judgements": (), "informed": ()}
        return SessionResult(run, run.model_copy(update=known), stopped)  # the ledger has them, call by call

    with _temperature(workplace, assignment):
        return await run_until_budget(workplace, record, listeners, carry_out)


def _gathered(
    measurement: Measurement, record: RunRecord, shares: Sequence[Share], account: Account, stopped: str, ended: float
) -> LiveIdeaRun:
    assignment = measurement.assignment
    panel = assignment.panel
    return LiveIdeaRun(
        name=record.id,
        protocol=assignment.protocol,
        panel=tuple(
            JudgeAssignment(model=each.model, organisation=each.organisation, score=each.score) for each in panel.judges
        ),
        passed_over=tuple(NoSeat(model=each.model, why=each.why) for each in panel.passed_over),
        panel_wanted=panel.wanted,
        lost=measurement.hearing.lost_judges(set(measurement.judges)),
        seed=measurement.seed,
        began=iso(record.started),
        ended=iso(ended),
        models=tuple(measurement.models),
        keywords=assignment.keywords,
        keywords_dated=assignment.keywords_dated,
        ideas=tuple(measurement.ideas),
        judgements=tuple(measurement.judgements),
        anchors=assignment.anchors.name if assignment.anchors else "",
        anchor_judgements=tuple(measurement.anchor_judgements),
        informed=tuple(measurement.informed),
        effort=effort_of(shares),
        stopped=stopped,
        notes=notes_of(measurement),
        account=account,
    )


def effort_of(shares: Sequence[Share]) -> tuple[Effort, ...]:
    """What each model took in each role."""
    efforts: dict[tuple[str, str], Effort] = {}
    for share in shares:
        role = "ideas" if share.prompt == "liveidea_idea" else "judging"
        model = ModelName.parse(share.model).short
        known = efforts.get((model, role), Effort(model=model, role=role))
        counted = share.model_dump(exclude={"model", "prompt"})
        added = {name: getattr(known, name) + value for name, value in counted.items()}
        efforts[model, role] = known.model_copy(update=added)
    return tuple(efforts[place] for place in sorted(efforts))


def notes_of(measurement: Measurement) -> tuple[str, ...]:
    """What did not go as asked, in plain sentences."""
    notes = [f"{model} could not be asked any more: {why}" for model, why in sorted(measurement.hearing.lost.items())]
    panel = measurement.assignment.panel
    if panel.short:
        notes.append(
            f"The panel has {count(len(panel.judges), 'judge')} instead of {panel.wanted}: nobody else is eligible."
        )
    if measurement.assignment.protocol.ideas < _COMPARABLE:
        notes.append("One idea for a keyword leaves nothing to compare: no fluency, so no flexibility and no average.")
    unjudged = sum(not each.judge for each in measurement.judgements)
    if unjudged:
        notes.append(f"{unjudged:,} ideas or pairs have no judge: nobody of the panel may judge them.")
    if measurement.showing is not None and measurement.showing.without:
        notes.append(f"The library has no paper near {count(measurement.showing.without, 'idea')}: judged once only.")
    return tuple(notes)


async def _see_to_papers(workplace: Workplace, assignment: Assignment) -> None:
    """A library whose papers cannot be embedded shows before a run begins; an empty one gets the starter papers."""
    if assignment.protocol.papers:
        ensure_library(workplace)
        await workplace.library.index()


def _finding(library: Library, assignment: Assignment) -> Find:
    filters = Filters(before=assignment.papers_before)

    async def find(text: str) -> list[Paper]:
        hits = await library.search(text, assignment.protocol.papers, filters)
        return [hit.paper for hit in hits]

    return find


def _account(assignment: Assignment, account: Account) -> Account:
    """The account with the models that this run is about, whatever the settings name besides."""
    names = [ModelName.parse(name) for name in assignment.models]
    judges = [judge.model for judge in assignment.panel.judges]
    models = {"ideas": ", ".join(name.short for name in names), "judges": ", ".join(judges)}
    demonstration = all(name.provider.name == "offline" for name in names)
    return account.model_copy(update={"models": models, "demonstration": demonstration})


@contextmanager
def _temperature(workplace: Workplace, assignment: Assignment) -> Iterator[None]:
    """The protocol's temperature for as long as the run is worked on; without one, each provider's own."""
    before = workplace.model_settings
    calls = replace(before.calls, temperature=assignment.protocol.temperature)
    workplace.model_settings = replace(before, calls=calls)
    try:
        yield
    finally:
        workplace.model_settings = before
