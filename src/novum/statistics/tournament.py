"""Swiss tournament: neighbours in the standings are paired, and no pair is repeated if that is possible.

About n log n comparisons sort n items roughly, where all pairs would take n².
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from novum.core.arrays import Bools, Floats, Ints
from novum.statistics.matching import UNMATCHED, largest_matching


@dataclass(frozen=True)
class SwissRound:
    """The pairs of one round, as indices of the items."""

    pairs: tuple[tuple[int, int], ...]
    """From the top of the standings down, the better placed item first."""
    bye: int | None = None
    """The item without an opponent, if their number is odd."""


@dataclass(frozen=True)
class Standings:
    """The standings of n items after some rounds."""

    points: Floats
    """(n,): 1 for a win, 0.5 for a tie."""
    played: Ints
    """(n,): matches with a result."""
    met: Ints
    """(n, n): rounds in which two were paired, symmetric."""
    byes: Ints
    """(n,)"""

    @classmethod
    def at_start(cls, count: int) -> Standings:
        """The standings before the first round."""
        none = np.zeros(count, dtype=np.int64)
        return cls(np.zeros(count), none, np.zeros((count, count), dtype=np.int64), none)

    @property
    def rates(self) -> Floats:
        """(n,): points per match, with one tie added, so that a bye or a match without a result changes nothing."""
        rates: Floats = (self.points + 0.5) / (self.played + 1)
        return rates

    def after(self, round_: SwissRound, scores: Sequence[float | None]) -> Standings:
        """The standings after a round. `scores`: of the first of each pair, 0 to 1; None: no result.

        Raises ValueError unless there is one score for each pair.
        """
        points, played = self.points.copy(), self.played.copy()
        met, byes = self.met.copy(), self.byes.copy()
        for (first, second), score in zip(round_.pairs, scores, strict=True):
            met[first, second] += 1
            met[second, first] += 1
            if score is not None:
                points[[first, second]] += (score, 1 - score)
                played[[first, second]] += 1
        if round_.bye is not None:
            byes[round_.bye] += 1
        return replace(self, points=points, played=played, met=met, byes=byes)


def swiss_round(standings: Standings, rng: np.random.Generator) -> SwissRound:
    """The next round.

    As many pairs as possible are those that were paired least often: at first, never. Within that, each item from the
    top is paired with the nearest below. `rng` orders equals. Of an odd number, the lowest of those with the fewest
    byes gets the bye, unless that causes more rematches. Raises ValueError for fewer than two items.
    """
    count = len(standings.points)
    if count < 2:
        raise ValueError(f"a round needs at least two items, not {count}")
    order = np.lexsort((rng.random(count), -standings.rates))
    met = standings.met[np.ix_(order, order)]
    fresh = _fresh(met)
    bye, mate = _bye(fresh, standings.byes[order]) if count % 2 else (None, largest_matching(fresh))
    places = _pairs_from_top(met, fresh, mate, bye)
    return SwissRound(
        pairs=tuple((int(order[one]), int(order[other])) for one, other in places),
        bye=None if bye is None else int(order[bye]),
    )


def _fresh(met: Ints) -> Bools:
    """The pairs that were paired least often of all."""
    off = ~np.eye(len(met), dtype=bool)
    fresh: Bools = off & (met <= met[off].min())
    return fresh


def _bye(fresh: Bools, byes: Ints) -> tuple[int, list[int]]:
    """The index of the bye, and a largest matching of the others."""
    best: tuple[int, int, list[int]] | None = None
    for place in reversed(np.flatnonzero(byes == byes.min()).tolist()):
        mate = largest_matching(_without(fresh, place))
        paired = len(mate) - mate.count(UNMATCHED)
        if best is None or paired > best[0]:
            best = paired, place, mate
        if paired == len(mate) - 1:
            break
    assert best is not None
    return best[1], best[2]


def _pairs_from_top(met: Ints, fresh: Bools, mate: list[int], bye: int | None) -> list[tuple[int, int]]:
    """Pairs each item with the nearest that keeps the number of possible fresh pairs. `mate` is a largest matching."""
    pairs: list[tuple[int, int]] = []
    waiting = [place for place in range(len(met)) if place != bye]
    graph = fresh if bye is None else _without(fresh, bye)
    while waiting:
        one = waiting.pop(0)
        possible = (len(mate) - mate.count(UNMATCHED)) // 2
        for other in sorted(waiting, key=lambda place: (met[one, place], place)):
            rest = _without(graph, one, other)
            left = _matching_without(rest, mate, one, other)
            if bool(graph[one, other]) + (len(left) - left.count(UNMATCHED)) // 2 == possible:
                break
        pairs.append((one, other))
        waiting.remove(other)
        graph, mate = rest, left
    return pairs


def _matching_without(rest: Bools, mate: list[int], one: int, other: int) -> list[int]:
    """A largest matching without two nodes."""
    gone = {one, other}
    reduced = [UNMATCHED if node in gone or partner in gone else partner for node, partner in enumerate(mate)]
    return reduced if mate[one] == other else largest_matching(rest, reduced)


def _without(graph: Bools, *nodes: int) -> Bools:
    smaller = graph.copy()
    smaller[list(nodes), :] = False
    smaller[:, list(nodes)] = False
    return smaller
