"""Waiting for what can be seen to have happened, on a machine of any speed, and ending processes just there."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from subprocess import Popen
from typing import Any

from novum.ledger import Ledger
from novum.testing import ReceivedRequest, Script, ScriptedAnswer, ScriptedServer

PATIENCE = 600.0
"""Seconds. Only what would never happen takes longer; no test says how quick anything is."""
_GLANCE = 0.002


def until(seen: Callable[[], bool], process: Popen[Any] | None = None) -> None:
    """Returns once `seen()`, or when `process` has ended without it."""
    given_up = time.monotonic() + PATIENCE
    while not seen() and (process is None or process.poll() is None):
        assert time.monotonic() < given_up, "it never happened"
        time.sleep(_GLANCE)


def kill(process: Popen[Any]) -> None:
    """SIGKILL, and wait until nothing is left of it."""
    process.send_signal(signal.SIGKILL)
    process.communicate()


def kill_after(process: Popen[Any], server: ScriptedServer, answers: int) -> None:
    """Kills it once the server has answered that many calls, wherever it is by then. It may have ended, if it is
    quick: what is asserted must hold anywhere."""
    until(lambda: server.answered >= answers, process)
    kill(process)


class Silence:
    """A script that answers so many questions and then none until it is told to speak."""

    def __init__(self, answers: int, *, unanswered: int = 1, script: Script = lambda asked: None) -> None:
        """`unanswered`: so many questions have to wait in vain before silence is reached. Where that is as many as are
        asked at once, no question is still on its way when the process is killed."""
        self._answers, self._unanswered, self._script = answers, unanswered, script
        self._waiting, self._speaking = 0, threading.Event()

    def __call__(self, asked: ReceivedRequest) -> ScriptedAnswer | str | None:
        if asked.number <= self._answers or self._speaking.is_set():
            return self._script(asked)
        self._waiting += 1
        return ScriptedAnswer(hang=True)

    def reached(self, process: Popen[Any], ledger: Ledger | None = None) -> None:
        """Returns when `process` waits in vain, and when `ledger` is given holds everything that was answered."""
        until(lambda: self._waiting >= self._unanswered, process)
        if ledger is not None:
            until(lambda: len(ledger.calls(ledger.run("last").id)) >= self._answers, process)
        assert process.poll() is None, "it ended before it was silenced"

    def speak(self) -> None:
        """Answers from now on."""
        self._speaking.set()
