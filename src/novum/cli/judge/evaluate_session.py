"""Print the outcome of an evaluation of reviewers and write its report."""

from __future__ import annotations

from novum.benchmarks.judge_evaluation.records import JudgeEvaluationRun
from novum.benchmarks.judge_evaluation.report.numbers import judge_evaluation_report
from novum.benchmarks.judge_evaluation.report.page import write_judge_evaluation
from novum.benchmarks.judge_evaluation.report.phrases import (
    FURTHER_HEADS,
    GROUP_HEADS,
    HEADS,
    figure_rows,
    further_rows,
    group_rows,
    headline,
    remarks,
)
from novum.benchmarks.judge_evaluation.report.records import JudgeEvaluation
from novum.benchmarks.judge_evaluation.task import JudgeEvaluationTask
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
from novum.llm import ModelName
from novum.reports.phrases import count, duration


def announcement(task: JudgeEvaluationTask) -> str:
    """What the evaluation will do, in a sentence."""
    names = [ModelName.parse(each.model).short for each in task.asked] + [each.name for each in task.rated]
    papers = "all papers" if task.papers is None else f"at most {count(task.papers, 'paper')}"
    if not names:
        return f"Baselines and real reviewers on {papers} of the {task.split} split: no model is called."
    each_paper = f", {count(task.reports, 'report')} each" if task.asked else ""
    return f"{', '.join(names[:6])} on {papers} of the {task.split} split{each_paper}."


def deliver(run: JudgeEvaluationRun, output: OutputOptions) -> None:
    """Prints the outcome and writes the report. Raises BudgetSpent at the end where the budget stopped the run."""
    show(run, output)
    check_finished(run, run.name)


def show(run: JudgeEvaluationRun, output: OutputOptions) -> None:
    """Prints tables or JSON, and writes the report."""
    report = judge_evaluation_report(run, draws=output.bootstrap_samples)
    if output.as_json:
        print_json(report.model_dump(mode="json"))
    else:
        _print(report)
    print_report_files(write_judge_evaluation(report, output.folder(run.name)), output.note)
    if run.account is not None:
        output.note(f"Cost:      {bill(run.account.spend)}; time: {duration(run.account.seconds)}")


def _print(report: JudgeEvaluation) -> None:
    print_table(HEADS, ([one_line(cell, 120) for cell in row] for row in figure_rows(report)))
    if groups := list(group_rows(report)):
        print_line()
        print_table(GROUP_HEADS, ([one_line(cell, 120) for cell in row] for row in groups))
    if more := list(further_rows(report)):
        print_line()
        print_table(FURTHER_HEADS, ([one_line(cell, 120) for cell in row] for row in more))
    print_line()
    for line in (headline(report), *remarks(report)):
        print_line(one_line(line, 600))
    if report.run.stopped:
        print_line(f"Not complete: {one_line(report.run.stopped, 300)}")
    for note in report.run.notes:
        print_line(f"Note: {one_line(note, 400)}")
