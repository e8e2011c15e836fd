"""One session of work on a measurement: watched, stoppable, its leaderboard shown and its data set written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from novum.benchmarks.liveidea.exporting import write_dataset
from novum.benchmarks.liveidea.leaderboard import LiveIdeaLeaderboard, leaderboard
from novum.benchmarks.liveidea.records import LiveIdeaRun
from novum.cli.liveidea.table import remarks, say_leaderboard
from novum.cli.shell.durable import check_finished
from novum.cli.shell.phrases import bill
from novum.cli.shell.session import REPORTS_FOLDER
from novum.cli.shell.terminal import print_nothing, print_line, print_json, print_message
from novum.reports.phrases import duration


@dataclass(frozen=True)
class Manner:
    """How the outcome is shown. `out` None: a folder of the run's name under `novum-reports`."""

    out: Path | None = None
    as_json: bool = False
    quiet: bool = False
    formats: Sequence[str] = ("jsonl", "csv")
    draws: int = 1000
    without_severity: bool = False

    def folder(self, name: str) -> Path:
        return self.out or REPORTS_FOLDER / name


def deliver(run: LiveIdeaRun, manner: Manner) -> None:
    """Shows the leaderboard and writes the data set. Raises BudgetSpent at the end where the budget had stopped it."""
    show_and_write(run, manner)
    check_finished(run, run.name)


def show_stored(run: LiveIdeaRun, *, out: Path | None, as_json: bool, quiet: bool) -> None:
    """Shows the outcome of a stored run and writes its files."""
    show_and_write(run, Manner(out, as_json, quiet))


def show_and_write(run: LiveIdeaRun, manner: Manner) -> None:
    """Shows the leaderboard and writes the data set."""
    show(run, manner)
    speak = print_nothing if manner.quiet else print_message if manner.as_json else print_line
    for file in write_dataset(run, manner.folder(run.name), manner.formats):
        speak(str(file))
    if run.account is not None:
        speak(f"Cost:      {bill(run.account.spend)}; time: {duration(run.account.seconds)}")


def show(run: LiveIdeaRun, manner: Manner) -> LiveIdeaLeaderboard:
    """The leaderboard: a table with remarks, or JSON."""
    board = leaderboard(run, draws=manner.draws, without_severity=manner.without_severity)
    if manner.as_json:
        header = run.model_dump(mode="json", exclude={"ideas", "judgements", "anchor_judgements", "informed"})
        print_json({"run": header, "leaderboard": board.model_dump(mode="json")})
        return board
    say_leaderboard(board)
    for line in remarks(run, board):
        print_line(line)
    return board
