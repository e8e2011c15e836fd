"""`novum train recipes`: what recipes there are, and one as a file to copy and change."""

from __future__ import annotations

from typing import Annotated

import typer

from novum.cli.shell.group import examples

EPILOG = examples(
    "novum train recipes",
    "novum train recipes cpu > mine.toml",
    "novum train judge data --recipe mine.toml --out mine",
)


def recipes(
    name: Annotated[str | None, typer.Argument(help="Print this one as TOML.", show_default=False)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """The recipes that come with Novum; with a name, that one as TOML."""
    from novum.cli.shell.terminal import say, say_json, say_table
    from novum.training.recipes import preset_names, preset_text, read_recipe

    if name and as_json:
        say_json(read_recipe(name).model_dump(mode="json"))
    elif name:
        say(preset_text(name).rstrip("\n"))
    elif as_json:
        say_json({each: read_recipe(each).model_dump(mode="json") for each in preset_names()})
    else:
        known = [(each, read_recipe(each)) for each in preset_names()]
        say_table(("recipe", "base", "for"), ((each, recipe.base, recipe.about) for each, recipe in known))
        say("\nOne as a file to copy and change: novum train recipes cpu > mine.toml")
