"""The command `novum`: the table of its commands and the entry point."""

from __future__ import annotations

import logging
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Annotated

import typer
from typer.main import get_install_completion_arguments

import novum
from novum.cli.shell.errors import RedactingFormatter, exit_code_of
from novum.cli.shell.group import ANNOUNCE, CommandGroup, CommandRow, params_of
from novum.cli.shell.terminal import one_line, print_message
from novum.errors import CredentialsExposed

_START, _EVALUATION, _TRAINING, _DATA, _CONFIGURATION = (
    "Getting started", "Evaluation", "Training", "Data", "Configuration"
)  # fmt: skip
_COMMANDS = {
    "ideate": CommandRow(
        "novum.cli.ideas.ideate:ideate", "Generate research ideas on a topic, with a report", _START, long=True
    ),
    "explore": CommandRow(
        "novum.cli.ideas.explore:explore", "Answer a question from the literature, with evidence", _START, long=True
    ),
    "opportunities": CommandRow(
        "novum.cli.opportunities:GROUP", "Find pairs of concepts that no paper links yet", _START
    ),
    "serve": CommandRow("novum.cli.web.serve:serve", "Open the workbench in the browser", _START, long=True),
    "doctor": CommandRow("novum.cli.setup.doctor:doctor", "Check the installation and say what is missing", _START),
    "review": CommandRow("novum.cli.ideas.review:review", "Review ideas and decide on them", _EVALUATION, long=True),
    "filter": CommandRow(
        "novum.cli.ideas.filter:filter_ideas", "Review many ideas and keep the best", _EVALUATION, long=True
    ),
    "score": CommandRow("novum.cli.ideas.score:score", "Score ideas without a language model", _EVALUATION, long=True),
    "select": CommandRow(
        "novum.cli.ideas.select:select", "Select the best ideas that differ from each other", _EVALUATION, long=True
    ),
    "judge": CommandRow("novum.cli.judge:GROUP", "Judge ideas by win rate or rubric, and evaluate judges", _EVALUATION),
    "arena": CommandRow("novum.cli.arena:GROUP", "Compare idea generators (Idea Arena)", _EVALUATION),
    "liveidea": CommandRow(
        "novum.cli.liveidea:GROUP", "Measure models from single keywords (LiveIdeaBench)", _EVALUATION
    ),
    "foresight": CommandRow("novum.cli.foresight:GROUP", "Compare ideas with papers published later", _EVALUATION),
    "next-idea": CommandRow(
        "novum.cli.next_idea:GROUP", "Evaluate models that refine ideas (DeepInnovator)", _EVALUATION
    ),
    "study": CommandRow("novum.cli.study:GROUP", "Have people judge ideas, blind", _EVALUATION),
    "metrics": CommandRow("novum.cli.metrics:GROUP", "Fit, tune and validate metrics of ideas", _EVALUATION),
    "data": CommandRow("novum.cli.data:GROUP", "Build data sets to train models on", _TRAINING),
    "train": CommandRow("novum.cli.train:GROUP", "Train models", _TRAINING),
    "library": CommandRow("novum.cli.library:GROUP", "Add, search, show and export papers", _DATA),
    "runs": CommandRow("novum.cli.runs:GROUP", "List, show, resume and export runs", _DATA),
    "models": CommandRow("novum.cli.setup:MODELS", "List, install and remove models", _CONFIGURATION),
    "methods": CommandRow("novum.cli.setup:METHODS", "List the methods and their options", _CONFIGURATION),
    "prompts": CommandRow("novum.cli.setup:PROMPTS", "List and show the prompts", _CONFIGURATION),
    "config": CommandRow("novum.cli.setup:CONFIG", "Show all settings", _CONFIGURATION),
}
_EPILOG = """\b
[bold]Examples[/bold]
  novum ideate "graph learning for drug discovery"
  novum ideate "protein design" --model openai:gpt-5.5 --budget-usd 0.50
  novum explore "What limits the lifetime of perovskite solar cells?"
  novum runs resume last

\b
[bold]Where to go next[/bold]
  novum doctor              what is in place, and what is missing
  novum models list         which models can be used, with which keys
  novum methods list        how ideas are generated
  novum COMMAND --help      a command, with examples
"""


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"novum {novum.__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """The options of `novum` itself."""


app = CommandGroup(
    _COMMANDS, name="novum", help="Turn the scientific literature into research ideas worth pursuing.", epilog=_EPILOG,
    params=[*params_of(_options), *get_install_completion_arguments()],
)  # fmt: skip


def run(arguments: Sequence[str], *, announce: bool = False) -> int:
    """Runs a command line and returns its exit code. Every error has been printed.

    `announce`: a command that loads much first says at once what it is about to do.
    """

    def call() -> int | None:
        code: int | None = app.main(list(arguments), prog_name="novum", standalone_mode=False, obj={ANNOUNCE: announce})
        return code

    return exit_code_of(call)


def main() -> None:
    """The entry point."""
    _prepare_streams()
    sys.exit(run(sys.argv[1:], announce=True))


def _prepare_streams() -> None:
    """No character of a title may break the output, and libraries do not print to users."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    if os.environ.get("NOVUM_DEBUG"):
        log = logging.StreamHandler()
        log.setFormatter(RedactingFormatter())
        logging.getLogger().addHandler(log)
        logging.captureWarnings(True)
    else:
        logging.getLogger().addHandler(logging.NullHandler())
        warnings.simplefilter("ignore")
        warnings.simplefilter("once", CredentialsExposed)
        warnings.showwarning = _print_warning  # type: ignore[assignment]  # where it was raised is of no use here


def _print_warning(message: Warning | str, *_: object) -> None:
    print_message(f"novum: {one_line(str(message))}")
