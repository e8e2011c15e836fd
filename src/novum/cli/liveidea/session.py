"""One session of work on a measurement: watched, stoppable, its leaderboard shown and its data set written."""

from __future__ import annotations

from novum.benchmarks.liveidea.exporting import write_dataset
from novum.benchmarks.liveidea.leaderboard import LiveIdeaLeaderboard, leaderboard
from novum.benchmarks.liveidea.records import LiveIdeaRun
from novum.cli.liveidea.table import remarks, say_leaderboard
from novum.cli.shell.durable import check_finished
from novum.cli.shell.output import OutputOptions
from novum.cli.shell.phrases import bill
from novum.cli.shell.terminal import print_json, print_line
from novum.reports.phrases import duration


def deliver(run: LiveIdeaRun, output: OutputOptions) -> None:
    """Shows the leaderboard and writes the data set. Raises BudgetSpent at the end where the budget had stopped it."""
    show_and_write(run, output)
    check_finished(run, run.name)


def show_and_write(run: LiveIdeaRun, output: OutputOptions) -> None:
    """Shows the leaderboard and writes the data set."""
    show(run, output)
    for file in write_dataset(run, output.folder(run.name), output.formats or ("jsonl", "csv")):
        output.note(str(file))
    if run.account is not None:
        output.note(f"Cost:      {bill(run.account.spend)}; time: {duration(run.account.seconds)}")


def show(run: LiveIdeaRun, output: OutputOptions, *, without_severity: bool = False) -> LiveIdeaLeaderboard:
    """The leaderboard: a table with remarks, or JSON."""
    board = leaderboard(run, draws=output.bootstrap_samples, without_severity=without_severity)
    if output.as_json:
        header = run.model_dump(mode="json", exclude={"ideas", "judgements", "anchor_judgements", "informed"})
        print_json({"run": header, "leaderboard": board.model_dump(mode="json")})
        return board
    say_leaderboard(board)
    for line in remarks(run, board):
        print_line(line)
    return board
