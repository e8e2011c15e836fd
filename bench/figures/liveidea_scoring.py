"""A finished run of the published size scored: 41 models × 1,180 keywords × 2 ideas × 3 judges, and fluency.

Some 338,000 judgements with 919,000 scores, as records in memory with texts of usual length; the leaderboard with 1,000
draws of keywords for the intervals. In a process of its own, whose greatest memory counts, records included.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from figures.row import Bench, Row, at_most

SECONDS, GIBIBYTES = 20.0, 2.0
DRAWS = 1000


def scoring(_: Bench) -> list[Row]:
    """Time and memory."""
    told = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("liveidea_large.py")), str(DRAWS)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found = json.loads(told.stdout)
    print(f"  {found['judgements']:,} judgements; records made in {found['made']:.1f} s")
    return [
        at_most(
            f"leaderboard of {found['judgements']:,} judgements, {DRAWS:,} draws", found["seconds"], SECONDS, unit=" s"
        ),
        at_most("    greatest memory, records included", found["gibibytes"], GIBIBYTES, unit=" GiB"),
    ]
