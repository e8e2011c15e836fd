"""`novum train recipes`: the built-in recipes, and one as a TOML file to copy and change."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from novum.cli.shell.group import examples
from novum.cli.shell.terminal import print_json, print_line, print_table
from novum.training.recipes import preset_names, preset_text, read_recipe


@examples(
    "novum train recipes",
    "novum train recipes cpu > mine.toml",
    "novum train recipes 8x80gb --for sft",
    "novum train judge data --recipe mine.toml --out mine",
)
def recipes(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Print this one as TOML.", show_default=False)
    ] = None,
    kind: Annotated[
        Literal["judge", "sft", "dpo"], typer.Option("--for", help="The training that they are for.")
    ] = "judge",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """The recipes that come with Novum; with a name, that one as TOML."""
    if name and as_json:
        print_json(read_recipe(name, kind=kind).model_dump(mode="json"))
    elif name:
        print_line(preset_text(name, kind).rstrip("\n"))
    elif as_json:
        print_json({each: read_recipe(each, kind=kind).model_dump(mode="json") for each in preset_names(kind)})
    else:
        known = [(each, read_recipe(each, kind=kind)) for each in preset_names(kind)]
        print_table(("recipe", "base", "for"), ((each, recipe.base, recipe.about) for each, recipe in known))
        print_line(f"\nTo copy and change one: novum train recipes cpu --for {kind} > mine.toml")
