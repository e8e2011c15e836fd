"""What Idea Arena's numbers cost, and what they are worth.

    python bench/arena.py                               everything
    python bench/arena.py --only schedules              these figures

No model is asked but a scripted one. What each figure means, and how it is measured, stands at the head of its file in
`figures/`.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from figures.arena_pace import pace
from figures.arena_ratings import ratings
from figures.arena_schedules import schedules
from figures.row import Bench, Row, table
from figures.surroundings import machine

FIGURES: Mapping[str, Callable[[Bench], list[Row]]] = {
    "ratings": ratings,
    "schedules": schedules,
    "pace": pace,
}


def main() -> None:
    """Measures what is asked for and prints the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", nargs="+", choices=FIGURES, default=list(FIGURES), help="figures to measure")
    options.add_argument("--runs", type=int, default=3, help="measurements of each, of which the median counts")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="novum-bench-") as folder:
        bench = Bench(Path(folder), max(1, chosen.runs))
        print(machine())
        rows: list[Row] = []
        for name in (each for each in FIGURES if each in chosen.only):
            print(f"\n{name} …", flush=True)
            rows += FIGURES[name](bench)
    print(f"\n{table(rows)}\n\n{machine()}")


if __name__ == "__main__":
    main()
