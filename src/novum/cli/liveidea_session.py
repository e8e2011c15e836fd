"""One session of work on a measurement: watched, stoppable, its leaderboard shown and its data set written."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from novum.benchmarks.liveidea.files import write_dataset
from novum.benchmarks.liveidea.leaderboard import Leaderboard, leaderboard
from novum.benchmarks.liveidea.records import LiveIdeaRun
from novum.cli.interrupt import run_stoppable, say_last_words
from novum.cli.live import watching
from novum.cli.liveidea_table import remarks, say_leaderboard
from novum.cli.phrases import bill
from novum.cli.progress import Progress
from novum.cli.session import REPORTS_FOLDER, resume_hint
from novum.cli.terminal import keep_still, say, say_json, tell
from novum.errors import BudgetSpent, NovumError
from novum.lab import Workplace
from novum.ledger.run import Listener
from novum.reports.phrases import duration
from novum.settings import LoadedSettings

Job = Callable[[Workplace, Sequence[Listener]], Awaitable[LiveIdeaRun]]


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


def measured(settings: LoadedSettings, job: Job, *, quiet: bool, run_id: str = "") -> LiveIdeaRun:
    """Carries `job` out. Raises what it raises, with a note on how to go on. `run_id`: of a run taken up again."""
    progress = Progress(run_id)

    def message() -> str:
        if not progress.run_id:
            return "Stopped before the run began; nothing was asked."
        score = f"`novum liveidea score {progress.run_id}` shows what there is."
        return f"Stopped. Every answer so far is kept. {resume_hint(progress.run_id)}; {score}"

    with watching(progress, quiet=quiet) as watcher:

        async def work() -> LiveIdeaRun:
            async with Workplace(settings) as place:
                return await job(place, [watcher])

        try:
            return run_stoppable(work(), message, lambda: say_last_words(message()))
        except NovumError as error:
            if progress.run_id and progress.run_id not in str(error):
                error.add_note(resume_hint(progress.run_id))
            raise


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
