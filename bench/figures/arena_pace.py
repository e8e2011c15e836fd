"""50 topics × 8 entrants × all pairs × both orders × 1 judge, 100 calls in flight at 1 s: share of ideal throughput.

Ideal is the delay times the number of calls over 100: a server that is never idle. From the first question to the
records in hand, ramp and tail included; every question is asked anew. The ideas are brought along, as generators would
only be measured beside the judging. Each entrant's ideas are of their own words and of the usual length.
"""

from __future__ import annotations

import asyncio
import math
import random

from figures.measuring import Spent, middle, seconds_of, spent_on
from figures.row import Bench, Row, at_least
from figures.surroundings import ServerProcess, workplace
from novum.benchmarks.arena.durable import ARENA
from novum.benchmarks.arena.task import ArenaTask
from novum.core import Idea
from novum.core.comparison import ArenaEntry, ArenaTopic, Entrant
from novum.llm import ModelName
from novum.runs.engine import start

TOPICS, ENTRANTS, IN_FLIGHT, LATENCY, TARGET = 50, 8, 100, 1.0, 90
_WORDS = ("adaptive", "sparse", "evidence", "retrieval", "causal", "graph", "memory", "planner", "verifier")


def pace(bench: Bench, topics: int = TOPICS) -> list[Row]:
    """One row."""
    with ServerProcess(LATENCY) as server:
        spent = [_arena(bench, server, topics, f"arena-{n}") for n in range(bench.runs)]
    calls = spent[0][1]
    ideal = LATENCY * math.ceil(calls / IN_FLIGHT)
    walls = [each for each, _ in spent]
    print(f"  {LATENCY:g} s a call, {calls} calls, ideal {ideal:g} s: {seconds_of(walls)}")
    reached = middle(walls)
    beside = f"{calls / reached.wall:.0f} calls a second, {1000 * reached.cpu / calls:.2f} CPU s per 1,000 calls"
    name = f"{topics} topics x {ENTRANTS} entrants, {calls} calls, {IN_FLIGHT} in flight, {LATENCY:g} s: of ideal"
    return [at_least(name, 100 * ideal / reached.wall, TARGET, beside)]


def _arena(bench: Bench, server: ServerProcess, topics: int, name: str) -> tuple[Spent, int]:
    """What one arena took, and its calls."""
    what = assignment(server, topics)

    async def work() -> Spent:
        async with workplace(bench.home, name, server.model, IN_FLIGHT) as place:
            return await spent_on(start(ARENA, place, what, fresh=True))

    server.counts()
    spent = asyncio.run(work())
    return spent, server.counts()["answered"]


def assignment(server: ServerProcess, topics: int) -> ArenaTask:
    """Entrants who bring an idea for each topic."""
    names = [f"entrant {number}" for number in range(ENTRANTS)]
    subjects = [f"subject {number} of {_text(number, 6)}" for number in range(topics)]
    return ArenaTask(
        topics=tuple(ArenaTopic(topic=each) for each in subjects),
        entrants=tuple(Entrant(name=name) for name in names),
        judges=(str(ModelName.parse(f"server:judge@{server.base_url}")),),
        given=tuple(
            ArenaEntry(topic=topic, entrant=name, idea=_idea(topic, place * ENTRANTS + at))
            for place, topic in enumerate(subjects)
            for at, name in enumerate(names)
        ),
    )


def _idea(topic: str, seed: int) -> Idea:
    parts = {name: _text(seed, 80, name) for name in ("motivation", "novelty", "method", "summary")}
    return Idea(topic=topic, title=_text(seed, 8, "title"), **parts)


def _text(seed: int, words: int, part: str = "") -> str:
    return " ".join(random.Random(f"{seed} {part}").choices(_WORDS, k=words))
