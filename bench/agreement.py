"""How far scores agree with reviewers, on papers of later years, and how far they can be trusted.

    python bench/agreement.py                       everything, about five minutes
    python bench/agreement.py --only forward        one part

Reads the reviews in the shared data folder beside the checkout. What each figure means stands in
`figures/agreement.py`.
"""

from __future__ import annotations

from figures.agreement import aspects, forward, nonsense, pairs, speed, wording
from figures.driver import Figures, measure

FIGURES: Figures = {
    "forward": forward,
    "pairs": pairs,
    "aspects": aspects,
    "nonsense": nonsense,
    "wording": wording,
    "speed": speed,
}


if __name__ == "__main__":
    measure(__doc__, FIGURES, runs=3)
