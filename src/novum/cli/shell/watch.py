"""Shows the progress of a run: a live tree on a terminal, else a line per finished step, and nothing when quiet."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console, ConsoleRenderable
from rich.live import Live
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from novum.cli.shell.phrases import effort
from novum.cli.shell.terminal import one_line, print_message
from novum.ledger import Event
from novum.ledger.run import STEP_SEPARATOR
from novum.runs.progress import RunProgress, Step

_MARKS = {"done": ("✓", "green"), "broke": ("✗", "red")}
_LONG_WAIT = 5.0
"""Seconds from which a wait is reported."""
_BETWEEN_LINES = 30.0
"""Seconds between two lines about the progress of a step."""
_MOST_INSIDE = 8
"""Steps shown inside one step, so that the tree fits on the terminal."""


@contextmanager
def watching(progress: RunProgress, *, quiet: bool, drawn: bool = True) -> Iterator[Watcher]:
    """Shows `progress` live. Pass the watcher to the run as a listener. `drawn`: as a tree, on a terminal."""
    if quiet:
        yield Watcher(progress)
    elif drawn and sys.stderr.isatty():
        watcher = TreeWatcher(progress)
        with Live(get_renderable=watcher.tree, console=Console(stderr=True), refresh_per_second=6, transient=False):
            yield watcher
    else:
        yield LineWatcher(progress)


def print_steps(progress: RunProgress) -> None:
    """Prints the whole tree of a past run on stdout."""
    tree = Tree(_line(progress.root, progress.method or "run", 0.0), guide_style="dim")
    _grow_all(tree, progress.root)
    Console(width=None if sys.stdout.isatty() else 200, highlight=False).print(tree)


class Watcher:
    """Keeps the progress up to date and shows nothing."""

    def __init__(self, progress: RunProgress) -> None:
        self.progress = progress

    def __call__(self, event: Event) -> None:
        self.progress(event)


class LineWatcher(Watcher):
    """Prints a line on stderr for every finished top-level step, and now and then the progress of a long one."""

    def __init__(self, progress: RunProgress) -> None:
        super().__init__(progress)
        self._last_line = time.time()

    def __call__(self, event: Event) -> None:
        self.progress(event)
        step = self.progress.root.inner.get(event.step)
        if step is not None and event.kind == "step-done" and STEP_SEPARATOR not in event.step:
            print_message(f"{one_line(step.name, 120)}: {effort(step.tally, step.seconds)}")
        if step is not None and event.kind == "progress" and event.at - self._last_line >= _BETWEEN_LINES:
            self._last_line = event.at
            print_message(one_line(f"{step.note}; {effort(step.tally, step.elapsed(event.at))}", 200))
        if event.kind == "prompts-changed":
            print_message(one_line(self.progress.root.note, 200))
        if event.kind == "waiting" and _is_long(event):
            print_message(one_line(self.progress.root.note, 200))


def _is_long(event: Event) -> bool:
    seconds = event.data.get("seconds")
    return isinstance(seconds, int | float) and seconds >= _LONG_WAIT


class TreeWatcher(Watcher):
    """Draws the tree in a separate thread, hence the lock."""

    def __init__(self, progress: RunProgress) -> None:
        super().__init__(progress)
        self._lock = threading.Lock()
        self._spinner = Spinner("dots", style="cyan")

    def __call__(self, event: Event) -> None:
        with self._lock:
            self.progress(event)

    def tree(self) -> ConsoleRenderable:
        """The present tree."""
        now = time.time()
        with self._lock:
            root = self.progress.root
            tree = Tree(self._with_spinner(root, self.progress.method or "starting", now), guide_style="dim")
            self._grow(tree, root, now)
        return tree

    def _grow(self, tree: Tree, step: Step, now: float) -> None:
        inner = list(step.inner.values())
        shown = [each for each in inner if each.state != "done"] if len(inner) > _MOST_INSIDE else inner
        if len(shown) < len(inner):
            tree.add(Text(f"{len(inner) - len(shown)} steps done", style="dim"))
        for each in shown[:_MOST_INSIDE]:
            branch = tree.add(self._with_spinner(each, each.name, now))
            if each.state != "done":
                self._grow(branch, each, now)

    def _with_spinner(self, step: Step, name: str, now: float) -> ConsoleRenderable:
        """The line of a step, with a spinner while it runs."""
        if step.state != "running":
            return _line(step, name, now)
        line = Table.grid(padding=(0, 1))
        line.add_row(self._spinner, _line(step, name, now))
        return line


def _grow_all(tree: Tree, step: Step) -> None:
    for each in step.inner.values():
        _grow_all(tree.add(_line(each, each.name, 0.0)), each)


def _line(step: Step, name: str, now: float) -> Text:
    """Mark, name, note and effort of a step; without a mark while it runs."""
    note = (f": {one_line(step.note, 60)}", "italic") if step.note else ""
    words = Text.assemble(one_line(name, 70), note, "  ", (effort(step.tally, step.elapsed(now)), "dim"))
    mark = _MARKS.get(step.state)
    return Text.assemble(mark, " ", words) if mark else words
