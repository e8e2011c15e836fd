"""What docs/fidelity.md says of the steps, and no other test shows by itself."""

from __future__ import annotations

import pytest
from tests.methods.test_chain_of_ideas import WIDGETS, accepting, answering, one_query

from novum.core import Idea
from novum.judges.novelty import check_novelty


def test_without_usable_perspectives_the_topic_itself_is_searched_for(generate, serve):
    ideation = generate(serve(answering(Perspectives=lambda answer, asked: "No.")), "deep widget learning")
    assert [candidate.chain.query for candidate in ideation.candidates] == ["deep widget learning"]


def test_the_trends_are_told_with_the_entities_of_every_paper(generate, serve):
    def naming(answer, asked):
        title = next(line for line in asked.text.splitlines() if "(Smith, " in line).partition(" (")[0]
        return answer | {"entities": [{"name": f"thing of {title}", "description": "a thing"}]}

    server = serve(
        answering(Reading=naming, Assessments=accepting("widget"), Perspectives=one_query("deep widget learning"))
    )
    papers = generate(server).best.chain.papers
    (told,) = (asked.text for asked in server.asked if asked.form == "Transitions")
    assert len(papers) > 2
    assert all(f"thing of {paper.title}" in told for paper in papers)


def test_nothing_to_compare_with_is_no_proof_of_novelty():
    idea = Idea(topic="t", title="Widgets", motivation="m", novelty="n", method="w", summary="s")
    with pytest.raises(StopIteration) as done:
        next(check_novelty(idea, [], 1))
    assert done.value.value.novel is None


def test_a_novelty_check_without_a_usable_answer_leaves_the_verdict_open_and_the_idea_in(generate, serve):
    ideation = generate(serve(answering(Likeness=lambda answer, asked: "Hard to say.")), branches=2)
    assert ideation.candidates
    assert {check.novel for candidate in ideation.candidates for check in candidate.checks} == {None}


def test_an_idea_found_known_ranks_below_those_that_are_not(generate, serve):
    known = []

    def likeness(answer, asked):
        known.append(asked.text) if not known else None
        return answer | {"known": "yes" if asked.text == known[0] else "no", "closest": "P1"}

    tied = {
        name: {"reason": "equal", "better": "tie"}
        for name in ("novelty", "significance", "clarity", "feasibility", "effectiveness")
    }
    server = serve(answering(Likeness=likeness, Comparison=lambda answer, asked: tied))
    ranked = generate(server, branches=3, rounds=1).candidates
    assert [candidate.checks[-1].novel for candidate in ranked] == [True] * (len(ranked) - 1) + [False]


def test_two_refinements_are_two(generate, serve):
    server = serve()
    generate(server, branches=1, refinements=2)
    assert (server.forms().count("Critique"), server.forms().count("Revision")) == (2, 2)


def test_guided_by_the_library_no_model_reads_and_the_notes_say_so(generate, serve):
    server = serve(WIDGETS)
    ideation = generate(server, guide="library", branches=2)
    assert not {"Perspectives", "Assessments", "Reading"} & set(server.forms())
    assert "not read by a model" in ideation.notes[0]
