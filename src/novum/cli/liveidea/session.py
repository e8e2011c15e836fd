"""One session of work on a measurement: watched, stoppable, its leaderboard shown and its data set written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from novum.benchmarks.liveidea.exporting import write_dataset
from novum.benchmarks.liveidea.leaderboard import Leaderboard, leaderboard
from novum.benchmarks.liveidea.records import LiveIdeaRun
from novum.cli.liveidea.table import remarks, say_leaderboard
from novum.cli.shell.durable import Job, carried_out
from novum.cli.shell.phrases import bill
from novum.cli.shell.session import REPORTS_FOLDER, resume_hint
from novum.cli.shell.terminal import keep_still, say, say_json, tell
from novum.errors import BudgetSpent
from novum.reports.phrases import duration
from novum.settings import LoadedSettings


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


def measured(settings: LoadedSettings, job: Job[LiveIdeaRun], *, quiet: bool, run_id: str = "") -> LiveIdeaRun:
    """Carries `job` out. Raises what it raises, with a note on how to go on. `run_id`: of a run taken up again."""
    return carried_out(settings, job, quiet=quiet, run_id=run_id, shown_by="novum liveidea score")


def deliver(run: LiveIdeaRun, manner: Manner) -> None:
    """Shows the leaderboard and writes the data set. Raises BudgetSpent at the end where the budget had stopped it."""
    show(run, manner)
    speak = keep_still if manner.quiet else tell if manner.as_json else say
    for file in write_dataset(run, manner.folder(run.name), manner.formats):
        speak(str(file))
    if run.account is not None:
        speak(f"Cost:      {bill(run.account.spend)}; time: {duration(run.account.seconds)}")
    if run.stopped:
        raise BudgetSpent(f"{run.stopped} The leaderboard is of what there is. {resume_hint(run.name)}")


def show(run: LiveIdeaRun, manner: Manner) -> Leaderboard:
    """The leaderboard: a table with remarks, or JSON."""
    board = leaderboard(run, draws=manner.draws, without_severity=manner.without_severity)
    if manner.as_json:
        header = run.model_dump(mode="json", exclude={"ideas", "judgements", "anchor_judgements", "informed"})
        say_json({"run": header, "leaderboard": board.model_dump(mode="json")})
        return board
    say_leaderboard(board)
    for line in remarks(run, board):
        say(line)
    return board
