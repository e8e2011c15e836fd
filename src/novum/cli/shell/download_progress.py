"""How far a download is: a bar on a terminal, a line for each new thing elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from novum.cli.shell.terminal import print_message

Told = Callable[[str, int, int], None]


@contextmanager
def download_progress() -> Iterator[Told]:
    """A function to be told (what is being done, bytes done, bytes in all)."""
    if not sys.stderr.isatty():
        yield _Lines()
        return
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=None)
        yield lambda what, done, total: progress.update(task, description=what, completed=done, total=total)


class _Lines:
    def __init__(self) -> None:
        self._last = ""

    def __call__(self, what: str, done: int, total: int) -> None:
        if what != self._last:
            self._last = what
            print_message(f"{what} ({total / 1e6:,.0f} MB) …")
