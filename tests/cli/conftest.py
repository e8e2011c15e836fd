"""The command as users meet it: a process, or the same in this one; a home with a small library; a scripted server."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass

import pytest

from novum.cli.app import run
from novum.core import Paper
from novum.ledger import Ledger
from novum.literature import Entry, Library, Reference

SMALL = ("--branches", "1", "--length", "2", "--option", "refinements=0")
"""A run that asks little."""
SHELVES = ("graph networks for molecules", "message passing on crystals", "attention over residues", "folding proteins")


@dataclass(frozen=True)
class Finished:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """Messages, without the line that a slow command prints first."""
        return [line for line in self.err.splitlines() if not (line.startswith("novum ") and line.endswith(" …"))]


def papers():
    """Eight papers in a row, each citing the two before it."""
    for number in range(8):
        text = SHELVES[number % len(SHELVES)]
        paper = Paper(
            title=f"Part {number} of learning {text}",
            authors=("Ada Byron",),
            year=2010 + number,
            venue="Letters",
            fields=("learning",),
            summary=f"A study of {text}, step {number}, that finds structure where none was seen before.",
        )
        cited = [Reference(scheme="key", value=f"row/{earlier}") for earlier in range(max(0, number - 2), number)]
        yield Entry(paper=paper, key=f"row/{number}", references=tuple(cited))


@pytest.fixture(scope="session")
def stocked(tmp_path_factory):
    """A home whose library is filled and indexed."""
    home = tmp_path_factory.mktemp("stocked")
    with Library.open(home / "library") as library:
        library.add(papers())
        asyncio.run(library.index())
    return home


@pytest.fixture
def home(stocked, tmp_path):
    """A home of this test's own."""
    return shutil.copytree(stocked, tmp_path / "home")


@pytest.fixture
def ledger(home):
    with Ledger.open(home / "ledger.sqlite") as opened:
        yield opened


@pytest.fixture
def environment(home):
    """Nothing that the tester's own machine has set."""
    variables = {name: value for name, value in os.environ.items() if not name.endswith("_KEY") and "NOVUM" not in name}
    return variables | {"NOVUM_HOME": str(home), "COLUMNS": "200", "NO_PROXY": "127.0.0.1"}


@pytest.fixture
def start(environment, tmp_path):
    """Starts the command in a process of its own, which asks no service unless one is named; whatever still runs at
    the end of the test is ended."""
    running = []

    def begin(*arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, **variables):
        process = subprocess.Popen(
            [sys.executable, "-m", "novum", *arguments],
            stdin=stdin,
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env=environment | {"NOVUM_SOURCES": "none"} | variables,
        )
        running.append(process)
        return process

    yield begin
    for process in running:
        process.kill()
        process.communicate()


@pytest.fixture
def novum(start):
    """Runs the command in a process of its own, to its end."""

    def finish(*arguments, **variables):
        process = start(*arguments, **variables)
        out, err = process.communicate(timeout=300)
        return Finished(process.returncode, out, err)

    return finish


@pytest.fixture
def here(environment, tmp_path, monkeypatch, capsys):
    """Runs the command in this process: the same but for the start."""
    for name in [name for name in os.environ if name not in environment]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("NOVUM_HOME", environment["NOVUM_HOME"])
    monkeypatch.chdir(tmp_path)

    def finish(*arguments):
        code = run(arguments)
        captured = capsys.readouterr()
        return Finished(code, captured.out, captured.err)

    return finish
