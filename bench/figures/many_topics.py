"""100 topics at once, 200 calls in flight, 1 s a call: calls per second over the ideal of 200 a second.

From the first topic's beginning to the last topic's report, ramp and tail included. A hundred topics begin with one
call each, and end with a few that need one another: not even a perfect implementation keeps 200 calls in flight then.
What such a one would reach is the time of the same topics under the same limit on the clock that jumps.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from statistics import median

from figures.measuring import Spent, spent_on, topics
from figures.row import Bench, Row, at_least
from figures.surroundings import ServerProcess, workplace
from figures.virtual_run import ideate_all, virtual_run

TOPICS, IN_FLIGHT, LATENCY, TARGET = 100, 200, 1.0, 90.0


@dataclass(frozen=True)
class _Flight:
    spent: Spent
    calls: int
    most_in_flight: int

    @property
    def per_second(self) -> float:
        return self.calls / self.spent.wall

    def __str__(self) -> str:
        return (
            f"{self.calls} calls in {self.spent.wall:.1f} s: {self.per_second:.0f} a second; at the server at most "
            f"{self.most_in_flight} and on average {self.per_second * LATENCY:.0f}; "
            f"{self.spent.cpu / self.calls * 1000:.2f} CPU s per 1,000 calls, searches included"
        )


def many_topics(bench: Bench) -> list[Row]:
    """Two rows: against the plain ideal, and against what dependencies between calls leave of it."""
    chosen = topics(bench.home, TOPICS)
    with ServerProcess(LATENCY) as server:
        perfect = virtual_run(bench, server, chosen, IN_FLIGHT)
        flights = [asyncio.run(_fly(bench, server, chosen)) for _ in range(max(1, bench.runs // 2))]
    ideal = IN_FLIGHT / LATENCY
    possible = len(perfect.keys) / perfect.seconds
    reached = median(flight.per_second for flight in flights)
    for flight in flights:
        print(f"  {flight}")
    print(f"  a perfect implementation: {len(perfect.keys)} calls in {perfect.seconds:.0f} s, {possible:.0f} a second")
    allowed = f"dependencies allow {100 * possible / ideal:.0f}%"
    return [
        at_least("100 topics, 200 in flight, 1 s: calls a second / 200", 100 * reached / ideal, TARGET, allowed),
        at_least("    the same / what dependencies allow", 100 * reached / possible, TARGET),
    ]


async def _fly(bench: Bench, server: ServerProcess, chosen: list[str]) -> _Flight:
    async with workplace(bench.home, "many-topics", server.model, IN_FLIGHT) as place:
        server.counts()
        spent = await spent_on(ideate_all(place, chosen))
        counts = server.counts()
    return _Flight(spent, counts["answered"], counts["most_in_flight"])
