"""What building data for a reviewer model costs: 50,000 review records, from the file to the finished folder.

    python bench/judge_data.py              everything, some ten minutes
    python bench/judge_data.py --runs 3     more exactly

What the figures mean, and how they are measured, stands at the head of `figures/judge_data.py`.
"""

from __future__ import annotations

from figures.driver import Figures, measure
from figures.judge_data import judge_data

FIGURES: Figures = {"judge-data": judge_data}


if __name__ == "__main__":
    measure(__doc__, FIGURES, runs=1)
