"""Ranks that are shared where comparisons do not distinguish entrants."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from novum.benchmarks.arena.statistics.shared_ranks import (
    FEWEST_TOPICS,
    SharedRank,
    clearly_stronger,
    leading,
    shared_ranks,
)
from novum.statistics.bradley_terry import bradley_terry
from novum.statistics.games import Games

PLAYERS = ("a", "b", "c")


def fitted(*games, topics=8, draws=200, players=PLAYERS):
    """The same games, as (first, second, points of the first), on each of the topics."""
    rows = np.array([(one, other, points, topic) for topic in range(topics) for one, other, points in games])
    first, second, outcome, group = rows.reshape(-1, 4).T
    return bradley_terry(
        Games(players, first.astype(int), second.astype(int), outcome, group=group.astype(int)), draws=draws
    )


def pairs(found):
    return [(each.best, each.worst) if each else None for each in shared_ranks(found)]


def test_who_always_wins_leads_and_who_only_ties_shares():
    found = fitted((0, 1, 1), (0, 2, 1), (1, 2, 0.5))
    assert pairs(found) == [(1, 1), (2, 3), (2, 3)]
    assert leading(found) == ("a",)


def test_the_same_verdicts_on_too_few_topics_put_nobody_ahead():
    found = fitted((0, 1, 1), (0, 2, 1), (1, 2, 1), topics=FEWEST_TOPICS - 1)
    assert pairs(found) == [(1, 3)] * 3
    assert leading(found) == PLAYERS
    assert pairs(fitted((0, 1, 1), (0, 2, 1), (1, 2, 1), topics=FEWEST_TOPICS)) == [(1, 1), (2, 2), (3, 3)]


def test_nobody_is_ahead_without_bootstrap_samples():
    assert pairs(fitted((0, 1, 1), (0, 2, 1), draws=0)) == [(1, 3)] * 3


def test_players_that_no_games_connect_are_not_ranked_against_each_other():
    found = fitted((0, 1, 1), (2, 3, 1), players=("a", "b", "c", "d"))
    clear = clearly_stronger(found)
    assert (clear[0, 1], clear[2, 3]) == (True, True)
    assert not clear[0, 3]


def test_who_played_no_game_has_no_rank_and_takes_none_from_others():
    assert pairs(fitted((0, 1, 1))) == [(1, 1), (2, 2), None]
    assert leading(fitted((0, 1, 1))) == ("a",)


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=18, max_size=18))
def test_a_rank_is_possible_and_the_first_is_always_among_the_leading(points):
    rows = [(one, other) for one in range(3) for other in range(one)] * 6
    first, second = np.array(rows).T
    found = bradley_terry(Games(PLAYERS, first, second, np.array(points), group=np.arange(18) // 3), draws=50)
    ranks = shared_ranks(found)
    assert all(isinstance(each, SharedRank) and 1 <= each.best <= each.worst <= 3 for each in ranks)
    assert next(each.player for each in found.ratings if each.rank == 1) in leading(found)
