"""`novum train recipes`: the built-in recipes, and one as a TOML file to copy and change."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from novum.cli.shell.group import examples
from novum.cli.shell.terminal import print_json, print_line, print_table
from novum.training.next_idea.grpo.recipe import NEXT_IDEA_RECIPES
from novum.training.recipes.reading import (
    DPO_RECIPES,
    JUDGE_RECIPES,
    SFT_RECIPES,
    RecipeKind,
    preset_names,
    preset_text,
    read_recipe_of,
)

KINDS: dict[str, RecipeKind[Any]] = {
    "judge": JUDGE_RECIPES,
    "sft": SFT_RECIPES,
    "dpo": DPO_RECIPES,
    "next-idea": NEXT_IDEA_RECIPES,
}


@examples(
    "novum train recipes",
    "novum train recipes cpu > mine.toml",
    "novum train recipes 8x80gb --for sft",
    "novum train recipes deep-innovator-14b --for next-idea",
    "novum train judge data --recipe mine.toml --out mine",
)
def recipes(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Print this one as TOML.", show_default=False)
    ] = None,
    purpose: Annotated[
        Literal["judge", "sft", "dpo", "next-idea"],
        typer.Option("--for", help="The training that the recipes are for."),
    ] = "judge",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """The recipes that come with Novum; with a name, that one as TOML."""
    kind = KINDS[purpose]
    if name and as_json:
        print_json(read_recipe_of(kind, name).model_dump(mode="json"))
    elif name:
        print_line(preset_text(name, kind).rstrip("\n"))
    elif as_json:
        print_json({each: read_recipe_of(kind, each).model_dump(mode="json") for each in preset_names(kind)})
    else:
        known = [(each, read_recipe_of(kind, each)) for each in preset_names(kind)]
        print_table(("recipe", "base", "for"), ((each, recipe.base, recipe.about) for each, recipe in known))
        print_line(f"\nTo copy and change one: {kind.example} > mine.toml")
