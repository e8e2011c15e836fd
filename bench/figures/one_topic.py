"""One topic at 200 ms a call: wall time over critical path.

The critical path is the longest chain of calls each of which needs the one before. Time stamps do not show it: a call
that began after another ended need not depend on it. So the same run is carried out once more on the clock that jumps,
without a limit of calls in flight; the time that passes there is the critical path. That both runs asked the same
questions is checked by the calls' keys.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from statistics import median

from figures.measuring import topics
from figures.row import Bench, Row, at_most
from figures.surroundings import ServerProcess, workplace
from figures.virtual_run import VirtualRun, keys_of, virtual_run
from novum.core import IdeationReport
from novum.runs import IdeationRequest, ideate

LATENCY, TARGET, PUBLISHED = 0.2, 1.3, 2.4
BRANCHES, LENGTH = 3, 5


def one_topic(bench: Bench) -> list[Row]:
    """Measures the first title whose branches all get a whole chain."""
    with ServerProcess(LATENCY) as server:
        topic, virtual = full_topic(bench, server)
        seconds = [asyncio.run(_real_run(bench, server, topic, virtual)) for _ in range(bench.runs)]
    wall = median(seconds)
    print(f"  {topic!r}: {len(virtual.keys)} calls, {round(virtual.seconds / LATENCY)} of them in a row")
    print(f"  critical path {virtual.seconds:.2f} s, wall {_listed(seconds)} s")
    return [
        at_most("one topic, 200 ms: wall / critical path", wall / virtual.seconds, TARGET, f"published code {PUBLISHED}")
    ]


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


async def _real_run(bench: Bench, server: ServerProcess, topic: str, virtual: VirtualRun) -> float:
    """Seconds from an open working place to the report."""
    async with workplace(bench.home, "one-topic", server.model) as place:
        began = time.perf_counter()
        report = await ideate(place, IdeationRequest(topic, fresh=True))
        seconds = time.perf_counter() - began
        if keys_of(place, [report]) != virtual.keys:
            raise SystemExit("The run on the jumping clock asked other questions than the real one: no critical path.")
    return seconds


def _listed(seconds: Sequence[float]) -> str:
    return ", ".join(f"{each:.2f}" for each in sorted(seconds))
