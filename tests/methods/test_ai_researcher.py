"""Over-generate and rank: graded papers, many seeds, twins out, proposals, a Swiss tournament."""

from __future__ import annotations

import json
import random
import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.test_chain_of_ideas import answering

from novum.idea_metrics.near_duplicates import distinct_rows
from novum.methods.ai_researcher.seeds import SeedBatches
from novum.testing import ScriptedAnswer, plausible_answer

METHOD = "ai-researcher"
QUICK = {"method": METHOD, "seeds": 4, "batch": 2, "proposals": 3, "similarity": 1.0, "experiment": False}


def asked_as(server, form):
    return [asked.text for asked in server.asked if asked.form == form]


def numbered_seeds(asked):
    """As many seeds as asked for, each about something else."""
    if asked.form != "Seeds":
        return None
    answer = json.loads(plausible_answer(asked.messages, asked.schema))
    return json.dumps(
        {"seeds": [seed | {"title": f"Seed {asked.number} {n}"} for n, seed in enumerate(answer["seeds"])]}
    )


def test_a_topic_becomes_proposals_in_the_order_of_a_tournament(generate, serve):
    server = serve()
    ideation = generate(server, method=METHOD, seeds=6, batch=3, proposals=4, similarity=1.0)
    assert len(ideation.candidates) == 4
    assert all(candidate.win_rate is not None for candidate in ideation.candidates)
    assert ideation.experiment.idea_id == ideation.best.idea.id
    forms = server.forms()
    assert forms.count("Seeds") == 2
    assert forms.count("Proposal") == 4
    assert forms.count("Acceptance") == 3 * 2 * 2, "four meet in three rounds of two pairs, each in both orders"


def test_half_of_the_batches_have_papers_and_later_ones_know_the_titles_of_earlier_ones(generate, serve):
    server = serve(numbered_seeds)
    generate(server, **QUICK | {"seeds": 8})
    asked = asked_as(server, "Seeds")
    assert sum("Papers that a search for the topic found" in text for text in asked) == 2
    told = [text for text in asked if "Ideas that exist already" in text]
    assert len(told) == 2
    assert all(text.count("Seed ") == 4 for text in told)


def test_papers_are_kept_by_the_readers_grades(generate, serve):
    def graded(answer, asked):
        lines = [line.split(". ", 1) for line in asked.text.splitlines() if line[:1] == "P" and line[1:2].isdigit()]
        marks = {label: 9 if "soup" in title.lower() else 1 for label, title in lines}
        return {
            "grades": [
                {"label": label, "reason": "r", "relevance": mark, "empirical": mark, "usefulness": mark}
                for label, mark in marks.items()
            ]
        }

    server = serve(answering(Grades=graded))
    generate(server, **QUICK | {"kept_papers": 1})
    for text in asked_as(server, "Proposal"):
        assert "Cooking soup at altitude" in text
        assert "Foundations of widget learning" not in text


def test_the_reader_may_ask_for_the_references_of_a_paper(generate, serve):
    filler = [(f"f{n}", f"Widget gadget learner {n}", 2015, [], 1, "widgets gadgets learning") for n in range(9)]
    hidden = ("hidden", "Sea shanties", 1999, [], 1, "songs of sailors")
    citing = ("citing", "Widgets and gadgets that learn", 2016, ["hidden"], 1, "widgets gadgets that learn")
    looked_up = answering(
        LiteratureSearches=lambda answer, asked: {"missing": "m", "queries": [], "references_of": ["P1"]},
        Grades=lambda answer, asked: {
            "grades": [
                {"label": f"P{n}", "reason": "r", "relevance": 9 - n, "empirical": 9 - n, "usefulness": 9 - n}
                for n in range(1, 9)
            ]
        },
    )
    server = serve(looked_up)
    generate(server, papers=[citing, *filler, hidden], **QUICK | {"searches": 1})
    assert any("Sea shanties" in text for text in asked_as(server, "Grades"))


def test_the_reader_sees_the_results_of_its_searches_and_ends_when_it_repeats_one(generate, serve):
    far = ("far", "Sea shanties", 1999, [], 1, "songs of sailors")
    citing = ("citing", "Widgets and gadgets that learn", 2016, ["hidden"], 1, "widgets gadgets that learn")
    hidden = ("hidden", "Gears of clocks", 1998, [], 1, "brass escapements")
    filler = [(f"f{n}", f"Widget gadget learner {n}", 2015, [], 1, "widgets gadgets learning") for n in range(9)]

    def graded(answer, asked):
        marks = {"Widgets and gadgets that learn": 9, "Sea shanties": 2}
        listed = [line.split(". ", 1) for line in asked.text.splitlines() if line[:1] == "P" and line[1:2].isdigit()]
        return {
            "grades": [
                {"label": label, "reason": "r", "relevance": mark, "empirical": mark, "usefulness": mark}
                for label, title in listed
                if (mark := marks.get(title.split(": ")[1], 5))
            ]
        }

    def searches(answer, asked):
        return {"missing": "m", "queries": ["sailors songs", "   "], "references_of": ["P1"]}

    server = serve(answering(LiteratureSearches=searches, Grades=graded))
    generate(server, papers=[citing, *filler, hidden, far], **QUICK | {"searches": 3})
    first, second = asked_as(server, "LiteratureSearches")
    assert "Looked for already" not in first
    assert re.search(r"sailors songs: \d new papers, best grade 5\.0", second)
    assert "references of Smith 2016, Widgets and gadgets that learn: nothing new" in second


