"""The command line in odd surroundings: closed streams, a folder that is gone, settings in another form."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


@pytest.fixture
def novum(environment, tmp_path):
    """Runs a shell line in which `novum` is the command."""

    def run(line, **changes):
        shell = f'novum() {{ "{sys.executable}" -m novum "$@"; }}\n{line}'
        return subprocess.run(
            ["bash", "-c", shell], env=environment | changes, cwd=tmp_path, capture_output=True, text=True, check=False
        )

    return run


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_do_no_harm(novum, closed):
    ended = novum(f"novum runs list {closed}")
    assert (ended.returncode, ended.stderr) == (0, "")


def test_an_error_is_told_though_stdout_is_closed(novum):
    ended = novum("novum runs show none >&-")
    assert (ended.returncode, len(ended.stderr.splitlines())) == (2, 1)
    assert "There is no run" in ended.stderr


def test_a_folder_that_is_gone_is_told_in_a_line(novum):
    ended = novum("mkdir gone && cd gone && rmdir ../gone && novum runs list")
    assert (ended.returncode, ended.stderr.splitlines()[-1:]) == (
        2,
        ["novum: The current folder was removed: change to another one."],
    )


def test_a_home_that_is_no_text_is_told_in_a_line(novum, tmp_path):
    ended = novum("novum runs list", NOVUM_HOME=os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))
    assert ended.returncode == 2
    assert "NOVUM_HOME holds characters that cannot be printed" in ended.stderr


def test_settings_may_begin_with_a_byte_order_mark(here, environment, home):
    home.mkdir(exist_ok=True)
    (home / "novum.toml").write_bytes(b'\xef\xbb\xbfwriter = "openai:gpt-5.5"\n')
    assert "openai:gpt-5.5" in here("config", "show").out


def test_settings_that_are_nested_without_end_are_told_in_a_line(here, home):
    home.mkdir(exist_ok=True)
    (home / "novum.toml").write_text("a = " + "[" * 100_000)
    ended = here("runs", "list")
    assert (ended.code, len(ended.lines)) == (2, 1)
    assert "is not valid TOML" in ended.err


@pytest.mark.parametrize(
    "address",
    ["ftp://u:hunter2hunter2@h", "http://u:hunter2hunter2@[bad", "u:hunter2hunter2@h/v1", "//u:hunter2hunter2@h"],
)
@pytest.mark.parametrize("arguments", [("config", "show"), ("runs", "list"), ("ideate", "t", "--dry-run")])
def test_a_password_in_an_address_that_is_none_is_not_shown(here, monkeypatch, address, arguments):
    monkeypatch.setenv("NOVUM_WRITER", f"server:m@{address}")
    ended = here(*arguments)
    assert "hunter2" not in ended.out + ended.err
    assert ended.code == 2


@pytest.mark.parametrize("address", ["u:hunter2hunter2@h/v1", "//u:hunter2hunter2@h", "http://u:hunter2hunter2@[bad"])
def test_nor_is_one_on_the_command_line(here, address):
    for arguments in (["ideate", "t", "--model"], ["arena", "run", "--topic", "t", "--judge"]):
        ended = here(*arguments, f"server:m@{address}")
        assert "hunter2" not in ended.out + ended.err
        assert ended.code == 2
