"""What both commands of `novum opportunities` take."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

LibraryNamed = Annotated[
    str | None,
    typer.Option(
        "--library",
        metavar="FOLDER|FILE",
        help="The library: its folder, or a file of papers, which becomes a library of its own. Else that of the "
        "workplace.",
        show_default=False,
    ),
]
Fewest = Annotated[int, typer.Option(min=2, max=1000, help="Papers that a concept needs.")]
General = Annotated[
    float, typer.Option(min=0.001, max=1.0, help="Share of the papers above which a concept is too general.")
]
Most = Annotated[int, typer.Option(min=10, max=200_000, help="Concepts at most; the more frequent are kept.")]
Horizon = Annotated[int, typer.Option(min=1, max=20, help="Years ahead.")]
JointPapers = Annotated[
    int, typer.Option("--joint", min=1, max=100, help="Papers that must hold both for a pair to be joined.")
]
Alike = Annotated[
    float, typer.Option(min=0.5, max=1.01, help="Likeness from which names are near-synonyms; 1.01: none.")
]
Seed = Annotated[int | None, typer.Option(min=0, help="Of every draw; else the setting `seed`.")]
AsJson = Annotated[bool, typer.Option("--json", help="For programs.")]


@contextmanager
def shown_steps() -> Iterator[Callable[[str, int], None]]:
    """Says which step it is at: in one line that moves on a terminal, in a line each elsewhere."""
    from novum.cli.terminal import tell

    if not sys.stderr.isatty():
        last = ""

        def line(step: str, done: int) -> None:
            nonlocal last
            if step != last:
                tell(f"{step[:1].upper()}{step[1:]}")
            last = step

        yield line
        return
    from rich.console import Console

    with Console(stderr=True).status("Beginning") as status:
        yield lambda step, done: status.update(f"{step[:1].upper()}{step[1:]}" + (f": {done:,}" if done else ""))
