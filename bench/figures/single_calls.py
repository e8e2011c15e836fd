"""500 questions at once, 100 in flight, 200 ms: wall time over ideal, and CPU seconds of this process per 1,000 calls.

The questions are novelty checks of different ideas against six papers each, with the product's own prompt: rendered,
looked up in the ledger, asked, recorded, validated. Beside it, in turn with it, a bare aiohttp client sends the very
same bytes to the same server and reads the JSON of the answers.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from itertools import islice

import aiohttp
import orjson

from figures.measuring import Spent, middle, seconds_of, spent_on
from figures.row import Bench, Row, at_most
from figures.surroundings import ServerProcess, open_library, workplace
from figures.virtual_run import make_perfect
from figures.virtual_time import VirtualLoop, run_virtually
from novum.concurrency import run_concurrently
from novum.core import Idea, Paper
from novum.judges.novelty import Likeness, check_novelty
from novum.lab import Workplace
from novum.literature import Library
from novum.llm import Models, Question

CALLS, IN_FLIGHT, LATENCY = 500, 100, 0.2
IDEAL = LATENCY * math.ceil(CALLS / IN_FLIGHT)
WALL_TARGET, CPU_TARGET = 1.6, 2.0


def single_calls(bench: Bench) -> list[Row]:
    """Two rows: wall time and CPU, each beside the bare client's."""
    questions = asyncio.run(_questions(bench))
    ours: list[Spent] = []
    again: list[Spent] = []
    bare: list[Spent] = []
    with ServerProcess(LATENCY) as server:
        bodies = _bodies(bench, server, questions)
        for number in range(bench.runs):
            bare.append(asyncio.run(_bare(server, bodies)))
            first, second = asyncio.run(_ours(bench, server, questions, f"single-calls-{number}"))
            ours.append(first)
            again.append(second)
    print(f"  prompts of {sum(map(len, bodies)) / CALLS / 1000:.1f} kB")
    for name, spent in (("ours", ours), ("bare aiohttp", bare), ("ours, from the ledger", again)):
        print(f"  {name}: {seconds_of(spent)}")
    we, they = middle(ours), middle(bare)
    floor = f"bare aiohttp {they.wall / IDEAL:.2f}"
    cpu_floor = f"bare aiohttp {they.cpu * 1000 / CALLS:.2f} s"
    return [
        at_most("500 calls, 100 in flight, 200 ms: wall / ideal", we.wall / IDEAL, WALL_TARGET, floor),
        at_most("    CPU per 1,000 calls", we.cpu * 1000 / CALLS, CPU_TARGET, cpu_floor, " s"),
    ]


async def _questions(bench: Bench) -> list[Question[Likeness]]:
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
        models = _models(place)
        return await spent_on(_ask_all(models, questions)), await spent_on(_ask_all(models, questions))


def _models(place: Workplace) -> Models:
    return place.lab(place.ledger.start_run("bench", "single calls", {})).models


async def _ask_all(models: Models, questions: Sequence[Question[Likeness]]) -> None:
    await run_concurrently(models.ask(question) for question in questions)


async def _bare(server: ServerProcess, bodies: Sequence[bytes]) -> Spent:
    """The floor: one session, nothing but the requests."""
    places = asyncio.Semaphore(IN_FLIGHT)
    url, headers = f"{server.base_url}/chat/completions", {"Content-Type": "application/json"}
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=IN_FLIGHT)) as session:

        async def ask(body: bytes) -> None:
            async with places, session.post(url, data=body, headers=headers) as response:
                orjson.loads(await response.read())

        return await spent_on(run_concurrently(ask(body) for body in bodies))


def _bodies(bench: Bench, server: ServerProcess, questions: Sequence[Question[Likeness]]) -> list[bytes]:
    """What our own door sends for these questions."""

    async def send_nowhere(loop: VirtualLoop) -> list[bytes]:
        async with workplace(bench.home, "bodies", server.model) as place:
            perfect = make_perfect(place, server, loop)
            await _ask_all(_models(place), questions)
            return perfect.sent

    return run_virtually(send_nowhere)
