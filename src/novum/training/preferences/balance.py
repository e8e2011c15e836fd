"""Choosing pairs so that neither length nor year tells which idea is the chosen one.

Better ideas come with longer texts, or from other years, in any collection. A model that learns from such pairs learns
to write at length. So pairs are taken in turns from those that lean one way and those that lean the other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from novum.training.preferences.pool import Pool

BAND = 0.03
"""How far the pairs that lean one way may outnumber the others, as a share of all: 48.5 to 51.5 %."""
_LEAST_KEPT = 0.25
"""Share of the pairs that is kept at least, balanced or not."""


@dataclass(frozen=True)
class IdeaPair:
    """Two rows of the pool, and how near they are."""

    chosen: int
    rejected: int
    similarity: float
    overlap: float


@dataclass(frozen=True)
class Imbalance:
    """To which side a pair, or a set of pairs, leans: more than 0 where the chosen is longer, or newer."""

    length: int = 0
    years: int = 0

    def __add__(self, other: Imbalance) -> Imbalance:
        return Imbalance(self.length + other.length, self.years + other.years)

    @property
    def size(self) -> int:
        """How far from balance."""
        return abs(self.length) + abs(self.years)


def imbalance_of(pair: IdeaPair, pool: Pool) -> Imbalance:
    """-1, 0 or 1 for each of the two."""
    chosen, rejected = pair.chosen, pair.rejected
    return Imbalance(_sign(pool.words[chosen] - pool.words[rejected]), _sign(pool.years[chosen] - pool.years[rejected]))


def alternate(
    pairs: Iterable[IdeaPair], pool: Pool, may: Callable[[IdeaPair], bool]
) -> Iterator[tuple[IdeaPair, Imbalance]]:
    """Pairs in the order in which they are best taken, with how all up to them lean: always one that brings these
    nearest to balance, and of equally good ones the one that came first.

    `may`: whether a pair can be taken at that moment; one that cannot never can later.
    """
    waiting: dict[Imbalance, list[tuple[int, IdeaPair]]] = defaultdict(list)
    for number, pair in enumerate(pairs):
        waiting[imbalance_of(pair, pool)].append((number, pair))
    for queue in waiting.values():
        queue.reverse()  # the next one stands at the end
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


def balanced(pairs: Sequence[IdeaPair], pool: Pool, most: int) -> list[IdeaPair]:
    """At most `most` of these pairs, of which about as many lean one way as the other; where that cannot be had, at
    least half of them, the most even half. Those that come first are preferred."""
    least = min(most, round(_LEAST_KEPT * len(pairs)))
    taken: list[IdeaPair] = []
    for pair, lean in alternate(pairs, pool, may=lambda pair: True):
        number = len(taken) + 1
        even = max(abs(lean.length), abs(lean.years)) <= max(1, BAND * number)
        if number > most or not (even or number <= least):
            break
        taken.append(pair)
    return taken


def _sign(value: int) -> int:
    return int(value > 0) - int(value < 0)
