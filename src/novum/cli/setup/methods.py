"""`novum methods`: the methods of generating ideas, and their options."""

from __future__ import annotations

from typing import Annotated

import typer

from novum.cli.shell.fields import fields_of
from novum.cli.shell.group import examples
from novum.cli.shell.terminal import print_line, print_table
from novum.methods import get_method, method_names


@examples("novum methods list")
def list_methods() -> None:
    """List all methods with a description of one line."""
    methods = [get_method(name) for name in method_names()]
    options = [", ".join(method.options.model_fields) for method in methods]
    print_table(
        ("method", "what it does", "options"),
        zip(method_names(), (_first_line(method.doc) for method in methods), options, strict=True),
    )


@examples("novum methods show chain-of-ideas")
def show_method(
    name: Annotated[str, typer.Argument(help="Name of a method, from `novum methods list`.", show_default=False)],
) -> None:
    """Show what a method does, with its options, their types and defaults."""
    method = get_method(name)
    print_line(f"{method.name}\n\n{method.doc}\n")
    print_table(
        ("option", "type", "default", "what it does"),
        ((f.name, f.type, f.default, f.description) for f in fields_of(method.options)),
    )
    first = next(iter(method.options.model_fields))
    print_line(f'\nUse them as --option key=value: novum ideate "…" --method {method.name} --option {first}=…')


def _first_line(text: str) -> str:
    return text.strip().splitlines()[0] if text.strip() else ""
