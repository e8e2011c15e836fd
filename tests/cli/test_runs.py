"""`novum runs`: looking back, going on, handing out."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from novum.testing import ScriptedAnswer
from tests.cli.conftest import SMALL


@pytest.fixture
def done(here, serve, ledger):
    """A finished run, and the server that answered it."""
    server = serve()
    assert here("ideate", "graph networks", *SMALL, "--model", server.model, "--quiet").code == 0
    return ledger.run("last"), server


def test_before_the_first_run_the_list_says_how_to_start(here):
    assert here("runs", "list").out == 'There are no runs yet. Start one: novum ideate "your topic"\n'


def test_the_list_has_a_line_for_each_run(here, done):
    run, _ = done
    lines = here("runs", "list").out.splitlines()
    assert len(lines) == 2
    assert lines[1].split()[:2] == [run.id, "finished"]
    assert lines[1].rstrip().endswith("graph networks")


def test_the_list_as_json_includes_the_cost(here, done):
    run, server = done
    (listed,) = json.loads(here("runs", "list", "--json").out)
    assert (listed["id"], listed["status"]) == (run.id, "finished")
    assert listed["spend"]["calls"] == server.answered


def test_a_run_is_shown_step_by_step(here, done):
    printed = here("runs", "show", "last").out
    assert "finished" in printed
    assert "✓ branch 1" in printed
    assert "✓ novelty check 1" in printed


def test_a_run_can_be_named_by_the_beginning_of_its_id(here, done):
    run, _ = done
    assert run.id in here("runs", "show", run.id[:20]).out


def test_responses_that_could_not_be_used_are_shown(here, serve):
    def script(asked):
        return ScriptedAnswer(refusal="I would rather not.") if asked.number == 2 else None

    here("ideate", "graph networks", *SMALL, "--model", serve(script).model, "--quiet")
    printed = here("runs", "show", "last").out
    assert "Responses that could not be used" in printed
    assert "I would rather not." in printed


def test_resuming_a_finished_run_sends_no_request_and_gives_the_same(here, done):
    run, server = done
    answered = server.answered
    again = here("runs", "resume", run.id, "--json", "--quiet")
    assert json.loads(again.out) == json.loads(run.result)
    assert server.answered == answered


def test_a_report_can_be_written_again(here, done, tmp_path):
    ended = here("runs", "export", "last", "--out", str(tmp_path / "again"))
    assert sorted(ended.out.split()) == sorted(str(file) for file in (tmp_path / "again").iterdir())


def test_all_requests_and_responses_can_be_exported(here, done):
    _, server = done
    calls = [json.loads(line) for line in here("runs", "export", "last", "--calls").out.splitlines()]
    assert len(calls) == server.answered
    assert calls[0]["messages"][0]["role"] in {"system", "user"}
    assert "graph networks" in json.dumps(calls[0]["messages"])
    assert calls[0]["answer"]


@pytest.mark.parametrize("damage", ["messages = 'nope'", "messages = '{}'", "settings = 'nope'"])
def test_requests_that_cannot_be_read_are_told_in_a_line(here, done, home, damage):
    with closing(sqlite3.connect(home / "ledger.sqlite")) as connection:
        connection.execute(f"update calls set {damage}")
        connection.commit()
    ended = here("runs", "export", "last", "--calls")
    assert (ended.code, len(ended.lines)) == (2, 1)
    assert "The ledger is damaged" in ended.err
    assert here("runs", "check").code == 2


def test_a_run_without_a_result_says_how_to_get_one(here, serve):
    here("ideate", "graph networks", *SMALL, "--model", serve(lambda _: ScriptedAnswer("no", status=401)).model)
    ended = here("runs", "export", "last")
    assert (ended.code, len(ended.lines)) == (2, 1)
    assert "novum runs resume" in ended.err


def test_a_sound_ledger_is_said_to_be_fine(here, done):
    checked = here("runs", "check")
    assert (checked.code, "is fine: 1 run." in checked.out) == (0, True)
    assert json.loads(here("runs", "check", "--json").out)["fine"]


def test_a_damaged_ledger_is_checked_and_salvaged(here, serve, home):
    assert here("ideate", "graph networks", *SMALL, "--model", serve().model, "--quiet").code == 0
    file = home / "ledger.sqlite"
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2])
    for command in (["list"], ["show", "last"], ["resume", "last"], ["export", "last"], ["check"]):
        failed = here("runs", *command)
        assert failed.code == 2
        assert "novum runs salvage" in failed.err
        assert len(failed.err.strip().splitlines()) == 1
    assert "The damaged file is now" in here("runs", "salvage").out
    assert here("runs", "check").code == 0
    assert len([each for each in home.iterdir() if "damaged" in each.name and each.suffix == ".sqlite"]) == 1


def test_a_home_that_was_moved_keeps_its_library(here, serve, ledger, environment, monkeypatch):
    server, home = serve(), Path(environment["NOVUM_HOME"])
    here("ideate", "graph networks", *SMALL, "--model", server.model, "--budget-calls", "2")
    moved = home.rename(home.with_name("moved"))
    monkeypatch.setenv("NOVUM_HOME", str(moved))
    done = here("runs", "resume", "last", "--budget-calls", "500", "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["ideation"]["papers"]
    assert not home.exists()


def test_a_run_of_an_earlier_version_in_a_moved_home_finds_its_library(here, serve, environment, monkeypatch):
    server, home = serve(), Path(environment["NOVUM_HOME"])
    here("ideate", "graph networks", *SMALL, "--model", server.model, "--budget-calls", "2")
    with closing(sqlite3.connect(home / "ledger.sqlite")) as database, database:
        place = json.dumps(str(home / "library"))
        database.execute("UPDATE runs SET params = replace(params, '\"home:library\"', ?), checksum = NULL", (place,))
    monkeypatch.setenv("NOVUM_HOME", str(home.rename(home.with_name("moved"))))
    assert here("runs", "resume", "last", "--budget-calls", "500").code == 0
    assert not home.exists()


def test_a_run_whose_own_library_is_gone_is_not_resumed_with_an_empty_one(
    here, serve, environment, monkeypatch, tmp_path
):
    server, home = serve(), Path(environment["NOVUM_HOME"])
    shutil.copytree(home / "library", tmp_path / "mine")
    monkeypatch.setenv("NOVUM_LIBRARY", str(tmp_path / "mine"))
    here("ideate", "graph networks", *SMALL, "--model", server.model, "--budget-calls", "2")
    shutil.rmtree(tmp_path / "mine")
    refused = here("runs", "resume", "last", "--budget-calls", "500")
    assert refused.code == 2
    assert "is not there" in refused.err
    assert not (tmp_path / "mine").exists()
    assert server.answered == 2
