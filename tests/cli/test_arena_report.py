"""`novum arena report` and `novum arena agree` as users meet them: files in, pages, tables and JSON out."""

from __future__ import annotations

import csv
import json

import pytest

from novum.benchmarks.arena.exporting import MATCH_COLUMNS, match_rows, write_arena
from novum.files.tables import write_rows
from tests.benchmarks.arena_lab import by_level, register
from tests.reports.arena_sample import FAIR, people_of, sample_run

RUN = sample_run(3, experiments=False)
GRADES = {"first": "Much better", "second": "worse", "tie": "both bad"}


@pytest.fixture
def data(here, tmp_path):
    """The files of an arena, and what two people say of it: Ada in outcomes, Bo in grades."""
    write_arena(RUN, tmp_path / "data")
    rows = [dict(row) for row in match_rows(people_of(RUN))]
    for row in rows:
        if row["judge"] == "Bo" and row.get("outcome"):
            row["outcome"] = GRADES[row["outcome"]]
    write_rows(rows, MATCH_COLUMNS, tmp_path / "people.csv")
    return tmp_path


def test_people_are_held_against_the_judges_in_a_table(here, data):
    done = here("arena", "agree", "data", "--people", "people.csv", "--bootstrap-samples", "20")
    assert done.code == 0, done.err
    head, first, *rest = done.out.splitlines()
    assert head.split()[:5] == ["kind", "judge", "judge", "criterion", "same"]
    assert first.startswith("idea  people together  judges together  average")
    assert [line.split("  ")[0] for line in rest if "experts' win rate" in line] == ["entrant"]
    assert "2 people and 2 judges. people together and judges together name the same winner in" in done.out
    assert not [line for line in rest if line.startswith(f"idea  {FAIR}")]


def test_a_grade_counts_once_and_only_where_its_row_does(here, data):
    """The same answer again, and an entrant beside itself, are no answers."""
    topic, (one, other) = RUN.topics[0], [each.name for each in RUN.entrants[:2]]
    row = {"topic": topic, "first": one, "second": other, "judge": "Cy", "criterion": "novelty", "outcome": "better"}
    bad = row | {"criterion": "clarity", "outcome": "both bad"}
    write_rows([row, row, row | {"second": one}, bad, bad], MATCH_COLUMNS, data / "cy.csv")
    study = json.loads(here("arena", "agree", "data", "--people", "cy.csv", "--bootstrap-samples", "0", "--json").out)
    counts = {(each["entrant"], each["criterion"]): sum(each["counts"].values()) for each in study["grades"]}
    assert counts == {(name, criterion): 1 for name in (one, other) for criterion in ("novelty", "clarity")}


def test_the_whole_study_is_json(here, data):
    done = here(
        "arena", "agree", "data", "--people", "people.csv", "--among-judges", "--bootstrap-samples", "0", "--json"
    )
    study = json.loads(done.out)
    assert study["people"] == ["Ada", "Bo"]
    assert len(study["kinds"][0]["among_judges"]) == 1
    counts = {each["entrant"]: each["counts"] for each in study["grades"] if each["criterion"] == "novelty"}
    told = sum(row["judge"] == "Bo" and row.get("criterion") == "novelty" for row in match_rows(people_of(RUN)))
    assert sum(sum(each.values()) for each in counts.values()) == 2 * told


def test_judges_are_held_against_each_other_without_people(here, data):
    done = here("arena", "agree", "data", "--among-judges", "--bootstrap-samples", "20")
    assert done.code == 0, done.err
    assert done.out.splitlines()[1].split()[1:3] == [FAIR, "server:seated"]
    assert "2 judges." in done.out


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (("agree", "data"), "Name matches of people by --people FILE, or compare the judges by --among-judges."),
        (("agree", "data", "--people", "elsewhere.csv"), "Nothing in elsewhere.csv is about a topic and entrants"),
        (("agree", "data", "--people", "empty.csv"), "empty.csv holds no matches."),
        (("report", "data", "--reference", "nobody"), "--reference 'nobody' did not take part. There are: chain,"),
        (("report", "data", "--family", "gpt"), "--family 'gpt': write NAME=FAMILY"),
        (("report", "data", "--family", "nobody=gpt"), "--family: 'nobody' is neither an entrant nor a judge"),
        (("report", "data", "--out", "people.csv"), "--out people.csv names a file"),
    ],
)
def test_what_cannot_be_done_is_stated_in_one_line(here, data, given, why):
    moved = [each.model_copy(update={"topic": "elsewhere"}) for each in people_of(RUN)]
    write_rows(match_rows(moved), MATCH_COLUMNS, data / "elsewhere.csv")
    (data / "empty.csv").write_text("topic,first,second\n")
    done = here("arena", *given, "--bootstrap-samples", "0")
    assert (done.code, len(done.lines)) == (2, 1)
    assert why in done.err


@pytest.mark.slow
def test_a_report_is_written_with_length_held_equal_and_families_named(here, data):
    given = (
        "--equal-length",
        "--reference",
        "rag",
        "--family",
        "rag=claude",
        "--bootstrap-samples",
        "20",
        "--out",
        "told",
    )
    done = here("arena", "report", "data", *given)
    assert done.code == 0, done.err
    assert [line.rpartition("/")[2] for line in done.out.splitlines()] == [
        "report.html", "report.json", "ratings.csv", "charts (each chart as SVG and PNG)",
    ]  # fmt: skip
    report = json.loads((data / "told" / "report.json").read_bytes())
    board = report["boards"][0]
    assert (board["reference"], board["length"]["name"]) == ("rag", "length")
    assert board["bias"][0]["own_family"]["value"] is not None
    rows = list(csv.DictReader((data / "told" / "ratings.csv").read_text("utf-8").splitlines()))
    assert len(rows) == 5 * 6
    assert all(row["at_equal_length"] for row in rows if row["criterion"] == "average")


@pytest.mark.slow
def test_a_study_is_written_as_a_page_with_its_plots(here, data):
    done = here(
        "arena", "agree", "data", "--people", "people.csv", "--bootstrap-samples", "0", "--out", "study", "--json"
    )
    assert json.loads(done.out)["people"] == ["Ada", "Bo"]
    assert "agreement.html" in done.err
    assert "Do people agree?" in (data / "study" / "agreement.html").read_text("utf-8")


@pytest.mark.slow
def test_a_run_in_the_ledger_is_reported_without_any_model_call(here, serve, monkeypatch, tmp_path):
    register(monkeypatch)
    server = serve(by_level)
    methods = "sketch:level=9,name=high,sketch:level=1,name=low,fails_on=two"
    given = ("--topic", "subject one", "--topic", "subject two", "--method", methods, "--experiments")
    models = ("--model", "server:writer", "--judge", "server:judge", "--base-url", server.base_url)
    assert here("arena", "run", *given, *models, "--bootstrap-samples", "0").code == 0
    asked = server.answered
    done = here("arena", "report", "last", "--bootstrap-samples", "10", "--out", "told")
    assert done.code == 0, done.err
    assert server.answered == asked
    report = json.loads((tmp_path / "told" / "report.json").read_bytes())
    assert [board["kind"] for board in report["boards"]] == ["idea", "experiment"]
    assert [each["entrant"] for each in report["boards"][0]["standings"]] == ["high", "low"]
    assert [each["forfeit"] for each in report["run"]["entries"] if each["forfeit"]] == ["the writer said nothing"]
    assert "the writer said nothing" in (tmp_path / "told" / "report.html").read_text("utf-8")
