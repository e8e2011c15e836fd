"""A virtual team from topic to experiment: who is in it, what they are told, and how they come to one idea."""

from __future__ import annotations

import random
import re

import pytest
from tests.methods.conftest import LINE
from tests.methods.test_chain_of_ideas import answering

from novum.core import Idea, Paper
from novum.methods.personas import communities, draw_members, profiles
from novum.methods.sketch import Sketch, SketchedIdea
from novum.methods.virtual_team import Ballot, Grade, read_ballot
from novum.prompts import PromptBook
from novum.testing import ScriptedAnswer

METHOD = "virtual-team"
AUTHORS = {
    "root": ("Rosa Rivera", "Olu Okafor"),
    "early": ("Olu Okafor",),
    "middle": ("Mina Kovacs",),
    "late": ("Lars Lindqvist",),
    "newest": ("Nia Novak", "Lars Lindqvist"),
    "twin": ("Theo Tanaka",),
}
PAPERS = [(*each, AUTHORS.get(each[0], ("Ada Smith",))) for each in LINE]


def texts(server, form):
    return [asked.text for asked in server.asked if asked.form == form]


def graded(favourite):
    """Ballots that give 9 points to the proposal whose title begins so, and 4 to all others."""

    def grade(answer, asked):
        listed = re.findall(r"^(P\d+)\. (.*)$", asked.text, re.MULTILINE)
        return {
            "grades": [
                {"label": label, "reason": f"reason {label}", "points": 9 if title.startswith(favourite) else 4}
                for label, title in listed
            ]
        }

    return grade


def titled(server_titles):
    """Proposals named after the first paper that their author knows."""

    def name(answer, asked):
        known = re.findall(r"^P\d+\. (.*) \(\d+\)$", asked.text, re.MULTILINE)
        return answer | {"title": server_titles.format(known[0])}

    return name


def test_members_discuss_propose_vote_and_one_idea_is_written_up(generate, serve):
    server = serve()
    ideation = generate(server, method=METHOD, papers=PAPERS)
    forms = server.forms()
    assert {form: forms.count(form) for form in dict.fromkeys(forms)} == {
        "Remark": 8,
        "Sketch": 4,
        "Likeness": 5,
        "Ballot": 4,
        "Proposal": 1,
        "Design": 1,
        "Critique": 1,
        "Assessments": 1,
        "Revision": 1,
    }
    assert len(ideation.candidates) == 4
    assert ideation.best.idea.generator == METHOD
    assert ideation.best.earlier_drafts[0].title != ideation.best.idea.title
    assert ideation.best.checks[-1].idea_id == ideation.best.idea.id
    assert ideation.experiment.idea_id == ideation.best.idea.id
    assert ideation.notes == ()


def test_members_come_from_different_communities_and_stay_nameless(generate, serve):
    server = serve()
    generate(server, method=METHOD, papers=PAPERS, rounds=1)
    asked = "".join(texts(server, "Remark") + texts(server, "Sketch") + texts(server, "Ballot"))
    assert not any(name.split()[-1] in asked for names in AUTHORS.values() for name in names)
    own = {tuple(re.findall(r"^P\d+\. (.*) \(\d+\)\n[a-z]", text, re.MULTILINE)) for text in texts(server, "Remark")}
    assert len(own) == 4, "each knows other papers in full"


def test_each_round_shows_what_the_others_said_last(generate, serve):
    server = serve(answering(Remark=lambda answer, asked: answer | {"view": f"Thought number {asked.number}."}))
    generate(server, method=METHOD, papers=PAPERS, rounds=2)
    first, second = texts(server, "Remark")[:4], texts(server, "Remark")[4:]
    assert not any("Thought number" in text for text in first)
    for text in second:
        said = set(re.findall(r"Thought number (\d)", text))
        assert said == {"1", "2", "3", "4"}
        assert len(re.findall(r"^member [A-D]: Thought", text, re.MULTILINE)) == 3, "its own words stand apart"
    for text in texts(server, "Sketch"):
        assert set(re.findall(r"Thought number (\d)", text)) == {"5", "6", "7", "8"}


