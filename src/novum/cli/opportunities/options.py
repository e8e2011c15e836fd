"""Options that the commands of `novum opportunities` share."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any, get_type_hints

import typer
from rich.console import Console

from novum.cli.shell.terminal import print_message
from novum.opportunities.settings import OpportunitySettings, default_settings

LibraryNamed = Annotated[
    str | None,
    typer.Option(
        "--library",
        metavar="DIR|FILE",
        help="The library: its folder, or a file of papers, which becomes a library of its own. "
        "Default: the library of the workplace.",
        show_default=False,
    ),
]
Fewest = Annotated[
    int | None,
    typer.Option(
        "--min-papers", min=2, max=1000, help="Papers that a concept needs.", show_default="5; 3 below 3,000 papers"
    ),
]
General = Annotated[
    float,
    typer.Option(
        "--max-share", min=0.001, max=1.0, help="Concepts in a larger share of the papers are left out as too general."
    ),
]
Most = Annotated[int, typer.Option("--limit", min=10, max=200_000, help="Concepts at most, the most frequent ones.")]
Horizon = Annotated[int, typer.Option(min=1, max=20, help="Years ahead.")]
JointPapers = Annotated[
    int,
    typer.Option("--min-joint-papers", min=1, max=100, help="Papers that must contain both concepts of a linked pair."),
]
Alike = Annotated[
    float,
    typer.Option(
        "--synonym-similarity", min=0.5, max=1.01, help="Similarity from which names are near-synonyms; 1.01: none."
    ),
]
Seed = Annotated[int | None, typer.Option(min=0, help="Random seed. Default: the setting `seed`.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
_BETWEEN_LINES = 5.0
"""Seconds between two lines on the present step, at least."""


@dataclass(frozen=True)
class SettingsOptions:
    """Settings of the concepts and the forecast; None: the default for the size of the library."""

    fewest: Fewest = None
    general: General = 0.2
    most: Most = 30_000
    horizon: Horizon = 3
    joint: JointPapers = 1
    alike: Alike = 0.9
    seed: Seed = None

    def settings(self, papers: int, seed: int) -> OpportunitySettings:
        """The settings for a library of `papers` papers; `seed` is used where none was given."""
        given = {name: value for name, value in asdict(self).items() if value is not None}
        return OpportunitySettings(**default_settings(papers).model_dump() | {"seed": seed} | given)


def with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Decorates a command: every field of `SettingsOptions` becomes an option, in place of its parameter `options`."""
    hints = get_type_hints(SettingsOptions, include_extras=True)
    parameters = [
        Parameter(each.name, Parameter.KEYWORD_ONLY, default=each.default, annotation=hints[each.name])
        for each in fields(SettingsOptions)
    ]
    own = signature(command, eval_str=True)

    @wraps(command)
    def with_options(**given: Any) -> None:
        command(options=SettingsOptions(**{each.name: given.pop(each.name) for each in parameters}), **given)

    all_parameters = [
        part for each in own.parameters.values() for part in (parameters if each.name == "options" else [each])
    ]
    with_options.__signature__ = own.replace(parameters=all_parameters)  # type: ignore[attr-defined]
    return with_options


@contextmanager
def print_steps() -> Iterator[Callable[[str, int], None]]:
    """A function that prints the present step: in one changing line on a terminal, else in a line now and then."""
    if not sys.stderr.isatty():
        last, printed = "", -math.inf

        def line(step: str, done: int) -> None:
            nonlocal last, printed
            if step != last and time.monotonic() - printed >= _BETWEEN_LINES:
                print_message(f"{step[:1].upper()}{step[1:]}")
                printed = time.monotonic()
            last = step

        yield line
        return

    with Console(stderr=True).status("Starting") as status:
        yield lambda step, done: status.update(f"{step[:1].upper()}{step[1:]}" + (f": {done:,}" if done else ""))
