"""A ledger that may not be written can be read, and nothing beside it is made."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.ledger.test_ledger import call

from novum.errors import LedgerError
from novum.ledger import Event, Ledger

NOBODY = 65_534


@pytest.fixture
def file(tmp_path):
    """A ledger with one run, in a folder that nobody may write to."""
    file = tmp_path / "home" / "ledger.sqlite"
    with Ledger.open(file) as ledger:
        run = ledger.start_run("ideate", "t", {})
        asyncio.run(ledger.record(call(run_id=run.id, usd=0.5)))
        ledger.emit(Event(run_id=run.id, at=1.0, kind="note", step="s"))
    file.chmod(0o444)
    file.parent.chmod(0o555)
    for folder in (file.parent, *file.parents[1:4]):
        folder.chmod(folder.stat().st_mode | 0o055)
    yield file
    file.parent.chmod(0o755)


def without_privileges(work: Callable[[Path], object], file: Path) -> object:
    """What `work` returns in a process that may not override permissions."""
    fork = multiprocessing.get_context("fork")
    here, there = fork.Pipe()

    def run() -> None:
        if os.getuid() == 0:
            os.setuid(NOBODY)
        try:
            there.send(work(file))
        except LedgerError as error:
            there.send(error)

    process = fork.Process(target=run)
    process.start()
    result = here.recv()
    process.join()
    return result


def everything(file: Path) -> object:
    with Ledger.open(file) as ledger:
        run = ledger.run("last")
        shares = asyncio.run(ledger.shares(run.id))
        return run.title, ledger.spend(run.id).usd, len(ledger.events(run.id)), len(ledger.calls(run.id)), len(shares)


def test_everything_can_be_read(file):
    assert without_privileges(everything, file) == ("t", 0.5, 1, 1, 1)
    assert [each.name for each in file.parent.iterdir()] == ["ledger.sqlite"]


def start_run(file: Path) -> object:
    with Ledger.open(file) as ledger:
        return ledger.start_run("ideate", "t", {})


def test_writing_says_what_to_do(file):
    error = without_privileges(start_run, file)
    assert isinstance(error, LedgerError)
    assert "may only be read" in str(error)


def test_a_ledger_of_an_earlier_version_says_what_to_do(file):
    with sqlite3.connect(file) as database:
        database.execute("DROP TABLE claims")
    error = without_privileges(everything, file)
    assert isinstance(error, LedgerError)
    assert "earlier version" in str(error)


def test_what_is_made_is_for_its_owner_alone(tmp_path):
    file = tmp_path / "new" / "ledger.sqlite"
    old = os.umask(0)
    try:
        with Ledger.open(file) as ledger:
            ledger.start_run("ideate", "t", {})
            modes = {each.name: each.stat().st_mode & 0o777 for each in file.parent.iterdir()}
    finally:
        os.umask(old)
    assert modes == {"ledger.sqlite": 0o600, "ledger.sqlite-wal": 0o600, "ledger.sqlite-shm": 0o600}
