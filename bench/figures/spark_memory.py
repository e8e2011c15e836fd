"""How much memory bulk takes: 250, 1,000 and 5,000 ideas by spark, each in a process of its own, peak resident set.

The server answers at once, and the cheapest options are chosen, as their number of calls changes nothing in what is
held: no passage is judged by a model, no weak point mended, no idea compared.
"""

from __future__ import annotations

import asyncio
import resource
import subprocess
import sys
from pathlib import Path

from figures.row import Bench, Row, at_most
from figures.spark_pace import task_of
from figures.surroundings import ServerProcess, workplace
from novum.runs.bulk import BULK
from novum.runs.engine import start

SIZES, QUESTIONS, TARGET = (250, 1000, 5000), 100, 1.25
CHEAP = {"judge": "similarity", "fixes": 0, "comparison_rounds": 0}


def memory(bench: Bench) -> list[Row]:
    """A row for each size beyond the first: growth over it."""
    with ServerProcess(0) as server:
        taken = {size: _taken(bench, server, size) for size in SIZES}
    for size, mebibytes in taken.items():
        print(f"  {size:,} ideas: {mebibytes:.0f} MiB")
    first = taken[SIZES[0]]
    return [at_most(f"{size:,} ideas: peak memory / that of {SIZES[0]}", taken[size] / first, TARGET,
                    f"{taken[size]:.0f} MiB") for size in SIZES[1:]]  # fmt: skip


def _taken(bench: Bench, server: ServerProcess, ideas: int) -> float:
    """MiB."""
    command = [sys.executable, "-m", "figures.spark_memory", str(bench.home), server.model, str(ideas)]
    told = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=True)
    return float(told.stdout)


def main() -> None:
    """Generates in this process and prints its peak memory, MiB."""
    bench, model, ideas = Bench(Path(sys.argv[1]), 1), sys.argv[2], int(sys.argv[3])

    async def work() -> int:
        async with workplace(bench.home, f"memory-{ideas}", model, 100) as place:
            return (await start(BULK, place, task_of(bench, ideas, QUESTIONS, **CHEAP), fresh=True)).ideas

    assert asyncio.run(work()) == ideas
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10)


if __name__ == "__main__":
    main()
