"""The command `novum`: its commands in their groups, and the way in."""

from __future__ import annotations

import logging
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Annotated

import typer

from novum import __version__
from novum.cli.arena import commands as arena
from novum.cli.data import commands as data
from novum.cli.foresight import commands as foresight
from novum.cli.ideas import explore, filter, ideate, review, score, select
from novum.cli.judge import commands as judge
from novum.cli.library import commands as library
from novum.cli.liveidea import commands as liveidea
from novum.cli.metrics import commands as metrics
from novum.cli.opportunities import commands as opportunities
from novum.cli.runs import commands as runs
from novum.cli.setup import config, doctor, methods, models, prompts
from novum.cli.shell.errors import pass_through
from novum.cli.shell.group import Help
from novum.cli.train import commands as train

_DO, _MEASURE, _LEARN = "Begin here", "What is better", "Models that learn"
_KEEP, _SET = "What is kept", "What it works with"

EPILOG = """\b
[bold]Examples[/bold]
  novum ideate "graph learning for drug discovery"
  novum ideate "protein design" --model openai:gpt-5.5 --budget-usd 0.50
  novum explore "What limits the lifetime of perovskite solar cells?"
  novum runs resume last

\b
[bold]Where to go next[/bold]
  novum doctor              is everything in place, and what is missing?
  novum models list         which models can be asked, with which keys
  novum methods list        how ideas are made, and with which options
  novum COMMAND --help      each command, with examples
"""

app = typer.Typer(
    name="novum", help="Turn the scientific literature into research ideas worth pursuing.", epilog=EPILOG,
    rich_markup_mode="rich", context_settings=Help, invoke_without_command=True, pretty_exceptions_enable=False,
)  # fmt: skip
app.command("ideate", rich_help_panel=_DO, epilog=ideate.EPILOG)(ideate.ideate)
app.command("explore", rich_help_panel=_DO, epilog=explore.EPILOG)(explore.explore)
app.command("review", rich_help_panel=_MEASURE, epilog=review.EPILOG)(review.review)
app.command("filter", rich_help_panel=_MEASURE, epilog=filter.EPILOG)(filter.filter_ideas)
app.command("doctor", rich_help_panel=_DO, epilog=doctor.EPILOG)(doctor.doctor)
app.command("score", rich_help_panel=_MEASURE, epilog=score.EPILOG)(score.score)
app.command("select", rich_help_panel=_MEASURE, epilog=select.EPILOG)(select.select)
app.add_typer(metrics.app, name="metrics", rich_help_panel=_MEASURE)
app.add_typer(liveidea.app, name="liveidea", rich_help_panel=_MEASURE)
app.add_typer(arena.app, name="arena", rich_help_panel=_MEASURE)
app.add_typer(judge.app, name="judge", rich_help_panel=_MEASURE)
app.add_typer(foresight.app, name="foresight", rich_help_panel=_MEASURE)
app.add_typer(opportunities.app, name="opportunities", rich_help_panel=_MEASURE)
app.add_typer(data.app, name="data", rich_help_panel=_LEARN)
app.add_typer(train.app, name="train", rich_help_panel=_LEARN)
app.add_typer(runs.app, name="runs", rich_help_panel=_KEEP)
app.add_typer(library.app, name="library", rich_help_panel=_KEEP)
app.add_typer(models.app, name="models", rich_help_panel=_SET)
app.add_typer(methods.app, name="methods", rich_help_panel=_SET)
app.add_typer(prompts.app, name="prompts", rich_help_panel=_SET)
app.add_typer(config.app, name="config", rich_help_panel=_SET)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"novum {__version__}")
        raise typer.Exit


@app.callback()
def novum(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and end.")
    ] = False,
) -> None:
    """Turn the scientific literature into research ideas worth pursuing."""
    if context.invoked_subcommand is None:
        context.get_help()
        raise typer.Exit


def run(arguments: Sequence[str]) -> int:
    """Carries a command line out and returns its exit code; every error has been told."""

    def carry_out() -> int | None:
        command = typer.main.get_command(app)
        code: int | None = command.main(list(arguments), prog_name="novum", standalone_mode=False)
        return code

    return pass_through(carry_out)


def main() -> None:
    """The entry point."""
    _settle_streams()
    sys.exit(run(sys.argv[1:]))


def _settle_streams() -> None:
    """No character of a title may break the output, and libraries do not talk to users."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    if not os.environ.get("NOVUM_DEBUG"):
        logging.getLogger().addHandler(logging.NullHandler())
        warnings.simplefilter("ignore")
