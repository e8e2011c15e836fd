"""One session of work on a run: watched, stoppable, its report delivered. Starting and resuming share it."""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from novum.cli.ideas.answer_text import answers
from novum.cli.shell.interrupt import run_stoppable, print_last_words
from novum.cli.shell.phrases import bill
from novum.cli.shell.progress import Progress
from novum.cli.shell.terminal import Printer, print_nothing, one_line, print_line, print_json, print_message
from novum.cli.shell.watch import Watcher, watching
from novum.core import ExplorationReport, IdeationReport
from novum.errors import BadInput, NovumError
from novum.lab import Workplace
from novum.ledger.run import Listener
from novum.reports import write_report
from novum.reports.exploration import phrases as exploring
from novum.reports.ideation.findings import headline
from novum.reports.phrases import duration
from novum.settings import BUILT_IN, LoadedSettings

RunReport = IdeationReport | ExplorationReport
REPORTS_FOLDER = Path("novum-reports")
Job = Callable[[Workplace, Sequence[Listener]], Awaitable[RunReport]]


@dataclass(frozen=True)
class Manner:
    """How a session shows itself. `out` None: a folder of the run's name under `novum-reports`. `kind`: of its run.
    `talk`: it speaks with the user while it runs, so that nothing may be drawn over.
    """

    out: Path | None = None
    as_json: bool = False
    quiet: bool = False
    kind: str = "ideate"
    talk: bool = False

    @property
    def speak(self) -> Printer:
        """Results in words: on stdout, or on stderr when stdout belongs to the JSON."""
        return print_message if self.as_json else print_line

    @property
    def remark(self) -> Printer:
        """What `--quiet` leaves out."""
        return print_nothing if self.quiet else self.speak

    def folder(self, run_id: str) -> Path:
        return self.out or REPORTS_FOLDER / run_id


def work(settings: LoadedSettings, job: Job, manner: Manner, why: str = "", run_id: str = "") -> None:
    """Carries `job` out and delivers its report. Raises what the job raises, with a note on how to go on.

    `why`: these models (empty: as the settings tell). `run_id`: of the run that is taken up again.
    """
    check_writable(manner.out or REPORTS_FOLDER)
    manner.remark(announcement(settings, why, manner.kind))
    progress = Progress(run_id)
    with watching(progress, quiet=manner.quiet, drawn=not manner.talk) as watcher:
        report = _carry_out(settings, job, progress, watcher)
    deliver(report, manner)


def announcement(settings: LoadedSettings, why: str = "", kind: str = "ideate") -> str:
    """Which models are used, and why."""
    cast = settings.cast()
    names, explored = cast.names(), kind == "explore"
    text = f"{'Answers' if explored else 'Ideas'} by {names['writer']} ({why or _why(settings)}), "
    text += f"papers read by {names['reader']}" + ("." if explored else f", judged by {names['judges']}.")
    if cast.writer.provider.name == "offline":
        better = "answers worth reading" if explored else "ideas worth judging"
        text += f" This is a demonstration: for {better}, set a provider's key (`novum models list`)."
    return text


def deliver(report: RunReport, manner: Manner) -> None:
    """Hands the report over: JSON first, as a full disk must not cost it, then the files and the closing lines."""
    if manner.as_json:
        print_json(report.model_dump(mode="json"))
    try:
        files = write_report(report, manner.folder(report.account.run_id))
    except NovumError as error:
        error.add_note(f"Or write it elsewhere: novum runs export {report.account.run_id} --out FOLDER")
        raise
    found = [] if manner.talk or isinstance(report, IdeationReport) else answers(report)
    for line in (*found, *closing_lines(report, files.html)):
        manner.speak(line)


def show_report(report: RunReport, *, out: Path | None, as_json: bool, quiet: bool) -> None:
    """Shows the outcome of a stored run."""
    deliver(report, Manner(out, as_json, quiet))


def closing_lines(report: RunReport, page: Path) -> list[str]:
    """The best idea or what was found, where the report lies, what it cost."""
    return [
        *(_explored(report) if isinstance(report, ExplorationReport) else _ideated(report)),
        f"Report:    {page}",
        f"Cost:      {bill(report.account.spend)}; time: {duration(report.account.seconds)}",
    ]


def _ideated(report: IdeationReport) -> list[str]:
    best = report.ideation.best
    return [
        *([f"Best idea: {one_line(best.idea.title)}"] if best else []),
        f"Outcome:   {one_line(headline(report))}",
        *(f"Note:      {one_line(note)}" for note in report.ideation.notes[:5]),
    ]


def _explored(report: ExplorationReport) -> list[str]:
    last = report.explorations[-1]
    return [
        f"Outcome:   {one_line(exploring.headline(last))}",
        f"Ended:     {one_line(last.ended)}",
        *(f"Note:      {one_line(note)}" for each in report.explorations for note in each.notes[:5]),
    ]


def resume_hint(run_id: str) -> str:
    """How to go on with a run."""
    return f"Go on with: novum runs resume {run_id}"


def _carry_out(settings: LoadedSettings, job: Job, progress: Progress, watcher: Watcher) -> RunReport:
    def message() -> str:
        if not progress.run_id:
            return "Stopped before the run began; nothing was asked."
        return f"Stopped. Every answer so far is kept. {resume_hint(progress.run_id)}"

    async def in_workplace() -> RunReport:
        async with Workplace(settings) as workplace:
            return await job(workplace, [watcher])

    try:
        return run_stoppable(in_workplace(), message, lambda: print_last_words(message()))
    except NovumError as error:
        if progress.run_id and progress.run_id not in str(error):
            error.add_note(resume_hint(progress.run_id))
        raise


def check_writable(folder: Path) -> None:
    """Found out before anything is spent. Raises BadInput."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        told = error.strerror or str(error)
        raise BadInput(
            f"The report cannot be written to {folder}: {told}. Name a folder that you may write to: --out FOLDER."
        ) from error


def _why(settings: LoadedSettings) -> str:
    if not settings.values.writer:
        return settings.default_writer()[1]
    origin = settings.origins["writer"]
    return {BUILT_IN: "built in", "command line": "as asked"}.get(origin, f"set by {origin}")
