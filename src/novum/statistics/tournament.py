"""Swiss pairing: neighbours in the standings meet, and nobody meets the same one twice if it can be helped.

Some n log n comparisons put n things roughly in order, where all pairs would take n². Pure: the standings and a
generator of draws in, the round out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from novum.statistics.matching import ALONE, largest_matching


@dataclass(frozen=True)
class Round:
    """Who meets whom: places of things in the list that they came in."""

    pairs: tuple[tuple[int, int], ...]
    """From the top of the standings down, the better placed of the two first."""
    bye: int | None = None
    """Who sits out: somebody, if the number is odd."""


@dataclass(frozen=True)
class Standings:
    """How n things stand after some rounds."""

    points: NDArray[np.float64]
    """(n,): a match won is 1, a tie 0.5."""
    played: NDArray[np.int64]
    """(n,): matches with a result."""
    met: NDArray[np.int64]
    """(n, n): rounds in which two met, symmetric."""
    byes: NDArray[np.int64]
    """(n,)"""

    @classmethod
    def at_start(cls, count: int) -> Standings:
        """Nobody has played."""
        none = np.zeros(count, dtype=np.int64)
        return cls(np.zeros(count), none, np.zeros((count, count), dtype=np.int64), none)

    @property
    def rates(self) -> NDArray[np.float64]:
        """(n,): points per match, with one tie thrown in: a bye or a match without a result neither lifts nor sinks."""
        rates: NDArray[np.float64] = (self.points + 0.5) / (self.played + 1)
        return rates

    def after(self, round_: Round, scores: Sequence[float | None]) -> Standings:
        """With the scores of the first of each pair, 0 to 1; None: no result.

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


def swiss_round(standings: Standings, rng: np.random.Generator) -> Round:
    """The next round.

    As many pairs as possible are such as have met least often: at first, those that never met. Within that, each in
    turn from the top meets the nearest below. Equals are put in order by `rng`. Of an odd number, the lowest of those
    who sat out least sits out, unless that makes more rematches. Raises ValueError for fewer than two.
    """
    count = len(standings.points)
    if count < 2:
        raise ValueError(f"a round takes at least two, not {count}")
    order = np.lexsort((rng.random(count), -standings.rates))
    met = standings.met[np.ix_(order, order)]
    fresh = _fresh(met)
    bye, mate = _bye(fresh, standings.byes[order]) if count % 2 else (None, largest_matching(fresh))
    places = _from_the_top(met, fresh, mate, bye)
    return Round(
        pairs=tuple((int(order[one]), int(order[other])) for one, other in places),
        bye=None if bye is None else int(order[bye]),
    )


def _fresh(met: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Pairs that have met least often of all: at first those that never met, when all have met those that met once."""
    off = ~np.eye(len(met), dtype=bool)
    fresh: NDArray[np.bool_] = off & (met <= met[off].min())
    return fresh


def _bye(fresh: NDArray[np.bool_], byes: NDArray[np.int64]) -> tuple[int, list[int]]:
    """Who sits out, by place, and a largest matching of the others."""
    best: tuple[int, int, list[int]] | None = None
    for place in reversed(np.flatnonzero(byes == byes.min()).tolist()):
        mate = largest_matching(_without(fresh, place))
        paired = len(mate) - mate.count(ALONE)
        if best is None or paired > best[0]:
            best = paired, place, mate
        if paired == len(mate) - 1:
            break
    assert best is not None
    return best[1], best[2]


def _from_the_top(
    met: NDArray[np.int64], fresh: NDArray[np.bool_], mate: list[int], bye: int | None
) -> list[tuple[int, int]]:
    """Each takes the nearest that leaves as many fresh pairs possible as before. `mate` is a largest matching."""
    pairs: list[tuple[int, int]] = []
    waiting = [place for place in range(len(met)) if place != bye]
    graph = fresh if bye is None else _without(fresh, bye)
    while waiting:
        one = waiting.pop(0)
        possible = (len(mate) - mate.count(ALONE)) // 2
        for other in sorted(waiting, key=lambda place: (met[one, place], place)):
            rest = _without(graph, one, other)
            left = _rest_of(rest, mate, one, other)
            if bool(graph[one, other]) + (len(left) - left.count(ALONE)) // 2 == possible:
                break
        pairs.append((one, other))
        waiting.remove(other)
        graph, mate = rest, left
    return pairs


def _rest_of(rest: NDArray[np.bool_], mate: list[int], one: int, other: int) -> list[int]:
    """A largest matching of what is left without two nodes."""
    gone = {one, other}
    kept = [ALONE if node in gone or partner in gone else partner for node, partner in enumerate(mate)]
    return kept if mate[one] == other else largest_matching(rest, kept)


def _without(graph: NDArray[np.bool_], *nodes: int) -> NDArray[np.bool_]:
    smaller = graph.copy()
    smaller[list(nodes), :] = False
    smaller[:, list(nodes)] = False
    return smaller
