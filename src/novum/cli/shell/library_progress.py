"""How far the filling of a library is: a bar for each source or file on a terminal, now and then a line elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from novum.cli.shell.terminal import one_line, print_message

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from novum.literature import Library
    from novum.literature.cluster import Apply

Shown = Callable[[str, int, int | None, str], None]
"""Is told (what, done, in all if known, the same in words)."""
_EVERY = 10.0
"""Seconds between two lines about one thing."""


@contextmanager
def library_progress() -> Iterator[Shown]:
    """A function to be told how far it is, from any thread."""
    if not sys.stderr.isatty():
        yield Lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

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


class Rate:
    """Counts what is done of each thing: `1,200 of 5,000 papers, 14 a second`."""

    def __init__(self, noun: str, shown: Shown, clock: Callable[[], float] = time.monotonic) -> None:
        self._noun = noun
        self._shown = shown
        self._clock = clock
        self._begun = clock()

    def __call__(self, what: str, done: int, total: int | None) -> None:
        seconds = self._clock() - self._begun
        speed = f", {done / seconds:,.0f} a second" if seconds > 1 and done > seconds else ""
        of = f" of {total:,}" if total else ""
        self._shown(what, done, total, f"{done:,}{of} {self._noun}{speed}")


async def embed_and_index(library: Library, shown: Shown, apply: Apply | None = None) -> None:
    """Embed and index what came in, which of a million papers takes minutes. `apply`: who embeds, if not this process;
    never an embedder that is asked over the network."""
    left = library.left_for(library.embedder.name).papers
    if left:
        told = Rate("papers", shown)
        told("embedding", 0, left)
        await _embed(library, lambda done: told("embedding", done, left), apply)
        shown("indexing", 0, None, f"{left:,} papers")
    await library.index()


async def _embed(library: Library, told: Callable[[int], None], apply: Apply | None) -> None:
    from novum.cli.shell.cluster import is_remote, spread

    embedder = library.embedder
    if apply is None or is_remote(embedder) or library.noted("embedder") not in {None, embedder.name}:
        await library.embed(told)  # which refuses to mix the vectors of two embedders
    else:
        await library.embed_with(spread(embedder, apply), told, keep=True)
