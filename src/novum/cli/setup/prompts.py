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
    typer.Option("--prompts", metavar="DIR", help="Folder of prompt files that replace ours of the same name."),
]


@examples("novum prompts list", "novum prompts list --prompts my-prompts")
def list_prompts(prompts: Folder = None) -> None:
    """Every prompt with its version, what it needs and what it returns."""
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
                "yours" if p.digest != ours.digest else "ours",
            )
            for p, ours in each
        ),
    )


@examples("novum prompts show repair", "novum prompts show repair > my-prompts/repair.md")
def show_prompt(
    name: Annotated[str, typer.Argument(help="Name of a prompt, from `novum prompts list`.", show_default=False)],
    prompts: Folder = None,
) -> None:
    """The file of a prompt, as it is: ready to be saved and changed."""
    typer.echo(PromptBook(_folder(prompts)).get(name).source, nl=False)


def _folder(given: Path | None) -> Path | None:
    return load_settings({"prompts": given}).values.prompts
