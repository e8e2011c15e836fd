"""A very small model is asked one plain question at a time: what it says in them makes a usable answer."""

from __future__ import annotations

import json

import pytest

from novum.core import Idea, NoveltyCheck, Paper
from novum.llm.offline.interview import fits_interview, interview
from novum.llm.schema import schema_text
from novum.llm.wire import ChatReply, ChatRequest
from novum.methods.evolution.population import Contender, ContenderReview
from novum.methods.evolution.questions import Appraisal, Lessons
from novum.methods.experiment_design import Design
from novum.methods.personas import Persona
from novum.methods.portfolio.development import STANCES, Attack, RevisedProposal
from novum.methods.portfolio.seeds import WrittenSeeds
from novum.methods.proposal import Proposal
from novum.methods.real_paper import BlindIdea
from novum.methods.sketch import Sketch, SketchedIdea
from novum.methods.virtual_team import Ballot, Remark, Statement
from novum.prompts import PromptBook
from novum.reading import Bibliography

PAPERS = [
    Paper(title="Deep widgets", year=2012, abstract="On widgets."),
    Paper(title="Gadgets", abstract="On gadgets."),
]
SHELF = Bibliography(PAPERS).entries
MEMBER = Persona("member A", tuple(PAPERS))
SKETCH = Sketch(title="Maps", problem="p", approach="a", difference="d", check="c", rival="r", summary="s", query="q")
IDEA = Idea(topic="t", title="Maps", motivation="m", novelty="n", method="m", summary="s")
ONE = SketchedIdea(SKETCH, IDEA, (NoveltyCheck(idea_id=IDEA.id, round=1, novel=None),))
TWO = Contender(ONE, ContenderReview(("good",), ("bad",), "mend"))
TEAM = {"topic": "t", "member": MEMBER, "papers": SHELF[:1], "common": SHELF[1:], "others": []}
SAID = [Statement(MEMBER, "Take the map.")]
SOURCE = {"title": "Deep widgets", "text": "On widgets.", "limit": 900, "cited": SHELF, "leaks": []}
ATTACKS = [{"number": 1, "label": "P1", "objection": "o", "overlap": "p", "check": "c", "rival": "r"}]
SHORT = {"title": "Maps", "problem": "p", "mechanism": "m", "test": "t", "nearest": ""}
CHAIN = [{"label": "P1", "citation": "c", "year": "2012", "title": "Deep widgets", "idea": "i", "linked_by": ""}]
CHANGE = {"topic": "t", "papers": SHELF, "taken": ["Maps"], "lessons": None}
CASES = [
    ("team_remark", Remark, TEAM | {"said": [], "own": ""}),
    ("team_remark", Remark, TEAM | {"said": SAID, "own": "I said so."}),
    ("team_proposal", Sketch, TEAM | {"said": SAID}),
    ("team_ballot", Ballot, {"topic": "t", "member": MEMBER, "proposals": [ONE, ONE, ONE]}),
    ("evolution_seed", Sketch, {"topic": "t", "papers": SHELF, "start": "gap", "leads": ["P2"]}),
    ("evolution_review", Appraisal, {"topic": "t", "idea": IDEA.text, "papers": SHELF}),
    ("evolution_change", Sketch, CHANGE | {"way": "mend", "parents": [TWO]}),
    ("evolution_change", Sketch, CHANGE | {"way": "combine", "parents": [TWO, TWO]}),
    ("evolution_change", Sketch, CHANGE | {"way": "simplify", "parents": [TWO]}),
    ("evolution_change", Sketch, CHANGE | {"way": "elsewhere", "parents": [TWO]}),
    ("evolution_lessons", Lessons, {"topic": "t", "field": [TWO], "debates": []}),
    ("portfolio_seeds_chain", WrittenSeeds, {"topic": "t", "count": 2, "aspect": "a", "papers": CHAIN}),
    ("portfolio_seeds_assumption", WrittenSeeds, {"topic": "t", "count": 2, "papers": SHELF}),
    ("portfolio_seeds_plain", WrittenSeeds, {"topic": "t", "count": 2}),
    ("portfolio_develop", Proposal, {"topic": "t", "seed": SHORT, "finding": "f", "papers": SHELF}),
    ("portfolio_attack", Attack, {"topic": "t", "idea": IDEA.text, "papers": SHELF, "stance": STANCES["whole"]}),
    ("portfolio_revise", RevisedProposal, {"topic": "t", "idea": IDEA.text, "attacks": ATTACKS, "papers": SHELF}),
    ("real_paper_idea", BlindIdea, SOURCE),
    ("real_paper_experiment", Design, SOURCE),
]


def said_to(asked):
    """A sentence, or what a form that is bound lets through."""
    if not asked.schema:
        return f"An answer to the question number {len(asked.messages[-1].content)} is given."
    leaf = json.loads(asked.schema)
    by_type = {"integer": 7, "boolean": True}.get(leaf.get("type"), "P1")
    return json.dumps(leaf["enum"][0] if "enum" in leaf else by_type)


@pytest.mark.parametrize(
    ("name", "form", "needs"), CASES, ids=[f"{number} {case[0]}" for number, case in enumerate(CASES)]
)
def test_plain_answers_make_the_whole_one(name, form, needs):
    book = PromptBook()
    rendered = book.get(name, small=True).render(needs)
    asking = ChatRequest(list(rendered.messages), 0.4, 600, 7, schema_text(form, "small"), form.__name__)
    assert fits_interview(asking)
    talk = interview(asking)
    try:
        asked = next(talk)
        while True:
            asked = talk.send(ChatReply(said_to(asked), "", "stop", "", 1, 1))
    except StopIteration as done:
        answer = form.model_validate_json(done.value.content)
    if isinstance(answer, Ballot):
        assert [each.points for each in answer.grades] == [7, 7, 7]
    assert book.get(name).render(needs).messages, "the usual form can be filled in with the same"
