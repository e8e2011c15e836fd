"""Ctrl-C ends a command within a second: the work is cancelled, and what does not end in time is abandoned.

That is safe at any moment, as every answer is in the ledger before it is used.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

from novum.credentials.redaction import redact_message
from novum.errors import NovumError

Result = TypeVar("Result")
GRACE_SECONDS = 0.6
_SIGNALS = tuple(number for name in ("SIGINT", "SIGTERM", "SIGHUP") if (number := getattr(signal, name, None)))
"""Ctrl-C, an orderly end, and a terminal that is closed."""


class StoppedError(NovumError):
    """A signal ended the work. `exit_code`: 128 + the number of the signal."""

    def __init__(self, message: str, number: int = signal.SIGINT) -> None:
        super().__init__(message)
        self.exit_code = 128 + number


class Stopper:
    """The first signal cancels the work and starts a timer; a second signal, or the timer, ends the process."""

    def __init__(self, last_words: Callable[[], None]) -> None:
        self._last_words = last_words
        self._cancel: Callable[[], object] | None = None
        self._ended = False
        self.number = 0

    def attach(self, loop: asyncio.AbstractEventLoop, task: asyncio.Task[Any]) -> None:
        """From now on a signal cancels `task`."""
        self._cancel = lambda: loop.call_soon_threadsafe(task.cancel)

    def ended(self) -> None:
        """The work ended in time. The timer continues, as the process must end too, but prints nothing."""
        self._ended = True

    def __call__(self, number: int, _: FrameType | None) -> None:
        if self.number:
            self._leave()
        self.number = number
        if self._cancel is None:
            raise KeyboardInterrupt
        self._cancel()
        clock = threading.Timer(GRACE_SECONDS, self._leave)
        clock.daemon = True
        clock.start()

    def _leave(self) -> None:
        try:
            if not self._ended:
                self._last_words()
        finally:
            os._exit(128 + self.number)


def run_stoppable(
    work: Coroutine[Any, Any, Result], message: Callable[[], str], last_words: Callable[[], None]
) -> Result:
    """Runs `work` to its end. A SIGINT, SIGTERM or SIGHUP ends it with StoppedError(`message()`).

    If the work does not end in time, or at a second signal, `last_words` is called and the process ends.
    """
    stopper = Stopper(last_words)

    async def attached() -> Result:
        task = asyncio.current_task()
        if task is not None:
            stopper.attach(asyncio.get_running_loop(), task)
        return await work

    with _handled_by(stopper):
        try:
            return asyncio.run(attached())
        except (asyncio.CancelledError, KeyboardInterrupt):
            stopper.ended()
            raise StoppedError(message(), stopper.number or signal.SIGINT) from None


def print_last_words(message: str) -> None:
    """Prints the last line of a process that ends at once, past all buffers, and shows the cursor again."""
    show_cursor = "\x1b[?25h\n" if sys.stderr.isatty() else ""
    os.write(2, f"{show_cursor}novum: {redact_message(message)}\n".encode())


@contextmanager
def _handled_by(handler: Stopper) -> Iterator[None]:
    handled = [each for each in _SIGNALS if each == signal.SIGINT or signal.getsignal(each) is not signal.SIG_IGN]
    before = {number: signal.signal(number, handler) for number in handled}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
