"""Swiss rounds: neighbours in the standings meet, nobody twice if it can be helped, and everyone sits out in turn."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.statistics.matching import UNMATCHED, largest_matching
from novum.statistics.tournament import Standings, SwissRound, swiss_round


def graphs(most):
    """Symmetric tables of who may be paired with whom."""
    return st.integers(1, most).flatmap(
        lambda size: st.lists(st.booleans(), min_size=size * size, max_size=size * size).map(
            lambda cells: (
                np.triu(np.array(cells).reshape(size, size), 1) | np.triu(np.array(cells).reshape(size, size), 1).T
            )
        )
    )


def most_pairs(edges, nodes=None):
    """By trying everything."""
    nodes = list(range(len(edges))) if nodes is None else nodes
    if len(nodes) < 2:
        return 0
    first, *rest = nodes
    without = most_pairs(edges, rest)
    return max(
        [without, *(1 + most_pairs(edges, [n for n in rest if n != other]) for other in rest if edges[first, other])]
    )


def play(count, rounds, stronger, seed=0):
    """A tournament in which the stronger one always wins; gives the standings and the rounds."""
    rng = np.random.default_rng(seed)
    standings, played = Standings.at_start(count), []
    for _ in range(rounds):
        played.append(swiss_round(standings, rng))
        standings = standings.after(played[-1], [float(stronger(one, other)) for one, other in played[-1].pairs])
    return standings, played


def rematches(standings, round_):
    return sum(standings.met[pair] > 0 for pair in round_.pairs)


@given(graphs(8))
@settings(max_examples=60)
def test_a_largest_matching_is_as_large_as_any(edges):
    mate = largest_matching(edges)
    pairs = {tuple(sorted((node, other))) for node, other in enumerate(mate) if other != UNMATCHED}
    assert all(mate[mate[node]] == node for node in range(len(mate)) if mate[node] != UNMATCHED)
    assert all(edges[pair] for pair in pairs)
    assert len(pairs) == most_pairs(edges)


def test_a_cycle_of_odd_length_does_not_mislead_it():
    edges = np.zeros((10, 10), dtype=bool)
    for one, other in [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (2, 5), (5, 6), (6, 7), (7, 5), (0, 8), (7, 9)]:
        edges[one, other] = edges[other, one] = True
    assert UNMATCHED not in largest_matching(edges)


@given(st.integers(2, 13), st.integers(1, 16), st.integers(0, 99))
@settings(max_examples=25)
def test_everyone_plays_once_a_round_or_sits_out(count, rounds, seed):
    for round_ in play(count, rounds, lambda one, other: one < other, seed)[1]:
        there = [each for pair in round_.pairs for each in pair] + ([] if round_.bye is None else [round_.bye])
        assert sorted(there) == list(range(count))


@given(st.integers(2, 8), st.integers(1, 10), st.integers(0, 99))
@settings(max_examples=40)
def test_nobody_meets_the_same_one_again_while_that_can_be_avoided(count, rounds, seed):
    rng, standings = np.random.default_rng(seed), Standings.at_start(count)
    for _ in range(rounds):
        round_ = swiss_round(standings, rng)
        fresh = (standings.met == standings.met[~np.eye(count, dtype=bool)].min()) & ~np.eye(count, dtype=bool)
        playing = [each for each in range(count) if each != round_.bye]
        assert sum(fresh[pair] for pair in round_.pairs) == most_pairs(fresh, playing)
        standings = standings.after(round_, [float(one < other) for one, other in round_.pairs])


@pytest.mark.parametrize("count", [5, 9])
def test_all_sit_out_once_before_anyone_does_twice(count):
    for rounds in range(1, 2 * count):
        byes = play(count, rounds, lambda one, other: one < other)[0].byes
        assert byes.max() - byes.min() <= 1


def test_the_first_round_is_drawn_and_the_second_puts_winners_against_winners():
    standings, (first, second) = play(8, 2, lambda one, other: one < other)
    winners = {min(pair) for pair in first.pairs}
    assert {len(winners & set(pair)) for pair in second.pairs} == {0, 2}
    assert sorted(standings.points) == [0, 0, 1, 1, 1, 1, 2, 2]
    assert play(8, 1, lambda one, other: one < other, seed=1)[1][0] != first


def test_the_same_draws_make_the_same_tournament():
    assert play(11, 6, lambda one, other: one < other)[1] == play(11, 6, lambda one, other: one < other)[1]


def test_six_rounds_of_sixteen_find_the_best_and_the_worst_and_nearly_the_order():
    standings, _ = play(16, 6, lambda one, other: one < other)
    assert (np.argmax(standings.rates), np.argmin(standings.rates)) == (0, 15)
    right = [standings.rates[one] >= standings.rates[other] for one, other in combinations(range(16), 2)]
    assert np.mean(right) > 0.9


def test_a_bye_or_a_match_without_a_result_neither_lifts_nor_sinks():
    after = Standings.at_start(5).after(SwissRound(((0, 1), (2, 3)), bye=4), [1.0, None])
    assert after.rates.tolist() == [0.75, 0.25, 0.5, 0.5, 0.5]
    assert after.met[2, 3] == 1


def test_a_round_of_one_is_none():
    with pytest.raises(ValueError, match="at least two"):
        swiss_round(Standings.at_start(1), np.random.default_rng(0))
    with pytest.raises(ValueError, match="zip"):
        Standings.at_start(2).after(SwissRound(((0, 1),)), [])
