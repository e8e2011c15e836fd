"""The examples of CONTRIBUTING.md do what it says, and it shows them as they are."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import os
import subprocess
import sys

import pytest
from tests.docs.conftest import ROOT, load_example

from novum.core import Idea, Match, Topic, Verdict
from novum.errors import BadInput, InvalidAnswer
from novum.judges.win_rate import WIN_RATE_CRITERIA, Winners
from novum.lab import Workplace
from novum.literature import Entry
from novum.llm import ModelName
from novum.runs.engine import replay, resume, start
from novum.runs.judge import WIN_RATE, Contest, IdeaPair, WinRateTask
from novum.settings import load_settings

echo = load_example("echo_method")
repeated_choice = load_example("repeated_choice").repeated_choice
position_agreement = load_example("position_agreement").position_agreement
read_ris = load_example("ris").read_ris

MODEL = ModelName.parse("server:ada@http://127.0.0.1:9/v1")


@pytest.fixture
def workplace(tmp_path):
    """What a job comes to in a workplace of its own."""

    def work(job, **settings):
        async def inside():
            given = {"home": str(tmp_path / "home"), **settings}
            async with Workplace(load_settings(given, environment={}, folder=tmp_path)) as place:
                return await job(place)

        return asyncio.run(inside())

    return work


@pytest.fixture
def idea():
    return Idea(topic="widgets", title="Widgets that wait", motivation="m", novelty="n", method="w", summary="s")


@pytest.fixture
def rival(idea):
    return idea.model_copy(update={"title": "Widgets that hurry", "summary": "r"})


def says(better):
    return Winners(**{name: {"reason": "Idea A waits.", "better": better} for name in WIN_RATE_CRITERIA})


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


def test_each_order_counts_by_the_majority_of_its_samples(idea, rival):
    judging = repeated_choice(Topic(text="widgets"), idea, rival, MODEL)
    assert [(each.needs["a"], each.sample) for each in next(judging)[:3]] == [(idea.text, at) for at in range(3)]
    forward, reverse = finished(judging, [says("A"), says("B"), says("A"), says("B"), says("B"), says("A")])
    assert {each.outcome for each in forward.verdicts} == {"first"}
    assert {each.outcome for each in reverse.verdicts} == {"second"}


def test_an_order_without_a_usable_answer_has_no_verdicts(idea, rival):
    judging = repeated_choice(Topic(text="widgets"), idea, rival, MODEL)
    next(judging)
    forward, reverse = finished(judging, [says("A")] * 3 + [InvalidAnswer("not JSON")] * 3)
    assert forward.verdicts and not forward.failure
    assert not reverse.verdicts and reverse.failure == "not JSON"


def test_a_judge_is_chosen_by_its_name(idea, rival, serve, workplace):
    server = serve()
    contest = Contest(
        subject="ours", baseline="theirs", pairs=(IdeaPair(topic="widgets", subject=idea, baseline=rival),)
    )
    task = WinRateTask(contests=(contest,), judges=(str(server.model),), protocol="repeated-choice")
    rates = workplace(lambda place: start(WIN_RATE, place, task))
    assert server.forms() == ["Winners"] * 6
    assert [each.judge for each in rates.contests[0].bouts] == [ModelName.parse(str(server.model)).short] * 2


def test_a_judge_that_nobody_knows_is_refused_with_the_names_that_there_are(idea, rival, serve, workplace):
    contest = Contest(
        subject="ours", baseline="theirs", pairs=(IdeaPair(topic="widgets", subject=idea, baseline=rival),)
    )
    task = WinRateTask(contests=(contest,), judges=(str(serve().model),), protocol="wins")
    with pytest.raises(BadInput, match="no judge 'wins'"):
        workplace(lambda place: start(WIN_RATE, place, task))


# -- the metric --------------------------------------------------------------------------------------------------------


def match(**outcomes):
    verdicts = tuple(Verdict(criterion=name, outcome=outcome) for name, outcome in outcomes.items())
    return Match(first_id="a", second_id="b", judge="j", verdicts=verdicts)


def test_a_judge_agrees_with_itself_when_its_choice_moves_with_the_idea():
    there, back = match(novelty="first", clarity="first"), match(novelty="second", clarity="first")
    assert position_agreement([(there, back)]) == 0.5


def test_a_judge_who_said_nothing_twice_has_no_agreement():
    assert position_agreement([(match(novelty="first"), match())]) is None


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


# -- the benchmark -----------------------------------------------------------------------------------------------------


@pytest.fixture
def distinct_ideas(monkeypatch):
    """The example as a package that can be imported."""
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "examples"))
    return importlib.import_module("distinct_ideas.durable")


def test_a_benchmark_is_stopped_resumed_and_replayed(distinct_ideas, serve, workplace):
    server = serve(lambda asked: f"Idea {len(server.asked)} on batteries")
    task = distinct_ideas.DistinctTask(models=(server.model,), keywords=("batteries", "cells"), count=2)
    kind = distinct_ideas.DISTINCT_IDEAS

    part = workplace(lambda place: start(kind, place, task), budget_calls=3)
    assert part.stopped
    assert sorted(score.ideas for score in part.scores) == [1, 2]
    whole = workplace(lambda place: resume(kind, place, part.name))
    assert [score.ideas for score in whole.scores] == [2, 2]
    assert len(server.asked) == 4  # nothing was requested twice
    assert workplace(lambda place: replay(kind, place, part.name)).scores == whole.scores


def test_two_ideas_without_a_common_word_are_wholly_distinct(distinct_ideas):
    assert distinct_ideas.distinct(["a widget", "some gadgets"]) == 1
    assert distinct_ideas.distinct(["the same", "the same"]) == 0
    assert distinct_ideas.distinct(["alone"]) is None


@pytest.mark.slow
def test_the_benchmark_of_another_package_is_resumed_and_exported_like_any_other(serve, tmp_path):
    announced = tmp_path / "site" / "distinct_ideas-1.0.dist-info"
    announced.mkdir(parents=True)
    (announced / "METADATA").write_text("Metadata-Version: 2.1\nName: distinct-ideas\nVersion: 1.0\n")
    (announced / "entry_points.txt").write_text("[novum.run_kinds]\ndistinct-ideas = distinct_ideas:ENTRY\n")
    paths = [str(ROOT / "docs" / "examples"), str(announced.parent), *sys.path]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "NOVUM_HOME": str(tmp_path / "home")}

    def run(*words):
        done = subprocess.run(
            [sys.executable, "-m", *words], env=environment, cwd=tmp_path, capture_output=True, text=True, check=True
        )
        return done.stdout

    begun = run("distinct_ideas.command", serve().model, "--keyword", "batteries")
    assert "report.md" in begun
    assert "batteries" in run("novum", "runs", "resume", "last", "--quiet")
    assert "report.md" in run("novum", "runs", "export", "last", "--out", "exported")
    assert (tmp_path / "exported" / "report.md").read_text().startswith("# Distinct ideas")


def test_the_benchmark_has_at_most_150_lines():
    files = (ROOT / "docs" / "examples" / "distinct_ideas").glob("*.py")
    assert sum(len(file.read_text().splitlines()) for file in files) <= 150


# -- the page ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", sorted((ROOT / "docs" / "examples").rglob("*.py")), ids=lambda file: file.name)
def test_the_page_shows_every_example_as_it_is(file):
    assert file.read_text() in (ROOT / "CONTRIBUTING.md").read_text()


@pytest.mark.parametrize(
    "test",
    [
        test_echo_has_one_idea_from_as_many_papers_as_it_was_asked_for,
        test_each_order_counts_by_the_majority_of_its_samples,
        test_a_judge_agrees_with_itself_when_its_choice_moves_with_the_idea,
        test_ris_gives_its_good_records_and_lists_the_bad_ones_by_line,
        test_a_benchmark_is_stopped_resumed_and_replayed,
    ],
    ids=lambda test: test.__name__,
)
def test_the_page_shows_a_test_of_every_example_as_it_is(test):
    assert inspect.getsource(test) in (ROOT / "CONTRIBUTING.md").read_text()
