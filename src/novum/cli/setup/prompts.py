"""`novum prompts`: the texts that models read, and how to replace them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from novum.cli.shell.group import examples
from novum.cli.shell.terminal import print_table
from novum.prompts import PromptBook
from novum.settings import load_settings

Folder = Annotated[
    Path | None,
    typer.Option(
        "--prompts", metavar="DIR", help="Folder of prompt files that replace built-in ones of the same name."
    ),
]


@examples("novum prompts list", "novum prompts list --prompts my-prompts")
def list_prompts(prompts: Folder = None) -> None:
    """List all prompts with their version, inputs and answer type."""
    own, used = PromptBook(), PromptBook(_folder(prompts))
    each = [(used.get(name), own.get(name)) for name in used.names()]
    print_table(
        ("prompt", "version", "returns", "needs", "text"),
        (
            (
                p.name,
                str(p.version),
                p.returns,
                ", ".join(sorted(p.needs)),
                "yours" if p.digest != built_in.digest else "built in",
            )
            for p, built_in in each
        ),
    )


@examples("novum prompts show repair", "novum prompts show repair > my-prompts/repair.md")
def show_prompt(
    name: Annotated[str, typer.Argument(help="Name of a prompt, from `novum prompts list`.", show_default=False)],
    prompts: Folder = None,
) -> None:
    """Print the file of a prompt, to save and change it."""
    typer.echo(PromptBook(_folder(prompts)).get(name).source, nl=False)


def _folder(given: Path | None) -> Path | None:
    return load_settings({"prompts": given}).values.prompts