@pytest.mark.slow
def test_without_rounds_each_proposes_at_once(generate, serve):
    server = serve()
    assert generate(server, method=METHOD, papers=PAPERS, rounds=0, members=3).best is not None
    assert "Remark" not in server.forms()
    assert server.forms()[:3] == ["Sketch"] * 3


def test_the_vote_decides_whatever_the_order_on_the_ballot(generate, serve):
    script = answering(Sketch=titled("On {}"), Ballot=graded("On Deep widget learning"))
    server = serve(script)
    ideation = generate(server, method=METHOD, papers=PAPERS, members=6)
    assert ideation.best.earlier_drafts[0].title == "On Deep widget learning"
    orders = {tuple(re.findall(r"^P\d+\. (.*)$", text, re.MULTILINE)) for text in texts(server, "Ballot")}
    assert len(orders) > 1


def test_the_writer_sees_the_objections_to_the_idea_and_not_whose_they_are(generate, serve):
    server = serve(answering(Ballot=graded("nothing")))
    generate(server, method=METHOD, papers=PAPERS)
    (asked,) = texts(server, "Proposal")
    assert "What was said against it" in asked
    assert re.search(r"reason «.+»", asked)
    assert not re.search(r"reason P\d", asked), "labels of a ballot stand for papers here"
    assert "member" not in asked.partition("Notes on one research idea")[2]


def test_what_a_paper_has_already_comes_last_however_many_like_it(generate, serve):
    def likeness(answer, asked):
        done = "On Deep widget learning" in asked.text
        return answer | {"known": "yes" if done else "no", "closest": "P1"}

    script = answering(Sketch=titled("On {}"), Ballot=graded("On Deep widget learning"), Likeness=likeness)
    ideation = generate(serve(script), method=METHOD, papers=PAPERS, members=6)
    assert ideation.candidates[-1].idea.title == "On Deep widget learning"
    assert ideation.candidates[-1].checks[-1].novel is False


def test_before_a_date_nobody_knows_of_anything_later(generate, serve):
    server = serve(
        answering(
            Proposal=lambda answer, asked: answer | {"other_works": ["Widget learners that plan"]},
            Likeness=lambda answer, asked: answer | {"recalled": ["Widget learners that plan"]},
        )
    )
    ideation = generate(server, method=METHOD, papers=PAPERS, before="2018-06-01")
    asked = "".join(each.text for each in server.asked)
    assert "Self-checking widget learners" not in asked
    assert "Widget learners that plan" not in asked
    assert all(paper.year < 2018 for paper in ideation.papers)
    assert "Widget learners that plan" not in ideation.model_dump_json()


def test_before_the_first_paper_there_is_no_team_and_no_call(generate, serve):
    server = serve()
    ideation = generate(server, method=METHOD, papers=PAPERS, before="1990-01-01")
    assert ideation.candidates == ()
    assert ideation.notes == ("No paper near the topic was found.",)
    assert server.asked == []


@pytest.mark.slow
def test_where_one_author_wrote_everything_papers_stand_for_members(generate, serve):
    server = serve()
    ideation = generate(server, method=METHOD)
    assert len(texts(server, "Sketch")) == 4
    assert ideation.notes[0].endswith("3 of 4 members represent one paper each.")


@pytest.mark.slow
@pytest.mark.parametrize("form", ["Remark", "Ballot", "Likeness", "Proposal"])
def test_an_unusable_answer_costs_no_idea(generate, serve, form):
    ideation = generate(
        serve(answering(**{form: lambda answer, asked: "I would rather not say it in JSON."})),
        method=METHOD,
        papers=PAPERS,
        experiment=False,
    )
    assert len(ideation.candidates) == 4
    assert ideation.best.idea.method
    told = {"Ballot": "No member gave a usable vote", "Proposal": "remains in its short form"}.get(form)
    assert told is None or any(told in note for note in ideation.notes)


def test_without_a_usable_proposal_there_is_no_idea_and_a_note(generate, serve):
    server = serve(answering(Sketch=lambda answer, asked: ScriptedAnswer("No.", refusal="No.")))
    ideation = generate(server, method=METHOD, papers=PAPERS)
    assert ideation.candidates == ()
    assert ideation.notes == ("4 of 4 members made no usable proposal, or the same as another.",)


