"""`novum liveidea report` as users meet it: distances between ideas, other panels, and files that are not there."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from novum.benchmarks.liveidea.exporting import write_dataset
from novum.cli.liveidea.embedder import measured_distances
from novum.testing import ideas_and_scores
from tests.reports.liveidea_sample import by_another_panel, sample_run, with_anchors, with_papers

RUN = with_papers(with_anchors(sample_run(keywords=4)), {"delta": -1.0})


@pytest.fixture
def data(here, tmp_path):
    """A data set of a run with anchors and papers, another panel's, and one without anchors."""
    write_dataset(RUN, tmp_path / "data", ["jsonl"])
    write_dataset(by_another_panel(RUN, 0.5, 3.0), tmp_path / "other", ["jsonl"])
    write_dataset(sample_run(keywords=2).model_copy(update={"name": "bare"}), tmp_path / "bare", ["jsonl"])
    return tmp_path


def told(folder):
    return json.loads((folder / "report.json").read_bytes())


@pytest.mark.slow
def test_a_report_holds_distances_papers_and_other_panels(here, data):
    linked = ("--linked-to", "other", "--linked-to", "bare")
    done = here("liveidea", "report", "data", *linked, "--out", "told", "--bootstrap-samples", "20")
    assert done.code == 0, done.err
    assert "bare is not linked: its panel judged no anchor ideas" in done.err
    report = told(data / "told")
    assert report["distinctness"]["embedder"] == "wordllama-256"
    assert {each["other"] for each in report["others"]["links"]} == {"other-run"}
    assert [each["name"] for each in report["comparisons"]] == ["severity", "informed"]
    assert len(report["anchors"]) == 4


def test_another_embedder_is_used_and_its_price_stated(here, home, serve, capsys):
    (home / "novum.toml").write_text('[prices."server:scripted"]\ninput_per_million = 100\noutput_per_million = 0\n')
    found = measured_distances(RUN, serve().model)
    said = capsys.readouterr().err
    assert re.search(r"\d+ ideas for server:scripted\S*: about [\d,]+ tokens, about \$0\.\d+\.\n", said)
    assert re.search(r"\nserver:scripted\S* took [\d,]+ tokens, about \$0\.\d+\.\n", said)
    assert found.embedder.startswith("server:scripted")
    assert np.nanmin(found.table) >= 0


def test_an_embedder_that_nobody_knows_is_stated_in_a_line_and_none_switches_it_off(here, data):
    unknown = here("liveidea", "report", "bare", "--embedder", "nobody:x", "--bootstrap-samples", "0")
    assert (unknown.code, len(unknown.lines)) == (2, 1)
    assert "There is no model provider 'nobody'" in unknown.err
    assert measured_distances(RUN, "none") is None


def test_help_says_that_an_embedder_may_cost(here):
    words = " ".join(here("liveidea", "report", "--help").out.replace("│", " ").split())
    assert "free" in words
    assert "not free" in words


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("score", "nofile.jsonl"),
        ("report", "nofile.parquet"),
        ("score", "some/folder"),
        ("report", "x" * 5000 + ".csv"),
    ],
)
def test_a_file_that_is_not_there_is_not_looked_for_among_the_runs(here, command, name):
    done = here("liveidea", command, name)
    assert (done.code, len(done.lines)) == (2, 1)
    assert "no such file" in done.err
    assert ".jsonl, .csv, .parquet" in done.err


def test_other_names_mean_runs(here):
    assert "There is no run 'nobody'" in here("liveidea", "score", "nobody").err
    assert "No models were measured yet" in here("liveidea", "report", "last").err


@pytest.mark.slow
def test_two_runs_before_other_judges_are_put_on_one_scale(here, serve, tmp_path):
    server = serve(ideas_and_scores)

    def measured(judges, out):
        models = ("--model", "server:dreamer-3,server:dreamer-7", "--judge", judges, "--keywords", "2")
        done = here(
            "liveidea", "run", *models, "--base-url", server.base_url, "--bootstrap-samples", "20", "--out", out
        )
        assert done.code == 0, done.err

    measured("server:judge-a,server:judge-b,server:judge-c", "first")
    measured("server:judge-d,server:judge-e,server:judge-f", "second")
    asked = server.answered
    done = here("liveidea", "report", "last", "--linked-to", "first", "--out", "told", "--bootstrap-samples", "20")
    assert done.code == 0, done.err
    report = told(tmp_path / "told")
    assert {each["judge"] for each in report["anchors"]} == {"server:judge-d", "server:judge-e", "server:judge-f"}
    assert [each["dimension"] for each in report["others"]["links"]] == ["originality", "feasibility", "clarity"]
    assert {each["link"]["r"]["n"] for each in report["others"]["links"]} == {12}
    assert len(report["others"]["models"]) == 4
    assert len(report["distinctness"]["models"]) == 2
    assert server.answered == asked, "a report asks nobody"
