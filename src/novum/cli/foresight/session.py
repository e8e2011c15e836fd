"""One session of work on a study of foresight: watched, stoppable, its table shown and its report written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from novum.benchmarks.foresight.records import ForesightRun
from novum.benchmarks.foresight.report.files import write_foresight_report
from novum.benchmarks.foresight.report.numbers import foresight_report
from novum.benchmarks.foresight.report.phrases import HEADS, calibration, headline, rows
from novum.benchmarks.foresight.task import ForesightTask
from novum.cli.shell.durable import check_finished
from novum.cli.shell.phrases import bill
from novum.cli.shell.session import REPORTS_FOLDER
from novum.cli.shell.terminal import Printer, print_nothing, one_line, print_line, print_json, print_table, print_message
from novum.reports.folder import ReportFiles
from novum.reports.phrases import count, duration


@dataclass(frozen=True)
class Manner:
    """How the outcome is shown. `out` None: a folder of the run's name under `novum-reports`."""

    out: Path | None = None
    as_json: bool = False
    quiet: bool = False
    draws: int = 1000

    @property
    def speak(self) -> Printer:
        """What `--quiet` leaves out."""
        return print_nothing if self.quiet else print_message if self.as_json else print_line


def announcement(task: ForesightTask) -> str:
    """What is about to happen."""
    ideas = len(task.methods) * len(task.topics) * len(task.cutoffs)
    made = f"{count(ideas, 'idea')} to be had" if ideas else "no model is asked"
    given = f", {count(len(task.given), 'idea')} given" if task.given else ""
    return (
        f"{', '.join(task.makers[:5])} on {count(len(task.topics), 'topic')}, literature up to "
        f"{', '.join(each.label for each in task.cutoffs)}, {count(task.horizon, 'year')} after: {made}{given}."
    )


def deliver(run: ForesightRun, manner: Manner) -> None:
    """Shows the outcome and writes the report. Raises BudgetSpent at the end where the budget had stopped it."""
    show_and_write(run, manner)
    check_finished(run, run.name)


def show_stored(run: ForesightRun, *, out: Path | None, as_json: bool, quiet: bool) -> None:
    """Shows the outcome of a stored run and writes its report."""
    show_and_write(run, Manner(out, as_json, quiet))


def show_and_write(run: ForesightRun, manner: Manner) -> None:
    """Shows the outcome and writes the report."""
    report = foresight_report(run, draws=manner.draws)
    if manner.as_json:
        print_json(report.model_dump(mode="json"))
    else:
        print_table(HEADS, rows(report))
        print_line(one_line(headline(report), 400))
        print_line(one_line(calibration(run.calibration), 400))
        for note in run.notes:
            print_line(f"Note: {one_line(note, 400)}")
    say_files(write_foresight_report(report, manner.out or REPORTS_FOLDER / run.name), manner.speak)
    if run.account is not None:
        manner.speak(f"Cost:      {bill(run.account.spend)}; time: {duration(run.account.seconds)}")


def say_files(files: ReportFiles, speak: Printer) -> None:
    """Where the report lies."""
    folder = files.html.parent
    for file in (files.html, files.json, *(other for other in files.others if other.parent == folder)):
        speak(str(file))
    for charts in sorted({str(other.parent) for other in files.others} - {str(folder)}):
        speak(f"{charts} (each chart as SVG and PNG)")
