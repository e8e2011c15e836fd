"""What our orchestration costs beside the models themselves.

    python bench/orchestration.py                               everything, some five minutes
    python bench/orchestration.py --only one-topic help         these figures
    python bench/orchestration.py --only single-calls --runs 9  more exactly

A scripted model server, a process of its own on this machine, answers every kind of question after a fixed delay over
real HTTP. The library is the starter library, the method chain-of-ideas with its defaults; ledger and cache are on.
What each figure means, and how it is measured, stands at the head of its file in `figures/`.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from figures.help_time import help_time
from figures.many_topics import many_topics
from figures.one_topic import one_topic
from figures.row import Bench, Row, table
from figures.single_calls import single_calls
from figures.surroundings import machine, prepare_library
from figures.tokens import tokens

FIGURES: Mapping[str, Callable[[Bench], list[Row]]] = {
    "one-topic": one_topic,
    "many-topics": many_topics,
    "single-calls": single_calls,
    "tokens": tokens,  # last of those that use the library: it gives the papers full texts
    "help": help_time,
}


def main() -> None:
    """Measures what is asked for and prints the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", nargs="+", choices=FIGURES, default=list(FIGURES), help="figures to measure")
    options.add_argument("--runs", type=int, default=5, help="measurements of each, of which the median counts")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="novum-bench-") as folder:
        bench = Bench(Path(folder), max(1, chosen.runs))
        print(f"{machine()}\nlibrary: {asyncio.run(prepare_library(bench.home))}")
        rows: list[Row] = []
        for name in (each for each in FIGURES if each in chosen.only):
            print(f"\n{name} …", flush=True)
            rows += FIGURES[name](bench)
    print(f"\n{table(rows)}\n\n{machine()}")


if __name__ == "__main__":
    main()
