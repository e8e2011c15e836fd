"""Time of scoring without a language model: fitting metrics to a library, and scoring ideas.

    python bench/scoring.py                              everything, some ten minutes
    python bench/scoring.py --only pace clusters         without the library of 100,000 papers
    python bench/scoring.py --only clusters --runs 5     these figures, more exactly

What each figure means, and how it is measured, stands at the head of its file in `figures/`.
"""

from __future__ import annotations

from figures.clustering import clusters
from figures.driver import Figures, measure
from figures.scoring_fit import fitting
from figures.scoring_pace import pace

FIGURES: Figures = {
    "pace": pace,
    "clusters": clusters,
    "fit": fitting,
}


if __name__ == "__main__":
    measure(__doc__, FIGURES, runs=3)
