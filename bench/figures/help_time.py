"""`novum --help`: wall time of a new process, beside one that imports typer and rich alone in the same run."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from statistics import median

from figures.row import Bench, Row, at_most

TARGET = 1.5
_HELP = ["-m", "novum", "--help"]
_BARE = ["-c", "import typer, rich.console"]


def help_time(bench: Bench) -> list[Row]:
    """The ratio of the medians. Both take turns, so that load falls on both; the first start, from a cold disk, does
    not count."""
    _seconds(_HELP)
    pairs = [(_seconds(_HELP), _seconds(_BARE)) for _ in range(max(bench.runs, 5))]
    ours, bare = (median(each) for each in zip(*pairs, strict=True))
    print(f"  novum --help: {ours:.2f} s; importing typer and rich: {bare:.2f} s")
    return [at_most("novum --help", ours / bare, TARGET, f"importing typer and rich {bare:.2f} s", " ×")]


def _seconds(arguments: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=os.environ | {"COLUMNS": "100"}
    )
    return time.perf_counter() - began
