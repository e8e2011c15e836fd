"""The examples of CONTRIBUTING.md do what it says, and it shows them as they are."""

from __future__ import annotations

import asyncio
import inspect
import os
import subprocess
import sys

import pytest
from tests.docs.conftest import ROOT, load_example

from novum.core import Idea, Match, Paper, Verdict
from novum.errors import InvalidAnswer
from novum.judges.novelty import Likeness
from novum.lab import Workplace
from novum.literature import Entry, Hit
from novum.llm import ModelName, conduct
from novum.settings import load_settings

echo = load_example("echo_method")
novelty_panel = load_example("novelty_panel").novelty_panel
seat_agreement = load_example("seat_agreement").seat_agreement
read_ris = load_example("ris").read_ris

PANEL = [ModelName.parse(f"server:{name}@http://127.0.0.1:9/v1") for name in ("ada", "bea", "cleo")]


@pytest.fixture
def idea():
    return Idea(topic="widgets", title="Widgets that wait", motivation="m", novelty="n", method="w", summary="s")


@pytest.fixture
def nearest():
    return [Hit(paper=Paper(title="Widgets that hurry", year=2020), score=0.4, similarity=0.4)]


def says(known, closest="P1"):
    return Likeness(comparison="Both wait.", closest=closest, near_enough=True, recalled=[], known=known)


def finished(asking, answers):
    """What a judge returns when it is sent `answers`."""
    with pytest.raises(StopIteration) as done:
        asking.send(answers)
    return done.value.value


# -- the method --------------------------------------------------------------------------------------------------------


def test_echo_has_one_idea_from_as_many_papers_as_it_was_asked_for(generate, serve):
    ideation = generate(serve(), method="echo", count=3)
    assert len(ideation.candidates) == 1
    assert len(ideation.best.chain.papers) == 3


def test_echo_without_a_usable_answer_says_so(generate, serve):
    ideation = generate(serve(lambda asked: "Let us talk about something else."), method="echo")
    assert ideation.best is None
    assert ideation.notes[0].startswith("No idea: ")


@pytest.mark.slow
def test_another_package_announces_its_method_by_an_entry_point(tmp_path):
    package, announced = tmp_path / "my_package", tmp_path / "my_package-1.0.dist-info"
    package.mkdir()
    announced.mkdir()
    text = (ROOT / "docs" / "examples" / "echo_method.py").read_text().replace("@method(NAME, EchoOptions)\n", "")
    (package / "echo.py").write_text(
        f"{text}\n\nfrom novum.methods import Method\n\nentry = Method('echo', EchoOptions, echo)\n"
    )
    (announced / "METADATA").write_text("Metadata-Version: 2.1\nName: my-package\nVersion: 1.0\n")
    (announced / "entry_points.txt").write_text("[novum.methods]\necho = my_package.echo:entry\n")
    listed = subprocess.run(
        [sys.executable, "-m", "novum", "methods", "list"],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "One idea from the papers nearest to the topic" in listed.stdout


def test_echo_knows_nothing_of_what_came_later(generate, serve):
    ideation = generate(serve(), method="echo", before="2010-01-01")
    assert {paper.year for paper in ideation.papers} <= {2001, 2005}


# -- the judge ---------------------------------------------------------------------------------------------------------


def test_the_majority_of_a_panel_decides(idea, nearest):
    asking = novelty_panel(idea, nearest, PANEL)
    assert [question.role.model for question in next(asking)] == ["ada", "bea", "cleo"]
    check = finished(asking, [says("no"), says("yes"), says("partly")])
    assert check.novel is True
    assert check.closest_id == nearest[0].paper.id


@pytest.mark.parametrize(
    "answers",
    [
        [says("no"), says("yes"), InvalidAnswer("not JSON")],  # one against one
        [says("yes", closest="none")] * 3,  # known, but from where?
        [InvalidAnswer("not JSON")] * 3,  # a panel that is silent
    ],
)
def test_a_panel_without_a_majority_decides_nothing(idea, nearest, answers):
    asking = novelty_panel(idea, nearest, PANEL)
    next(asking)
    assert finished(asking, answers).novel is None


def test_a_panel_is_asked_through_the_one_door(idea, nearest, serve, tmp_path):
    server = serve()
    settings = load_settings({"home": str(tmp_path), "writer": server.model}, environment={}, folder=tmp_path)

    async def ask():
        async with Workplace(settings) as place:
            lab = place.lab(place.ledger.start_run("check", idea.title, {}))
            return await conduct(lab.models, novelty_panel(idea, nearest, [lab.models.settings.cast.writer]))

    assert asyncio.run(ask()).novel is True
    assert server.forms() == ["Likeness"]


# -- the metric --------------------------------------------------------------------------------------------------------


def match(**outcomes):
    verdicts = tuple(Verdict(criterion=name, outcome=outcome) for name, outcome in outcomes.items())
    return Match(first_id="a", second_id="b", judge="j", verdicts=verdicts)


def test_a_judge_agrees_with_itself_when_its_choice_moves_with_the_idea():
    there, back = match(novelty="first", clarity="first"), match(novelty="second", clarity="first")
    assert seat_agreement([(there, back)]) == 0.5


def test_a_judge_who_said_nothing_twice_has_no_agreement():
    assert seat_agreement([(match(novelty="first"), match())]) is None


# -- the source --------------------------------------------------------------------------------------------------------

RIS = """TY  - JOUR
TI  - Widgets that wait
AU  - Byron, Ada
PY  - 2020/05/01
DO  - https://doi.org/10.1000/W1
ER  -
TY  - JOUR
AU  - Nobody, N.
ER  -
TY  - JOUR
TI  - Cut off
"""


def test_ris_gives_its_good_records_and_lists_the_bad_ones_by_line():
    good, untitled, cut = read_ris(RIS.splitlines(), "my.ris")
    assert isinstance(good, Entry)
    assert (good.paper.title, good.paper.authors, good.paper.year) == ("Widgets that wait", ("Ada Byron",), 2020)
    assert good.paper.ids.doi == "10.1000/w1"
    assert str(untitled) == "my.ris:7: no title"
    assert str(cut) == "my.ris:10: a record without its ER line"


# -- the page ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", sorted((ROOT / "docs" / "examples").glob("*.py")), ids=lambda file: file.name)
def test_the_page_shows_every_example_as_it_is(file):
    assert file.read_text() in (ROOT / "CONTRIBUTING.md").read_text()


@pytest.mark.parametrize(
    "test",
    [
        test_echo_has_one_idea_from_as_many_papers_as_it_was_asked_for,
        test_the_majority_of_a_panel_decides,
        test_a_judge_agrees_with_itself_when_its_choice_moves_with_the_idea,
        test_ris_gives_its_good_records_and_lists_the_bad_ones_by_line,
    ],
    ids=lambda test: test.__name__,
)
def test_the_page_shows_a_test_of_every_example_as_it_is(test):
    assert inspect.getsource(test) in (ROOT / "CONTRIBUTING.md").read_text()
