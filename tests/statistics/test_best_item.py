"""The best of several items is found with few comparisons, which go to items that may still be the best."""

from __future__ import annotations

import numpy as np
import pytest

from novum.statistics.best_item import (
    chances_against_leader,
    pairs_about_best,
    probability_of_leader,
    strength_posterior,
)
from novum.statistics.ranking_posterior import Comparisons


def beaten(count, *results):
    """The posterior after results (winner, loser), each counted three times."""
    winners, losers = np.array([each for each in results for _ in range(3)], dtype=np.int64).T
    return strength_posterior(Comparisons.of(count, winners, losers, np.ones(len(winners))))


def none_judged(count):
    return np.eye(count, dtype=bool)


def test_the_first_round_compares_every_item_once():
    pairs = pairs_about_best(strength_posterior(Comparisons.none(8)), none_judged(8), np.random.default_rng(1))
    assert sorted(place for pair in pairs for place in pair) == list(range(8))


def test_winners_meet_winners_and_losers_are_left_out():
    posterior = beaten(8, (0, 1), (2, 3), (4, 5), (6, 7))
    pairs = pairs_about_best(posterior, none_judged(8), np.random.default_rng(1))
    assert sorted(place for pair in pairs for place in pair) == [0, 2, 4, 6]


def test_a_pair_that_was_judged_is_not_compared_again():
    judged = none_judged(3)
    judged[0, 1] = judged[1, 0] = True
    (pair,) = pairs_about_best(strength_posterior(Comparisons.none(3)), judged, np.random.default_rng(1))
    assert pair in {(0, 2), (1, 2)}
    assert (
        pairs_about_best(strength_posterior(Comparisons.none(3)), np.ones((3, 3), bool), np.random.default_rng(1)) == []
    )


def test_an_item_that_beat_all_others_is_probably_the_best():
    posterior = beaten(4, (2, 0), (2, 1), (2, 3))
    assert int(np.argmax(chances_against_leader(posterior))) == 2
    assert probability_of_leader(posterior) > probability_of_leader(strength_posterior(Comparisons.none(4)))
    assert (np.delete(chances_against_leader(posterior), 2) < 0.5).all()


def test_without_a_result_the_best_of_two_is_a_coin_toss():
    assert probability_of_leader(strength_posterior(Comparisons.none(2))) == pytest.approx(0.5)
    assert probability_of_leader(strength_posterior(Comparisons.none(1))) == 1.0


@pytest.mark.parametrize("seed", range(5))
def test_the_best_of_sixteen_is_found_within_twenty_four_comparisons(seed):
    """A judge without errors, whatever the order of the items."""
    rng = np.random.default_rng(seed)
    quality = rng.permutation(16)
    comparisons, judged, spent = Comparisons.none(16), none_judged(16), 0
    while spent < 24:
        pairs = pairs_about_best(strength_posterior(comparisons), judged, rng)[: 24 - spent]
        first, second = np.array(pairs, dtype=np.int64).T
        judged[first, second] = judged[second, first] = True
        comparisons += Comparisons.of(16, first, second, (quality[first] > quality[second]).astype(float))
        spent += len(pairs)
    assert int(np.argmax(strength_posterior(comparisons).strengths)) == int(np.argmax(quality))
