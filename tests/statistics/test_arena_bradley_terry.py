"""Bradley-Terry with ties: known strengths are found again, whatever the seats and names."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.statistics.bradley_terry import FIRST_POSITION, LENGTH, PER_UNIT, bradley_terry, strengths
from novum.statistics.games import Games
from tests.statistics.arena_pairs import season

rows = st.lists(
    st.tuples(st.integers(0, 3), st.integers(1, 3), st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=25
)


def games_of(lines, **columns):
    first, step, outcome = (np.array(each) for each in zip(*lines, strict=True))
    return Games(tuple("abcd"), first, (first + step) % 4, outcome, **columns)


def duel(won, tied, lost):
    outcome = np.repeat([1.0, 0.5, 0.0], [won, tied, lost])
    return Games(("a", "b"), np.zeros(len(outcome), int), np.ones(len(outcome), int), outcome)


def log_posterior(games, strength, tie, prior=1.0):
    """By the definition, game by game."""
    total = -prior / 8 * (sum(each**2 for each in strength) + tie**2)
    for one, other, points in zip(games.first, games.second, games.outcome, strict=True):
        odds = {1.0: math.exp(strength[one]), 0.0: math.exp(strength[other])}
        odds[0.5] = math.exp(tie) * math.sqrt(odds[1.0] * odds[0.0])
        total += math.log(odds[points] / sum(odds.values()))
    return total


def searched(games, parameters):
    """The best by trying: each parameter a little up or down, in ever smaller steps."""
    at, step = [0.0] * parameters, 1.0
    best = log_posterior(games, at[:-1], at[-1])
    while step > 1e-5:
        tried = [
            [*at[:place], at[place] + way * step, *at[place + 1 :]]
            for place, way in product(range(parameters), (1, -1))
        ]
        values = [log_posterior(games, each[:-1], each[-1]) for each in tried]
        if max(values) > best:
            best, at = max(values), tried[int(np.argmax(values))]
        else:
            step /= 2
    return at


def test_two_players_have_the_strengths_that_can_be_written_down():
    """Davidson (1970): the odds are those of wins to losses, ν is ties over the geometric mean of both."""
    found = strengths(duel(30, 20, 10), prior=1e-9)
    assert found.strength[0] - found.strength[1] == pytest.approx(math.log(3), abs=1e-6)
    assert math.exp(found.tie) == pytest.approx(20 / math.sqrt(300), abs=1e-6)
    wins, ties = found.probabilities()
    assert (wins[0, 1], ties[0, 1], wins[1, 0]) == pytest.approx((0.5, 1 / 3, 1 / 6), abs=1e-6)


def test_the_fit_is_the_optimum_found_by_trying():
    games = season([0.8, 0, -0.8], 40, seed=5)
    found = strengths(games)
    assert [*found.strength, found.tie] == pytest.approx(searched(games, 4), abs=1e-4)


def test_expected_and_actual_points_and_ties_agree_for_every_player():
    games = season([1, 0.3, -0.3, -1], 400)
    found = strengths(games, prior=1e-9)
    wins, ties = found.probabilities()
    expected, actual = np.zeros(4), np.zeros(4)
    for one, other, points in zip(games.first, games.second, games.outcome, strict=True):
        expected[[one, other]] += wins[one, other] + ties[one, other] / 2, wins[other, one] + ties[one, other] / 2
        actual[[one, other]] += points, 1 - points
    assert expected == pytest.approx(actual, abs=1e-4)


def test_known_strengths_are_found_again_inside_their_intervals():
    truth = np.array([1.0, 0.4, 0.0, -0.4, -1.0])
    found = bradley_terry(season(truth, 4000, topics=50), draws=200)
    for each, elo in zip(found.ratings, 1000 + PER_UNIT * truth, strict=True):
        assert each.rating.value == pytest.approx(elo, abs=25)
        assert each.rating.low - 10 < elo < each.rating.high + 10
    assert [each.rank for each in found.ratings] == [1, 2, 3, 4, 5]
    assert found.tie.value == pytest.approx(0.3 / 2.3, abs=0.02)
    assert found.connected
    assert found.topics == 50


def test_who_won_everything_has_a_finite_rating_that_the_prior_holds():
    first, last = bradley_terry(duel(10, 0, 0), draws=50).ratings
    assert 1100 < first.rating.value < 1500
    assert first.rating.value + last.rating.value == pytest.approx(2000)
    assert (first.is_held_by_prior, first.won, first.lost, last.is_held_by_prior) == (True, 10, 0, True)
    assert not bradley_terry(duel(10, 0, 1), draws=0).ratings[0].is_held_by_prior


def test_a_heavier_prior_draws_ratings_together():
    light, heavy = (bradley_terry(duel(10, 0, 2), prior=each, draws=0).ratings[0].rating.value for each in (0.1, 10))
    assert light > heavy > 1000
    with pytest.raises(ValueError, match="prior must have a weight above 0"):
        bradley_terry(duel(1, 0, 0), prior=0)


def test_groups_that_never_met_are_reported():
    games = Games(tuple("abcde"), np.array([0, 2, 2]), np.array([1, 3, 4]), np.array([1.0, 0.0, 0.5]))
    found = bradley_terry(games, draws=0)
    assert found.parts == (("c", "d", "e"), ("a", "b"))
    assert not found.connected


def test_a_player_without_games_has_no_rating_and_no_rank():
    games = Games(("a", "b", "idle"), np.array([0]), np.array([1]), np.array([1.0]))
    a, b, idle = bradley_terry(games, draws=20).ratings
    assert (idle.rating.value, idle.rank, idle.best, idle.won) == (None, None, None, 0)
    assert (a.rank, b.rank) == (1, 2)


def test_raw_results_are_stored_beside_the_model():
    found = bradley_terry(duel(3, 2, 1), draws=0)
    assert found.wins == ((0, 3), (1, 0))
    assert found.ties == ((0, 2), (2, 0))
    (_, won), (lost, _) = found.win_probability
    assert won > lost
    assert won + lost < 1


def test_topics_are_what_is_drawn_so_repeated_judgements_narrow_nothing():
    games = season([0.5, 0, -0.5], 200, topics=30, seed=2)
    parts = [games.where(np.ones(len(games), bool))] * 5
    columns = {
        name: np.concatenate([getattr(each, name) for each in parts])
        for name in ("first", "second", "outcome", "group")
    }
    five_times = bradley_terry(Games(games.players, **columns), draws=300)
    once = bradley_terry(games, draws=300)
    wide = [each.rating.high - each.rating.low for each in once.ratings]
    assert [each.rating.high - each.rating.low for each in five_times.ratings] == pytest.approx(wide, rel=0.1)
    by_game = bradley_terry(Games(games.players, **(columns | {"group": None})), draws=300)
    assert max(each.rating.high - each.rating.low for each in by_game.ratings) < 0.7 * max(wide)


def test_one_topic_gives_no_interval():
    found = bradley_terry(season([0.5, -0.5], 50, topics=1))
    assert (found.ratings[0].rating.low, found.ratings[0].rank_low, found.ahead) == (None, None, ())
    assert found.ratings[0].rating.value is not None


def test_ranks_have_intervals_and_the_best_its_share_of_draws():
    found = bradley_terry(season([2, 0, 0, -2], 400), draws=200)
    best, *middle, last = found.ratings
    assert (best.rank_low, best.rank_high, best.best) == (1, 1, 1.0)
    assert (last.rank_low, last.rank_high) == (4, 4)
    assert {(each.rank_low, each.rank_high) for each in middle} == {(2, 3)}
    assert found.ahead[0][3] == 1
    assert found.ahead[1][2] + found.ahead[2][1] == pytest.approx(1)


def test_equals_share_the_better_rank():
    assert [each.rank for each in bradley_terry(duel(4, 1, 4), draws=0).ratings] == [1, 1]


def wordy_season(games=3000, seed=1):
    """Equal players, one of whom writes twice as much, before a judge for whom that is worth 100 Elo points."""
    rng = np.random.default_rng(seed)
    first, length = rng.integers(3, size=games), np.array([200.0, 100.0, 100.0])
    second = (first + rng.integers(1, 3, size=games)) % 3
    words = [length[each] * rng.uniform(0.5, 2, games) for each in (first, second)]
    help_ = 100 / PER_UNIT * np.log2(words[0] / words[1])
    outcome = (rng.uniform(size=games) < 1 / (1 + np.exp(-help_))).astype(float)
    return Games(("wordy", "b", "c"), first, second, outcome, lengths_first=words[0], lengths_second=words[1])


def test_a_verbose_player_cannot_win_by_length_alone():
    games = wordy_season()
    plain, fair = bradley_terry(games, draws=0), bradley_terry(games, length=True, draws=100)
    assert plain.ratings[0].rating.value > 1050
    assert fair.ratings[0].rating.value == pytest.approx(1000, abs=20)
    (effect,) = fair.effects
    assert effect.name == LENGTH
    assert effect.points.low < 100 < effect.points.high
    assert (plain.effects, fair.unmeasured) == ((), 0)


def test_games_of_unknown_length_count_as_of_equal_length_and_are_reported():
    games = wordy_season(50)
    games.lengths_first[:3], games.lengths_second[4] = np.nan, 0
    assert bradley_terry(games, length=True, draws=0).unmeasured == 4
    with pytest.raises(ValueError, match="without lengths"):
        bradley_terry(duel(1, 1, 1), length=True)


def test_the_first_position_is_worth_to_each_judge_what_it_is_worth():
    rng = np.random.default_rng(0)
    first, judge = rng.integers(3, size=4000), rng.integers(2, size=4000)
    second = (first + rng.integers(1, 3, size=4000)) % 3
    strength = np.array([0.5, 0.0, -0.5])
    apart = strength[first] - strength[second] + np.array([0.0, 1.0])[judge]
    outcome = (rng.uniform(size=4000) < 1 / (1 + np.exp(-apart))).astype(float)
    games = Games(("a", "b", "c"), first, second, outcome, judge=judge, judges=("fair", "fond"))
    fair, fond = bradley_terry(games, position=True, draws=50).effects
    assert (fair.name, fond.name) == (f"{FIRST_POSITION}: fair", f"{FIRST_POSITION}: fond")
    assert fair.points.value == pytest.approx(0, abs=20)
    assert fond.points.value == pytest.approx(PER_UNIT, abs=25)


def test_the_effect_of_the_position_is_unknown_once_two_orders_are_one_game():
    games = Games(("a", "b"), np.array([0]), np.array([1]), np.array([1.0]), positioned=False)
    with pytest.raises(ValueError, match="use `each_order`"):
        bradley_terry(games, position=True)


def test_without_games_nobody_has_a_rating():
    nothing = Games(("a", "b"), *(np.empty(0, dtype=np.int64),) * 2, np.empty(0))
    found = bradley_terry(nothing)
    assert [each.rating.value for each in found.ratings] == [None, None]
    assert found.parts == (("a",), ("b",))


@settings(deadline=None, max_examples=25)
@given(rows)
def test_positions_do_not_matter(lines):
    games = games_of(lines)
    turned = Games(games.players, games.second, games.first, 1 - games.outcome)
    assert strengths(games).strength == pytest.approx(strengths(turned).strength, abs=1e-7)


@settings(deadline=None, max_examples=25)
@given(rows, st.permutations(range(4)))
def test_names_do_not_matter(lines, moved):
    games, place = games_of(lines), np.array(moved)
    renamed = Games(games.players, place[games.first], place[games.second], games.outcome)
    assert strengths(renamed).strength[place] == pytest.approx(strengths(games).strength, abs=1e-7)


@settings(deadline=None, max_examples=25)
@given(rows)
def test_a_win_instead_of_a_tie_raises_the_winner_and_lowers_the_loser(lines):
    before = strengths(games_of([(0, 1, 0.5), *lines])).strength
    after = strengths(games_of([(0, 1, 1.0), *lines])).strength
    assert after[0] - after[1] > before[0] - before[1]


@settings(deadline=None, max_examples=25)
@given(rows)
def test_strengths_are_finite_and_have_a_mean_of_zero(lines):
    found = strengths(games_of(lines))
    assert np.isfinite(found.strength).all()
    assert found.strength.mean() == pytest.approx(0, abs=1e-7)
    assert (np.linalg.eigvalsh(found.covariance) > -1e-12).all()


@settings(deadline=None, max_examples=20)
@given(rows, st.integers(2, 5))
def test_a_weight_counts_as_so_many_games(lines, times):
    heavy = games_of(lines, weight=np.full(len(lines), float(times)))
    assert strengths(heavy).strength == pytest.approx(strengths(games_of(lines * times)).strength, abs=1e-7)


@settings(deadline=None, max_examples=15)
@given(rows, st.integers(0, 3))
def test_draws_are_the_same_for_the_same_seed_and_inside_what_can_be(lines, seed):
    games = games_of(lines, group=np.arange(len(lines)) % 4)
    found = bradley_terry(games, draws=20, seed=seed)
    assert found == bradley_terry(games, draws=20, seed=seed)
    for each in found.ratings:
        assert each.rank is None or each.rank_low is None or 1 <= each.rank_low <= each.rank_high <= 4


@pytest.mark.slow
def test_intervals_hold_the_truth_as_often_as_they_say():
    truth = np.array([0.8, 0.4, 0.2, 0.0, 0.0, -0.2, -0.4, -0.8])
    inside = []
    for seed in range(60):
        found = bradley_terry(season(truth, 1400, topics=50, seed=seed), draws=300, seed=seed)
        for each, elo in zip(found.ratings, 1000 + PER_UNIT * truth, strict=True):
            inside.append(each.rating.low < elo < each.rating.high)
    assert 0.92 < np.mean(inside) < 0.98