def test_grades_without_labels_count_by_their_place():
    order = [proposal("first"), proposal("second")]
    unlabelled = [Grade(label="the first", reason="", points=2), Grade(label="", reason="", points=8)]
    votes = read_ballot(Ballot(grades=unlabelled), order)
    assert [votes[one.idea.id].points for one in order] == [2, 8]


def test_grades_with_labels_count_by_them_and_others_are_no_votes():
    order = [proposal("first"), proposal("second")]
    grades = [Grade(label="[P2]", reason="", points=3), Grade(label="P7", reason="", points=9)]
    votes = read_ballot(Ballot(grades=grades), order)
    assert {idea_id: voted.points for idea_id, voted in votes.items()} == {order[1].idea.id: 3}


def proposal(title):
    sketch = Sketch(title=title, problem="", approach="", difference="", check="", rival="", summary="", query="")
    return SketchedIdea(sketch, Idea(topic="t", title=title, motivation="", novelty="", method="", summary=""))


@pytest.mark.slow
def test_the_order_in_which_answers_come_in_changes_nothing(generate, serve):
    rng = random.Random(1)
    quiet = generate(serve(), method=METHOD, papers=PAPERS, rounds=1)

    def dawdling(asked):
        return (
            ScriptedAnswer(status=503, headers={"retry-after-ms": str(rng.randint(1, 30))})
            if rng.random() < 0.2
            else None
        )

    assert generate(serve(dawdling), method=METHOD, papers=PAPERS, rounds=1) == quiet


def paper(title, *authors):
    return Paper(title=title, authors=authors, abstract="about it")


def test_who_wrote_together_is_one_community_through_others_too():
    number = communities([("ada", "bo"), ("bo", "cy"), ("di",)])
    assert number["ada"] == number["bo"] == number["cy"] != number["di"]


def test_strangers_are_drawn_before_co_authors():
    pool = profiles([paper("One", "Ada", "Bo"), paper("Two", "Bo"), paper("Three", "Cy"), paper("Four", "Di")])
    for seed in range(10):
        team = draw_members(pool, 3, random.Random(seed))
        assert len({one.community for one in team}) == 3


def test_who_wrote_a_common_paper_together_is_one_community():
    ada, bo = profiles([paper("One", "Ada"), paper("Two", "Bo")], [paper("Known to all", "Ada", "Bo")])
    assert ada.community == bo.community
    assert [each.title for each in (*ada.papers, *bo.papers)] == ["One", "Two"]


def test_who_has_several_papers_is_drawn_before_who_has_one():
    ones = [paper(f"Single {number}", f"Author {number}") for number in range(30)]
    pool = profiles([*ones, paper("Three", "Cy"), paper("Four", "Cy"), paper("Five", "Di"), paper("Six", "Di")])
    for seed in range(10):
        team = draw_members(pool, 3, random.Random(seed))
        assert [len(one.papers) for one in team] == [2, 2, 1]


def test_members_know_more_than_what_all_know(generate, serve):
    server = serve()
    more = [
        (f"m{number}", f"Widget paper {number}", 2010, [], 1, f"Widgets {number}", (f"Ann {number}",))
        for number in range(4)
    ]
    generate(server, method=METHOD, papers=[*PAPERS, *more], members=2, rounds=1, experiment=False)
    for text in texts(server, "Remark"):
        own, _, common = text.partition("Papers on the topic that all of you know")
        assert len(re.findall(r"^P\d+\. ", common.partition("Papers that the others")[0], re.MULTILINE)) == 3
        assert re.findall(r"^P\d+\. ", own.partition("Your papers, which")[2], re.MULTILINE)


def test_nobody_joins_who_brings_no_paper_of_their_own():
    pool = profiles([paper("One", "Ada", "Bo", "Cy")])
    assert len(draw_members(pool, 3, random.Random(1))) == 1


@pytest.mark.parametrize("name", ["team_remark", "team_proposal", "team_ballot"])
def test_every_question_has_a_short_form_with_the_same_needs(name):
    book = PromptBook()
    usual, small = book.get(name), book.get(name, small=True)
    assert small is not usual
    assert (small.needs, small.returns) == (usual.needs, usual.returns)
