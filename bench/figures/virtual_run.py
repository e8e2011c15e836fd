"""Topics worked on by a perfect implementation: on the clock that jumps, with a model that wastes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from figures.row import Bench
from figures.surroundings import ServerProcess, workplace
from figures.virtual_time import PerfectConnections, VirtualLoop, run_virtually
from novum.core import IdeationReport
from novum.core.concurrency import run_concurrently
from novum.lab import Workplace
from novum.runs.engine import start
from novum.runs.ideation import IDEATION, IdeationTask

NO_LIMIT = 10**6


@dataclass(frozen=True)
class VirtualRun:
    """What came of it: seconds that passed on the jumping clock, keys and bodies of all calls, the reports."""

    seconds: float
    keys: frozenset[str]
    bodies: Sequence[bytes]
    reports: Sequence[IdeationReport]


def virtual_run(bench: Bench, server: ServerProcess, topics: Sequence[str], in_flight: int = NO_LIMIT) -> VirtualRun:
    """All `topics` at once, as `server` would answer, at most `in_flight` calls at a time."""

    async def run(loop: VirtualLoop) -> VirtualRun:
        async with workplace(bench.home, "virtual", server.model, in_flight) as place:
            perfect = make_perfect(place, server, loop)
            reports = await ideate_all(place, topics)
            return VirtualRun(loop.now, keys_of(place, reports), perfect.sent, reports)

    return run_virtually(run)


def make_perfect(place: Workplace, server: ServerProcess, loop: VirtualLoop) -> PerfectConnections:
    """Gives `place` models that waste no time, and a ledger whose writing takes none."""
    perfect = PerfectConnections(place.model_settings, place.settings.models_folder, server.latency)
    place.connections = perfect
    place.ledger.write_without_gathering()
    place.ledger.claim = loop.standing_still(place.ledger.claim)  # type: ignore[method-assign]
    place.ledger.record = loop.standing_still(place.ledger.record)  # type: ignore[method-assign]
    return perfect


async def ideate_all(place: Workplace, topics: Sequence[str]) -> Sequence[IdeationReport]:
    """All topics at once; every question is asked anew."""
    return await run_concurrently(
        start(IDEATION, place, IdeationTask(topic=topic, opportunities=False), fresh=True) for topic in topics
    )


def keys_of(place: Workplace, reports: Sequence[IdeationReport]) -> frozenset[str]:
    """What was asked in these runs."""
    return frozenset(call.key for report in reports for call in place.ledger.calls(report.account.run_id))
