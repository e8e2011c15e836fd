"""Select pairs so that neither length nor year predicts the chosen idea.

In any collection better ideas have longer texts, or come from other years, and a model trained on such pairs learns to
write at length. So pairs that lean one way alternate with pairs that lean the other way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from novum.training.preferences.pool import Pool

BAND = 0.03
"""Largest surplus of the pairs that lean one way, as a share of all: 48.5 to 51.5 %."""
_LEAST_KEPT = 0.25
"""Least share of the pairs that is selected, balanced or not."""


@dataclass(frozen=True)
class ScoredPair:
    """Two rows of the pool with their cosine `similarity` and topic `overlap`."""

    chosen: int
    rejected: int
    similarity: float
    overlap: float


@dataclass(frozen=True)
class Imbalance:
    """The lean of a pair or a set of pairs: positive where the chosen idea is longer, or newer."""

    length: int = 0
    years: int = 0

    def __add__(self, other: Imbalance) -> Imbalance:
        return Imbalance(self.length + other.length, self.years + other.years)

    @property
    def size(self) -> int:
        """Distance from balance, 0 or more."""
        return abs(self.length) + abs(self.years)


def imbalance_of(pair: ScoredPair, pool: Pool) -> Imbalance:
    """-1, 0 or 1 for length and for year."""
    chosen, rejected = pair.chosen, pair.rejected
    return Imbalance(_sign(pool.words[chosen] - pool.words[rejected]), _sign(pool.years[chosen] - pool.years[rejected]))


def alternate(
    pairs: Iterable[ScoredPair], pool: Pool, may: Callable[[ScoredPair], bool]
) -> Iterator[tuple[ScoredPair, Imbalance]]:
    """Pairs in the best order of selection, each with the imbalance up to it: always the pair that brings the sum
    nearest to balance, the earlier one of equally good pairs.

    `may`: whether a pair can be selected now; a pair that cannot is dropped for good.
    """
    waiting: dict[Imbalance, list[tuple[int, ScoredPair]]] = defaultdict(list)
    for number, pair in enumerate(pairs):
        waiting[imbalance_of(pair, pool)].append((number, pair))
    for queue in waiting.values():
        queue.reverse()  # the next pair is at the end
    leaning = Imbalance()
    while True:
        for queue in waiting.values():
            while queue and not may(queue[-1][1]):
                queue.pop()
        ways = [lean for lean, queue in waiting.items() if queue]
        if not ways:
            return
        way = min(ways, key=lambda lean: ((leaning + lean).size, waiting[lean][-1][0]))
        leaning += way
        yield waiting[way].pop()[1], leaning


def balanced(pairs: Sequence[ScoredPair], pool: Pool, most: int) -> list[ScoredPair]:
    """At most `most` pairs, about as many leaning one way as the other, earlier pairs first. If that is impossible, the
    most even quarter of them."""
    least = min(most, round(_LEAST_KEPT * len(pairs)))
    taken: list[ScoredPair] = []
    for pair, lean in alternate(pairs, pool, may=lambda pair: True):
        number = len(taken) + 1
        even = max(abs(lean.length), abs(lean.years)) <= max(1, BAND * number)
        if number > most or not (even or number <= least):
            break
        taken.append(pair)
    return taken


def _sign(value: int) -> int:
    return int(value > 0) - int(value < 0)
