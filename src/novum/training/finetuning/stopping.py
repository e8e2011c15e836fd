"""When a training process is asked to stop: by a signal, by the clock, or by the loss of its parent."""

from __future__ import annotations

import os
import signal
import threading
import time
from types import FrameType
from typing import Literal

StopReason = Literal["", "signal", "time"]
PARENT = "NOVUM_TRAINING_PARENT"
"""Environment variable with the process id of the command; without it nobody watches."""
_LOOK_SECONDS = 1.0


class StopSignals:
    """Until `begin_loop`, a signal ends the process; then it is only taken note of, and asked for after each step."""

    def __init__(self, max_minutes: float | None) -> None:
        self._deadline = time.monotonic() + 60 * max_minutes if max_minutes else None
        self._asked = threading.Event()
        self._in_loop = False

    def listen(self) -> None:
        """From now on signals are heard, and the parent is watched."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._hear)
        parent = os.environ.get(PARENT, "")
        if parent.isdecimal():
            threading.Thread(target=self._watch, args=(int(parent),), daemon=True).start()

    def begin_loop(self) -> None:
        """Steps begin: from now on it can be stopped between two of them."""
        self._in_loop = True
        if self._asked.is_set():
            raise KeyboardInterrupt

    def ask(self) -> None:
        """As a signal does."""
        self._asked.set()

    def wanted(self, reserve: float) -> StopReason:
        """Why it should stop now. `reserve`: seconds that the end will take."""
        if self._asked.is_set():
            return "signal"
        late = self._deadline is not None and time.monotonic() + reserve >= self._deadline
        return "time" if late else ""

    def _hear(self, number: int, _: FrameType | None) -> None:
        if self._asked.is_set() or not self._in_loop:
            os._exit(128 + number)  # nothing is lost: what counts is on disk
        self._asked.set()

    def _watch(self, parent: int) -> None:
        while _alive(parent):
            time.sleep(_LOOK_SECONDS)
        if not self._in_loop:
            os._exit(128 + signal.SIGTERM)
        self._asked.set()


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
