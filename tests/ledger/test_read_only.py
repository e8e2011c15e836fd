"""A ledger that may not be written can be read, and nothing beside it is made."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from tests.ledger.test_ledger import call
from tests.unprivileged import UNPRIVILEGED, needs_permissions

from novum.ledger import Event, Ledger


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


def without_privileges(program: str, file: Path) -> subprocess.CompletedProcess[str]:
    """What `program` does in a process that may not override permissions."""
    command = [*UNPRIVILEGED, sys.executable, "-c", program, str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


READ_EVERYTHING = """
import asyncio, json, pathlib, sys
from novum.ledger import Ledger
with Ledger.open(pathlib.Path(sys.argv[1])) as ledger:
    run = ledger.run("last")
    shares = asyncio.run(ledger.shares(run.id))
    counts = [len(ledger.events(run.id)), len(ledger.calls(run.id)), len(shares)]
    print(json.dumps([run.title, ledger.spend(run.id).usd, *counts]))
"""
START_RUN = """
import pathlib, sys
from novum.ledger import Ledger
with Ledger.open(pathlib.Path(sys.argv[1])) as ledger:
    ledger.start_run("ideate", "t", {})
"""


@needs_permissions
def test_everything_can_be_read(file):
    process = without_privileges(READ_EVERYTHING, file)
    assert json.loads(process.stdout) == ["t", 0.5, 1, 1, 1], process.stderr
    assert [each.name for each in file.parent.iterdir()] == ["ledger.sqlite"]


@needs_permissions
def test_writing_says_what_to_do(file):
    process = without_privileges(START_RUN, file)
    assert "LedgerError" in process.stderr
    assert "may only be read" in process.stderr


@needs_permissions
def test_a_ledger_of_an_earlier_version_says_what_to_do(file):
    with sqlite3.connect(file) as database:
        database.execute("DROP TABLE claims")
    process = without_privileges(READ_EVERYTHING, file)
    assert "LedgerError" in process.stderr
    assert "earlier version" in process.stderr


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
