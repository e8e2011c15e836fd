"""What Novum withstands: kills, failing servers, budgets under both, many processes, injections, broken files.

    python bench/attacks.py                       everything, about an hour
    python bench/attacks.py --only kills --runs 1 one killed run of each command

Model servers are threads of this process, every command is a process of its own with a home of its own, and all traffic
stays on loopback. `--runs` is the number of measurements of each; a killed run is killed five times.
"""

from __future__ import annotations

import asyncio

import attack_files
import attack_prompts
from figures.attack_budgets import budgets
from figures.attack_faults import faults
from figures.attack_identical import identical
from figures.attack_kills import kills
from figures.driver import Figures, measure
from figures.row import Bench, Row
from figures.surroundings import prepare_library

_MUTATED, _BOMBS = 2000, 50


def injections(_: Bench) -> list[Row]:
    """Hostile texts in every variable of every prompt."""
    rows = attack_prompts.run()
    outside = sum(int(str(row["outside"])) for row in rows)
    title = f"{len(rows)} prompts, {rows[0]['injections']} injections: texts outside their marks"
    return [Row(title, str(outside), "0", outside == 0)]


def files(_: Bench) -> list[Row]:
    """Mutated files and bombs, each in a process of its own."""
    rows = attack_files.run(_MUTATED, _BOMBS)
    return [_worst(kind, [row for row in rows if row["kind"] == kind]) for kind in ("mutated", "bomb")]


def _worst(kind: str, rows: list[attack_files.Row]) -> Row:
    failed = [row for row in rows if not row["ok"]]
    seconds, mib = (max(float(str(row[each])) for row in rows) for each in ("cpu_seconds", "peak_mib"))
    most = f"at most {seconds:.1f} CPU s, {mib:.0f} MiB"
    limits = f"no crash, <= {attack_files.LARGEST_SECONDS:.0f} CPU s, <= {attack_files.LARGEST_MIB:.0f} MiB"
    named = "; ".join(f"{row['file']}: {row['outcome']}" for row in failed[:3])
    return Row(f"{len(rows)} files, {kind}: {len(failed)} failed", most, limits, not failed, named)


FIGURES: Figures = {
    "kills": kills,
    "faults": faults,
    "budgets": budgets,
    "identical": identical,
    "injections": injections,
    "files": files,
}


def _library(bench: Bench) -> str:
    return f"library: {asyncio.run(prepare_library(bench.home / 'home'))}"


if __name__ == "__main__":
    measure(__doc__, FIGURES, runs=5, prepare=_library)
