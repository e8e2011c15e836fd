"""Bouts become games: two orders are one game, and what failed is nobody's win."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.statistics.games import AVERAGE, Games, games_of
from tests.statistics.arena_pairs import both_orders, judged_pair

outcomes = st.sampled_from(["first", "second", "tie"])


def results(judged_pairs, criterion="novelty", **options):
    found = games_of(judged_pairs, "idea", criterion, **options)
    games = found.games
    names = games.players
    lines = zip(games.first, games.second, games.outcome, strict=True)
    return [(names[first], names[second], points) for first, second, points in lines], found.tally


def test_two_orders_that_agree_are_one_game():
    games, tally = results(both_orders("a", "b", "first"))
    assert games == [("a", "b", 1.0)]
    assert (tally.asked, tally.games, tally.ties, tally.split) == (2, 1, 0, 0)


def test_a_preference_that_follows_the_position_is_a_tie_and_reported():
    games, tally = results([judged_pair("a", "b", "first"), judged_pair("b", "a", "first")])
    assert games == [("a", "b", 0.5)]
    assert (tally.games, tally.ties, tally.split) == (1, 1, 1)


def test_each_order_may_count_by_itself():
    games, _ = results([judged_pair("a", "b", "first"), judged_pair("b", "a", "first")], each_order=True)
    assert games == [("a", "b", 1.0), ("b", "a", 1.0)]


def test_a_failed_order_takes_the_other_one_with_it():
    judged_pairs = [judged_pair("a", "b", None), judged_pair("b", "a", "first")]
    games, tally = results(judged_pairs)
    assert games == []
    assert (tally.asked, tally.failed, tally.dropped) == (2, 1, 1)
    games, tally = results(judged_pairs, keep_unpaired=True)
    assert games == [("b", "a", 1.0)]
    assert tally.dropped == 0


def test_a_pair_that_people_judged_in_one_order_only_counts():
    games, tally = results([judged_pair("a", "b", "second", judge="someone")])
    assert games == [("a", "b", 0.0)]
    assert tally.single == 1


def test_a_verdict_missing_among_others_is_counted_apart_from_failures():
    there = judged_pair("a", "b", {"novelty": "first", "clarity": "first"})
    games, tally = results([there, judged_pair("b", "a", {"clarity": "second"})])
    assert games == []
    assert (tally.failed, tally.silent, tally.dropped) == (0, 1, 1)


def test_other_judges_topics_and_kinds_are_other_games():
    judged_pairs = [
        judged_pair("a", "b", "first"),
        judged_pair("b", "a", "first", judge="k"),
        judged_pair("b", "a", "first", topic="u"),
    ]
    found = games_of([*judged_pairs, judged_pair("b", "a", "first", kind="experiment")], "idea", "novelty")
    assert len(found.games) == 3
    assert found.games.judges == ("j", "k")
    assert found.topics == ("t", "u")
    assert found.games.group.tolist() == [0, 0, 1]


def test_repeated_askings_go_together_one_by_one():
    games, tally = results(2 * both_orders("a", "b", "first") + [judged_pair("a", "b", "second")])
    assert games == [("a", "b", 1.0), ("a", "b", 1.0), ("a", "b", 0.0)]
    assert tally.single == 1


def test_on_average_a_pair_weighs_as_much_as_on_one_criterion():
    verdicts = {"novelty": "first", "clarity": "tie"}
    back = {"novelty": "second", "clarity": "tie"}
    found = games_of(
        [judged_pair("a", "b", verdicts), judged_pair("b", "a", back), *both_orders("a", "c", "first")], "idea", AVERAGE
    )
    assert found.games.weight.tolist() == [0.5, 0.5, 1.0]
    assert found.games.outcome.tolist() == [1.0, 0.5, 1.0]


def test_lengths_go_with_their_entrants():
    lengths = {("t", "a"): 100.0, ("t", "b"): 50.0}
    games = games_of(both_orders("b", "a", "first"), "idea", "novelty", lengths=lengths).games
    assert (games.lengths_first.tolist(), games.lengths_second.tolist()) == ([50], [100])
    unknown = games_of(both_orders("b", "c", "first"), "idea", "novelty", lengths=lengths).games
    assert np.isnan(unknown.lengths_second).all()


def test_players_may_be_fixed_and_strangers_are_named():
    found = games_of(both_orders("b", "a", "first"), "idea", "novelty", players=("a", "b", "c"))
    assert found.games.players == ("a", "b", "c")
    with pytest.raises(ValueError, match="'b' was judged"):
        games_of(both_orders("b", "a", "first"), "idea", "novelty", players=("a", "c"))


def test_no_comparisons_are_no_games():
    games, tally = results([])
    assert games == []
    assert tally.asked == 0


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(outcomes, outcomes), max_size=8))
def test_exchanging_the_positions_of_all_comparisons_changes_nothing_about_who_won(pairs):
    judged_pairs = [
        each
        for topic, (there, back) in enumerate(pairs)
        for each in (judged_pair("a", "b", there, topic=str(topic)), judged_pair("b", "a", back, topic=str(topic)))
    ]
    turned = [judged_pairs[place ^ 1] for place in range(len(judged_pairs))]
    forth = [points for *_, points in results(judged_pairs, players=("a", "b"))[0]]
    back = [1 - points for *_, points in results(turned, players=("a", "b"))[0]]
    assert forth == back


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (([0], [0], [1.0]), "against itself"),
        (([0], [2], [1.0]), "index of a player is from 0 to 1"),
        (([0], [1], [0.7]), "1, 0.5 or 0"),
        (([0, 1], [1], [1.0]), "2 entries in 'first'"),
    ],
)
def test_columns_that_make_no_sense_are_refused(columns, message):
    first, second, outcome = (np.array(each) for each in columns)
    with pytest.raises(ValueError, match=message):
        Games(("a", "b"), first, second, outcome)
