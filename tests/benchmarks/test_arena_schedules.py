"""Schedules of the arena: results in, the next pairs out; what was asked is never asked again."""

from __future__ import annotations

import math
import random
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.benchmarks.arena.schedules import make_schedule
from novum.benchmarks.arena.schedules.schedule import Pairing, PairingResult, PairingSpace, pairing_results
from novum.core.comparison import JudgedPair
from novum.core.match import Verdict

NAMES = ("round-robin", "swiss", "adaptive")
every_schedule = pytest.mark.parametrize("name", NAMES)


def field(entrants, topics, forfeits=()):
    return PairingSpace(
        tuple(f"e{place:03}" for place in range(entrants)),
        tuple(f"topic {place}" for place in range(topics)),
        frozenset(forfeits),
    )


def judged(pairing, gap=0.8, seed=0, criteria=("average",)):
    """A judge to whom e000 is the best, e001 the second, and so on; the same pairing always ends the same way."""
    apart = gap * (int(pairing.second[1:]) - int(pairing.first[1:]))
    draws = random.Random(f"{seed} {pairing}")
    won = 1 / (1 + math.exp(-apart))
    return PairingResult(pairing, {name: float(draws.random() < won) for name in criteria})


def failed(pairing):
    return PairingResult(pairing, {})


def carried_out(schedule, judge=judged, so_far=()):
    """All that a schedule asks for, batch by batch, to its end."""
    results, batches = list(so_far), []
    while batch := schedule.next_pairs(results):
        batches.append(batch)
        results += [judge(pairing) for pairing in batch]
    return results, batches


def of_two(pairing):
    return pairing.topic, frozenset((pairing.first, pairing.second))


# Every schedule


@every_schedule
@given(entrants=st.integers(2, 9), topics=st.integers(1, 5), seed=st.integers(0, 50), lost=st.data())
@settings(max_examples=25, deadline=None)
def test_nothing_is_asked_twice_and_nobody_meets_itself_or_one_who_forfeits(name, entrants, topics, seed, lost):
    plain = field(entrants, topics)
    places = st.tuples(st.sampled_from(plain.topics), st.sampled_from(plain.entrants))
    forfeits = lost.draw(st.frozensets(places, max_size=8))
    results, _ = carried_out(make_schedule(name, field(entrants, topics, forfeits), seed))
    asked = [of_two(each.pairing) for each in results]
    assert len(set(asked)) == len(asked)
    assert all(len(two) == 2 and not any((topic, each) in forfeits for each in two) for topic, two in asked)


