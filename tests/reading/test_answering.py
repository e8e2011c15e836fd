"""Answers out of evidence: what they cite is there. And the short forms of the explorer's questions."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reading.conftest import (
    LIBRARY,
    PAPER,
    QUESTION,
    answering,
    finding,
    kites_count,
    searching,
)

from novum.core import Exploration
from novum.llm.offline.interview import interview
from novum.llm.schema import schema_text
from novum.llm.wire import ChatReply, ChatRequest
from novum.prompts import PromptBook
from novum.reading.exploration import ExplorationSession, ask
from novum.reading.exploration.answering import EvidenceAnswer, check_citations
from novum.reading.exploration.explore import WeaknessQuestion, WholeQuestion
from novum.reading.exploration.findings import Finding, verbatim
from novum.reading.exploration.open_problems import Prospects
from novum.reading.exploration.queries import Sharper, new_queries


def test_every_sentence_says_what_it_rests_on_or_is_flagged(at_desk, serve):
    told = "Kites fly by lift [E1, E2]. Tails help. [E3] Everybody knows that. Silk is best [E44]; see [7]."
    answer = {"answer": told, "gaps": "Rain [E1].", "stated_open": "Snow [E2]."}
    server = serve(answering(Finding=finding(kites_count), EvidenceAnswer=lambda _, asked: answer))
    found = at_desk(server, lambda lab: ask(ExplorationSession(lab), QUESTION))
    assert isinstance(found, Exploration)
    assert [(each.cites, each.unknown, each.grounded) for each in found.reply.sentences] == [
        ((1, 2), (), True),
        ((3,), (), True),
        ((), (), False),
        ((), ("E44", "7"), False),
    ]
    assert found.reply.text.startswith("Kites fly by lift [1, 2]. Tails help [3]. Everybody knows that.")
    assert "[unresolved: E44]" in found.reply.text
    assert (found.reply.gaps, found.reply.stated_open) == ("Rain [1].", "Snow [2].")


@pytest.mark.parametrize(
    ("told", "cites"),
    [
        ("It flies [E1–E3].", (1, 2, 3)),
        ("It flies [E2 and 3].", (2, 3)),
        ("It flies 【E1】.", (1,)),
        ("E1 is a gene.", ()),
    ],
)
def test_labels_are_read_however_they_are_written(told, cites):
    (sentence,) = check_citations(told, 5)
    assert sentence.cites == cites


@given(st.text(), st.integers(0, 20))
def test_no_answer_cites_what_is_not_there(text, known):
    assert all(1 <= place <= known for sentence in check_citations(text, known) for place in sentence.cites)


@given(st.text(alphabet="ab [E123,–and]", max_size=200))
def test_what_looks_like_our_citation_is_one(text):
    for sentence in check_citations(text, 3):
        shown = {
            int(place) for group in re.findall(r"\[(\d+(?:, \d+)*)\]", sentence.text) for place in group.split(", ")
        }
        assert shown <= set(sentence.cites)


def test_without_evidence_no_answer_is_asked_for(at_desk, serve):
    server = serve(answering(Finding=finding(lambda text: 1), Sharper=searching()))
    found = at_desk(server, lambda lab: ask(ExplorationSession(lab), QUESTION))
    assert found.reply is None
    assert "EvidenceAnswer" not in server.forms()
    assert "no answer was written" in found.notes[-1]


@pytest.mark.parametrize(
    ("quote", "there"),
    [
        ("kites  FLY because wind makes lift", "Kites fly because wind makes lift."),
        ("“Kites fly, because wind makes lift.”", "Kites fly because wind makes lift."),
        ("Kites fly because of magic", ""),
        ("Kites", ""),
        ("", ""),
    ],
)
def test_a_quotation_stands_in_the_passage_or_is_dropped(quote, there):
    assert verbatim(quote, LIBRARY[0][2]) == there


def test_hostile_queries_become_plain_new_lines():
    given_queries = ['"kite" \n tail', "KITE tail!", "   ", "known one", "x" * 5000]
    assert [len(each) for each in new_queries(given_queries, ["Known One"])] == [9, 160]


# The short forms for a very small model


SHOWN = [
    {"label": "E1", "paper": PAPER, "section": "", "account": False, "summary": "It lifts.", "quote": "",
     "passage": PAPER.abstract},
]  # fmt: skip
SHORT_FORMS = [
    ("judge_passage", Finding, {"question": QUESTION, "paper": PAPER, "section": "", "text": "x", "origin": "summary"}),
    ("next_queries", Sharper,
     {"question": QUESTION, "read": [], "at_hand": {}, "asked": [], "least_score": 6, "lacking": "", "count": 2}),
    ("answer_from_evidence", EvidenceAnswer, {"question": QUESTION, "weakness": "", "evidence": SHOWN, "unread": []}),
    ("open_problems", Prospects, {"question": QUESTION, "evidence": SHOWN}),
    ("ask_about_weakness", WeaknessQuestion, {"idea": "A kite.", "weakness": "It swings.", "count": 2}),
    ("restate_question", WholeQuestion, {"talk": [{"question": QUESTION, "answer": "Lift."}], "asked": "And tails?"}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "form", "needs"), SHORT_FORMS, ids=[each[0] for each in SHORT_FORMS])
def test_plain_answers_to_the_questions_of_a_short_form_make_its_typed_answer(name, form, needs):
    messages = PromptBook().get(name, small=True).render(needs).messages
    talk = interview(ChatRequest(messages, 0.0, 600, 7, schema_text(form, "small"), form.__name__))
    said = iter(f"Answer number {number} is this." for number in range(50))
    words, question = {"score": "7", "kind": '"result"', "basis": '"stated"', "evidence": '"E1"'}, next(talk)
    with pytest.raises(StopIteration) as done:
        while True:
            question = talk.send(ChatReply(words.get(question.schema_name, next(said)), "", "stop", "", 1, 1))
    answer = form.model_validate_json(done.value.value.content)
    assert "Answer number" in answer.model_dump_json()
    assert getattr(answer, "score", 7) == 7
    assert [each.evidence for each in getattr(answer, "problems", [])] == ["E1"] * (name == "open_problems")
