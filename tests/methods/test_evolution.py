"""Ideas that compete and breed: the whole loop over real HTTP, and its pure parts by hand."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.test_chain_of_ideas import answering

from novum.core import Idea, Match, Verdict
from novum.methods.evolution.debates import debate_summaries
from novum.methods.evolution.population import INITIAL, Contender, ranked_contenders, similarity_groups
from novum.methods.evolution.tournament import PairResult, pairings, updated_ratings
from novum.methods.sketch import Sketch, SketchedIdea
from novum.prompts import PromptBook
from novum.testing import ScriptedAnswer

METHOD = "evolution"
SMALL = {"population": 3, "generations": 1, "offspring": 2, "tournament_rounds": 1}


def texts(server, form):
    return [asked.text for asked in server.asked if asked.form == form]


def made(server):
    """Questions for ideas: the first ones, and those made from others."""
    asked = texts(server, "Sketch")
    bred = [text for text in asked if "did well in comparison" in text]
    return [text for text in asked if text not in bred], bred


def numbered(answer, asked):
    """Ideas that can be told apart by their titles."""
    return answer | {"title": f"Idea asked for as number {asked.number}"}


def test_ideas_are_had_reviewed_compared_bred_and_the_best_is_written_up(generate, serve):
    server = serve()
    ideation = generate(server, method=METHOD)
    forms = server.forms()
    counts = {form: forms.count(form) for form in dict.fromkeys(forms)}
    assert counts["Sketch"] == counts["Appraisal"] == 6 + 2 * 3
    assert counts["Comparison"] == len(ideation.matches) <= 2 * (2 * 3 + 2 * 4 + 2 * 4)
    assert counts["Lessons"] == 2
    assert counts["Proposal"] == counts["Likeness"] == counts["Design"] == 1
    assert len(ideation.candidates) == 12
    assert ideation.best.idea.generator == METHOD
    assert ideation.best.earlier_drafts
    assert ideation.experiment.idea_id == ideation.best.idea.id
    assert ideation.notes == ()


def test_first_ideas_start_from_different_places(generate, serve):
    server = serve()
    generate(server, method=METHOD, **SMALL | {"population": 4, "generations": 0})
    seeds, bred = made(server)
    assert len(set(seeds)) == 4
    assert bred == []
    assert sum("assumption on which the work rests" in text for text in seeds) == 1
    assert sum("abstract form of the problem" in text for text in seeds) == 1
    leads = [re.search(r"Begin with (P\d+) and (P\d+)", text).groups() for text in seeds]
    assert len({label for pair in leads for label in pair}) == 7, "every paper of this small library"


def test_prompts_of_new_ideas_show_the_review_the_lessons_and_the_other_ideas(generate, serve):
    server = serve(
        answering(
            Sketch=numbered,
            Appraisal=lambda answer, asked: answer | {"weaknesses": ["Its sensor drifts."], "mend": "Calibrate it."},
            Lessons=lambda answer, asked: answer | {"recurring": ["All lean on one sensor."]},
        )
    )
    ideation = generate(server, method=METHOD, **SMALL)
    _, bred = made(server)
    titles = {one.idea.title for one in ideation.candidates[1:]} | {ideation.best.earlier_drafts[0].title}
    first = sorted(titles, key=lambda title: int(title.split()[-1]))[:3]
    assert len(bred) == 2
    for text in bred:
        assert "Its sensor drifts." in text
        assert "Calibrate it." in text
        assert "Avoid: All lean on one sensor." in text
        parents, _, others = text.partition("Other ideas that exist already")
        bred_from = [title for title in first if f"Title: {title}\n" in parents]
        assert bred_from
        assert all((title in others) == (title not in bred_from) for title in first), "an idea may be near its parents"
    assert "Its sensor drifts." in texts(server, "Proposal")[0], "the writer mends what it can"
    assert "A change that was proposed for the first of these: Calibrate it." in texts(server, "Proposal")[0]


def test_an_idea_is_bred_from_all_of_its_parent_with_the_labels_of_the_papers_shown(generate, serve):
    whole = {"approach": "Begin with [P1]. " * 60 + "End.", "summary": "Its last word, as in [P2]."}
    server = serve(answering(Sketch=lambda answer, asked: numbered(answer, asked) | whole))
    generate(server, method=METHOD, **SMALL)
    _, bred = made(server)
    assert bred
    for text in bred:
        assert whole["approach"] in text
        assert whole["summary"] in text


@pytest.mark.slow
def test_ways_that_were_not_tried_are_for_ideas_that_leave_their_parent(generate, serve):
    server = serve(answering(Lessons=lambda answer, asked: answer | {"untried": ["Widgets under water."]}))
    generate(server, method=METHOD, **SMALL | {"offspring": 4})
    _, bred = made(server)
    assert ["Widgets under water." in text for text in bred] == ["Depart from this idea" in text for text in bred]


@pytest.mark.slow
def test_what_decided_is_reported_with_the_winner_first_and_only_where_both_orders_agree(generate, serve):
    def judged(answer, asked):
        one, other = (int(number) for number in re.findall(r"Title: Idea asked for as number (\d+)", asked.text))
        better = "A" if one > other else "B"
        return {name: {"reason": f"Idea {better} has a spring.", "better": better} for name in answer} | {
            "clarity": {"reason": "Idea A comes first.", "better": "A"}
        }

    server = serve(answering(Sketch=numbered, Comparison=judged))
    generate(server, method=METHOD, **SMALL | {"population": 2})
    (asked,) = texts(server, "Lessons")
    assert "novelty, idea 1 before idea 2: idea 1 has a spring." in asked
    assert "comes first" not in asked


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("«Maps of gadgets» has a spring.", "idea 1 has a spring."),
        ("«Springs in…» has none.", "idea 2 has none."),
        ("It calls a map «M» and a pause «…».", "It calls a map «M» and a pause «…»."),
    ],
)
def test_only_titles_of_the_two_that_were_compared_become_numbers(reason, told):
    titles = ("Maps of gadgets", "Springs in gadgets", "Maps of gadgets")
    parts = {"topic": "t", "motivation": "m", "novelty": "n", "summary": "s", "generator": METHOD}
    ideas = [Idea(title=title, method=f"{number}", **parts) for number, title in enumerate(titles)]
    field = [Contender(SketchedIdea(None, idea)) for idea in ideas]
    first, second, _ = (one.id for one in field)

    def seen(one, other, outcome):
        verdict = Verdict(criterion="novelty", outcome=outcome, reason=reason)
        return Match(first_id=one, second_id=other, judge="j", verdicts=(verdict,))

    matches = [(seen(first, second, "first"), seen(second, first, "second"))]
    assert debate_summaries(field, matches) == [f"novelty, idea 1 before idea 2: {told}"]


@pytest.mark.slow
def test_papers_that_are_too_far_off_say_little_of_how_new_an_idea_is(generate, serve):
    server = serve(answering(Appraisal=lambda answer, asked: answer | {"near_enough": False}))
    ideation = generate(server, method=METHOD, **SMALL | {"generations": 0})
    assert all(one.checks[0].distance == "far" for one in ideation.candidates)


@pytest.mark.slow
def test_every_way_of_making_ideas_from_ideas_has_its_turn(generate, serve):
    server = serve()
    generate(server, method=METHOD, **SMALL | {"offspring": 4})
    _, bred = made(server)
    openings = ("Write a better version", "Write one idea that does what neither", "Write the simplest", "Depart from")
    for words in openings:
        assert sum(words in text for text in bred) == 1


def test_what_a_paper_has_already_is_not_bred_from_and_comes_last(generate, serve):
    def review(answer, asked):
        done = bool(re.search(r"Title: Idea asked for as number 1\b", asked.text))
        return answer | {"known": "yes" if done else "no", "closest": "P1"}

    server = serve(answering(Sketch=numbered, Appraisal=review))
    ideation = generate(server, method=METHOD, **SMALL)
    _, bred = made(server)
    assert ideation.candidates[-1].idea.title == "Idea asked for as number 1"
    assert ideation.candidates[-1].checks[0].novel is False
    assert not any("Title: Idea asked for as number 1\n" in text for text in bred)


@pytest.mark.slow
def test_a_rejection_that_names_no_paper_does_not_count(generate, serve):
    server = serve(answering(Appraisal=lambda answer, asked: answer | {"known": "yes", "closest": "none"}))
    ideation = generate(server, method=METHOD, **SMALL)
    assert all(one.checks[0].novel is None for one in ideation.candidates)


def test_the_better_ideas_rise(generate, serve):
    """A judge who likes high numbers: the idea with the highest number that met others comes out on top of them."""

    def by_number(answer, asked):
        one, other = (int(number) for number in re.findall(r"Title: Idea asked for as number (\d+)", asked.text))
        better = "A" if one > other else "B"
        return {name: {"reason": "the number", "better": better} for name in answer}

    ideation = generate(
        serve(answering(Sketch=numbered, Comparison=by_number)),
        method=METHOD,
        **SMALL | {"tournament_rounds": 3, "generations": 0},
    )
    drafts = [one.earlier_drafts[0] if one.earlier_drafts else one.idea for one in ideation.candidates]
    numbers = [int(idea.title.split()[-1]) for idea in drafts]
    assert numbers == sorted(numbers, reverse=True)
    assert [one.win_rate for one in ideation.candidates] == [1.0, 0.5, 0.0]


def test_an_idea_that_narrowly_beats_its_parent_in_the_last_round_comes_out_before_it(generate, serve):
    def narrowly(answer, asked):
        one, other = (int(number) for number in re.findall(r"Title: Idea asked for as number (\d+)", asked.text))
        newer, older = ("A", "B") if one > other else ("B", "A")
        won = set(answer) - ({"novelty", "clarity"} if "Bred." in asked.text else set())
        return {name: {"reason": "age", "better": newer if name in won else older} for name in answer}

    def bred_or_not(answer, asked):
        return numbered(answer, asked) | {"check": "Bred." if "did well in comparison" in asked.text else "First."}

    server = serve(answering(Sketch=bred_or_not, Comparison=narrowly))
    ideation = generate(server, method=METHOD, experiment=False, **SMALL | {"population": 2, "offspring": 1})
    assert ideation.best.earlier_drafts[0].check == "Bred."


@pytest.mark.slow
def test_no_pair_is_compared_twice_and_all_comparisons_are_reported(generate, serve):
    ideation = generate(serve(), method=METHOD, **SMALL | {"tournament_rounds": 6})
    seats = [(match.first_id, match.second_id) for match in ideation.matches]
    assert len(seats) == len(set(seats)) == 5 * 4, "five ideas, every pair in both orders"
    known = {idea.id for one in ideation.candidates for idea in (one.idea, *one.earlier_drafts)}
    assert {idea_id for pair in seats for idea_id in pair} <= known


def test_before_a_date_nothing_later_is_read_or_cited(generate, serve):
    server = serve(
        answering(
            Proposal=lambda answer, asked: answer | {"other_works": ["Widget learners that plan"]},
            Likeness=lambda answer, asked: answer | {"recalled": ["Widget learners that plan"]},
        )
    )
    ideation = generate(server, method=METHOD, before="2018-06-01", **SMALL)
    asked = "".join(each.text for each in server.asked)
    assert "Self-checking widget learners" not in asked
    assert "Widget learners that plan" not in asked
    assert all(paper.year < 2018 for paper in ideation.papers)
    assert "Widget learners that plan" not in ideation.model_dump_json()


def test_before_the_first_paper_nothing_is_requested(generate, serve):
    server = serve()
    ideation = generate(server, method=METHOD, before="1990-01-01")
    assert ideation.candidates == ()
    assert ideation.notes == ("No paper near the topic was found.",)
    assert server.asked == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "note"),
    [
        ("Appraisal", "3 of 3 reviews were unusable"),
        ("Comparison", "1 of 1 comparisons of a round were unreadable"),
        ("Lessons", "the meta-review gave no usable answer"),
        ("Proposal", "could not be written up"),
    ],
)
def test_an_unusable_answer_costs_no_idea_and_is_reported(generate, serve, form, note):
    server = serve(answering(**{form: lambda answer, asked: ScriptedAnswer("No.", refusal="No.")}))
    ideation = generate(server, method=METHOD, experiment=False, **SMALL)
    assert len(ideation.candidates) == 5
    assert any(note in each for each in ideation.notes)


def test_without_a_usable_idea_there_is_none_and_a_note(generate, serve):
    server = serve(answering(Sketch=lambda answer, asked: ScriptedAnswer("No.", refusal="No.")))
    ideation = generate(server, method=METHOD, **SMALL)
    assert ideation.candidates == ()
    assert ideation.notes[-1] == "The writer gave no usable idea."
    assert set(server.forms()) == {"Sketch"}


@pytest.mark.slow
def test_when_nothing_new_comes_the_tournament_ends_with_what_there_is(generate, serve):
    def only_first(asked):
        bred = asked.form == "Sketch" and "did well in comparison" in asked.text
        return ScriptedAnswer("No.", refusal="No.") if bred else None

    ideation = generate(serve(only_first), method=METHOD, **SMALL | {"generations": 3})
    assert len(ideation.candidates) == 3
    assert ideation.notes == ("Generation 1: 2 of 2 ideas were unusable or duplicates.",)


@pytest.mark.slow
def test_the_order_in_which_answers_come_in_changes_nothing(generate, serve):
    rng = random.Random(1)
    quiet = generate(serve(), method=METHOD, **SMALL)

    def dawdling(asked):
        return (
            ScriptedAnswer(status=503, headers={"retry-after-ms": str(rng.randint(1, 30))})
            if rng.random() < 0.2
            else None
        )

    assert generate(serve(dawdling), method=METHOD, **SMALL) == quiet


# The pure parts


def contender(name, rating=INITIAL, played=0):
    sketch = Sketch(title=name * 4, problem="", approach="", difference="", check="", rival="", summary="", query="")
    idea = Idea(topic="t", title=name * 4, motivation="", novelty="", method="", summary="")
    return Contender(SketchedIdea(sketch, idea), rating=rating, played=played)


def test_like_ideas_meet_first():
    field = [contender(name) for name in "abcd"]
    alike = np.array([[1, 0.1, 0.9, 0.2], [0.1, 1, 0.3, 0.4], [0.9, 0.3, 1, 0.0], [0.2, 0.4, 0.0, 1]])
    assert pairings(field, alike, set()) == [(0, 2), (1, 3)]


def test_who_has_met_does_not_meet_again_and_a_new_idea_finds_its_place_soon():
    field = [contender("a", played=4), contender("b", played=4), contender("c")]
    alike = np.eye(3)
    assert pairings(field, alike, {frozenset((field[0].id, field[2].id))}) == [(1, 2)]


def test_a_new_idea_first_meets_what_is_most_like_it_and_not_another_new_one():
    parent, other = contender("a", rating=1216.0, played=1), contender("b", rating=1184.0, played=1)
    field = [parent, other, contender("c"), contender("d")]
    alike = np.array([[1, 0.1, 0.9, 0.2], [0.1, 1, 0.2, 0.8], [0.9, 0.2, 1, 0.3], [0.2, 0.8, 0.3, 1]])
    assert pairings(field, alike, set()) == [(0, 2), (1, 3)]


def test_nobody_is_left_to_play_when_all_have_met():
    field = [contender("a"), contender("b")]
    assert pairings(field, np.eye(2), {frozenset(one.id for one in field)}) == []
    assert pairings([], np.zeros((0, 0)), set()) == []


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.floats(0, 1)).filter(lambda pair: pair[0] != pair[1])),
    st.randoms(),
)
def test_a_round_gives_and_takes_equally_and_has_no_order(drawn, rng):
    ratings = {str(number): INITIAL + 50 * number for number in range(5)}
    played = [PairResult(str(one), str(other), share) for one, other, share in drawn]
    after = updated_ratings(ratings, played)
    assert sum(after.values()) == pytest.approx(sum(ratings.values()))
    shuffled = rng.sample(played, len(played))
    assert updated_ratings(ratings, shuffled) == pytest.approx(after)


def test_a_win_against_a_better_idea_is_worth_more():
    ratings = {"strong": 1400.0, "weak": 1200.0}
    upset = updated_ratings(ratings, [PairResult("weak", "strong", 1.0)])["weak"] - 1200.0
    expected = updated_ratings(ratings, [PairResult("strong", "weak", 1.0)])["strong"] - 1400.0
    assert upset == pytest.approx(32 * (1 - 1 / (1 + 10**0.5)))
    assert upset > 3 * expected


def test_ideas_that_are_nearest_to_one_another_are_one_group():
    alike = np.array([[1, 0.9, 0, 0], [0.9, 1, 0.1, 0], [0, 0.1, 1, 0.8], [0, 0, 0.8, 1]])
    number = similarity_groups(alike)
    assert number[0] == number[1] != number[2] == number[3]
    assert similarity_groups(np.eye(1)) == [0]


def test_the_best_come_first_and_equals_stay_in_their_order():
    field = [contender("a"), contender("b", 1300.0), contender("c")]
    assert [one.sketched.idea.title[0] for one in ranked_contenders(field)] == ["b", "a", "c"]


@pytest.mark.parametrize("name", ["evolution_seed", "evolution_review", "evolution_change", "evolution_lessons"])
def test_every_question_has_a_short_form_with_the_same_needs(name):
    book = PromptBook()
    usual, small = book.get(name), book.get(name, small=True)
    assert small is not usual
    assert (small.needs, small.returns) == (usual.needs, usual.returns)
