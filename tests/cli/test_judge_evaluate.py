"""`novum judge evaluate`: a table with intervals, a page, and a run that goes on where it was."""

from __future__ import annotations

import json

import pytest

from tests.benchmarks.reviewer_lab import make_set, reviewers
from tests.observed import Silence, kill

ALONE = ("mean of the training papers", "ridge on embeddings", "one real referee")


@pytest.fixture(scope="session")
def data(tmp_path_factory):
    return str(make_set(tmp_path_factory.mktemp("evaluated")))


@pytest.mark.slow
def test_a_set_alone_gives_the_baselines_and_asks_nobody(here, data):
    done = here("judge", "evaluate", data, "--bootstrap-samples", "20", "--json", "--out", "report")
    assert done.code == 0, done.err
    told = json.loads(done.out)
    assert tuple(each["name"] for each in told["standings"]) == ALONE
    assert "no model is called" in done.err


def test_a_file_of_reviews_is_refused_with_the_command_to_run(here, tmp_path):
    (tmp_path / "reviews.jsonl").write_text("{}\n")
    done = here("judge", "evaluate", "reviews.jsonl")
    assert (done.code, "novum data build judge" in done.err) == (2, True)


def test_there_is_no_third_split(here, data):
    assert "--split 'train'" in here("judge", "evaluate", data, "--split", "train").err


@pytest.mark.slow
def test_the_table_shows_every_reviewer_with_intervals_and_what_is_missing(here, serve, data, tmp_path):
    server = serve(reviewers)
    command = ("judge", "evaluate", data, "--judge", "server:knows,server:mute", "--base-url", server.base_url)
    done = here(*command, "--reviews", "2", "--papers", "8", "--bootstrap-samples", "50", "--out", "report")
    assert done.code == 0, done.err
    rows = [row for row in done.out.splitlines() if row.startswith(("server:", *ALONE))]
    assert [row.split("  ")[0] for row in rows[:5]] == ["server:knows", "server:mute", *ALONE]
    assert "[" in rows[0]
    assert "16 of 16 reports, 8 undecided" in rows[1]
    assert "better than the constant" in done.out
    assert {"report.html", "report.json", "figures.csv", "papers.csv"} < {
        file.name for file in (tmp_path / "report").iterdir()
    }
    asked = server.answered
    again = here("judge", "report", "last", "--bootstrap-samples", "50", "--out", "again")
    assert again.out.splitlines()[:5] == done.out.splitlines()[:5]
    assert server.answered == asked


@pytest.mark.slow
def test_an_evaluation_that_was_killed_resumes_without_repeating_a_request(start, novum, serve, data, ledger):
    # Each of the 12 papers takes 2 calls: after 18, whatever their order, some have both and some have not.
    silence = Silence(18, unanswered=2, script=reviewers)
    server = serve(silence)
    judge = f"server:knows@{server.base_url}"
    process = start("judge", "evaluate", data, "--judge", judge, "--reviews", "1", NOVUM_IN_FLIGHT="2")
    silence.reached(process, ledger)
    kill(process)
    silence.speak()
    told = json.loads(novum("judge", "report", "last", "--bootstrap-samples", "50", "--json").out)
    assert 0 < told["standings"][0]["unreached"] < 12
    done = novum("runs", "resume", "last", "--json", "--force")
    assert done.code == 0, done.err
    told = json.loads(done.out)
    assert (told["standings"][0]["rating"]["papers"], told["run"]["stopped"]) == (12, "")
    assert server.answered == 12 * 2, "what was written down is not asked again"
