"""What all groups of commands share: their help when no command is named, and how examples are set."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

Help = {"help_option_names": ["-h", "--help"]}


def group(short: str, more: str = "", *, default: str = "") -> typer.Typer:
    """A group of commands that shows its help when called without one. `short`: its line in the list of commands;
    `default`: the command that is meant where the first word names none."""
    text = f"{short}\n\n{more}" if more else short
    app = typer.Typer(
        help=text, short_help=short, rich_markup_mode="rich", context_settings=Help, invoke_without_command=True,
        cls=_meaning(default) if default else TyperGroup,
    )  # fmt: skip

    @app.callback()
    def show_help(context: typer.Context) -> None:
        if context.invoked_subcommand is None:
            context.get_help()  # with rich markup this prints by itself
            raise typer.Exit

    return app


def _meaning(default: str) -> type[TyperGroup]:
    """A group in which `default` is meant where no command is named."""

    class Meaning(TyperGroup):
        meant = default

        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            if args and args[0] not in self.commands and args[0] not in Help["help_option_names"]:
                args = [default, *args]
            return super().parse_args(ctx, args)

    return Meaning


def examples(*lines: str) -> str:
    """An epilog of examples, each on its own line."""
    return "\n".join(("\b", "[bold]Examples[/bold]", *(f"  {line}" for line in lines)))
