"""100 topics at once, 200 calls in flight, 1 s a call: calls per second over what dependencies between calls allow.

From the first topic's beginning to the last topic's report, ramp and tail included. A hundred topics begin with one
call each, and end with a few that need one another: not even a perfect implementation keeps 200 calls in flight then.
What such a one would reach is the time of the same topics under the same limit on the clock that jumps. A bare aiohttp
client that sends the same bytes under the same limit, none waiting for another, shows what the machine can do.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from statistics import median

from figures.bare_client import bare_client
from figures.measuring import Spent, ratio_of, seconds_of, spent_on, topics
from figures.row import Bench, Row, at_least, shown
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
    """Three rows: against what dependencies allow, and pace and CPU against the bare client's."""
    chosen = topics(bench.home, TOPICS)
    with ServerProcess(LATENCY) as server:
        perfect = virtual_run(bench, server, chosen, IN_FLIGHT)
        bare: list[Spent] = []
        flights: list[_Flight] = []
        for _ in range(max(1, bench.runs // 2)):
            bare.append(asyncio.run(bare_client(server, perfect.bodies, IN_FLIGHT)))
            flights.append(asyncio.run(_fly(bench, server, chosen)))
    ideal = IN_FLIGHT / LATENCY
    possible = len(perfect.keys) / perfect.seconds
    reached = median(flight.per_second for flight in flights)
    for flight in flights:
        print(f"  {flight}")
    print(f"  a perfect implementation: {len(perfect.keys)} calls in {perfect.seconds:.0f} s, {possible:.0f} a second")
    print(f"  bare aiohttp: {seconds_of(bare)}")
    ratio = ratio_of([flight.spent for flight in flights], bare)
    allowed = f"of 200 a second: ours {100 * reached / ideal:.0f}%, dependencies allow {100 * possible / ideal:.0f}%"
    return [
        at_least("100 topics, 200 in flight, 1 s: / what can be", 100 * reached / possible, TARGET, allowed),
        shown("    wall / bare aiohttp", f"{ratio.wall:.2f}", "none of its calls waits for another"),
        shown("    CPU / bare aiohttp", f"{ratio.cpu:.2f}", "searches of the library included"),
    ]


async def _fly(bench: Bench, server: ServerProcess, chosen: list[str]) -> _Flight:
    async with workplace(bench.home, "many-topics", server.model, IN_FLIGHT) as place:
        server.counts()
        spent = await spent_on(ideate_all(place, chosen))
        counts = server.counts()
    return _Flight(spent, counts["answered"], counts["most_in_flight"])
