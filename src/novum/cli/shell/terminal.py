"""Output for people: results on stdout, messages on stderr, foreign text without terminal control characters; neither
shows a key or password."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from novum.credentials.redaction import redact, redact_message

Printer = Callable[[str], None]
_WIDE = 1000
"""Width of a table for programs, in columns: they want whole lines."""
_STEERING = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control characters beyond ASCII and those that change the direction of text."""


def print_line(text: str = "") -> None:
    """Prints one line of results on stdout."""
    print(printable(text))


def print_message(text: str) -> None:
    """Prints one message on stderr."""
    print(printable(redact_message(text)), file=sys.stderr, flush=True)


def print_nothing(_: str) -> None:
    """Prints nothing, for `--quiet`."""


def print_pieces(pieces: Iterable[str]) -> None:
    """Prints text for programs on stdout as it is, except keys, passwords and what steers a terminal."""
    for piece in pieces:
        sys.stdout.write(_STEERING.sub("", redact(piece)))


def print_json(value: object) -> None:
    """Prints JSON on stdout. Lone surrogates, which UTF-8 cannot encode, become question marks."""
    sys.stdout.flush()
    _print_encoded(json.dumps(value, ensure_ascii=False, indent=2))
    sys.stdout.buffer.flush()


def print_json_line(value: object) -> None:
    """One line of JSON on stdout."""
    _print_encoded(json.dumps(value, ensure_ascii=False))


def _print_encoded(text: str) -> None:
    escaped = _STEERING.sub(lambda char: f"\\u{ord(char[0]):04x}", redact(text))  # inside strings, as all else is ASCII
    sys.stdout.buffer.write(escaped.encode("utf-8", "replace") + b"\n")


def print_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Prints a table on stdout: fitted to a terminal, or one whole line per row for a program."""
    table = Table(box=SIMPLE_HEAD if sys.stdout.isatty() else None, pad_edge=False, header_style="bold")
    for head in heads:
        table.add_column(head, overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    _stdout().print(table)


def print_heading(text: str) -> None:
    """Prints the heading of a section."""
    _stdout().print(Text(printable(text), style="bold"))


def printable(text: str) -> str:
    """`text` as a terminal may show it: without keys and passwords, and without control and format characters other
    than line ends and tabs, as a title must not steer the terminal."""
    shown = "".join(char for char in redact(text) if char in "\n\t" or char.isprintable())
    return redact(shown)  # what was taken out may have stood in a key


def one_line(text: str, limit: int = 1_500) -> str:
    """`text` on one line that a terminal can show, at most `limit` characters."""
    line = " ".join(printable(text).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _stdout() -> Console:
    return Console(width=None if sys.stdout.isatty() else _WIDE, highlight=False, soft_wrap=False)
