"""What training idea models costs beside TRL, and what its data cost from a large library.

    python bench/training.py                             everything, about half an hour
    python bench/training.py --only steps --runs 5       our step beside that of the bare trainer
    NOVUM_BENCH_PAPERS=100000 python bench/training.py --only data

What each figure means, and how it is measured, stands at the head of its file in `figures/`.
"""

from __future__ import annotations

import os
import warnings

os.environ["OMP_WAIT_POLICY"] = "passive"  # before torch is loaded; our commands set it as well

from figures.driver import Figures, measure
from figures.row import Bench, Row
from figures.training_data import data


def steps(bench: Bench) -> list[Row]:
    """Our step beside that of TRL."""
    from figures.training_steps import steps  # noqa: PLC0415  it imports torch, which only the extra `train` has

    return steps(bench)


FIGURES: Figures = {"steps": steps, "data": data}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    measure(__doc__, FIGURES, runs=3)