@every_schedule
def test_a_run_taken_up_again_asks_what_it_would_have_asked(name):
    arena = field(7, 6)
    results, batches = carried_out(make_schedule(name, arena, seed=3))
    so_far = 0
    for batch in batches:
        done = results[: so_far + len(batch) // 2]
        random.Random(so_far).shuffle(done)
        missing = make_schedule(name, arena, seed=3).next_pairs(done)
        assert missing == batch[len(batch) // 2 :]
        so_far += len(batch)


@every_schedule
def test_the_order_of_results_and_of_names_in_them_changes_nothing(name):
    schedule = make_schedule(name, field(6, 4), seed=1)
    first = schedule.next_pairs([])
    results = [judged(pairing) for pairing in first]
    turned = [
        PairingResult(
            Pairing(each.pairing.topic, each.pairing.second, each.pairing.first),
            {"average": 1 - each.scores["average"]},
        )
        for each in reversed(results)
    ]
    assert schedule.next_pairs(results) == schedule.next_pairs(turned)


@every_schedule
def test_looking_back_is_as_if_nothing_had_come_after(name):
    arena = field(6, 8)
    results, batches = carried_out(schedule := make_schedule(name, arena, seed=1))
    assert not schedule.next_pairs(results)
    assert schedule.next_pairs([]) == batches[0]
    assert schedule.next_pairs(results[: len(batches[0])]) == (batches[1] if len(batches) > 1 else ())


@every_schedule
def test_judges_that_always_fail_bring_it_to_an_end(name):
    arena = field(5, 3)
    results, _ = carried_out(schedule := make_schedule(name, arena), judge=failed)
    assert len({of_two(each.pairing) for each in results}) == len(results) <= arena.pairings
    assert schedule.finished(results)


@every_schedule
def test_a_budget_is_not_passed_and_its_end_is_reported(name):
    results, _ = carried_out(schedule := make_schedule(name, field(8, 20), budget=33, level=1.0))
    assert len(results) == 33
    assert schedule.finished(results) == "the budget is spent after 33 of 560 pairings"
    assert schedule.finished(results[:-1]) == ""


@every_schedule
@pytest.mark.parametrize(("entrants", "topics"), [(2, 1), (2, 30), (100, 1), (3, 1)])
def test_the_smallest_and_the_largest_fields_come_to_an_end(name, entrants, topics):
    arena = field(entrants, topics)
    results, _ = carried_out(schedule := make_schedule(name, arena, budget=400))
    assert 0 < len(results) <= min(arena.pairings, 400)
    assert schedule.finished(results)


@every_schedule
def test_when_all_forfeit_there_is_nothing_to_ask(name):
    plain = field(3, 2)
    nobody = field(3, 2, [(topic, entrant) for topic in plain.topics for entrant in plain.entrants])
    schedule = make_schedule(name, nobody)
    assert schedule.next_pairs([]) == ()
    assert "0 of 0 pairings" in schedule.finished([])


@every_schedule
def test_results_of_somebody_else_are_not_looked_at(name):
    schedule = make_schedule(name, field(4, 3), seed=2)
    strange = [PairingResult(Pairing("another topic", "e000", "e001"), {"average": 1.0})]
    assert schedule.next_pairs(strange) == schedule.next_pairs([])


# Each by itself


def test_round_robin_asks_for_every_pair_on_every_topic_in_an_order_of_the_seed():
    arena = field(5, 4)
    one, other = (make_schedule("round-robin", arena, seed).next_pairs([]) for seed in (0, 1))
    every = {(topic, frozenset(two)) for topic in arena.topics for two in combinations(arena.entrants, 2)}
    assert {of_two(each) for each in one} == {of_two(each) for each in other} == every
    assert len(one) == arena.pairings == 40
    assert one != other


def test_swiss_puts_everyone_before_a_judge_once_on_each_topic():
    results, batches = carried_out(schedule := make_schedule("swiss", field(8, 50)))
    played = {(each.pairing.topic, name) for each in results for name in (each.pairing.first, each.pairing.second)}
    assert len(results) == 50 * 8 // 2
    assert len(played) == 50 * 8
    assert len(batches) >= 5
    assert schedule.finished(results) == f"all {len(batches)} rounds were played, after 200 of 1,400 pairings"


def test_swiss_on_one_topic_goes_through_it_until_there_is_an_order():
    results, batches = carried_out(make_schedule("swiss", field(16, 1)))
    assert len(batches) == 6
    assert len(results) == 6 * 8


def test_adaptive_stops_when_it_is_sure_long_before_everything_was_asked():
    arena = field(8, 50)
    results, _ = carried_out(schedule := make_schedule("adaptive", arena))
    assert len(results) < arena.pairings / 3
    assert "the ranking is certain enough" in schedule.finished(results)


def test_adaptive_asks_most_about_those_who_are_hard_to_tell_apart():
    results, _ = carried_out(make_schedule("adaptive", field(10, 50), level=0.97))
    apart = [abs(int(each.pairing.first[1:]) - int(each.pairing.second[1:])) for each in results]
    assert np.mean(np.array(apart) <= 2) > 0.6
    assert np.mean(np.array(apart) >= 6) < 0.1


def test_adaptive_goes_on_to_the_end_where_all_are_equal():
    arena = field(4, 12)
    results, _ = carried_out(
        schedule := make_schedule("adaptive", arena, level=0.99),
        lambda pairing: PairingResult(pairing, {"average": 0.5}),
    )
    assert len(results) == arena.pairings
    assert "every pair was judged on every topic" in schedule.finished(results)


def test_adaptive_by_criterion_waits_for_the_least_sure_one():
    def clear_and_unclear(pairing):
        return PairingResult(
            pairing, judged(pairing, criteria=["novelty"]).scores | judged(pairing, 0.1, 1, ["clarity"]).scores
        )

    arena = field(6, 40)
    one, _ = carried_out(make_schedule("adaptive", arena, criteria=["novelty"]), clear_and_unclear)
    both, _ = carried_out(make_schedule("adaptive", arena, criteria=["novelty", "clarity"]), clear_and_unclear)
    assert len(both) > 1.5 * len(one)


def test_adaptive_spreads_each_entrant_over_the_topics():
    results, batches = carried_out(make_schedule("adaptive", field(8, 30)))
    first = batches[0]
    load = [
        sum(name in (each.first, each.second) for each in first if each.topic == t)
        for t in {p.topic for p in first}
        for name in field(8, 30).entrants
    ]
    assert max(load) <= 2
    assert len({each.pairing.topic for each in results}) == 30


def test_adaptive_turns_away_from_pairs_on_which_judges_fail():
    def judge(pairing):
        return failed(pairing) if {"e000", "e001"} == {pairing.first, pairing.second} else judged(pairing, 0.3)

    results, _ = carried_out(make_schedule("adaptive", field(6, 40), budget=200), judge)
    assert sum(not each.scores for each in results) <= 20


def test_adaptive_learns_from_what_it_did_not_choose():
    arena = field(6, 40)
    chosen_by_others, _ = carried_out(make_schedule("round-robin", arena, budget=200))
    schedule = make_schedule("adaptive", arena, budget=300)
    results, _ = carried_out(schedule, so_far=chosen_by_others)
    assert len({of_two(each.pairing) for each in results}) == len(results)
    assert len(results) < 300
    assert "the ranking is certain enough" in schedule.finished(results)
    assert not make_schedule("adaptive", arena, budget=200).next_pairs(chosen_by_others)


# From judged_pairs


def judged_pair(first, second, outcome, judge="j", criterion="novelty", topic="t", kind="idea"):
    verdicts = (Verdict(criterion=criterion, outcome=outcome),) if outcome else ()
    return JudgedPair(
        topic=topic,
        kind=kind,
        first=first,
        second=second,
        judge=judge,
        verdicts=verdicts,
        failure="" if outcome else "refused",
    )


@pytest.mark.parametrize(
    ("there", "back", "score"),
    [("first", "second", 1.0), ("second", "first", 0.0), ("first", "first", 0.5), ("tie", "tie", 0.5)],
)
def test_two_orders_are_one_result(there, back, score):
    (result,) = pairing_results([judged_pair("a", "b", there), judged_pair("b", "a", back)], "idea")
    assert result == PairingResult(Pairing("t", "a", "b"), {"average": score})


def test_judges_are_averaged_and_one_that_failed_is_left_out():
    judged_pairs = [
        judged_pair("a", "b", "first"),
        judged_pair("b", "a", "second"),
        judged_pair("a", "b", "tie", "k"),
        judged_pair("b", "a", "tie", "k"),
    ]
    silent = [judged_pair("a", "b", "", "l"), judged_pair("b", "a", "", "l")]
    (result,) = pairing_results(judged_pairs + silent, "idea", ["novelty", "clarity"])
    assert result.scores == {"novelty": 0.75}


def test_a_pair_that_no_judge_could_decide_is_a_result_without_scores():
    assert pairing_results([judged_pair("a", "b", ""), judged_pair("b", "a", "")], "idea") == [
        PairingResult(Pairing("t", "a", "b"), {})
    ]
    assert pairing_results([judged_pair("a", "b", "first", kind="experiment")], "idea") == []


# What cannot be


@pytest.mark.parametrize(
    ("entrants", "topics"), [(("a",), ("t",)), (("a", "b"), ()), (("a", "a"), ("t",)), (("a", "b"), ("t", "t"))]
)
def test_a_field_needs_two_entrants_and_a_topic_each_by_its_own_name(entrants, topics):
    with pytest.raises(ValueError, match=r"entrants|name"):
        PairingSpace(entrants, topics)


@pytest.mark.parametrize("wrong", [{"level": 0.0}, {"level": 1.5}, {"level": math.nan}, {"budget": -1}])
def test_a_level_or_a_budget_out_of_bounds_is_refused(wrong):
    with pytest.raises(ValueError, match="not"):
        make_schedule("adaptive", field(2, 1), **wrong)
