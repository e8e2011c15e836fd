"""Elo as published: what one gains the other loses, and one order of the games is worth little."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.statistics.elo import elo, elo_orders
from novum.statistics.games import Games
from tests.statistics.arena_pairs import season
from tests.statistics.arena_published import CRITERIA, TABLE_4, TABLE_26

rows = st.lists(
    st.tuples(st.integers(0, 4), st.integers(1, 4), st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=30
)


def games_of(lines):
    first, step, outcome = (np.array(each) for each in zip(*lines, strict=True))
    return Games(tuple("abcde"), first, (first + step) % 5, outcome)


def one_by_one(games, k):
    """The rule in plain words, as a check."""
    ratings = [1000.0] * len(games.players)
    for one, other, points in zip(games.first, games.second, games.outcome, strict=True):
        expected = 1 / (1 + 10 ** ((ratings[other] - ratings[one]) / 400))
        ratings[one] += k * (points - expected)
        ratings[other] -= k * (points - expected)
    return ratings


def test_the_first_win_between_equals_moves_each_by_half_of_k():
    found = elo(Games(("a", "b"), np.array([0]), np.array([1]), np.array([1.0])))
    assert [each.rating for each in found.ratings] == [1002, 998]
    assert [each.games for each in found.ratings] == [1, 1]


@pytest.mark.parametrize("criteria", [*TABLE_26.values(), *TABLE_4.values()])
def test_published_ratings_are_zero_sum_around_1000_and_their_averages_are_means_over_criteria(criteria):
    methods = len(criteria)
    assert np.abs(criteria.sum(axis=0) - 1000 * methods).max() <= methods / 2  # each is rounded
    assert np.abs(criteria[:, :-1].mean(axis=1) - criteria[:, -1]).max() <= 1


def test_published_margins_over_the_second_best_method():
    averages = {judge: np.sort(table[1:, -1])[::-1] for judge, table in TABLE_26.items()}  # without the real paper
    assert (averages["human"][0] - averages["human"][1], averages["GPT-4o"][0] - averages["GPT-4o"][1]) == (65, 34)


@settings(deadline=None, max_examples=40)
@given(rows)
def test_the_given_order_is_played_as_the_rule_says(lines):
    games = games_of(lines)
    assert elo_orders(games, orders=0, k=32)[0] == pytest.approx(one_by_one(games, 32))


@settings(deadline=None, max_examples=30)
@given(rows, st.floats(0.1, 64))
def test_ratings_always_add_up_to_a_thousand_a_player(lines, k):
    assert elo_orders(games_of(lines), orders=7, k=k).sum(axis=1) == pytest.approx(5000)


@settings(deadline=None, max_examples=30)
@given(rows)
def test_positions_do_not_matter(lines):
    games = games_of(lines)
    turned = Games(games.players, games.second, games.first, 1 - games.outcome)
    assert elo_orders(games, orders=5) == pytest.approx(elo_orders(turned, orders=5))


@settings(deadline=None, max_examples=30)
@given(rows, st.permutations(range(5)))
def test_names_do_not_matter(lines, moved):
    games, place = games_of(lines), np.array(moved)
    renamed = Games(games.players, place[games.first], place[games.second], games.outcome)
    assert elo_orders(renamed, orders=5)[:, place] == pytest.approx(elo_orders(games, orders=5))


@settings(deadline=None, max_examples=30)
@given(rows)
def test_a_win_instead_of_a_loss_never_lowers_a_rating(lines):
    games = games_of([(*lines[0][:2], 0.0), *lines[1:]])
    better = games_of([(*lines[0][:2], 1.0), *lines[1:]])
    winner = lines[0][0]
    assert (elo_orders(better, orders=6)[:, winner] >= elo_orders(games, orders=6)[:, winner] - 1e-9).all()


def test_many_orders_are_averaged_and_their_spread_is_reported():
    games = season([1, 0, -1], 300)
    found = elo(games, orders=50, seed=3)
    for place, each in enumerate(found.ratings):
        sample = elo_orders(games, orders=50, seed=3)[:, place]
        assert (each.rating, each.spread) == pytest.approx((sample.mean(), sample.std()))
        assert each.low < each.rating < each.high
    assert found == elo(games, orders=50, seed=3)
    assert found != elo(games, orders=50, seed=4)


def test_the_average_over_criteria_is_the_mean_of_their_ratings():
    parts = [season([0.5, 0, -0.5], 100, seed=seed) for seed in range(len(CRITERIA))]
    means = np.mean([[each.rating for each in elo(part).ratings] for part in parts], axis=0)
    assert [each.rating for each in elo(*parts).ratings] == pytest.approx(means)


def test_half_the_weight_is_half_the_step():
    games = Games(("a", "b"), np.array([0]), np.array([1]), np.array([1.0]), weight=np.array([0.5]))
    assert elo(games).ratings[0].rating == 1001


def test_criteria_with_other_players_are_not_averaged():
    with pytest.raises(ValueError, match="same players"):
        elo(season([0, 0], 5), season([0, 0, 0], 5))
    with pytest.raises(ValueError, match="cannot be negative"):
        elo_orders(season([0, 0], 5), orders=-1)


def test_without_games_everyone_has_a_thousand():
    nothing = Games(("a", "b"), *(np.empty(0, dtype=np.int64),) * 2, np.empty(0))
    assert [each.rating for each in elo(nothing).ratings] == [1000, 1000]
