"""The plain prompt: one question, no literature, and citations that are real or flagged."""

from __future__ import annotations

import json

from tests.methods.conftest import LINE

from novum.prompts import PromptBook
from novum.testing import plausible_answer


def naming(*titles):
    """A script whose ideas lean on these works."""

    def script(asked):
        if asked.form != "Proposal":
            return None
        return json.dumps(json.loads(plausible_answer(asked.messages, asked.schema)) | {"other_works": list(titles)})

    return script


def test_a_topic_becomes_one_idea_from_one_question_that_shows_no_paper(generate, serve):
    server = serve()
    ideation = generate(server, "deep widget learning", method="plain", experiment=False)
    assert server.forms() == ["Proposal"]
    assert ideation.best.idea.generator == "plain"
    (asked,) = server.asked
    assert "deep widget learning" in asked.text
    assert not [title for _, title, _, _, _, about in LINE if title in asked.text or about in asked.text]


def test_it_ends_in_an_experiment_as_all_methods_do(generate, serve):
    server = serve()
    assert generate(server, method="plain").experiment is not None
    assert server.forms() == ["Proposal", "Design", "Critique", "Revision"]


def test_works_that_the_writer_names_are_looked_up_before_the_day(generate, serve):
    server = serve(naming("Deep widget learning", "Widget learners that plan", "Nowhere to be found"))
    ideation = generate(server, method="plain", experiment=False, before="2018-06-01")
    resolved = {each.name: each.paper_id is not None for each in ideation.best.idea.citations}
    assert resolved["Deep widget learning"]
    assert not resolved.get("Nowhere to be found")
    assert "Widget learners that plan" not in {paper.title for paper in ideation.papers}


def test_a_writer_without_usable_answers_leaves_no_idea_and_a_note(generate, serve):
    ideation = generate(serve(lambda asked: "I would rather not say it in JSON."), method="plain")
    assert ideation.candidates == ()
    assert ideation.notes == ("The writer gave no usable idea.",)


def test_a_very_small_writer_gets_its_own_form():
    book = PromptBook()
    assert book.get("plain_idea", small=True).source != book.get("plain_idea").source
