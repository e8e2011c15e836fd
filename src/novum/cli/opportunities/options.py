"""What the commands of `novum opportunities` take in common."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from functools import wraps
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

if TYPE_CHECKING:
    from novum.opportunities.settings import OpportunitySettings

LibraryNamed = Annotated[
    str | None,
    typer.Option(
        "--library",
        metavar="DIR|FILE",
        help="The library: its folder, or a file of papers, which becomes a library of its own. Else that of the "
        "workplace.",
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
    typer.Option("--max-share", min=0.001, max=1.0, help="Share of the papers above which a concept is too general."),
]
Most = Annotated[
    int, typer.Option("--limit", min=10, max=200_000, help="Concepts at most; the more frequent are kept.")
]
Horizon = Annotated[int, typer.Option(min=1, max=20, help="Years ahead.")]
JointPapers = Annotated[
    int, typer.Option("--min-joint-papers", min=1, max=100, help="Papers that must hold both for a pair to be joined.")
]
Alike = Annotated[
    float,
    typer.Option(
        "--synonym-similarity", min=0.5, max=1.01, help="Likeness from which names are near-synonyms; 1.01: none."
    ),
]
Seed = Annotated[int | None, typer.Option(min=0, help="Random seed. Default: the setting `seed`.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@dataclass(frozen=True)
class SettingsOptions:
    """How concepts and their forecast are to be made; what is None is as usual for the library."""

    fewest: Fewest = None
    general: General = 0.2
    most: Most = 30_000
    horizon: Horizon = 3
    joint: JointPapers = 1
    alike: Alike = 0.9
    seed: Seed = None

    def settings(self, papers: int, seed: int) -> OpportunitySettings:
        """For a library of so many papers; `seed` where none was asked for."""
        from novum.opportunities.settings import OpportunitySettings, default_settings

        given = {name: value for name, value in asdict(self).items() if value is not None}
        return OpportunitySettings(**default_settings(papers).model_dump() | {"seed": seed} | given)


def with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Every field of `Asked` as an option of a command, in the place of its parameter `asked`."""
    hints = get_type_hints(SettingsOptions, include_extras=True)
    options = [
        Parameter(each.name, Parameter.KEYWORD_ONLY, default=each.default, annotation=hints[each.name])
        for each in fields(SettingsOptions)
    ]
    own = signature(command, eval_str=True)

    @wraps(command)
    def taken(**given: Any) -> None:
        asked = SettingsOptions(**{option.name: given.pop(option.name) for option in options})
        command(asked=asked, **given)

    selected = [part for each in own.parameters.values() for part in (options if each.name == "asked" else [each])]
    taken.__signature__ = own.replace(parameters=selected)  # type: ignore[attr-defined]
    return taken


@contextmanager
def shown_steps() -> Iterator[Callable[[str, int], None]]:
    """Says which step it is at: in one line that moves on a terminal, in a line each elsewhere."""
    from novum.cli.shell.terminal import print_message

    if not sys.stderr.isatty():
        last = ""

        def line(step: str, done: int) -> None:
            nonlocal last
            if step != last:
                print_message(f"{step[:1].upper()}{step[1:]}")
            last = step

        yield line
        return
    from rich.console import Console

    with Console(stderr=True).status("Beginning") as status:
        yield lambda step, done: status.update(f"{step[:1].upper()}{step[1:]}" + (f": {done:,}" if done else ""))
