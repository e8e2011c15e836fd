"""500 questions at once, 100 in flight, 200 ms: wall time and CPU of this process over those of a bare aiohttp client.

The questions are novelty checks of different ideas against six papers each, with the product's own prompt: rendered,
looked up in the ledger, asked, recorded, validated. The bare client sends the very same bytes to the same server and
reads the JSON of the answers, in turn with us: the median of the ratios says little of the machine and its load.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from itertools import islice

from figures.bare_client import bare_client
from figures.measuring import Spent, middle, ratio_of, seconds_of, spent_on
from figures.row import Bench, Row, at_most
from figures.surroundings import ServerProcess, open_library, workplace
from figures.virtual_run import make_perfect
from figures.virtual_time import VirtualLoop, run_virtually
from novum.core import Idea, Paper
from novum.core.concurrency import run_concurrently
from novum.judges.novelty import Likeness, check_novelty
from novum.lab import Workplace
from novum.literature import Library
from novum.llm import Models, Question

CALLS, IN_FLIGHT, LATENCY = 500, 100, 0.2
IDEAL = LATENCY * math.ceil(CALLS / IN_FLIGHT)
WALL_TARGET, CPU_TARGET = 1.15, 3.0


def single_calls(bench: Bench) -> list[Row]:
    """Two rows: wall time and CPU, each over the bare client's."""
    questions = asyncio.run(novelty_questions(bench))
    ours: list[Spent] = []
    again: list[Spent] = []
    bare: list[Spent] = []
    with ServerProcess(LATENCY) as server:
        bodies = _bodies(bench, server, questions)
        for number in range(bench.runs):
            bare.append(asyncio.run(bare_client(server, bodies, IN_FLIGHT)))
            first, second = asyncio.run(_ours(bench, server, questions, f"single-calls-{number}"))
            ours.append(first)
            again.append(second)
    print(f"  prompts of {sum(map(len, bodies)) / CALLS / 1000:.1f} kB")
    for name, spent in (("ours", ours), ("bare aiohttp", bare), ("ours, from the ledger", again)):
        print(f"  {name}: {seconds_of(spent)}")
    ratio, we, they = ratio_of(ours, bare), middle(ours), middle(bare)
    walls = f"over the ideal: ours {we.wall / IDEAL:.2f}, bare {they.wall / IDEAL:.2f}"
    seconds = f"s per 1,000 calls: ours {we.cpu * 1000 / CALLS:.2f}, bare {they.cpu * 1000 / CALLS:.2f}"
    return [
        at_most("500 calls, 100 in flight, 200 ms: wall / bare aiohttp", ratio.wall, WALL_TARGET, walls),
        at_most("    CPU / bare aiohttp", ratio.cpu, CPU_TARGET, seconds),
    ]


async def novelty_questions(bench: Bench) -> list[Question[Likeness]]:
    """A novelty check for each of the library's first papers, taken for ideas, beside its nearest neighbours."""
    with open_library(bench.home) as library:
        return [await _question(library, paper) for paper in islice(library.papers(), CALLS)]


async def _question(library: Library, paper: Paper) -> Question[Likeness]:
    parts = dict.fromkeys(("motivation", "novelty", "method", "summary"), paper.gist)
    idea = Idea(topic=paper.title, title=paper.title, **parts)
    return next(check_novelty(idea, await library.nearest(paper.gist, 6), 1))


async def _ours(
    bench: Bench, server: ServerProcess, questions: Sequence[Question[Likeness]], ledger: str
) -> tuple[Spent, Spent]:
    """Asked for the first time, and then once more: from the ledger."""
    async with workplace(bench.home, ledger, server.model, IN_FLIGHT) as place:
        models = models_of(place)
        return await spent_on(ask_all(models, questions)), await spent_on(ask_all(models, questions))


def models_of(place: Workplace) -> Models:
    return place.lab(place.ledger.start_run("bench", "single calls", {})).models


async def ask_all(models: Models, questions: Sequence[Question[Likeness]]) -> None:
    await run_concurrently(models.ask(question) for question in questions)


def _bodies(bench: Bench, server: ServerProcess, questions: Sequence[Question[Likeness]]) -> list[bytes]:
    """What our own door sends for these questions."""

    async def send_nowhere(loop: VirtualLoop) -> list[bytes]:
        async with workplace(bench.home, "bodies", server.model) as place:
            perfect = make_perfect(place, server, loop)
            await ask_all(models_of(place), questions)
            return perfect.sent

    return run_virtually(send_nowhere)
