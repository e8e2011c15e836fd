"""`novum foresight` as users meet it: from methods or ideas to a table, a report, and on after a stop."""

from __future__ import annotations

import csv
import json
import shutil

import pytest

from novum.core import Account, Candidate, Idea, Ideation, IdeationReport
from novum.files.tables import write_rows
from tests.benchmarks.foresight_lab import THEMES, papers, stock

SMALL = ("--pool", "6", "--earlier", "3", "--bootstrap-samples", "50")


@pytest.fixture(scope="session")
def shelf(tmp_path_factory):
    return stock(tmp_path_factory.mktemp("shelf"))


@pytest.fixture
def home(shelf, tmp_path):
    """In place of the small library of other commands: one with a future."""
    return shutil.copytree(shelf, tmp_path / "home")


@pytest.fixture
def ideas(tmp_path):
    """A table: on each theme an idea in the words of a paper of 2021."""
    found = {entry.paper.fields[0]: entry.paper for entry in papers() if entry.paper.year == 2021}
    rows = [{"topic": each, "title": paper.title, "summary": paper.abstract} for each, paper in found.items()]
    write_rows(rows, ("topic", "title", "summary"), tmp_path / "ideas.csv")
    return rows


def test_given_ideas_are_compared_without_any_model(here, ideas, tmp_path):
    done = here("foresight", "--ideas", "ideas.csv", "--before", "2020-01-01", "--out", "mine", *SMALL)
    assert done.code == 0, done.err
    head, first, *rest = done.out.splitlines()
    assert head.split("  ")[0] == "method"
    assert first.split()[:2] == ["ideas", "3"]
    assert [line.split("  ")[0] for line in rest[:2]] == ["earlier papers", "the topic's own words"]
    assert "no model is called, 3 ideas given" in done.err
    assert "calls: 0 answered" in done.out
    names = {str(file.relative_to(tmp_path / "mine")) for file in (tmp_path / "mine").rglob("*") if file.is_file()}
    assert {"report.html", "report.json", "years.csv", "ideas.csv", "charts/gains.svg", "charts/gains.png"} <= names
    assert {"charts/years-1.svg", "charts/years-1.png", "charts/threshold.svg"} <= names
    with (tmp_path / "mine" / "ideas.csv").open() as file:
        told = [row for row in csv.DictReader(file) if row["kind"] == "idea"]
    assert {row["topic"] for row in told} == set(THEMES)
    assert all(float(row["similarity"]) > float(row["similarity_elsewhere"]) for row in told)


def test_each_cutoff_can_have_a_model_of_its_own(here, serve):
    server = serve()
    done = here(
        "foresight", "--method", "plain", "--no-plain", "--cutoff", "2018,2020", "--horizon", "2",
        "--topic", "river floods", "--model", "server:usual", "--model-of", "2018=server:upto-2018",
        "--base-url", server.base_url, *SMALL,
    )  # fmt: skip
    assert done.code == 0, done.err
    assert {each.model for each in server.asked} == {"usual", "upto-2018"}
    assert "Ideas up to 2018 were written by server:upto-2018" in done.out


@pytest.mark.parametrize(
    ("named", "says"),
    [("2018:server:x", "not of the form YEAR=PROVIDER:MODEL"), ("2017=openai:x", "no cut-off of this study")],
)
def test_a_model_of_no_cutoff_is_refused_in_a_line(here, named, says):
    done = here("foresight", "--method", "plain", "--cutoff", "2018", "--topic", "river floods", "--model-of", named)
    assert done.code == 2
    assert says in done.err


@pytest.mark.slow
def test_methods_over_rolling_cutoffs_stop_at_a_budget_go_on_and_are_reported_again(here, serve, tmp_path):
    server = serve()
    models = ("--model", "server:writer", "--base-url", server.base_url)
    given = (
        "--method",
        "rag",
        "--cutoff",
        "2018,2020",
        "--horizon",
        "2",
        "--topic",
        "river floods",
        "--bootstrap-samples",
        "0",
    )
    part = here("foresight", *given, *models, "--pool", "6", "--budget-calls", "2")
    assert part.code == 3
    assert "rag, plain prompt on 1 topic, literature up to 2018, 2020, 2 years after: 4 ideas to generate." in part.err
    assert "novum runs resume" in part.err
    whole = here("runs", "resume", "last", "--budget-calls", "50", "--json")
    assert whole.code == 0, whole.err
    told = json.loads(whole.out)
    assert told["run"]["stopped"] == ""
    assert [(each["name"], each["ideas"]) for each in told["standings"][:2]] == [("rag", 2), ("plain prompt", 2)]
    points = [(point["cutoff"], point["year"]) for point in told["standings"][0]["points"]]
    assert points == [("2018", 1), ("2018", 2), ("2020", 1), ("2020", 2)]
    assert server.answered == 3, "the plain prompt is asked once: it reads nothing, under whatever cut-off"
    again = here("foresight", "report", "last", "--out", "again")
    assert again.code == 0, again.err
    assert "server:writer" in (tmp_path / "again" / "report.html").read_text()
    assert server.answered == 3


