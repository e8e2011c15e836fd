"""Foresight studies as durable runs: ideas from literature before a cut-off, compared with papers published after it.

    async with Workplace(load_settings()) as workplace:
        run = await start(FORESIGHT, workplace, ForesightTask(cutoffs=…, topics=…, methods=…))

The events of a run hold its ideas, so that a stopped run can be resumed. The papers that they are compared with are in
the library; comparing them calls no model.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from novum.benchmarks.foresight.calibration import YEARS_BEFORE, calibrate_threshold
from novum.benchmarks.foresight.futures import PAPERS_PER_NEAR, ComparisonPapers, find_papers
from novum.benchmarks.foresight.generation import EntryGeneration
from novum.benchmarks.foresight.measurement import compare_items
from novum.benchmarks.foresight.records import Cutoff, CutoffEntry, ForesightRun, ThresholdCalibration
from novum.benchmarks.foresight.statistics import MIN_PAIRS, MIN_TOPICS
from novum.benchmarks.foresight.task import ForesightTask, future_span, options_for
from novum.benchmarks.foresight.topics import draw_topics
from novum.core import Account, shorten
from novum.core.comparison import ArenaTopic
from novum.errors import BadInput
from novum.lab import Lab, Workplace
from novum.ledger import RunRecord
from novum.literature import Filters, Library
from novum.llm import ModelName
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

_MAX_NAMED, _MAX_REASON = 3, 300
"""Methods in the title of a run, and characters of a reason in a note."""
_Progress = Callable[[str], None]


async def find_topics(
    workplace: Workplace, cutoffs: Sequence[Cutoff], horizon: int, number: int
) -> tuple[ArenaTopic, ...]:
    """Random topics of the library with papers before and after every cut-off; the same for the same seed.

    Calls no model. Raises BadInput where there is none.
    """
    ensure_library(workplace)
    seed = workplace.settings.values.seed
    return await asyncio.to_thread(draw_topics, workplace.library, cutoffs, horizon, number, seed)


async def _prepare(workplace: Workplace, task: ForesightTask) -> RunHeader[ForesightTask]:
    ensure_library(workplace)
    for method in task.methods:
        options_for(method, task.cutoffs[0])
    first, end = future_span(task.cutoffs, task.horizon)
    for filters, when in (
        (Filters(before=first), f"before {first}"),
        (Filters(since=first, before=end), f"from {first} on"),
    ):
        if next(workplace.library.papers(filters), None) is None:
            raise BadInput(f"The library has no paper that is certainly {when}: name another cut-off.")
    if task.methods:
        roles = workplace.model_settings.roles
        writers = [ModelName.parse(name) for name in task.writers.values()]
        await check_models(workplace, [roles.writer, roles.reader, *writers])
    names = ", ".join(task.authors) if len(task.authors) <= _MAX_NAMED else count(len(task.authors), "method")
    labels = [each.label for each in task.cutoffs]
    return RunHeader(
        f"{names} on {count(len(task.topics), 'topic')} up to {', '.join(labels)}",
        {"methods": [*task.authors], "cutoffs": [*labels], "horizon": task.horizon, "topics": len(task.topics)},
    )


async def _carry_out(lab: Lab, record: RunRecord, task: ForesightTask) -> SessionResult[ForesightRun]:
    with lab.run.step("literature"):  # before any idea is paid for, since there may be nothing to compare with
        comparison = await _prepare_comparison(lab.library.stored, task, lab.settings.values.seed, lab.run.note)
    generation = EntryGeneration(task, lab.run, lab)
    await generation.carry_out()
    with lab.run.step("comparing"):
        run = await _compare(lab.library.stored, generation, comparison, lab.run.note)
    account = await account_of(lab, record)
    notes = lab.live.notes if lab.live else ()
    run = run.model_copy(update={"notes": (*run.notes, *notes)})
    run = _completed(run, record, account, generation.stopped, time.time())
    return SessionResult(
        run, stopped=generation.stopped, count=sum(each.entry.idea is not None for each in run.forecasts)
    )


async def _replay(workplace: Workplace, record: RunRecord, task: ForesightTask) -> ForesightRun:
    """The stored outcome of a finished study; else the ideas so far, compared with the present library."""
    if record.status == "finished":
        return stored_outcome(FORESIGHT, record)
    replayed, _ = open_for_replay(workplace, record)
    generation = EntryGeneration(task, replayed)
    await generation.carry_out()
    comparison = await _prepare_comparison(workplace.library, task, seed_of(record), replayed.note)
    run = await _compare(workplace.library, generation, comparison, replayed.note)
    stopped = (record.reason or NOT_FINISHED) if generation.stopped else ""
    return _completed(run, record, replayed_account(workplace.ledger, record), stopped, record.updated)


FORESIGHT = RunKind(
    "foresight", "a foresight study", ForesightTask, ForesightRun, _prepare, _carry_out, _replay,
    continues_finished=True,
)  # fmt: skip
"""Resuming a finished study repeats methods that failed, and compares again with the present library."""


@dataclass(frozen=True)
class _Comparison:
    """What ideas are compared with; it does not depend on them."""

    calibration: ThresholdCalibration
    papers: ComparisonPapers
    library: str
    seed: int


async def _prepare_comparison(library: Library, task: ForesightTask, seed: int, progress: _Progress) -> _Comparison:
    """Raises BadInput where there is nothing to compare with."""
    await library.index()
    first, end = future_span(task.cutoffs, task.horizon)
    since = dt.date(max(1, first.year - YEARS_BEFORE), 1, 1)
    progress("pairs of papers for the threshold of a hit")
    calibration = await calibrate_threshold(library, since, end, task.false_positives, seed)
    papers = await find_papers(library, task, progress)
    if not papers.pool:
        raise BadInput(
            f"The library has no year from {first} to {end} with {PAPERS_PER_NEAR * task.neighbours:,} papers, so "
            "ideas have nothing to be compared with. Add newer papers (`novum library update`), name an earlier "
            "cut-off, or compare with fewer nearest papers (--neighbours)."
        )
    description = f"{count(library.size().papers, 'paper')}, embedded by {library.embedder.name}"
    return _Comparison(calibration, papers, description, seed)


async def _compare(
    library: Library, generation: EntryGeneration, comparison: _Comparison, progress: _Progress
) -> ForesightRun:
    """The outcome without its times and costs."""
    task, papers, entries = generation.task, comparison.papers, generation.entries
    threshold = comparison.calibration.threshold
    return ForesightRun(
        name=generation.run.id,
        cutoffs=task.cutoffs,
        horizon=task.horizon,
        neighbours=task.neighbours,
        pool=task.pool,
        pool_used=papers.pool,
        earlier=task.earlier,
        topics=tuple(each.topic for each in task.topics),
        drawn=task.drawn,
        methods=task.participants,
        plain=task.plain,
        library=comparison.library,
        calibration=comparison.calibration,
        futures=papers.years,
        forecasts=entries,
        sightings=await compare_items(library, task, entries, papers, threshold, progress),
        seed=comparison.seed,
        notes=tuple(notes_of(task, entries, comparison.calibration, papers)),
    )


def _completed(run: ForesightRun, record: RunRecord, account: Account, stopped: str, ended: float) -> ForesightRun:
    """The outcome with its times and costs. Models that did not take part are not named."""
    generates = any(each.method for each in run.methods)
    roles = {role: name for role, name in account.models.items() if generates and role != "judges"}
    demonstration = generates and account.models.get("writer", "").startswith("offline:")
    return run.model_copy(
        update={
            "began": iso(record.started),
            "ended": iso(ended),
            "stopped": stopped,
            "account": account.model_copy(update={"models": roles, "demonstration": demonstration}),
        }
    )


def notes_of(
    task: ForesightTask, entries: Sequence[CutoffEntry], calibration: ThresholdCalibration, papers: ComparisonPapers
) -> Iterator[str]:
    """Remarks on what failed, what was left out, and what is not known."""
    for label, writer in task.writers.items():
        yield f"Ideas up to {label} were written by {ModelName.parse(writer).short}."
    forfeits = [each.entry for each in entries if each.entry.idea is None]
    for name, number in Counter(each.entrant for each in forfeits).items():
        (why, times), *_ = Counter(each.forfeit for each in forfeits if each.entrant == name).most_common(1)
        of_them = "" if times == number else f", in {times:,} of them"
        yield f"{name} generated no idea in {count(number, 'case')}{of_them}: {shorten(why, _MAX_REASON)}"
    if task.given:
        yield from task.beware or (
            "It is not known what the authors of the given ideas had read; it may be from after the cut-off.",
        )
        if len(task.cutoffs) > 1:
            yield "The same given ideas are compared with the future of every cut-off."
    if len(task.topics) == 1:
        yield "With a single topic there are no other topics to compare with, and no intervals."
    elif len(task.topics) < MIN_TOPICS:
        yield f"There are no intervals: they need at least {MIN_TOPICS} topics."
    left_out = [f"year {year.year} after {year.cutoff} ({year.papers:,})" for year in papers.years if not year.used]
    if left_out:
        yield f"Years with fewer than {PAPERS_PER_NEAR * task.neighbours:,} papers are not used: {', '.join(left_out)}."
    if papers.pool < task.pool:
        yield (
            f"Of each year the {papers.pool:,} papers nearest to a topic are used instead of {task.pool:,}: more would "
            f"be over one in {PAPERS_PER_NEAR} papers of the smallest year, and all topics would share one future."
        )
    if papers.again:
        yield (
            f"{count(papers.again, 'paper')} of the future were left out, since a paper of the same "
            "title was public before the cut-off, or may have been."
        )
    if calibration.threshold is None:
        yield f"There is no threshold of a hit: it needs {MIN_PAIRS} pairs of papers."
    elif not calibration.citing_pairs:
        yield "No two papers of these years cite each other, so the share of related papers above it is unknown."
