"""Rounds spread ideas over questions evenly, and stop asking exhausted questions."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from novum.runs.bulk.rounds import Rounds, Turn
from novum.runs.bulk.task import BulkTask
from novum.runs.bulk.turns import seed_of_turn


def new_ideas(rounds):
    return [each.new for each in rounds.questions]


def carried_out(rounds, brings):
    """Rounds until nothing is left to ask; `brings`: what a turn has that is new. All turns, in their order."""
    taken = []
    while turns := rounds.next_round():
        new = [0] * len(rounds.questions)
        for turn in turns:
            new[turn.question] += brings(turn)
        rounds.end_round([turn.ideas or brings(turn) for turn in turns], new)
        taken += turns
        assert len(taken) < 10_000
    return taken


def test_a_remainder_is_assigned_to_the_first_questions():
    rounds = Rounds.over(questions=3, number=8, largest_turn=10)
    assert rounds.next_round() == [Turn(0, 0, 3), Turn(1, 0, 3), Turn(2, 0, 2)]


def test_more_ideas_than_fit_in_a_turn_are_split_evenly():
    rounds = Rounds.over(questions=1, number=25, largest_turn=10)
    assert rounds.next_round() == [Turn(0, 0, 9), Turn(0, 1, 8), Turn(0, 2, 8)]


def test_missing_ideas_are_requested_from_the_questions_with_the_fewest():
    rounds = Rounds.over(questions=3, number=9, largest_turn=10)
    rounds.next_round()
    rounds.end_round([3, 3, 3], [3, 1, 2])
    assert rounds.next_round() == [Turn(1, 1, 2), Turn(2, 1, 1)]


def test_questions_that_bring_less_get_more_and_smaller_turns():
    rounds = Rounds.over(questions=2, number=20, largest_turn=10)
    rounds.next_round()
    rounds.end_round([3, 3], [3, 3])
    assert [turn.ideas for turn in rounds.next_round()] == [3, 3, 2, 2, 2, 2]


def test_a_question_that_brings_what_was_requested_is_not_exhausted():
    """Every turn brought its idea, but many were near-duplicates: what is missing takes one turn, not many."""
    rounds = Rounds.over(questions=20, number=20, largest_turn=10)
    rounds.next_round()
    rounds.end_round([1] * 20, [1] + [0] * 19)
    rounds.next_round()
    rounds.end_round([1] * 19, [0] * 19 + [2])
    assert rounds.next_round()[:2] == [Turn(0, 1, 9), Turn(19, 2, 8)]


def test_a_method_that_decides_itself_shows_its_number_in_the_first_round():
    rounds = Rounds.over(questions=2, number=20, largest_turn=0)
    assert rounds.next_round() == [Turn(0, 0, 0), Turn(1, 0, 0)]
    rounds.end_round([4, 4], [4, 4])
    assert rounds.next_round() == [Turn(0, 1, 0), Turn(1, 1, 0), Turn(0, 2, 0)]


def test_a_question_without_a_new_idea_in_two_rounds_is_exhausted():
    turns = carried_out(Rounds.over(questions=2, number=10, largest_turn=5), lambda turn: 0)
    assert [turn.question for turn in turns] == [0, 1, 0, 1]


@given(st.integers(1, 12), st.integers(1, 60), st.integers(0, 7), st.integers(1, 4))
def test_the_number_is_reached_where_every_turn_brings_what_was_requested(questions, number, largest, brings):
    rounds = Rounds.over(questions, number, largest)
    turns = carried_out(rounds, lambda turn: turn.ideas or brings)
    assert sum(new_ideas(rounds)) >= number
    assert len(set(turns)) == len(turns), "no turn comes twice"
    if largest:
        assert sum(new_ideas(rounds)) == number
        assert max(new_ideas(rounds)) - min(new_ideas(rounds)) <= 1
        assert all(1 <= turn.ideas <= largest for turn in turns)


@given(st.integers(0, 2_000_000), st.sets(st.integers(0, 100_000), min_size=2, max_size=50))
def test_turns_of_a_question_have_different_seeds_and_the_first_has_that_of_the_run(seed, turns):
    assert seed_of_turn(seed, 0) == seed
    assert len({seed_of_turn(seed, turn) for turn in turns}) == len(turns)
    assert all(0 <= seed_of_turn(seed, turn) <= 2_000_000 for turn in turns)


def test_a_turn_knows_how_many_opportunities_earlier_turns_used():
    """Each idea of a turn starts from one opportunity, as far as so many were requested."""
    few = BulkTask(questions=("x",), number=12, method="sci-agents", options={"from_opportunities": 4})
    rounds = Rounds.over(questions=1, number=12, largest_turn=5)
    rounds.next_round()
    assert rounds.questions[0].sizes == [4, 4, 4]
    assert [few.opportunities_for(sizes) for sizes in ([], [3], [3, 5], [0, 0])] == [0, 3, 7, 8]
    assert few.model_copy(update={"options": {}}).opportunities_for([3, 3]) == 0
