"""1,000 ideas over 100 questions by spark, then 3 reports and a decision on each, 100 in flight at 1 s: share of ideal.

Ideal is the delay times the number of calls over 100: a server that is never idle. From the first question to the table
of ideas, and from that to the ranking, ramps and tails included; every question is asked anew. Questions are titles of
papers of the library; a turn is asked for 3 ideas, as many as the scripted model has open problems. That model writes
words by lot, so that all its ideas resemble each other: twins are kept here. CPU is that of this process: rendering,
searching, embedding, ledger, HTTP.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from statistics import median
from typing import TypeVar

from figures.measuring import Spent, seconds_of, spent_on, topics
from figures.row import Bench, Row, at_least
from figures.surroundings import ServerProcess, workplace
from novum.idea_metrics.duplicates import DuplicateThreshold
from novum.lab import Workplace
from novum.runs.bulk import BULK, BulkResult, BulkTask, rows_in
from novum.runs.bulk.turns import idea_from_row
from novum.runs.engine import start
from novum.runs.filter import FILTER, FilterTask, QueuedIdea, filter_folder, queue_ideas
from novum.runs.review import ReviewProtocol

IDEAS, QUESTIONS, IN_FLIGHT, LATENCY, TARGET = 1000, 100, 100, 1.0, 90
ALL_DIFFERENT = DuplicateThreshold(cosine=1, why="the scripted model's words are drawn by lot")
Outcome = TypeVar("Outcome")


def pace(bench: Bench, ideas: int = IDEAS, questions: int = QUESTIONS) -> list[Row]:
    """Three rows: generating, filtering, both."""
    with ServerProcess(LATENCY) as server:
        taken = [_both(bench, server, ideas, questions, f"spark-{n}") for n in range(bench.runs)]
    rows = []
    for place, name in enumerate(("generated", "filtered, 3 reports each")):
        rows += _row(f"{ideas} ideas {name}", [each[place] for each in taken])
    both = [(Spent(a.wall + b.wall, a.cpu + b.cpu), calls + more) for (a, calls), (b, more) in taken]
    return rows + _row("    both", both)


def _row(name: str, taken: list[tuple[Spent, int]]) -> list[Row]:
    calls = taken[0][1]
    ideal = LATENCY * math.ceil(calls / IN_FLIGHT)
    print(f"  {name}: {calls} calls, ideal {ideal:g} s: {seconds_of([spent for spent, _ in taken])}")
    wall, cpu = median(spent.wall for spent, _ in taken), median(spent.cpu for spent, _ in taken)
    beside = f"{calls / wall:.0f} calls a second, {1000 * cpu / calls:.2f} CPU s per 1,000 calls"
    title = f"{name}, {calls} calls, {IN_FLIGHT} in flight, {LATENCY:g} s: of ideal"
    return [at_least(title, 100 * ideal / wall, TARGET, beside)]


def _both(
    bench: Bench, server: ServerProcess, ideas: int, questions: int, name: str
) -> tuple[tuple[Spent, int], tuple[Spent, int]]:
    """What generating took, and what filtering, each with its calls."""
    task = task_of(bench, ideas, questions)
    made: list[BulkResult] = []

    async def generating(place: Workplace) -> None:
        made.append(await start(BULK, place, task, fresh=True))

    async def filtering(place: Workplace) -> None:
        await start(FILTER, place, _filter_task(place, server, made[0]), fresh=True)

    generated = _measured(bench, server, name, generating)
    assert made[0].ideas == ideas, f"{made[0].ideas} ideas instead of {ideas}"
    return generated, _measured(bench, server, f"{name}-filter", filtering)


def _measured(
    bench: Bench, server: ServerProcess, ledger: str, work: Callable[[Workplace], Awaitable[None]]
) -> tuple[Spent, int]:
    async def inside() -> Spent:
        async with workplace(bench.home, ledger, server.model, IN_FLIGHT) as place:
            return await spent_on(work(place))

    server.counts()
    spent = asyncio.run(inside())
    return spent, server.counts()["answered"]


def task_of(bench: Bench, ideas: int, questions: int, **options: object) -> BulkTask:
    """`options`: more of spark's."""
    asked = tuple(topics(bench.home, questions))
    given = {"ideas": 3, "similarity": 1, **options}
    return BulkTask.model_validate(
        {"questions": asked, "number": ideas, "method": "spark", "options": given, "near": ALL_DIFFERENT}
    )


def _filter_task(place: Workplace, server: ServerProcess, made: BulkResult) -> FilterTask:
    judge = str(place.model_settings.roles.judges[0])
    waiting = (QueuedIdea(idea=idea_from_row(row), row=dict(row), source=made.file) for row in rows_in(made.file))
    spool = queue_ideas(waiting, filter_folder(place.settings))
    refereeing = ReviewProtocol(judges=(judge,), decider=judge, writer=judge)
    return FilterTask(spool=spool.name, ideas=spool.ideas, refereeing=refereeing)
