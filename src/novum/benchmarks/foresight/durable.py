"""Studies of foresight as durable runs: ideas from literature before a day, compared with papers published after it.

    async with Workplace(load_settings()) as workplace:
        run = await start(FORESIGHT, workplace, ForesightTask(cutoffs=…, topics=…, methods=…))

The events of a run hold its ideas, so that a run that stopped continues where it was. The papers that they are compared
with are in the library, and comparing asks no model.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

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
from novum.literature import Filters, Library
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
    stored_outcome,
)
from novum.runs.replay import open_for_replay

_NAMED = 3
"""Makers of ideas at most that the title of a run names."""
Progress = Callable[[str], None]


async def find_topics(
    workplace: Workplace, cutoffs: Sequence[Cutoff], horizon: int, number: int
) -> tuple[ArenaTopic, ...]:
    """Topics out of the library that go on after every cut-off; asked again, the same. Asks no model. Raises BadInput
    where there is none.
    """
    ensure_library(workplace)
    seed = workplace.settings.values.seed
    return await asyncio.to_thread(draw_topics, workplace.library, cutoffs, horizon, number, seed)


async def _prepare(workplace: Workplace, task: ForesightTask) -> RunHeader[ForesightTask]:
    ensure_library(workplace)
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
    names = ", ".join(task.makers) if len(task.makers) <= _NAMED else count(len(task.makers), "method")
    labels = [each.label for each in task.cutoffs]
    return RunHeader(
        f"{names} on {count(len(task.topics), 'topic')} up to {', '.join(labels)}",
        {"methods": [*task.makers], "cutoffs": [*labels], "horizon": task.horizon, "topics": len(task.topics)},
    )


async def _carry_out(lab: Lab, record: RunRecord, task: ForesightTask) -> SessionResult[ForesightRun]:
    with lab.run.step("literature"):  # before any idea is paid for: there may be nothing to compare with
        ground = await _ground_for(lab.library, task, lab.settings.values.seed, lab.run.say)
    generating = Generating(task, lab.run, lab)
    await generating.carry_out()
    with lab.run.step("comparing"):
        found = await _compared(lab.library, generating, ground, lab.run.say)
    account = await account_of(lab, record)
    notes = lab.live.notes if lab.live else ()
    found = found.model_copy(update={"notes": (*found.notes, *notes)})
    run = _completed(found, record, account, generating.stopped, time.time())
    return SessionResult(
        run, stopped=generating.stopped, count=sum(each.entry.idea is not None for each in found.forecasts)
    )


async def _replay(workplace: Workplace, record: RunRecord, task: ForesightTask) -> ForesightRun:
    """The outcome stored with a finished study; else what there is, compared with the library as it is now."""
    if record.status == "finished":
        return stored_outcome(FORESIGHT, record)
    run, _ = open_for_replay(workplace, record)
    generating = Generating(task, run)
    await generating.carry_out()
    ground = await _ground_for(workplace.library, task, seed_of(record), run.say)
    found = await _compared(workplace.library, generating, ground, run.say)
    stopped = (record.reason or NOT_FINISHED) if generating.stopped else ""
    return _completed(found, record, replayed_account(workplace.ledger, record), stopped, record.updated)


FORESIGHT = RunKind(
    "foresight", "a study of foresight", ForesightTask, ForesightRun, _prepare, _carry_out, _replay,
    continues_finished=True,
)  # fmt: skip
"""Resuming also a finished study gives methods that had no idea another try, and compares with the library as it is."""


@dataclass(frozen=True)
class _Ground:
    """What ideas are held against: it needs none of them."""

    calibration: Calibration
    prospects: Prospects
    library: str
    seed: int


async def _ground_for(library: Library, task: ForesightTask, seed: int, progress: Progress) -> _Ground:
    """Raises BadInput where there is nothing to compare with."""
    await library.index()
    first, end = span_of(task.cutoffs, task.horizon)
    since = dt.date(max(1, first.year - YEARS_BEFORE), 1, 1)
    progress("pairs of papers for the threshold of a hit")
    calibration = await calibrated(library, since, end, task.false_positives, seed)
    found = await prospects(library, task, progress)
    if not found.pool:
        raise BadInput(
            f"In no year from {first} to {end} does the library hold {SHARE * task.neighbours:,} papers that are "
            "certainly of it: ideas have nothing to be compared with. Bring in newer papers (`novum library update`), "
            "name an earlier cut-off, or compare with fewer nearest papers (--neighbours)."
        )
    held = f"{count(library.size().papers, 'paper')}, embedded by {library.embedder.name}"
    return _Ground(calibration, found, held, seed)


async def _compared(library: Library, generating: Generating, ground: _Ground, progress: Progress) -> ForesightRun:
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
        sightings=await sightings(library, task, forecasts, found, threshold, progress),
        seed=ground.seed,
        notes=tuple(notes_of(task, forecasts, ground.calibration, found)),
    )


def _completed(found: ForesightRun, record: RunRecord, account: Account, stopped: str, ended: float) -> ForesightRun:
    """With its circumstances. Models that had no part are not named."""
    generates = any(each.method for each in found.methods)
    roles = {role: name for role, name in account.models.items() if generates and role != "judges"}
    demonstration = generates and account.models.get("writer", "").startswith("offline:")
    return found.model_copy(
        update={
            "began": iso(record.started),
            "ended": iso(ended),
            "stopped": stopped,
            "account": account.model_copy(update={"models": roles, "demonstration": demonstration}),
        }
    )
