"""The tournament: who meets whom, and what a result does to the ratings."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from statistics import mean

from novum.core import Match
from novum.methods.evolution.population import Contender, Likeness
from novum.statistics.win_rates import position_free_points

K = 32.0
SCALE = 400.0

Pair = frozenset[str]
"""Ids of two ideas."""


@dataclass(frozen=True)
class PairResult:
    """The result of a judged pair: the share that `first` won, 0 to 1."""

    first: str
    second: str
    share: float


def pairings(field: Sequence[Contender], alike: Likeness, met: Collection[Pair]) -> list[tuple[int, int]]:
    """The pairs of one round, as positions in `field`: each idea at most once, and no pair twice.

    Preferred are pairs that are alike, that have played little, and that stand near each other: of two ideas that go
    the same way the better is to be found out first, and a new idea is to find its place soon. For that it need not
    meet another new one: the rating of an idea that has not played says nothing yet, so it is near to all, and one new
    idea makes a pair as fresh as two do. So an offspring first meets what is most like it, often its parent.
    """
    possible = [
        (one, other)
        for one, other in combinations(range(len(field)), 2)
        if frozenset((field[one].id, field[other].id)) not in met
    ]
    rank = {pair: place for place, pair in enumerate(sorted(possible, key=lambda pair: float(alike[pair])))}
    ratings = [one.rating for one in field]
    spread = max(ratings, default=0.0) - min(ratings, default=0.0)

    def appeal(pair: tuple[int, int]) -> float:
        one, other = field[pair[0]], field[pair[1]]
        least = min(one.played, other.played)
        near = 1.0 - abs(one.rating - other.rating) / spread if spread and least else 1.0
        fresh = 1 / (1 + least)
        return rank[pair] / max(len(possible) - 1, 1) + fresh + near

    seated: set[int] = set()
    chosen = []
    for pair in sorted(possible, key=lambda pair: (-appeal(pair), pair)):
        if seated.isdisjoint(pair):
            seated.update(pair)
            chosen.append(pair)
    return chosen


def pair_results(matches: Sequence[tuple[Match, Match]]) -> list[PairResult]:
    """One result for each judged pair: the mean over judges and criteria. An unreadable verdict gives no result."""
    by_pair = groupby(matches, key=lambda both: (both[0].first_id, both[0].second_id))
    results = []
    for (first, second), judged in by_pair:
        points = [point for there, back in judged for point in position_free_points(there, back).values()]
        if points:
            results.append(PairResult(first, second, mean(points)))
    return results


def updated_ratings(ratings: Mapping[str, float], played: Sequence[PairResult]) -> dict[str, float]:
    """Ratings after a round. All results use the ratings before the round, so their order has no effect."""
    after = dict(ratings)
    for each in played:
        expected = 1.0 / (1.0 + 10.0 ** ((ratings[each.second] - ratings[each.first]) / SCALE))
        gain = K * (each.share - expected)
        after[each.first] += gain
        after[each.second] -= gain
    return after
