"""Whatever goes wrong ends in one line on stderr that says what to do: no traceback, nothing lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from novum.cli.shell.errors import exit_code_of
from novum.errors import LibraryError
from novum.testing import ScriptedAnswer
from tests.cli.conftest import SMALL

NOBODY = "http://127.0.0.1:9/v1"

MISTAKES = {
    "an empty topic": (["ideate", " "], "topic is empty"),
    "a topic as long as a paper": (["ideate", "x" * 10_000], "10,000 characters; at most 2,000"),
    "an unknown provider": (["ideate", "t", "--model", "opnai:gpt-5.5"], "Did you mean openai?"),
    "an unknown method": (["ideate", "t", "--method", "chain-of-idea"], "Did you mean chain-of-ideas?"),
    "an unknown option": (["ideate", "t", "--fresch"], "See `novum ideate --help`"),
    "an unknown command": (["ideat", "t"], "Did you mean 'ideate'"),
    "no topic at all": (["ideate"], "The topic is empty. Say in a phrase"),
    "an option the method lacks": (
        ["ideate", "t", "--option", "branchez=3"],
        "Did you mean branches? Its options are: before,",
    ),
    "an option without a value": (["ideate", "t", "--option", "branches"], "not of the form KEY=VALUE"),
    "an option of the wrong kind": (["ideate", "t", "--branches", "many"], "--branches"),
    "an option out of range": (["ideate", "t", "--branches", "0"], "option branches"),
    "a bad date": (["ideate", "t", "--before", "yesterday"], "like 2023-01-31"),
    "a missing key": (["ideate", "t", "--model", "openai:gpt-5.5"], "OPENAI_API_KEY is not set. Set it"),
    "an address that is none": (["ideate", "t", "--model", "server:m", "--base-url", "host"], "http://127.0.0.1:8000"),
    "an address that no model has": (["ideate", "t", "--base-url", NOBODY], "Add --model server:MODEL"),
    "an unreachable address": (["ideate", "t", "--force", "--model", f"server:m@{NOBODY}"], "Is the server running?"),
    "a folder of prompts that is not there": (["ideate", "t", "--prompts", "nowhere"], "leave out --prompts"),
    "an unwritable folder": (["ideate", "t", "--out", "/dev/null/report"], "--out DIR"),
    "an unknown run": (["runs", "show", "nothing-like-it"], "`novum runs list`"),
    "an unknown run to resume": (["runs", "resume", "nothing-like-it"], "`novum runs list`"),
    "an unknown paper": (["library", "show", "nothing like it"], "`novum library search`"),
    "an unknown prompt": (["prompts", "show", "repare"], "Did you mean repair"),
    "an unknown offline model": (["models", "install", "smollm"], "smollm2-135m"),
    "a file to import that is not there": (["library", "import", "nowhere.bib"], "Name a readable"),
}


@pytest.mark.parametrize("arguments, message", MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_reported_in_one_line(here, arguments, message):
    ended = here(*arguments)
    assert ended.code == 2
    assert len(ended.lines) == 1
    assert ended.lines[0].startswith("novum: ")
    assert message in ended.lines[0]


@pytest.mark.slow
@pytest.mark.parametrize("mistake", MISTAKES)
def test_and_so_it_is_by_the_process_itself(novum, mistake):
    arguments, message = MISTAKES[mistake]
    ended = novum(*arguments)
    assert ended.code == 2
    assert message in ended.lines[-1]
    assert [
        line for line in ended.lines[:-1] if not line.endswith(" …")
    ] == []  # it may have said what it is about to do


SURROUNDINGS = {
    "a value that cannot be read": ({"NOVUM_TEMPERATURE": "hot"}, "NOVUM_TEMPERATURE"),
    "a library folder that holds other things": ({"NOVUM_LIBRARY": "/etc"}, "name an empty or new folder"),
    "a ledger that is another's database": ({"NOVUM_LEDGER": "other.sqlite"}, "NOVUM_LEDGER"),
    "a home that cannot be made": ({"NOVUM_HOME": "/dev/null/home"}, "/dev/null/home"),
}


@pytest.mark.parametrize("case", SURROUNDINGS)
def test_surroundings_that_do_not_fit_are_named(here, serve, monkeypatch, tmp_path, case):
    variables, message = SURROUNDINGS[case]
    (tmp_path / "other.sqlite").write_bytes(b"this is no database at all, and long enough to be taken for one" * 30)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    ended = here("ideate", "t", "--model", serve().model)
    assert (ended.code, len(ended.lines)) == (2, 1)
    assert message in ended.err


def test_a_settings_file_that_is_no_toml_is_named_with_the_place_of_the_fault(here, tmp_path):
    (tmp_path / "novum.toml").write_text("writer = openai:gpt-5.5")
    ended = here("config", "show")
    assert (ended.code, len(ended.lines)) == (2, 1)
    assert "novum.toml is not valid TOML" in ended.err
    assert "line 1" in ended.err


REPLIES = {
    "a wrong key": (ScriptedAnswer("Incorrect API key provided", status=401), "401: Incorrect API key provided"),
    "no such model": (ScriptedAnswer("The model does not exist", status=404), "Check the model's name"),
    "a web page": (ScriptedAnswer(raw="<html><body>Welcome to nginx!</body></html>"), "answered with a web page"),
    "an empty object": (ScriptedAnswer(raw="{}"), "not like a model server"),
}


@pytest.mark.parametrize("reply, message", REPLIES.values(), ids=REPLIES.keys())
def test_a_server_that_is_of_no_use_is_reported_in_one_line_with_the_way_on(here, serve, reply, message):
    ended = here("ideate", "molecules", *SMALL, "--model", serve(lambda _: reply).model)
    assert (ended.code, len(ended.lines)) == (2, 1)
    assert message in ended.err
    assert "Resume it: novum runs resume " in ended.err


def test_a_wrong_key_is_reported_with_the_name_of_the_variable(here, serve, monkeypatch):
    monkeypatch.setenv("NOVUM_SERVER_KEY", "sk-wrong")
    server = serve(lambda _: ScriptedAnswer("no such key", status=401))
    assert "Set NOVUM_SERVER_KEY to a valid key" in here("ideate", "molecules", "--model", server.model).err


def test_what_nobody_foresaw_is_one_line_and_a_crash_log(home, monkeypatch, capsys):
    def stumble():
        raise ZeroDivisionError("a bug of ours")

    monkeypatch.setenv("NOVUM_HOME", str(home))
    assert exit_code_of(stumble) == 1
    printed = capsys.readouterr().err
    assert printed.count("\n") == 1
    assert "a bug of ours" in printed
    (log,) = (home / "logs").iterdir()
    assert str(log) in printed
    assert "in stumble" in log.read_text()


def test_want_of_memory_is_told_in_one_line(capsys):
    def fill() -> None:
        try:
            raise MemoryError
        except MemoryError as error:
            raise RuntimeError("a library's own words") from error

    assert exit_code_of(fill) == 2
    printed = capsys.readouterr().err
    assert printed.startswith("novum: There is not enough memory.")
    assert printed.count("\n") == 1


def test_debugging_shows_the_traceback_too(monkeypatch, capsys):
    def stumble():
        raise LibraryError("The library is gone.")

    monkeypatch.setenv("NOVUM_DEBUG", "1")
    assert exit_code_of(stumble) == 2
    printed = capsys.readouterr().err
    assert "in stumble" in printed
    assert printed.splitlines()[-1] == "novum: The library is gone."


@pytest.mark.slow
def test_a_full_disk_under_stdout_is_reported(start):
    with Path("/dev/full").open("w") as full:
        process = start("prompts", "list", stdout=full)
        _, printed = process.communicate(timeout=300)
    assert process.returncode == 2
    assert printed == (
        "novum: The disk is full. Free some space and run the same command again: "
        "recorded answers are not requested again.\n"
    )


@pytest.mark.slow
def test_a_reader_who_has_heard_enough_is_no_error(start):
    read, write = os.pipe()
    os.close(read)
    process = start("prompts", "list", stdout=write)
    os.close(write)
    _, printed = process.communicate(timeout=300)
    assert (process.returncode, printed) == (1, "")


def test_a_disk_that_fills_up_while_reporting_loses_nothing(here, serve, tmp_path, ledger):
    out = tmp_path / "report"
    out.mkdir()
    (out / "report.html").mkdir()  # what cannot be replaced by a file, as on a disk that cannot be written
    ended = here("ideate", "molecules", *SMALL, "--quiet", "--model", serve().model, "--out", str(out))
    assert (ended.code, len(ended.lines)) == (2, 1)
    run = ledger.run("last")
    assert f"novum runs export {run.id} --out DIR" in ended.err
    assert here("runs", "export", run.id, "--out", str(tmp_path / "elsewhere")).code == 0
    assert (tmp_path / "elsewhere" / "report.html").stat().st_size > 1000


def test_a_password_that_others_may_read_is_warned_of_in_one_line(novum, home):
    (home / "novum.toml").write_text('base_url = "http://me:a-password-1@127.0.0.1:9/v1"\n')
    (home / "novum.toml").chmod(0o644)
    for command in (("config", "show"), ("runs", "list")):
        ended = novum(*command)
        assert [line for line in ended.lines if "chmod 600" in line] == ended.lines
        assert len(ended.lines) == 1
        assert "a-password-1" not in ended.out + ended.err
