"""How good a ranking is: nDCG, recall and reciprocal rank, and the fusion of rankings by rank.

Relevance is yes or no. A ranking is a sequence of ids, best first, each at most once; with nothing relevant there is
nothing to measure, and the answer is None.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)


def ndcg(ranking: Sequence[Item], relevant: Collection[Item], k: int = 10) -> float | None:
    """Normalised discounted cumulative gain of the first `k`, 0 to 1 (Järvelin & Kekäläinen 2002, log base 2)."""
    if not relevant:
        return None
    gained = sum(_discount(place) for place, item in enumerate(ranking[:k], 1) if item in relevant)
    return gained / sum(_discount(place) for place in range(1, min(k, len(relevant)) + 1))


def _discount(place: int) -> float:
    return 1 / math.log2(place + 1)


def recall(ranking: Sequence[Item], relevant: Collection[Item], k: int = 10) -> float | None:
    """Share of the relevant that is among the first `k`, 0 to 1."""
    if not relevant:
        return None
    return sum(item in relevant for item in ranking[:k]) / len(relevant)


def reciprocal_rank(ranking: Sequence[Item], relevant: Collection[Item]) -> float | None:
    """1 / place of the first relevant one; 0 when there is none. Its mean over queries is the MRR."""
    if not relevant:
        return None
    return next((1 / place for place, item in enumerate(ranking, 1) if item in relevant), 0.0)


def reciprocal_rank_fusion(rankings: Iterable[Sequence[Item]], constant: int = 60) -> list[Item]:
    """One ranking of several: each item earns 1 / (`constant` + place) in each (Cormack, Clarke & Büttcher 2009).

    Ties in the order in which the items were first met.
    """
    earned: dict[Item, float] = defaultdict(float)
    for ranking in rankings:
        for place, item in enumerate(ranking, 1):
            earned[item] += 1 / (constant + place)
    return sorted(earned, key=lambda item: -earned[item])
