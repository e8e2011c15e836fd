"""Milliseconds between the last byte of an answer and its committed row in the ledger: 500 questions, 100 in flight.

All answers of a wave arrive together, so that the event loop has the most to do. Measured once on the machine as it is,
and once beside eight processes that do nothing but compute.
"""

from __future__ import annotations

import asyncio
import contextlib
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

from figures.row import Bench, Row, at_most
from figures.single_calls import IN_FLIGHT, LATENCY, ask_all, models_of, novelty_questions
from figures.surroundings import ServerProcess, workplace
from novum.ledger import Call
from novum.llm import Question

TARGET = 50.0
LOAD = 8
"""Computing processes of the second measurement."""
_COMPUTE = "while True: sum(range(100_000))"


def written_at_once(bench: Bench) -> list[Row]:
    """Two rows: p99 on a machine that is free, and on one that is busy."""
    questions = asyncio.run(novelty_questions(bench))
    with ServerProcess(LATENCY) as server:
        free = _delays(bench, server, questions, "free")
        with _busy_machine():
            busy = _delays(bench, server, questions, "busy")
    return [
        _row("answer to committed row, 100 in flight: p99", free),
        _row(f"    beside {LOAD} computing processes: p99", busy),
    ]


def _row(figure: str, delays: Sequence[float]) -> Row:
    beside = f"p50 {statistics.median(delays):.1f}, max {max(delays):.0f} ms of {len(delays)} answers"
    return at_most(figure, statistics.quantiles(delays, n=100)[98], TARGET, beside, " ms")


def _delays(bench: Bench, server: ServerProcess, questions: Sequence[Question[Any]], name: str) -> list[float]:
    delays: list[float] = []
    for number in range(bench.runs):
        delays += asyncio.run(_run(bench, server, questions, f"written-{name}-{number}"))
    return delays


async def _run(bench: Bench, server: ServerProcess, questions: Sequence[Question[Any]], ledger: str) -> list[float]:
    """Milliseconds, one for each answer."""
    delays: list[float] = []
    queued: list[float] = []
    async with workplace(bench.home, ledger, server.model, IN_FLIGHT) as place:
        record = place.ledger.record

        async def record_timed(call: Call, *more: Any) -> None:
            queued.append(call.at)
            await record(call, *more)

        def after_commit() -> None:
            now = time.time()
            delays.extend((now - each) * 1000 for each in queued)
            queued.clear()

        place.ledger.record = record_timed  # type: ignore[method-assign]
        place.ledger.on_commit(after_commit)
        await ask_all(models_of(place), questions)
    assert len(delays) == len(questions), "each answer is written once"
    return delays


@contextlib.contextmanager
def _busy_machine() -> Iterator[None]:
    processes = [subprocess.Popen([sys.executable, "-c", _COMPUTE]) for _ in range(LOAD)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()
