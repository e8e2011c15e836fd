"""Words to people: results on stdout, messages on stderr, foreign text stripped of what a terminal would obey."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

Printer = Callable[[str], None]
_WIDE = 1000
"""Columns of a table that no terminal shows: a program reading it wants whole lines."""


def print_line(text: str = "") -> None:
    """One result for the user, on stdout."""
    print(printable(text))


def print_message(text: str) -> None:
    """One message, on stderr."""
    print(printable(text), file=sys.stderr, flush=True)


def print_nothing(_: str) -> None:
    """What `--quiet` speaks with."""


def print_json(value: object) -> None:
    """JSON on stdout and nothing else. Half surrogate pairs, which UTF-8 cannot hold, become question marks."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "replace") + b"\n")
    sys.stdout.buffer.flush()


def print_json_line(value: object) -> None:
    """One line of JSON on stdout."""
    sys.stdout.buffer.write(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace") + b"\n")


def print_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table on stdout: fitted to a terminal, or one whole line per row for a program."""
    table = Table(box=SIMPLE_HEAD if sys.stdout.isatty() else None, pad_edge=False, header_style="bold")
    for head in heads:
        table.add_column(head, overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    _stdout().print(table)


def print_heading(text: str) -> None:
    """A line that opens a section of what follows."""
    _stdout().print(Text(printable(text), style="bold"))


def printable(text: str) -> str:
    """`text` without control and format characters, line ends and tabs apart: a title must not steer the terminal."""
    return "".join(char for char in text if char in "\n\t" or char.isprintable())


def one_line(text: str, limit: int = 1_500) -> str:
    """`text` on one line that a terminal can show, at most `limit` characters."""
    line = " ".join(printable(text).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _stdout() -> Console:
    return Console(width=None if sys.stdout.isatty() else _WIDE, highlight=False, soft_wrap=False)
