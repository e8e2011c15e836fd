"""Runs of LiveIdeaBench for a user: found by name or file, printed as a leaderboard, and written as a data set."""

from __future__ import annotations

from pathlib import Path

from novum.benchmarks.liveidea.durable import LIVEIDEA
from novum.benchmarks.liveidea.exporting import read_dataset, write_dataset
from novum.benchmarks.liveidea.leaderboard import leaderboard
from novum.benchmarks.liveidea.records import LiveIdeaRun
from novum.cli.liveidea.table import print_leaderboard, remarks
from novum.cli.shell.arguments import print_import_log
from novum.cli.shell.durable import check_finished, record_named, replay_run
from novum.cli.shell.output import OutputOptions
from novum.cli.shell.phrases import bill
from novum.cli.shell.terminal import one_line, print_json, print_line
from novum.errors import BadInput
from novum.reports.phrases import duration

TABLES = ("jsonl", "csv")


def run_named(name: str) -> LiveIdeaRun:
    """A run by its id, its beginning or `last`, or by the file or folder of a data set. Calls no model.

    Rows of a file that cannot be read are printed. Raises BadInput when there is no such run.
    """
    if _exists(name):
        return dataset_in(Path(name))
    if Path(name).suffix or any(sign in name for sign in "/\\"):  # no id of a run has one of these
        raise BadInput(
            f"{one_line(name, 300)}: no such file or folder. Name a data set (.jsonl, .csv, .parquet, or its folder), "
            "or a run by its id, its beginning or `last`; `novum runs list` shows the runs."
        )
    nothing = "No models were measured yet. Start: novum liveidea run --model PROVIDER:MODEL"
    return replay_run(LIVEIDEA, record_named(name, LIVEIDEA.name, nothing))


def dataset_in(place: Path) -> LiveIdeaRun:
    """The run in a data set; rows that cannot be read are printed."""
    imported = read_dataset(place)
    print_import_log(imported)
    return imported.run


def deliver(run: LiveIdeaRun, output: OutputOptions) -> None:
    """Prints the leaderboard and writes the data set. Raises BudgetSpent at the end when the budget stopped the run."""
    show_and_write(run, output)
    check_finished(run, run.name)


def show_and_write(run: LiveIdeaRun, output: OutputOptions) -> None:
    """Prints the leaderboard and writes the data set."""
    show(run, output)
    for file in write_dataset(run, output.folder(run.name), output.formats or TABLES):
        output.note(str(file))
    if run.account is not None:
        output.note(f"Cost:      {bill(run.account.spend)}; time: {duration(run.account.seconds)}")


def show(run: LiveIdeaRun, output: OutputOptions, *, without_severity: bool = False) -> None:
    """Prints the leaderboard, as a table with remarks or as JSON."""
    board = leaderboard(run, draws=output.bootstrap_samples, without_severity=without_severity)
    if output.as_json:
        header = run.model_dump(mode="json", exclude={"ideas", "judgements", "anchor_judgements", "informed"})
        print_json({"run": header, "leaderboard": board.model_dump(mode="json")})
        return
    print_leaderboard(board)
    for line in remarks(run, board):
        print_line(line)


def _exists(name: str) -> bool:
    try:
        return Path(name).exists()
    except OSError:  # far too long for a file name
        return False
