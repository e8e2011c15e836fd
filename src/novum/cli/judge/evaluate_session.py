"""One session of work on an evaluation of reviewers: watched, stoppable, its tables shown and its report written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from novum.benchmarks.judge_evaluation.records import JudgeEvaluationRun
from novum.benchmarks.judge_evaluation.report.files import write_judge_evaluation
from novum.benchmarks.judge_evaluation.report.numbers import judge_evaluation
from novum.benchmarks.judge_evaluation.report.phrases import HEADS, MORE_HEADS, figures, headline, more_figures, remarks
from novum.benchmarks.judge_evaluation.report.records import JudgeEvaluation
from novum.benchmarks.judge_evaluation.task import JudgeEvaluationTask
from novum.cli.shell.durable import check_finished
from novum.cli.shell.phrases import bill
from novum.cli.shell.session import REPORTS_FOLDER
from novum.cli.shell.terminal import Printer, print_nothing, one_line, print_line, print_json, print_table, print_message
from novum.llm import ModelName
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


def announcement(task: JudgeEvaluationTask) -> str:
    """What is about to happen."""
    names = [ModelName.parse(each.model).short for each in task.asked] + [each.name for each in task.rated]
    papers = "all papers" if task.papers is None else f"at most {count(task.papers, 'paper')}"
    if not names:
        return f"Baselines and real referees on {papers} of the {task.split} split: no model is asked."
    each_paper = f", {count(task.reports, 'report')} each" if task.asked else ""
    return f"{', '.join(names[:6])} on {papers} of the {task.split} split{each_paper}."


def deliver(run: JudgeEvaluationRun, manner: Manner) -> None:
    """Shows what came out and writes the report. Raises BudgetSpent at the end where the budget had stopped it."""
    show(run, manner)
    check_finished(run, run.name)


def show_stored(run: JudgeEvaluationRun, *, out: Path | None, as_json: bool, quiet: bool) -> None:
    """Shows the outcome of a stored run and writes its report."""
    show(run, Manner(out, as_json, quiet))


def show(run: JudgeEvaluationRun, manner: Manner) -> None:
    """Tables or JSON, and the report's files."""
    report = judge_evaluation(run, draws=manner.draws)
    if manner.as_json:
        print_json(report.model_dump(mode="json"))
    else:
        _say(report)
    files = write_judge_evaluation(report, manner.out or REPORTS_FOLDER / run.name)
    folder = files.html.parent
    for file in (files.html, files.json, *(each for each in files.others if each.parent == folder)):
        manner.speak(str(file))
    if run.account is not None:
        manner.speak(f"Cost:      {bill(run.account.spend)}; time: {duration(run.account.seconds)}")


def _say(report: JudgeEvaluation) -> None:
    print_table(HEADS, ([one_line(cell, 120) for cell in row] for row in figures(report)))
    if more := list(more_figures(report)):
        print_line()
        print_table(MORE_HEADS, ([one_line(cell, 120) for cell in row] for row in more))
    print_line()
    for line in (headline(report), *remarks(report)):
        print_line(one_line(line, 600))
    if report.run.stopped:
        print_line(f"Not complete: {one_line(report.run.stopped, 300)}")
    for note in report.run.notes:
        print_line(f"Note: {one_line(note, 400)}")
