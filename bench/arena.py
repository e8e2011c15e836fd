"""What Idea Arena's numbers cost, and what they are worth.

    python bench/arena.py                               everything
    python bench/arena.py --only schedules              these figures

No model is asked but a scripted one. What each figure means, and how it is measured, stands at the head of its file in
`figures/`.
"""

from __future__ import annotations

from figures.arena_pace import pace
from figures.arena_ratings import ratings
from figures.arena_schedules import schedules
from figures.driver import Figures, measure

FIGURES: Figures = {
    "ratings": ratings,
    "schedules": schedules,
    "pace": pace,
}


if __name__ == "__main__":
    measure(__doc__, FIGURES, runs=3)
