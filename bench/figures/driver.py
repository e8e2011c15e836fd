"""What every benchmark's command line does: measure the figures that are asked for and print one table."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from figures.row import Bench, Row, table
from figures.surroundings import machine

Figures = Mapping[str, Callable[[Bench], list[Row]]]
"""In the order in which they are measured."""


def measure(doc: str | None, figures: Figures, *, runs: int, prepare: Callable[[Bench], str] | None = None) -> None:
    """`doc` is shown by `--help`; `runs`: measurements of each, unless told otherwise; `prepare` says what it did."""
    options = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", nargs="+", choices=figures, default=list(figures), help="figures to measure")
    options.add_argument("--runs", type=int, default=runs, help="measurements of each, of which the median counts")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="novum-bench-") as folder:
        bench = Bench(Path(folder), max(1, chosen.runs))
        print(machine())
        if prepare is not None:
            print(prepare(bench))
        rows: list[Row] = []
        for name in (each for each in figures if each in chosen.only):
            print(f"\n{name} …", flush=True)
            rows += figures[name](bench)
    print(f"\n{table(rows)}\n\n{machine()}")
