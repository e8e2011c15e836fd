"""Reasons to stop a training process: a signal, the time limit, or the end of its parent."""

from __future__ import annotations

import os
import signal
import threading
import time
from types import FrameType
from typing import Literal

StopReason = Literal["", "signal", "time"]
PARENT = "NOVUM_TRAINING_PARENT"
"""Environment variable with the process id of the parent. Without it no process is watched."""
_LOOK_SECONDS = 1.0


class OutOfTimeError(Exception):
    """Measuring was ended, because the time limit had been reached."""


class StopSignals:
    """Before `begin_loop` a signal ends the process. Afterwards it sets a flag that is checked after each step."""

    def __init__(self, max_minutes: float | None) -> None:
        self._deadline = time.monotonic() + 60 * max_minutes if max_minutes else None
        self._requested = threading.Event()
        self._in_loop = False

    def listen(self) -> None:
        """Install the signal handlers and watch the parent process."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._handle)
        parent = os.environ.get(PARENT, "")
        if parent.isdecimal():
            threading.Thread(target=self._watch, args=(int(parent),), daemon=True).start()

    def begin_loop(self) -> None:
        """Start of the training steps: from now on the training stops between two steps."""
        self._in_loop = True
        if self._requested.is_set():
            raise KeyboardInterrupt

    def request_stop(self) -> None:
        """Request a stop, as a signal does."""
        self._requested.set()

    def wanted(self, reserve: float) -> StopReason:
        """The reason to stop now, if any. `reserve`: seconds that the end of the training will take."""
        if self._requested.is_set():
            return "signal"
        late = self._deadline is not None and time.monotonic() + reserve >= self._deadline
        return "time" if late else ""

    def _handle(self, number: int, _: FrameType | None) -> None:
        if self._requested.is_set() or not self._in_loop:
            os._exit(128 + number)  # nothing is lost: all results are on disk
        self._requested.set()

    def _watch(self, parent: int) -> None:
        while _alive(parent):
            time.sleep(_LOOK_SECONDS)
        if not self._in_loop:
            os._exit(128 + signal.SIGTERM)
        self._requested.set()


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
