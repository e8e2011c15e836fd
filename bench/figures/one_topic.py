"""One topic at 200 ms a call: wall time over that of a bare client that makes the calls of the critical path in a row.

The critical path is the longest chain of calls each of which needs the one before. Time stamps do not show it: a call
that began after another ended need not depend on it. So the same run is carried out once more on the clock that jumps,
without a limit of calls in flight; the time that passes there is the critical path. That both runs asked the same
questions is checked by the calls' keys. Beside it: a bare aiohttp client that makes as many calls in a row, in turn
with our runs, which shows what the machine and its other work add.
"""

from __future__ import annotations

import asyncio

import aiohttp

from figures.measuring import Spent, middle, ratio_of, seconds_of, spent_on, topics
from figures.row import Bench, Row, at_most
from figures.surroundings import ServerProcess, workplace
from figures.virtual_run import VirtualRun, keys_of, virtual_run
from novum.core import IdeationReport
from novum.runs.engine import start
from novum.runs.ideation import IDEATION, IdeationTask

LATENCY, TARGET, PUBLISHED = 0.2, 1.3, 2.4
BRANCHES, LENGTH = 3, 5


def one_topic(bench: Bench) -> list[Row]:
    """Measures the first title whose branches all get a whole chain."""
    ours: list[Spent] = []
    bare: list[Spent] = []
    with ServerProcess(LATENCY) as server:
        topic, virtual = full_topic(bench, server)
        in_a_row = round(virtual.seconds / LATENCY)
        for _ in range(bench.runs):
            bare.append(asyncio.run(_bare(server, in_a_row)))
            ours.append(asyncio.run(_real_run(bench, server, topic, virtual)))
    print(f"  {topic!r}: {len(virtual.keys)} calls, {in_a_row} of them in a row: critical path {virtual.seconds:.2f} s")
    print(f"  ours: {seconds_of(ours)}\n  bare aiohttp, {in_a_row} calls in a row: {seconds_of(bare)}")
    we, floor = (middle(spent).wall / virtual.seconds for spent in (ours, bare))
    beside = f"over the critical path: ours {we:.2f}, bare {floor:.2f}, published code {PUBLISHED}"
    return [at_most("one topic, 200 ms: wall / bare aiohttp", ratio_of(ours, bare).wall, TARGET, beside)]


def full_topic(bench: Bench, server: ServerProcess) -> tuple[str, VirtualRun]:
    """The first title that gives three chains of five papers, and its run on the jumping clock."""
    for topic in topics(bench.home, 100):
        found = virtual_run(bench, server, [topic])
        if _is_full(found.reports[0]):
            return topic, found
    raise SystemExit("No title of the library gives whole chains.")


def _is_full(report: IdeationReport) -> bool:
    chains = [each.chain for each in report.ideation.candidates if each.chain]
    return len(chains) == BRANCHES and all(len(chain.links) == LENGTH for chain in chains)


async def _real_run(bench: Bench, server: ServerProcess, topic: str, virtual: VirtualRun) -> Spent:
    """From an open working place to the report."""
    async with workplace(bench.home, "one-topic", server.model) as place:
        reports: list[IdeationReport] = []

        async def work() -> None:
            reports.append(await start(IDEATION, place, IdeationTask(topic=topic, opportunities=False), fresh=True))

        spent = await spent_on(work())
        if keys_of(place, reports) != virtual.keys:
            raise SystemExit("The run on the jumping clock asked other questions than the real one: no critical path.")
    return spent


async def _bare(server: ServerProcess, calls: int) -> Spent:
    """As many questions, each after the answer to the one before."""
    url, body = f"{server.base_url}/chat/completions", {"messages": [{"role": "user", "content": "What next?"}]}
    async with aiohttp.ClientSession() as session:

        async def ask_in_a_row() -> None:
            for _ in range(calls):
                async with session.post(url, json=body) as response:
                    await response.json()

        return await spent_on(ask_in_a_row())
