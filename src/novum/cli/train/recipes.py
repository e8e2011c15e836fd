"""`novum train recipes`: the built-in recipes, and one as a TOML file to copy and change."""

from __future__ import annotations

from typing import Annotated

import typer

from novum.cli.shell.group import examples
from novum.cli.shell.terminal import print_json, print_line, print_table
from novum.training.recipes import preset_names, preset_text, read_recipe


@examples(
    "novum train recipes",
    "novum train recipes cpu > mine.toml",
    "novum train judge data --recipe mine.toml --out mine",
)
def recipes(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Print this one as TOML.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """The recipes that come with Novum; with a name, that one as TOML."""
    if name and as_json:
        print_json(read_recipe(name).model_dump(mode="json"))
    elif name:
        print_line(preset_text(name).rstrip("\n"))
    elif as_json:
        print_json({each: read_recipe(each).model_dump(mode="json") for each in preset_names()})
    else:
        known = [(each, read_recipe(each)) for each in preset_names()]
        print_table(("recipe", "base", "for"), ((each, recipe.base, recipe.about) for each, recipe in known))
        print_line("\nTo copy and change one: novum train recipes cpu > mine.toml")
