"""The write lock of a ledger in a file, held by a process that is stopped: it is named, and waited for."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.ledger.test_ledger import call

from novum.errors import LedgerError
from novum.ledger import Claim, Ledger
from novum.ledger.lock_holder import lock_holder

HOLD = """
import os, signal, sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("BEGIN IMMEDIATE")
print("held", flush=True)
os.kill(os.getpid(), signal.SIGSTOP)
database.execute("ROLLBACK")
"""
pytestmark = pytest.mark.skipif(not Path("/proc/locks").exists(), reason="the system does not say who holds a lock")


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr("novum.ledger.writer.PATIENT_MS", 20)
    monkeypatch.setattr("novum.ledger.opening.PATIENT_MS", 20)
    return tmp_path / "ledger.sqlite"


@pytest.fixture
def ledger(place):
    with Ledger.open(place) as opened:
        yield opened


@pytest.fixture
def holder(place, ledger):
    """A process that was stopped inside a transaction."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(place)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "held\n"
    os.waitpid(process.pid, os.WUNTRACED)
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def continued_when_named(ledger, holder):
    """The notes of the ledger, with the first of which the stopped process goes on."""
    notes = []

    def note(text):
        notes.append(text)
        holder.send_signal(signal.SIGCONT)

    ledger.on_note(note)
    return notes


def test_the_stopped_process_that_holds_the_lock_is_named(place, holder):
    found = lock_holder(place)
    assert (found.pid, found.is_stopped) == (holder.pid, True)
    assert f"`kill -CONT {holder.pid}`" in str(found)
    holder.kill()
    holder.wait()
    assert lock_holder(place) is None


def test_an_answer_waits_for_the_process_that_holds_the_lock(ledger, holder, monkeypatch):
    monkeypatch.setattr("novum.ledger.writer.BUSY_WITHOUT_HOLDER", 0.0)
    notes = continued_when_named(ledger, holder)
    asyncio.run(ledger.record(call()))
    assert ledger.answered("k") is not None
    assert f"Process {holder.pid} is stopped" in notes[0]
    assert "Waiting for it" in notes[0]


def test_a_run_that_starts_waits_for_it_too(ledger, holder):
    notes = continued_when_named(ledger, holder)
    assert ledger.start_run("test", "a test", {}).id
    assert f"Process {holder.pid} is stopped" in notes[0]


def test_the_error_at_last_names_the_process(ledger, holder, monkeypatch):
    monkeypatch.setattr("novum.ledger.ledger._UNSEEN", 0.0)
    with pytest.raises(LedgerError, match=rf"cannot be written. Process {holder.pid} is stopped"):
        ledger.start_run("test", "a test", {})


def test_who_ends_does_not_wait_for_ever(place, ledger, holder, monkeypatch):
    monkeypatch.setattr("novum.ledger.writer._CLOSING", 0.0)
    ledger.release(Claim("k", "r"), answered=False)
    ledger.close()
