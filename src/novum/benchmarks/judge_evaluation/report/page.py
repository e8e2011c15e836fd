"""The report on reviewers as one page: tables, plots as images; no script."""

from __future__ import annotations

from collections.abc import Mapping

from novum.benchmarks.judge_evaluation.report import phrases as words
from novum.benchmarks.judge_evaluation.report.plots import plots
from novum.benchmarks.judge_evaluation.report.records import JudgeEvaluation
from novum.benchmarks.liveidea.report.phrases import signed
from novum.reports.charts.drawing import plot_images
from novum.reports.page import asset, environment
from novum.reports.phrases import NONE, interval, number


def render_judge_evaluation_page(report: JudgeEvaluation, drawn: Mapping[str, str] | None = None) -> str:
    """One self-contained page without any script. `drawn` holds the SVG of plots by their names, where they are drawn
    already."""
    found = plots(report)
    return (
        environment()
        .get_template("judge_evaluation.html.j2")
        .render(
            report=report,
            run=report.run,
            words=words,
            numerals={"NONE": NONE, "interval": interval, "number": number, "signed": signed},
            plots=found,
            with_bases=any(each.rating.over_base.value is not None for each in report.standings),
            images=plot_images(found, drawn),
            more_style=asset("figures.css") + asset("ratings.css"),
        )
    )
