"""The AI Scientist's idea stage: an archive that grows, reflection, and searches for who has done it already."""

from __future__ import annotations

import json
import random

import pytest
from tests.methods.conftest import LINE
from tests.methods.test_chain_of_ideas import answering

from novum.methods.ai_scientist import ArchivedIdea
from novum.prompts import PromptBook
from novum.testing import ScriptedAnswer, plausible_answer

METHOD = "ai-scientist"


def asked_as(server, form):
    return [asked.text for asked in server.asked if asked.form == form]


def of_the_first_idea(text):
    """Whether an idea is told that the first thought of a run proposed."""
    return "Your notebook so far" not in text


def test_ideas_come_one_after_the_other_each_reflected_on_searched_for_and_checked(generate, serve):
    server = serve()
    ideation = generate(server, method=METHOD, ideas=2, searches=2)
    assert len(ideation.candidates) == 2
    assert ideation.notes == ()
    assert all(candidate.checks[-1].nearest for candidate in ideation.candidates)
    idea = ideation.best.idea
    assert all((idea.title, idea.motivation, idea.novelty, idea.method, idea.summary)), "the form of all generators"
    assert idea.generator == METHOD
    assert ideation.experiment.idea_id == idea.id
    of_each = ["Thought", "Reflection", "PriorSearches", "PriorSearches", "Proposal", "Likeness"]
    assert server.forms() == [*of_each, *of_each, "Design", "Critique", "Assessments", "Revision"]


def test_the_prompt_of_the_next_idea_shows_all_before_it(generate, serve):
    server = serve(answering(Reflection=lambda answer, asked: answer | {"title": f"Idea of call {asked.number}"}))
    generate(server, method=METHOD, ideas=3, experiment=False)
    first, second, third = asked_as(server, "Thought")
    assert "Idea of call" not in first
    assert second.count("Idea of call") == 1
    assert third.count("Idea of call") == 2


def test_of_many_long_ideas_the_latest_are_shown_too():
    archive = [ArchivedIdea(f"Idea {number} of many", "long " * 400, "A known paper " * 20) for number in range(19)]
    needs = {"topic": "widgets", "papers": [], "archive": archive}
    (*_, user) = PromptBook().get("scientist_idea").render(needs).messages
    assert all(f"Idea {number} of many" in user.content for number in range(19))


@pytest.mark.parametrize(("papers", "notes"), [(6, 1), (0, 0)])
def test_an_author_who_finds_nothing_to_start_from_says_so(generate, serve, papers, notes):
    options = {"start_papers": papers, "ideas": 1, "experiment": False}
    ideation = generate(serve(), method=METHOD, before="1990-01-01", **options)
    assert len(ideation.candidates) == 1
    assert len([note for note in ideation.notes if "holds no paper on this topic" in note]) == notes


def test_an_idea_found_known_stays_in_the_archive_and_in_the_report_and_ranks_last(generate, serve):
    known = []

    def likeness(answer, asked):
        known.append(asked.text) if not known else None
        return answer | {"known": "yes" if asked.text == known[0] else "no", "closest": "P1"}

    server = serve(answering(Likeness=likeness))
    ideation = generate(server, method=METHOD, ideas=2, experiment=False)
    assert [candidate.checks[-1].novel for candidate in ideation.candidates] == [True, False]
    named = {paper.id: paper.title for paper in ideation.papers}[ideation.candidates[1].checks[-1].closest_id]
    assert f"Turned out to be known from: {named}" in asked_as(server, "Thought")[1]


@pytest.mark.parametrize(("content", "rounds"), [(True, 1), (False, 3)])
def test_reflection_ends_when_the_author_is_content_or_the_rounds_are_used_up(generate, serve, content, rounds):
    server = serve(answering(Reflection=lambda answer, asked: answer | {"done": content}))
    generate(server, method=METHOD, ideas=1, reflections=3, experiment=False)
    assert server.forms().count("Reflection") == rounds


def test_the_authors_marks_put_ideas_in_order(generate, serve):
    def marked(answer, asked):
        mark = 2 if of_the_first_idea(asked.text) else 9
        return answer | {"interestingness": mark, "feasibility": mark, "novelty": mark, "title": f"Worth {mark}"}

    def titled(answer, asked):
        return answer | {"title": "Worth 9" if "Idea: Worth 9" in asked.text else "Worth 2"}

    server = serve(answering(Thought=marked, Proposal=titled))
    ideation = generate(server, method=METHOD, ideas=2, reflections=0, experiment=False)
    assert [candidate.idea.title for candidate in ideation.candidates] == ["Worth 9", "Worth 2"]


def test_what_the_authors_searches_bring_is_put_before_the_writer(generate, serve):
    server = serve(answering(PriorSearches=lambda answer, asked: answer | {"queries": ["soup cooking altitude"]}))
    generate(server, method=METHOD, ideas=1, start_papers=1, experiment=False)
    (written,) = asked_as(server, "Proposal")
    assert "Cooking soup at altitude" in written
    assert server.forms().count("PriorSearches") == 2, "the same query again ends the search"


def test_a_search_without_queries_ends_the_searching(generate, serve):
    server = serve(answering(PriorSearches=lambda answer, asked: answer | {"queries": []}))
    ideation = generate(server, method=METHOD, ideas=1, searches=5, experiment=False)
    assert server.forms().count("PriorSearches") == 1
    assert ideation.best.checks[-1].nearest, "the idea's own text still finds what to compare with"


