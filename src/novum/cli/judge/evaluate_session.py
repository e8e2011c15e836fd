"""One session of work on an evaluation of reviewers: watched, stoppable, its tables shown and its report written."""

from __future__ import annotations

from novum.benchmarks.judge_evaluation.records import JudgeEvaluationRun
from novum.benchmarks.judge_evaluation.report.files import write_judge_evaluation
from novum.benchmarks.judge_evaluation.report.numbers import judge_evaluation
from novum.benchmarks.judge_evaluation.report.phrases import HEADS, MORE_HEADS, figures, headline, more_figures, remarks
from novum.benchmarks.judge_evaluation.report.records import JudgeEvaluation
from novum.benchmarks.judge_evaluation.task import JudgeEvaluationTask
from novum.cli.shell.durable import check_finished
from novum.cli.shell.output import OutputOptions
from novum.cli.shell.phrases import bill
from novum.cli.shell.terminal import (
    one_line,
    print_json,
    print_line,
    print_table,
)
from novum.llm import ModelName
from novum.reports.phrases import count, duration


def announcement(task: JudgeEvaluationTask) -> str:
    """What is about to happen."""
    names = [ModelName.parse(each.model).short for each in task.asked] + [each.name for each in task.rated]
    papers = "all papers" if task.papers is None else f"at most {count(task.papers, 'paper')}"
    if not names:
        return f"Baselines and real referees on {papers} of the {task.split} split: no model is asked."
    each_paper = f", {count(task.reports, 'report')} each" if task.asked else ""
    return f"{', '.join(names[:6])} on {papers} of the {task.split} split{each_paper}."


def deliver(run: JudgeEvaluationRun, output: OutputOptions) -> None:
    """Shows what came out and writes the report. Raises BudgetSpent at the end where the budget had stopped it."""
    show(run, output)
    check_finished(run, run.name)


def show(run: JudgeEvaluationRun, output: OutputOptions) -> None:
    """Tables or JSON, and the report's files."""
    report = judge_evaluation(run, draws=output.bootstrap_samples)
    if output.as_json:
        print_json(report.model_dump(mode="json"))
    else:
        _say(report)
    files = write_judge_evaluation(report, output.folder(run.name))
    folder = files.html.parent
    for file in (files.html, files.json, *(each for each in files.others if each.parent == folder)):
        output.note(str(file))
    if run.account is not None:
        output.note(f"Cost:      {bill(run.account.spend)}; time: {duration(run.account.seconds)}")


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