def test_near_duplicates_are_left_out_and_reported(generate, serve):
    seed = {"title": "Seed", "problem": "Widgets fail.", "approach": "Turn them.", "test": "Count."}
    ideation = generate(
        serve(answering(Seeds=lambda answer, asked: {"seeds": [seed, seed]})), **QUICK | {"similarity": 0.95}
    )
    assert len(ideation.candidates) == 1
    assert "3 of 4 seeds were dropped as near-duplicates of another one." in ideation.notes


def test_seeds_that_the_lot_passes_over_are_named(generate, serve):
    ideation = generate(serve(numbered_seeds), **QUICK | {"proposals": 1})
    (note,) = ideation.notes
    assert note.startswith("Not written out")
    assert note.count("«Seed ") == 3


def test_a_judge_who_likes_the_first_seat_decides_nothing(generate, serve):
    ideation = generate(serve(answering(Acceptance=lambda answer, asked: {"reason": "r", "accepted": "A"})), **QUICK)
    assert {candidate.win_rate for candidate in ideation.candidates} == {0.5}


def test_the_tournament_finds_the_best_proposal(generate, serve):
    def titled(answer, asked):
        return answer | {"title": f"Worth {asked.number:03}"}

    def better(answer, asked):
        a, b = (asked.text.split(f"Proposal {seat}:")[1].split("Worth ")[1][:3] for seat in "AB")
        return {"reason": "proposal A and proposal B differ", "accepted": "A" if a > b else "B"}

    ideation = generate(serve(answering(Proposal=titled, Acceptance=better)), **QUICK | {"seeds": 8, "proposals": 6})
    worth = [candidate.idea.title for candidate in ideation.candidates]
    assert worth == sorted(worth, reverse=True)
    assert "«Worth" in ideation.matches[0].verdicts[0].reason


def test_an_unreadable_choice_wins_for_nobody(generate, serve):
    ideation = generate(serve(answering(Acceptance=lambda answer, asked: "Both.")), **QUICK)
    assert [candidate.win_rate for candidate in ideation.candidates] == [None] * 3
    assert all(match.failure and not match.verdicts for match in ideation.matches)


def test_before_a_date_nothing_later_is_shown_or_cited(generate, serve):
    later = "Widget learners that plan"
    server = serve(
        answering(
            LiteratureSearches=lambda answer, asked: answer | {"queries": ["planning widget learners", "soup"]},
            Proposal=lambda answer, asked: answer | {"other_works": [later]},
        )
    )
    ideation = generate(server, before="2018-06-01", **QUICK)
    assert all(paper.year < 2018 for paper in ideation.papers)
    assert later not in ideation.model_dump_json()
    shown = "".join(asked.text for asked in server.asked)
    assert "Self-checking widget learners" not in shown
    assert "Cooking soup" not in shown
    assert later not in shown


def test_seeds_that_rest_on_no_paper_are_reported(generate, serve):
    ideation = generate(serve(), before="1990-01-01", **QUICK)
    assert len(ideation.candidates) == 3
    assert any("holds no paper on this topic" in note for note in ideation.notes)


def test_without_usable_seeds_there_is_no_idea_and_a_note_says_so(generate, serve):
    ideation = generate(serve(answering(Seeds=lambda answer, asked: "No.")), **QUICK)
    assert ideation.candidates == ()
    assert ideation.notes[-1] == "The writer gave no usable seeds."


def test_an_unusable_proposal_costs_only_its_seed(generate, serve):
    refused = []

    def proposal(answer, asked):
        seed = asked.text.split("The short idea:")[1].splitlines()[2]
        refused.append(seed) if not refused else None
        return "No." if seed == refused[0] else answer

    ideation = generate(serve(answering(Proposal=proposal)), **QUICK | {"proposals": 4})
    assert len(ideation.candidates) == 3
    assert ideation.notes == (f"The writer gave no usable proposal for the seed «{refused[0]}».",)


def test_without_grades_the_library_decides(generate, serve):
    ideation = generate(serve(answering(Grades=lambda answer, asked: "No.")), **QUICK)
    assert len(ideation.candidates) == 3
    assert any("chosen by their similarity" in note for note in ideation.notes)


def test_the_order_in_which_answers_come_in_changes_nothing(generate, serve):
    rng = random.Random(0)

    def dawdling(asked):
        return (
            ScriptedAnswer(status=503, headers={"retry-after-ms": str(rng.randint(1, 20))})
            if rng.random() < 0.2
            else None
        )

    assert generate(serve(dawdling), **QUICK) == generate(serve(), **QUICK)


def test_batches_add_up_to_the_requested_seeds():
    assert SeedBatches(12, 5).sizes == [5, 5, 2]
    assert SeedBatches(10, 5).sizes == [5, 5]
    assert SeedBatches(3, 5).sizes == [3]


@given(st.integers(1, 8), st.floats(0.1, 0.99), st.integers(0, 1000))
def test_what_is_kept_differs_pairwise_and_what_is_left_out_is_like_something_kept(count, similarity, seed):
    vectors = np.random.default_rng(seed).normal(size=(count, 3)).astype(np.float32)
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    kept = distinct_rows(vectors, similarity)
    assert kept[0] == 0
    for place in range(count):
        cosines = [float(units[place] @ units[one]) for one in kept if one < place]
        assert (place in kept) == all(cosine < similarity for cosine in cosines)


def test_a_seed_without_words_is_no_near_duplicate():
    assert distinct_rows(np.zeros((2, 3), np.float32), 0.5) == [0, 1]
