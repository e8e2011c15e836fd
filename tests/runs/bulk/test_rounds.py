"""Who is asked next: as evenly as can be, and no longer than it brings anything."""

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


def test_a_number_that_does_not_go_even_is_given_to_the_first_questions():
    rounds = Rounds.over(questions=3, number=8, largest_turn=10)
    assert rounds.next_round() == [Turn(0, 0, 3), Turn(1, 0, 3), Turn(2, 0, 2)]


def test_more_than_a_turn_may_have_is_split_into_even_shares():
    rounds = Rounds.over(questions=1, number=25, largest_turn=10)
    assert rounds.next_round() == [Turn(0, 0, 9), Turn(0, 1, 8), Turn(0, 2, 8)]


def test_what_is_lacking_is_asked_of_those_that_have_the_fewest():
    rounds = Rounds.over(questions=3, number=9, largest_turn=10)
    rounds.next_round()
    rounds.end_round([3, 3, 3], [3, 1, 2])
    assert rounds.next_round() == [Turn(1, 1, 2), Turn(2, 1, 1)]


def test_questions_that_run_dry_are_asked_for_less_in_more_turns():
    rounds = Rounds.over(questions=2, number=20, largest_turn=10)
    rounds.next_round()
    rounds.end_round([3, 3], [3, 3])
    assert [turn.ideas for turn in rounds.next_round()] == [3, 3, 2, 2, 2, 2]


def test_a_question_that_brings_what_it_was_asked_for_is_not_taken_for_dry():
    """One idea of each was asked for and came, but many were twins: what is lacking takes one turn, not many."""
    rounds = Rounds.over(questions=20, number=20, largest_turn=10)
    rounds.next_round()
    rounds.end_round([1] * 20, [1] + [0] * 19)
    rounds.next_round()
    rounds.end_round([1] * 19, [0] * 19 + [2])
    assert rounds.next_round()[:2] == [Turn(0, 1, 9), Turn(19, 2, 8)]


def test_a_method_that_has_as_many_as_it_likes_shows_how_many_in_the_first_round():
    rounds = Rounds.over(questions=2, number=20, largest_turn=0)
    assert rounds.next_round() == [Turn(0, 0, 0), Turn(1, 0, 0)]
    rounds.end_round([4, 4], [4, 4])
    assert rounds.next_round() == [Turn(0, 1, 0), Turn(1, 1, 0), Turn(0, 2, 0)]


def test_a_question_that_brings_nothing_new_twice_is_asked_no_more():
    turns = carried_out(Rounds.over(questions=2, number=10, largest_turn=5), lambda turn: 0)
    assert [turn.question for turn in turns] == [0, 1, 0, 1]


@given(st.integers(1, 12), st.integers(1, 60), st.integers(0, 7), st.integers(1, 4))
def test_the_number_is_reached_where_every_turn_brings_what_it_is_asked_for(questions, number, largest, brings):
    rounds = Rounds.over(questions, number, largest)
    turns = carried_out(rounds, lambda turn: turn.ideas or brings)
    assert sum(new_ideas(rounds)) >= number
    assert len(set(turns)) == len(turns), "no turn comes twice"
    if largest:
        assert sum(new_ideas(rounds)) == number
        assert max(new_ideas(rounds)) - min(new_ideas(rounds)) <= 1
        assert all(1 <= turn.ideas <= largest for turn in turns)


@given(st.integers(0, 2_000_000), st.sets(st.integers(0, 100_000), min_size=2, max_size=50))
def test_no_two_turns_of_a_question_have_the_same_seed_and_the_first_has_the_runs_own(seed, turns):
    assert seed_of_turn(seed, 0) == seed
    assert len({seed_of_turn(seed, turn) for turn in turns}) == len(turns)
    assert all(0 <= seed_of_turn(seed, turn) <= 2_000_000 for turn in turns)


def test_a_turn_knows_how_many_openings_those_before_it_took():
    """However the shares fall: each idea of a turn starts from one, as far as so many were asked for."""
    few = BulkTask(questions=("x",), number=12, method="sci-agents", options={"from_opportunities": 4})
    rounds = Rounds.over(questions=1, number=12, largest_turn=5)
    rounds.next_round()
    assert rounds.questions[0].sizes == [4, 4, 4]
    assert [few.openings_for(sizes) for sizes in ([], [3], [3, 5], [0, 0])] == [0, 3, 7, 8]
    assert few.model_copy(update={"options": {}}).openings_for([3, 3]) == 0
