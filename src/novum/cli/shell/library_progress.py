"""Progress of filling a library: a bar for each source or file on a terminal, elsewhere a line now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from novum.cli.shell.terminal import one_line, print_message

ShowProgress = Callable[[str, int, int | None, str], None]
"""Is given what is worked on, how much is done, of how much if known, and the same in words."""
_EVERY = 10.0
"""Seconds between two lines about one thing."""


@contextmanager
def library_progress() -> Iterator[ShowProgress]:
    """A function that shows progress; it may be called from any thread."""
    if not sys.stderr.isatty():
        yield Lines()
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[words]}", markup=False),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield _Bars(progress)


class Lines:
    """A line on stderr about each thing, at most one in ten seconds. `clock`: seconds that only grow."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last: dict[str, float] = {}

    def __call__(self, what: str, done: int, total: int | None, words: str) -> None:
        now = self._clock()
        if now - self._last.setdefault(what, now) >= _EVERY:
            self._last[what] = now
            print_message(f"{one_line(what, 80)}: {words}")


class _Bars:
    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, what: str, done: int, total: int | None, words: str) -> None:
        if what not in self._tasks:
            self._tasks[what] = self._progress.add_task(one_line(what, 40), total=total, words="")
        self._progress.update(self._tasks[what], completed=done, total=total, words=words)