def test_before_a_date_nothing_later_is_shown_or_cited(generate, serve):
    later = "Widget learners that plan"
    server = serve(
        answering(
            PriorSearches=lambda answer, asked: answer | {"queries": ["planning widget learners", "soup at altitude"]},
            Proposal=lambda answer, asked: answer | {"other_works": [later]},
            Likeness=lambda answer, asked: answer | {"recalled": [later]},
        )
    )
    ideation = generate(server, method=METHOD, before="2018-06-01", ideas=2)
    assert all(paper.year < 2018 for paper in ideation.papers)
    assert later not in ideation.model_dump_json()
    shown = "".join(asked.text for asked in server.asked)
    assert "Self-checking widget learners" not in shown
    assert "Cooking soup" not in shown
    assert later not in shown


def test_one_idea_without_a_usable_answer_costs_only_that_idea(generate, serve):
    def script(asked):
        return "No." if asked.form == "Thought" and of_the_first_idea(asked.text) else None

    broken = []

    def first_fails(asked):
        if asked.form == "Thought" and len(broken) < 3:
            broken.append(asked.number)
            return "No."
        return None

    ideation = generate(serve(first_fails), method=METHOD, ideas=2, experiment=False)
    assert len(ideation.candidates) == 1
    assert ideation.notes == ("Idea 1: the writer gave nothing usable.",)
    ideation = generate(serve(script), method=METHOD, ideas=2)
    assert ideation.candidates == ()
    assert len(ideation.notes) == 2


def test_after_reflection_the_writer_reads_what_suggests_the_idea_apart_from_what_was_weak(generate, serve):
    def reflected(answer, asked):
        return answer | {"weakness": f"Weak at {asked.text.count('Weak at')}.", "reasoning": "It follows from [P1]."}

    server = serve(answering(Reflection=lambda answer, asked: reflected(answer, asked) | {"done": False}))
    generate(server, method=METHOD, ideas=1, reflections=2, experiment=False)
    first, second = asked_as(server, "Reflection")
    assert "What you found weak in earlier rounds" not in first
    assert "1. Weak at 0." in second
    (written,) = asked_as(server, "Proposal")
    grounds = written.partition("What suggests it")[2].partition("Weaknesses of earlier versions")
    assert "It follows from [P1]." in grounds[0]
    assert "Weak at 0." in grounds[2]
    assert "Weak at 1." in grounds[2]


def test_papers_that_the_author_starts_from_do_not_crowd_out_what_the_searches_bring(generate, serve):
    later = [(f"new{n}", f"Gadget maps part {n}", 2015, [], 1, f"gadgets maps part {n}") for n in range(6)]
    server = serve(answering(PriorSearches=lambda answer, asked: answer | {"queries": ["gadget maps", "widgets"]}))
    generate(server, method=METHOD, papers=[*LINE, *later], ideas=1, start_papers=6, searches=2, experiment=False)
    (written,) = asked_as(server, "Proposal")
    assert written.count("Gadget maps part") == 6


def test_the_experiment_of_the_best_idea_starts_from_its_authors_test(generate, serve):
    server = serve(answering(Reflection=lambda answer, asked: answer | {"test": "Weigh widgets as [P1] does."}))
    generate(server, method=METHOD, ideas=1, refinements=0)
    (designed,) = asked_as(server, "Design")
    assert "Weigh widgets as " in designed
    assert "Weigh widgets as [P1]" not in designed, "its labels mean nothing to whoever designs"


def test_without_reflection_the_writer_reads_of_no_weaknesses(generate, serve):
    server = serve()
    generate(server, method=METHOD, ideas=1, reflections=0, experiment=False)
    assert "Weaknesses of earlier versions" not in asked_as(server, "Proposal")[0]


def test_an_unusable_reflection_leaves_the_idea_as_it_was(generate, serve):
    ideation = generate(
        serve(answering(Reflection=lambda answer, asked: "Hm.")), method=METHOD, ideas=1, experiment=False
    )
    assert ideation.best is not None
    assert "reflection 1 gave nothing usable" in ideation.notes[0]


def test_unusable_searches_and_checks_leave_the_verdict_open_at_most(generate, serve):
    ideation = generate(
        serve(answering(PriorSearches=lambda answer, asked: "Hm.", Likeness=lambda answer, asked: "Hm.")),
        method=METHOD, ideas=1, experiment=False,
    )  # fmt: skip
    assert ideation.best.checks[-1].novel is None
    assert "ended early" in ideation.notes[0]


def test_delays_change_nothing(generate, serve):
    rng = random.Random(0)

    def dawdling(asked):
        return (
            ScriptedAnswer(status=503, headers={"retry-after-ms": str(rng.randint(1, 20))})
            if rng.random() < 0.2
            else None
        )

    assert generate(serve(dawdling), method=METHOD, ideas=2) == generate(serve(), method=METHOD, ideas=2)


def test_an_idea_that_comes_twice_is_one(generate, serve):
    same = json.dumps({"always": "the same"})

    def proposal(asked):
        return plausible_answer([{"content": same}], asked.schema) if asked.form == "Proposal" else None

    ideation = generate(serve(proposal), method=METHOD, ideas=2, experiment=False)
    assert len(ideation.candidates) == 1
    assert ideation.notes == ("1 of the ideas were identical to another one.",)
