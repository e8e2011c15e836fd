"""Ctrl-C ends a run within a second, and the run goes on when it is taken up again."""

from __future__ import annotations

import signal
import threading
import time

import pytest

from novum.testing import Said
from tests.cli.conftest import SMALL

GENEROUS_SECONDS = 30.0
"""The promise is one second; a test machine may be doing other things, and whoever waited would wait for ever."""


@pytest.fixture
def silence(serve):
    """A server that answers `after` questions and then never again, until it is told to speak; and an event for when
    it has fallen silent."""
    waiting, speaking = threading.Event(), threading.Event()

    def script(asked):
        if asked.number <= 2 or speaking.is_set():
            return None
        waiting.set()
        return Said(hang=True)

    return serve(script), waiting, speaking


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_a_run_whose_server_never_answers_ends_at_once_and_can_be_resumed(start, here, silence, ledger, number):
    server, waiting, speaking = silence
    process = start("ideate", "molecules", *SMALL, "--model", server.model)
    assert waiting.wait(300)
    pressed = time.perf_counter()
    process.send_signal(number)
    _, told = process.communicate(timeout=300)
    assert time.perf_counter() - pressed < GENEROUS_SECONDS
    run = ledger.run("last")
    assert process.returncode == 128 + number
    assert told.splitlines()[-1] == (
        f"novum: Stopped. Every answer so far is kept. Go on with: novum runs resume {run.id}"
    )
    assert (run.status, run.reason) == ("stopped", "stopped by you")
    speaking.set()
    answered = server.answered
    assert here("runs", "resume", run.id).code == 0
    assert ledger.run(run.id).status == "finished"
    assert server.answered == ledger.spend(run.id).calls
    assert server.answered > answered == 2


@pytest.mark.slow
def test_a_second_signal_ends_the_process_at_once(start, silence, ledger):
    server, waiting, _ = silence
    process = start("ideate", "molecules", *SMALL, "--model", server.model)
    assert waiting.wait(300)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=300)
    assert process.returncode == 130
    assert f"novum runs resume {ledger.run('last').id}" in told


@pytest.mark.slow
def test_a_killed_run_shows_as_interrupted_and_goes_on(start, here, silence, ledger):
    server, waiting, speaking = silence
    process = start("ideate", "molecules", *SMALL, "--model", server.model)
    assert waiting.wait(300)
    process.kill()
    process.wait()
    assert "interrupted" in here("runs", "list").out
    shown = here("runs", "show", "last").out
    assert f"novum runs resume {ledger.run('last').id}" in shown
    speaking.set()
    assert here("runs", "resume", "last").code == 0
    assert "finished" in here("runs", "list").out


@pytest.mark.slow
def test_a_run_that_is_still_going_is_not_taken_up_by_another_process(start, here, silence, ledger):
    server, waiting, _ = silence
    process = start("ideate", "molecules", *SMALL, "--model", server.model)
    assert waiting.wait(300)
    ended = here("runs", "resume", "last")
    assert ended.code == 2
    assert f"still being worked on by process {process.pid}" in ended.err
    assert ledger.run("last").status == "running"
