"""`novum --help`: wall time of a new process, from start to end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from statistics import median

from figures.row import Bench, Row, at_most

TARGET = 0.5


def help_time(bench: Bench) -> list[Row]:
    """The median, beside that of a Python that does nothing. The first start, from a cold disk, does not count."""
    _seconds(["-m", "novum", "--help"])
    ours = [_seconds(["-m", "novum", "--help"]) for _ in range(bench.runs)]
    nothing = [_seconds(["-c", "pass"]) for _ in range(bench.runs)]
    print(f"  novum --help: {', '.join(f'{each:.2f}' for each in sorted(ours))} s")
    return [at_most("novum --help", median(ours), TARGET, f"python -c pass {median(nothing):.2f} s", " s")]


def _seconds(arguments: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=os.environ | {"COLUMNS": "100"}
    )
    return time.perf_counter() - began
