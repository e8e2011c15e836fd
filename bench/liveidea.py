"""What a LiveIdeaBench measurement costs beside the models themselves.

    python bench/liveidea.py                            everything, some three minutes
    python bench/liveidea.py --only pace --runs 5       these figures, more exactly

A scripted model server, a process of its own on this machine, answers after a fixed delay over real HTTP; ledger and
records are on. What each figure means, and how it is measured, stands at the head of its file in `figures/`.
"""

from __future__ import annotations

from figures.driver import Figures, measure
from figures.liveidea_pace import pace, published_pace
from figures.liveidea_scoring import scoring

FIGURES: Figures = {
    "pace": pace,
    "published-pace": published_pace,
    "scoring": scoring,
}


if __name__ == "__main__":
    measure(__doc__, FIGURES, runs=3)