def made_by_a_run(file, before):
    """The report of a run of ours, with an idea on floods, from literature before that day (None: from all)."""
    idea = Idea(
        topic="river floods", title="Levees", motivation="", novelty="", method="", summary="Sediment of a dam."
    )
    options = {"before": before} if before else {}
    ideation = Ideation(topic=idea.topic, method="rag", options=options, candidates=(Candidate(idea=idea),))
    account = Account(run_id="a-run", novum_version="1", started="2026-01-02T03:04:05+00:00", seconds=1.0, models={})
    file.write_text(IdeationReport(ideation=ideation, account=account).model_dump_json(), "utf-8")


@pytest.mark.slow
def test_what_the_ideas_of_runs_rest_on_is_reported(here, ideas, tmp_path):
    for number, before in enumerate(("2019-01-01", "2019-12-31", "2020-06-01", None)):
        made_by_a_run(tmp_path / f"{number}.json", before)
    named = [part for number in range(4) for part in ("--ideas", f"{number}.json")]
    done = here("foresight", *named, "--ideas", "ideas.csv", "--cutoff", "2019,2020", "--json", *SMALL)
    assert done.code == 0, done.err
    notes = json.loads(done.out)["run"]["notes"]
    assert "The ideas of 2 runs were generated from literature before every cut-off." in notes
    assert "The ideas of rag on «river floods» were generated from literature up to 2020-06-01." in notes
    assert "The ideas of rag on «river floods» were generated from literature without a cut-off." in notes
    assert "It is not known what the authors of the ideas in ideas.csv had read." in notes


@pytest.mark.slow
def test_without_topics_fields_of_the_library_are_drawn(here, serve):
    server = serve()
    given = ("-m", "rag", "--cutoff", "2019", "--sample", "2", "--no-plain", "--model", "server:writer", "--json")
    done = here("foresight", *given, "--base-url", server.base_url, *SMALL)
    assert done.code == 0, done.err
    run = json.loads(done.out)["run"]
    assert run["drawn"]
    assert set(run["topics"]) < set(THEMES)
    assert "Only" not in done.err
    assert (run["plain"], server.answered) == ("", 2)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("-m", "rag"), "Name the last year that methods read"),
        (("--cutoff", "2019"), "There are no ideas to compare"),
        (("-m", "rag", "--cutoff", "soon"), "'soon' is neither a year nor a date"),
        (("-m", "rag:before=2020-01-01", "--cutoff", "2019"), "before follows from the cut-offs"),
        (("-m", "real-paper", "--cutoff", "2019", "--topic", "river floods"), "real-paper returns papers from after"),
        (("-m", "nothing", "--cutoff", "2019"), "There is no method 'nothing'"),
        (("--ideas", "none.csv", "--before", "2020-01-01"), "There is no file none.csv"),
        (("-m", "rag", "--cutoff", "2019", "--neighbours", "60"), "60 nearest neighbours are more"),
        (("-m", "rag", "--cutoff", "2019", "--horizon", "0"), "--horizon cannot be used: it should be"),
        (
            ("-m", "rag", "--cutoff", "2019", "--false-positives", "1"),
            "--false-positives cannot be used: it should be",
        ),
        (("-m", "rag", "--cutoff", "2040", "--topic", "river floods"), "no paper that is certainly from 2041-01-01"),
        (("report", "last"), "There is no foresight study yet"),
    ],
)
def test_mistakes_are_reported_in_a_line_before_any_call(here, given, told):
    done = here("foresight", *given)
    assert done.code == 2
    assert told in done.err
    assert "Traceback" not in done.err


def test_without_anything_it_shows_how_it_is_used(here):
    told = here("foresight")
    assert told.code == 0
    assert "novum foresight run" in told.out
    assert "report" in told.out
