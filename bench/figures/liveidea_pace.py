"""40 keywords × 5 models × 2 ideas × 3 judges and fluency, 100 calls in flight over all models: wall time over ideal.

Ideal is the delay times the number of calls over 100: a server that is never idle. From the first question to the
records in hand, ramp and tail included; every question is asked anew. All models share one limit here, so that 100 is
what the server sees.

The published tool asks one question at a time in each process. Its pace is that of our own runner with one call in
flight, on fewer keywords, per call.
"""

from __future__ import annotations

import asyncio
import math
from pathlib import Path

from figures.measuring import Spent, middle, seconds_of, spent_on
from figures.row import Bench, Row, at_most
from figures.surroundings import ServerProcess, workplace
from novum.benchmarks.liveidea.durable import LIVEIDEA
from novum.benchmarks.liveidea.keywords import built_in_keywords, sample_keywords
from novum.benchmarks.liveidea.task import LiveIdeaTask, panel_of
from novum.llm import Connections, ModelName, ModelSettings
from novum.llm.endpoint import Endpoint
from novum.llm.limits import Limiter, Limits
from novum.runs.engine import start

KEYWORDS, MODELS, JUDGES, IN_FLIGHT = 40, 5, 10, 100
TARGETS = {1.0: 1.15, 0.2: 1.6}
FASTER = 10.0
FEW = 2
"""Keywords for the published pace."""


class OneLimit(Connections):
    """Ways to models that share one limit of calls in flight."""

    def __init__(self, settings: ModelSettings, models_folder: Path, in_flight: int) -> None:
        super().__init__(settings, models_folder)
        self._limiter = Limiter(Limits(in_flight=in_flight))

    async def endpoint(self, model: ModelName) -> Endpoint:
        if model not in self._endpoints:
            self._endpoints[model] = Endpoint(await self._server(model), self.http, self._limiter)
        return self._endpoints[model]


def pace(bench: Bench) -> list[Row]:
    """A row for each delay."""
    rows = []
    for latency, target in TARGETS.items():
        with ServerProcess(latency, "liveidea") as server:
            spent = [_measure(bench, server, KEYWORDS, IN_FLIGHT, f"{latency}-{n}") for n in range(bench.runs)]
        calls = spent[0][1]
        ideal = latency * math.ceil(calls / IN_FLIGHT)
        walls = [each for each, _ in spent]
        print(f"  {latency:g} s a call, {calls} calls: {seconds_of(walls)}")
        reached = middle(walls)
        beside = f"{calls / reached.wall:.0f} calls a second, {1000 * reached.cpu / calls:.2f} CPU s per 1,000 calls"
        rows.append(
            at_most(
                f"{calls} calls, {IN_FLIGHT} in flight, {latency:g} s: / ideal", reached.wall / ideal, target, beside
            )
        )
    return rows


def published_pace(bench: Bench) -> list[Row]:
    """Seconds a call, one at a time against a hundred."""
    with ServerProcess(0.2, "liveidea") as server:
        ours, calls = _measure(bench, server, KEYWORDS, IN_FLIGHT, "many")
        theirs, few = _measure(bench, server, FEW, 1, "one")
    faster = (theirs.wall / few) / (ours.wall / calls)
    print(f"  one at a time {theirs.wall / few:.3f} s a call, ours {ours.wall / calls:.4f} s")
    return [Row("times the pace of one call at a time, 0.2 s", f"{faster:.0f}x", f">= {FASTER:g}x", faster >= FASTER)]


def _measure(bench: Bench, server: ServerProcess, keywords: int, in_flight: int, name: str) -> tuple[Spent, int]:
    """What one measurement took, and its calls."""
    names = [ModelName.parse(f"server:model-{n}@{server.base_url}") for n in range(MODELS)]
    panel, addresses = panel_of([ModelName.parse(f"server:judge-{n}@{server.base_url}") for n in range(JUDGES)])
    assignment = LiveIdeaTask(
        models=tuple(map(str, names)),
        keywords=sample_keywords(built_in_keywords().keywords, keywords, 0),
        panel=panel,
        addresses=addresses,
    )

    async def work() -> Spent:
        async with workplace(bench.home, f"liveidea-{name}", server.model, in_flight) as place:
            await place.connections.close()
            place.connections = OneLimit(place.model_settings, place.settings.models_folder, in_flight)
            return await spent_on(start(LIVEIDEA, place, assignment, fresh=True))

    server.counts()
    spent = asyncio.run(work())
    return spent, server.counts()["answered"]
