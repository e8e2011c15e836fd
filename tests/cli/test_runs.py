"""`novum runs`: looking back, going on, handing out."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

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
