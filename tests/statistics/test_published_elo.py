"""The published tables through our own code: games that go as published ratings expect lead to these ratings again.

The paper gives ratings, not games. So each table becomes a league in which every pair wins as often as its two ratings
expect. Elo must come to these ratings (zero-sum, 1000 on average), and so must the Bradley–Terry fit, exactly.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from novum.benchmarks.arena.leaderboard import leaderboard
from novum.benchmarks.arena.records import ArenaRun
from novum.core.comparison import Entrant
from novum.statistics.bradley_terry import bradley_terry
from novum.statistics.elo import elo, elo_orders
from novum.statistics.games import Games
from tests.statistics.arena_pairs import judged_pair
from tests.statistics.arena_published import CRITERIA, METHODS, TABLE_4, TABLE_26

ROUNDS = 300
"""Games of each pair: enough for Elo with K = 4 to forget that everybody began with 1000."""
TOPICS = 50
"""Of the paper."""
TABLES = {f"ideas, {judge}": table for judge, table in TABLE_26.items()}
TABLES |= {f"experiments, {judge}": table for judge, table in TABLE_4.items()}


def wins(ratings, one, other, games):
    """How many of these games the first is expected to win."""
    return round(games / (1 + 10 ** ((ratings[other] - ratings[one]) / 400)))


def league(ratings):
    rows = [
        (one, other, float(game < wins(ratings, one, other, ROUNDS)))
        for one, other in combinations(range(len(ratings)), 2)
        for game in range(ROUNDS)
    ]
    first, second, outcome = (np.array(column) for column in zip(*rows, strict=True))
    return Games(tuple(METHODS[: len(ratings)]), first, second, outcome)


def rated(found):
    return np.array([each.rating for each in found.ratings])


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_elo_comes_to_the_published_ratings_and_their_averages(table):
    criteria = [league(ratings) for ratings in table[:, :-1].T]
    for games, published in zip(criteria, table.T, strict=False):
        assert elo_orders(games, orders=5).sum(axis=1) == pytest.approx(1000 * len(published))
        assert np.abs(rated(elo(games, orders=20)) - published).max() < 10
    averages = rated(elo(*criteria, orders=20))
    assert averages.sum() == pytest.approx(1000 * len(table))
    assert np.abs(averages - table[:, -1]).max() < 6
    clear = [(a, b) for a, b in combinations(range(len(table)), 2) if abs(table[a, -1] - table[b, -1]) > 12]
    assert all((averages[a] > averages[b]) == (table[a, -1] > table[b, -1]) for a, b in clear)


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_bradley_terry_comes_to_the_published_ratings_within_a_point(table):
    for published in table[:, :-1].T:
        found = [each.rating.value for each in bradley_terry(league(published), draws=0).ratings]
        assert np.abs(np.array(found) - published + published.mean() - 1000).max() < 1


def arena(table):
    """An arena on fifty topics in both orders, in which each pair wins as often as the ratings of each criterion
    expect."""
    pairs = []
    for one, other in combinations(range(len(METHODS)), 2):
        expected = [wins(table[:, column], one, other, TOPICS) for column in range(len(CRITERIA))]
        for topic in range(TOPICS):
            won = [(topic * 7 + column * 3) % TOPICS < expected[column] for column in range(len(CRITERIA))]
            there = {name: "first" if each else "second" for name, each in zip(CRITERIA, won, strict=True)}
            back = {name: "second" if each else "first" for name, each in zip(CRITERIA, won, strict=True)}
            names, where = (METHODS[one], METHODS[other]), {"topic": f"topic {topic}"}
            pairs += [judged_pair(*names, there, **where), judged_pair(*reversed(names), back, **where)]
    return ArenaRun(
        name="published",
        topics=tuple(f"topic {topic}" for topic in range(TOPICS)),
        entrants=tuple(Entrant(name=name) for name in METHODS),
        judges=("j",),
        judged_pairs=tuple(pairs),
    )


@pytest.mark.parametrize("table", TABLE_26.values(), ids=TABLE_26)
def test_an_arena_of_fifty_topics_ranks_as_published_and_is_zero_sum(table):
    lines = {line.entrant: line for line in leaderboard(arena(table), draws=0, orders=20).boards[0].lines}
    average = dict(zip(METHODS, table[:, -1], strict=True))
    assert sum(line.elo for line in lines.values()) == pytest.approx(8000)
    for name, published in average.items():
        assert lines[name].rating.rating.value == pytest.approx(published, abs=12)
        # Fifty games a pair at K = 4 go four fifths of the way from 1000.
        assert lines[name].elo - 1000 == pytest.approx(0.82 * (published - 1000), abs=14)
