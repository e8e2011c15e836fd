"""The help of a group of commands: its text, its commands under their headings, its options, and examples.

Typer would draw the same, but loads Markdown and syntax highlighting first, which takes longer than all the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

Rows = Sequence[tuple[str, str]]


def print_group_help(
    usage: str, text: str, panels: Mapping[str, Rows], options: Iterable[Any], epilog: str | None
) -> None:
    """Prints the help of a group. `panels`: (name, short help) of the commands, by heading."""
    console = Console(highlight=False)
    width = max((len(name) for rows in panels.values() for name, _ in rows), default=0)
    console.print(Padding(Text(usage, style="bold"), 1))
    console.print(Padding(Text.from_markup(text), (0, 1, 1, 1)))
    for heading, rows in panels.items():
        console.print(_panel(heading, rows, width))
    flags = [(", ".join(sorted(each.opts, key=len)), each.help or "") for each in options]
    console.print(_panel("Options", flags, max(len(names) for names, _ in flags)))
    if epilog:
        console.print(Padding(Text.from_markup(epilog.replace("\b\n", "")), (1, 1, 0, 1)))


def _panel(heading: str, rows: Rows, width: int) -> Panel:
    table = Table.grid(padding=(0, 2), expand=True)
    table.add_column(width=width, style="bold cyan", no_wrap=True)
    table.add_column(ratio=1)
    for name, text in rows:
        table.add_row(name, text)
    return Panel(table, title=heading, title_align="left", border_style="dim")
