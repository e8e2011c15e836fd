"""Print the outcome of a foresight study and write its report."""

from __future__ import annotations

from novum.benchmarks.foresight.records import ForesightRun
from novum.benchmarks.foresight.report.numbers import foresight_report
from novum.benchmarks.foresight.report.page import write_foresight_report
from novum.benchmarks.foresight.report.phrases import HEADS, calibration, headline, rows
from novum.benchmarks.foresight.task import ForesightTask
from novum.cli.shell.arguments import print_report_files
from novum.cli.shell.durable import check_finished
from novum.cli.shell.output import OutputOptions
from novum.cli.shell.phrases import bill
from novum.cli.shell.terminal import (
    one_line,
    print_json,
    print_line,
    print_table,
)
from novum.reports.phrases import count, duration


def announcement(task: ForesightTask) -> str:
    """What the study will do, in a sentence."""
    ideas = len(task.methods) * len(task.topics) * len(task.cutoffs)
    generated = f"{count(ideas, 'idea')} to generate" if ideas else "no model is called"
    given = f", {count(len(task.given), 'idea')} given" if task.given else ""
    return (
        f"{', '.join(task.authors[:5])} on {count(len(task.topics), 'topic')}, literature up to "
        f"{', '.join(each.label for each in task.cutoffs)}, {count(task.horizon, 'year')} after: {generated}{given}."
    )


def deliver(run: ForesightRun, output: OutputOptions) -> None:
    """Prints the outcome and writes the report. Raises BudgetSpent at the end where the budget stopped the run."""
    show_and_write(run, output)
    check_finished(run, run.name)


def show_and_write(run: ForesightRun, output: OutputOptions) -> None:
    """Prints the outcome and writes the report."""
    report = foresight_report(run, draws=output.bootstrap_samples)
    if output.as_json:
        print_json(report.model_dump(mode="json"))
    else:
        print_table(HEADS, rows(report))
        print_line(one_line(headline(report), 400))
        print_line(one_line(calibration(run.calibration), 400))
        for note in run.notes:
            print_line(f"Note: {one_line(note, 400)}")
    print_report_files(write_foresight_report(report, output.folder(run.name)), output.note)
    if run.account is not None:
        output.note(f"Cost:      {bill(run.account.spend)}; time: {duration(run.account.seconds)}")
