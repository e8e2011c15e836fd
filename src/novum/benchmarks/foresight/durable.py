"""Foresight as durable runs: ideas from literature before a day, held against what was published after it.

    async with Workplace(load_settings()) as place:
        run = await look_ahead(place, ForesightTask(cutoffs=…, topics=…, methods=…))

The ideas stand in the run's events, so that a run that died goes on where it was; what they are compared with is in the
library, and comparing asks nobody.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

import novum
from novum.benchmarks.foresight.calibration import YEARS_BEFORE, calibrated
from novum.benchmarks.foresight.futures import SHARE, Prospects, prospects
from novum.benchmarks.foresight.generation import Generating
from novum.benchmarks.foresight.measurement import sightings
from novum.benchmarks.foresight.notes import notes_of
from novum.benchmarks.foresight.records import Calibration, Cutoff, ForesightRun
from novum.benchmarks.foresight.task import ForesightTask, options_for, span_of
from novum.benchmarks.foresight.topics import draw_topics
from novum.core import Account
from novum.core.comparison import ArenaTopic
from novum.errors import BadInput
from novum.lab import Lab, Workplace
from novum.ledger import RunRecord
from novum.ledger.run import Listener
from novum.literature import Filters, Library
from novum.llm import ModelName
from novum.reports.phrases import count
from novum.runs.durable import SessionResult, of_this_novum, run_until_budget
from novum.runs.durable import task_of as read_task
from novum.runs.engine import (
    FORESIGHT,
    account_of,
    check_models,
    ensure_library,
    seed_of,
    settings_of,
    settings_to_repeat,
)
from novum.runs.replay import iso, open_for_replay

NOT_DONE = "It was not finished."
_NAMED = 3
"""Makers of ideas at most that the title of a run names."""
Told = Callable[[str], None]


def _unheard(line: str) -> None:
    """Nobody follows a run that is only looked at."""


async def look_ahead(
    workplace: Workplace, task: ForesightTask, listeners: Sequence[Listener] = (), *, fresh: bool = False
) -> ForesightRun:
    """Starts a study and works on it until everything is known or the budget ends: then `stopped` says so, and what
    there is counts. `fresh`: no answers of other runs are used.

    Raises ModelRefusedUs when a model has no key, and BadInput when a method does not know an option, a budget in
    dollars lacks a price, or nothing in the library is from before or after the days, all before anything is spent.
    """
    ensure_library(workplace)
    await _see_to(workplace, task)
    names = ", ".join(task.makers) if len(task.makers) <= _NAMED else count(len(task.makers), "method")
    title = f"{names} on {count(len(task.topics), 'topic')} up to {', '.join(each.label for each in task.cutoffs)}"
    params: dict[str, JsonValue] = {
        "method": "foresight",
        "options": _told(task),
        "task": task.model_dump(mode="json"),
        "fresh": fresh,
        "settings": settings_to_repeat(workplace),
    }
    return await _work(workplace, workplace.ledger.start_run(FORESIGHT, title, params), task, listeners)


async def find_topics(
    workplace: Workplace, cutoffs: Sequence[Cutoff], horizon: int, number: int
) -> tuple[ArenaTopic, ...]:
    """Topics out of the library that go on after every cut-off; asked again, the same. Asks no model. Raises BadInput
    where there is none.
    """
    ensure_library(workplace)
    seed = workplace.settings.values.seed
    return await asyncio.to_thread(draw_topics, workplace.library, cutoffs, horizon, number, seed)


async def resume(
    workplace: Workplace, run_id: str, listeners: Sequence[Listener] = (), *, anyway: bool = False
) -> ForesightRun:
    """Takes a study up again, also a finished one: methods that came to nothing are given another try, and everything
    is compared with the library as it is now.

    The workplace must be opened with the run's own settings. `anyway`: also when another process seems to be at it.
    """
    record = workplace.ledger.run(run_id)
    task = task_of(record)
    return await _work(workplace, workplace.ledger.reopen_run(record.id, anyway=anyway), task, listeners)


async def recall(workplace: Workplace, run_id: str) -> ForesightRun:
    """A study as it was when it finished; one that did not, as far as it came, compared with the library as it is now.
    Asks no model.
    """
    record = workplace.ledger.run(run_id)
    task = task_of(record)
    if record.status == "finished":
        with of_this_novum(record):
            return ForesightRun.model_validate_json(record.result)
    run, _ = open_for_replay(workplace, record)
    generating = Generating(task, run)
    await generating.carry_out()
    account = Account(
        run_id=record.id, novum_version=novum.__version__, started=iso(record.started), seconds=record.seconds,
        models=_cast(record), spend=workplace.ledger.spend(record.id),
    )  # fmt: skip
    stopped = (record.reason or NOT_DONE) if generating.stopped else ""
    ground = await _ground_for(workplace.library, task, seed_of(record), _unheard)
    found = await _compared(workplace.library, generating, ground, _unheard)
    return _completed(found, record, account, stopped, record.updated)


def task_of(record: RunRecord) -> ForesightTask:
    """What a run is about. Raises BadInput where it is no study of foresight."""
    return read_task(record, FORESIGHT, ForesightTask, "task", "study of foresight")


async def _work(
    workplace: Workplace, record: RunRecord, task: ForesightTask, listeners: Sequence[Listener]
) -> ForesightRun:
    async def carry_out(lab: Lab, record: RunRecord, began: float) -> SessionResult[ForesightRun]:
        lab.run.emit("run-began", method="foresight", topic=record.title)
        with lab.run.step("literature"):  # before any idea is paid for: there may be nothing to compare with
            ground = await _ground_for(lab.library, task, lab.settings.values.seed, lab.run.say)
        generating = Generating(task, lab.run, lab)
        await generating.carry_out()
        with lab.run.step("comparing"):
            found = await _compared(lab.library, generating, ground, lab.run.say)
        await lab.run.ledger.shares(record.id)  # whatever is queued is written before the account is made
        account = account_of(lab, record, time.perf_counter() - began)
        live = lab.live.notes if lab.live else ()
        found = found.model_copy(update={"notes": (*found.notes, *live)})
        run = _completed(found, record, account, generating.stopped, time.time())
        if not generating.stopped:
            lab.run.emit("run-done", ideas=sum(each.entry.idea is not None for each in found.forecasts))
        return SessionResult(run, run, generating.stopped)

    return await run_until_budget(workplace, record, listeners, carry_out)


@dataclass(frozen=True)
class _Ground:
    """What ideas are held against: it needs none of them."""

    calibration: Calibration
    prospects: Prospects
    library: str
    seed: int


async def _ground_for(library: Library, task: ForesightTask, seed: int, told: Told) -> _Ground:
    """Raises BadInput where there is nothing to compare with."""
    await library.index()
    first, end = span_of(task.cutoffs, task.horizon)
    since = dt.date(max(1, first.year - YEARS_BEFORE), 1, 1)
    told("pairs of papers for the threshold of a hit")
    calibration = await calibrated(library, since, end, task.false_positives, seed)
    found = await prospects(library, task, told)
    if not found.pool:
        raise BadInput(
            f"In no year from {first} to {end} does the library hold {SHARE * task.neighbours:,} papers that are "
            "certainly of it: ideas have nothing to be compared with. Bring in newer papers (`novum library update`), "
            "name an earlier cut-off, or compare with fewer nearest papers (--neighbours)."
        )
    held = f"{count(library.size().papers, 'paper')}, embedded by {library.embedder.name}"
    return _Ground(calibration, found, held, seed)


async def _compared(library: Library, generating: Generating, ground: _Ground, told: Told) -> ForesightRun:
    """Everything but its circumstances."""
    task, found, forecasts = generating.task, ground.prospects, generating.forecasts
    threshold = ground.calibration.threshold
    return ForesightRun(
        name=generating.run.id,
        cutoffs=task.cutoffs,
        horizon=task.horizon,
        neighbours=task.neighbours,
        pool=task.pool,
        pool_used=found.pool,
        earlier=task.earlier,
        topics=tuple(each.topic for each in task.topics),
        drawn=task.drawn,
        methods=task.takers,
        plain=task.plain,
        library=ground.library,
        calibration=ground.calibration,
        futures=found.years,
        forecasts=forecasts,
        sightings=await sightings(library, task, forecasts, found, threshold, told),
        seed=ground.seed,
        notes=tuple(notes_of(task, forecasts, ground.calibration, found)),
    )


def _completed(found: ForesightRun, record: RunRecord, account: Account, stopped: str, ended: float) -> ForesightRun:
    """With its circumstances. Models that had no part are not named."""
    made = any(each.method for each in found.methods)
    roles = {role: name for role, name in account.models.items() if made and role != "judges"}
    demonstration = made and account.models.get("writer", "").startswith("offline:")
    return found.model_copy(
        update={
            "began": iso(record.started),
            "ended": iso(ended),
            "stopped": stopped,
            "account": account.model_copy(update={"models": roles, "demonstration": demonstration}),
        }
    )


def _told(task: ForesightTask) -> dict[str, JsonValue]:
    """What `novum runs show` tells about the study."""
    return {
        "methods": [*task.makers],
        "cutoffs": [each.label for each in task.cutoffs],
        "horizon": task.horizon,
        "topics": len(task.topics),
    }


async def _see_to(workplace: Workplace, task: ForesightTask) -> None:
    """A missing key or price, an option that a method does not know, and a library without past or future show before
    a run begins. Asks nobody."""
    for method in task.methods:
        options_for(method, task.cutoffs[0])
    first, end = span_of(task.cutoffs, task.horizon)
    for filters, when in (
        (Filters(before=first), f"before {first}"),
        (Filters(since=first, before=end), f"from {first} on"),
    ):
        if next(workplace.library.papers(filters), None) is None:
            raise BadInput(f"The library holds no paper that is certainly {when}: name another cut-off.")
    if task.methods:
        cast = workplace.model_settings.cast
        await check_models(workplace, [cast.writer, cast.reader])


def _cast(record: RunRecord) -> dict[str, str]:
    """Roles and models, as the run's parameters have them."""
    settings = settings_of(record)
    named = {role: str(settings.get(role) or "") for role in ("writer", "reader")}
    return {role: ModelName.parse(name).short for role, name in named.items() if name}
