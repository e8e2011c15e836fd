"""The plain prompt: one question, no literature, and citations that are real or flagged."""

from __future__ import annotations

import json

import pytest
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
    assert server.forms() == ["Proposal", "Design", "Critique", "Assessments", "Revision"]


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


def numbered(best=3):
    """A script whose drafts have numbers in their titles; the judge prefers the draft numbered `best`."""
    drafts = iter(range(100))

    def script(asked):
        answer = json.loads(plausible_answer(asked.messages, asked.schema))
        if asked.form == "Proposal":
            number = next(drafts)
            words = " ".join(f"{word}{number}" for word in ("kappa", "lambda", "omega", "sigma", "theta"))
            return json.dumps(answer | {"title": f"Draft {number}: {words}", "summary": f"{words}. " * 9})
        if asked.form == "Comparison":
            first = asked.text.index("Idea A:") < asked.text.find(f"Draft {best}:") < asked.text.index("Idea B:")
            choice = {"reason": "the better one", "better": "A" if first else "B"}
            return json.dumps(dict.fromkeys(answer, choice))
        return None

    return script


def test_the_best_of_several_drafts_is_chosen_in_both_orders(generate, serve):
    server = serve(numbered())
    ideation = generate(server, method="plain-best-of-n", drafts=6, comparisons=8, experiment=False)
    assert ideation.best.idea.title.startswith("Draft 3:")
    assert ideation.best.idea.generator == "plain-best-of-n"
    assert server.forms().count("Proposal") == 6
    assert server.forms().count("Comparison") == len(ideation.matches) <= 16
    orders = {(match.first_id, match.second_id) for match in ideation.matches}
    assert {(second, first) for first, second in orders} == orders


def test_no_more_pairs_are_compared_than_the_options_allow(generate, serve):
    server = serve(numbered())
    generate(server, method="plain-best-of-n", drafts=6, comparisons=2, experiment=False)
    assert server.forms().count("Comparison") == 4


def test_near_duplicates_among_drafts_are_dropped_and_named(generate, serve):
    def same(asked):
        if asked.form != "Proposal":
            return None
        answer = json.loads(plausible_answer(asked.messages, asked.schema))
        return json.dumps(answer | {"title": "One and the same", "mechanism": "The same.", "summary": "The same idea."})

    server = serve(same)
    ideation = generate(server, method="plain-best-of-n", drafts=3, experiment=False)
    assert len(ideation.candidates) == 1
    assert "Comparison" not in server.forms()
    assert ideation.notes[0].startswith("Dropped as near-duplicates of another draft: «One and the same»")


def test_by_default_it_compares_many_drafts_and_checks_the_best(generate, serve):
    server = serve(numbered())
    ideation = generate(server, "deep widget learning", method="plain-best-of-n", experiment=False)
    assert server.forms().count("Proposal") == 20
    assert set(server.forms()) == {"Proposal", "Comparison", "Likeness"}
    assert [bool(each.checks) for each in ideation.candidates][:2] == [True, False]


def test_where_the_best_draft_is_known_the_next_best_comes_first(generate, serve):
    server = serve(known({"comparison": "It has the map already."}, "yes"))
    ideation = generate(
        server, "deep widget learning", method="plain-best-of-n", drafts=3, comparisons=0, experiment=False
    )
    novel = [each.checks[-1].novel if each.checks else None for each in ideation.candidates]
    assert novel[0] is True
    assert novel[-1] is False
    assert server.forms().count("Proposal") == 3, "no draft is written again"


def test_a_plain_draft_gets_the_novelty_check_and_the_write_up_of_other_methods(generate, serve):
    server = serve()
    ideation = generate(server, "deep widget learning", method="plain", novelty=True, write_up=True, experiment=False)
    assert [form for form in server.forms() if form != "Comparison"][:3] == ["Proposal", "Proposal", "Likeness"]
    assert ideation.best.checks[-1].idea_id == ideation.best.idea.id
    (_, written_up, *_) = server.asked
    assert "Write this idea up" in written_up.text


def known(answers, *verdicts):
    """A script whose checker gives these verdicts in turn, then "no"."""
    left = iter(verdicts)

    def script(asked):
        if asked.form != "Likeness":
            return None
        answer = json.loads(plausible_answer(asked.messages, asked.schema))
        return json.dumps(answer | {"known": next(left, "no"), "closest": "P1"} | answers)

    return script


@pytest.mark.parametrize(
    ("verdict", "demand"),
    [("yes", "Do not return to a draft that is already known"), ("partly", "state exactly what the idea does")],
)
def test_a_plain_draft_that_is_known_is_written_again_with_the_finding(generate, serve, verdict, demand):
    server = serve(known({"comparison": "It has the map already."}, verdict))
    ideation = generate(server, "deep widget learning", method="plain", novelty=True, experiment=False)
    first, second = [asked for asked in server.asked if asked.form == "Proposal"]
    assert demand not in first.text
    assert demand in second.text
    assert "It has the map already." in second.text
    assert len(ideation.best.checks) == 2


def test_a_very_small_writer_gets_its_own_form():
    book = PromptBook()
    assert book.get("plain_idea", small=True).source != book.get("plain_idea").source
