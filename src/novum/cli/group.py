"""What all groups of commands share: their help when no command is named, and how examples are set."""

from __future__ import annotations

import typer

Help = {"help_option_names": ["-h", "--help"]}


def group(short: str, more: str = "") -> typer.Typer:
    """A group of commands that shows its help when called without one. `short`: its line in the list of commands."""
    text = f"{short}\n\n{more}" if more else short
    app = typer.Typer(
        help=text, short_help=short, rich_markup_mode="rich", context_settings=Help, invoke_without_command=True
    )

    @app.callback()
    def show_help(context: typer.Context) -> None:
        if context.invoked_subcommand is None:
            context.get_help()  # with rich markup this prints by itself
            raise typer.Exit

    return app


def examples(*lines: str) -> str:
    """An epilog of examples, each on its own line."""
    return "\n".join(("\b", "[bold]Examples[/bold]", *(f"  {line}" for line in lines)))
