"""What Novum withstands: kills, failing servers, budgets under both, many processes, injections, broken files.

    python bench/attacks.py                       everything, about an hour
    python bench/attacks.py --only kills --runs 1 one killed run of each command

Servers are processes' threads on this machine, every command is a process of its own with a home of its own, and all
traffic stays on loopback. `--runs` is the number of measurements of each; a killed run is killed five times.
"""

from __future__ import annotations

import asyncio

from figures.attack_budgets import budgets
from figures.attack_faults import faults
from figures.attack_identical import identical
from figures.attack_kills import kills
from figures.driver import Figures, measure
from figures.row import Bench
from figures.surroundings import prepare_library

FIGURES: Figures = {"kills": kills, "faults": faults, "budgets": budgets, "identical": identical}


def _library(bench: Bench) -> str:
    return f"library: {asyncio.run(prepare_library(bench.home / 'home'))}"


if __name__ == "__main__":
    measure(__doc__, FIGURES, runs=5, prepare=_library)
