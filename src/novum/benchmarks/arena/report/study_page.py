"""The report of a study as an HTML page, as Markdown, as data, and as charts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from novum.benchmarks.arena.report import charts
from novum.benchmarks.arena.report.page import TEMPLATES
from novum.benchmarks.arena.report.records import ArenaReport
from novum.benchmarks.arena.report.study import StudyReport
from novum.benchmarks.arena.report.study_tables import (
    StudyTable,
    study_headline,
    study_limits,
    study_protocol,
    study_tables,
)
from novum.reports.charts.drawing import plot_images
from novum.reports.charts.look import chart_label
from novum.reports.charts.plot import Plot
from novum.reports.folder import ReportFiles, write_report_with_charts
from novum.reports.markdown import markdown_document, markdown_line, markdown_list, markdown_table
from novum.reports.page import render_page
from novum.reports.phrases import number, percent

NAME = "study"
_MOST_BASELINES = 2
"""That one chart distinguishes."""


def write_study_report(
    report: StudyReport, arena: ArenaReport, folder: Path, texts: str = "report.html"
) -> ReportFiles:
    """Write `study.html`, `study.json`, `study.md` and `charts/*.svg|png` into `folder`, each file atomically.

    `texts`: where ideas and verdicts are, in the same folder. Raises BadInput when the folder cannot be written.
    """
    others = {f"{NAME}.md": study_markdown(report, arena)}
    page = partial(render_study_page, report, arena, texts=texts)
    return write_report_with_charts(report, tuple(study_plots(report)), page, others, folder, NAME)


def render_study_page(
    report: StudyReport, arena: ArenaReport, svgs: Mapping[str, str] | None = None, *, texts: str = "report.html"
) -> str:
    """One self-contained page without a script."""
    plots = list(study_plots(report))
    return render_page(
        "study.html.j2",
        TEMPLATES,
        report=report,
        run=report.run,
        headline=study_headline(report),
        tables=list(study_tables(report)),
        limits=study_limits(report, arena),
        protocol=study_protocol(report, arena),
        texts=texts,
        plots=plots,
        images=plot_images(plots, svgs),
    )


def study_markdown(report: StudyReport, arena: ArenaReport) -> str:
    """The report as Markdown, without charts."""
    return markdown_document([f"# {report.design.title}", *study_blocks(report, arena)])


def study_blocks(report: StudyReport, arena: ArenaReport) -> Iterator[str]:
    """The parts of the report as Markdown, below its title."""
    if report.run.account is not None and report.run.account.demonstration:
        yield "**Demonstration.** A very small model wrote the ideas. Do not rely on these results."
    yield markdown_list(map(markdown_line, study_headline(report)))
    for table in study_tables(report):
        yield from _table_blocks(table)
    yield "## Limits"
    yield markdown_list(map(markdown_line, study_limits(report, arena)))
    yield "## Protocol"
    yield markdown_list(f"**{name}**: {markdown_line(value)}" for name, value in study_protocol(report, arena))


def _table_blocks(table: StudyTable) -> Iterator[str]:
    yield f"## {markdown_line(table.title)}"
    yield markdown_table(table.heads, table.rows)
    yield markdown_line(table.note)


def study_plots(report: StudyReport) -> Iterator[Plot]:
    """The charts that the study has numbers for."""
    if report.design.option:
        yield from _curves(report)
    if report.study == "ablation":
        yield from _points(report)
    baselines = [name for name in report.baselines if any(each.opponent == name for each in report.wins)]
    for first in range(0, len(baselines), _MOST_BASELINES):
        yield from _wins(report, baselines[first : first + _MOST_BASELINES], first)


def _curves(report: StudyReport) -> Iterator[Plot]:
    option = report.design.option
    rows = [(row.value, row.standing) for row in report.rows if row.value is not None]
    average = [(at, each.rating.rating) for at, each in rows]
    if not any(each.value is not None for _, each in average):
        return
    words = ", ".join(f"{option} {at:g}: {number(each.value, 0)}" for at, each in average)
    yield Plot(
        "curve", f"Ratings by {option}", f"Ratings over all criteria: {words}.",
        "Bradley–Terry over all criteria, with 95% intervals over topics where these can be given.",
        charts.curve(average, option),
    )  # fmt: skip
    panels = [(name, [(at, each.by_criterion[name].rating) for at, each in rows]) for name in report.board.criteria]
    yield Plot(
        "curves", f"Ratings by {option}, criterion by criterion",
        f"A curve of ratings by {option} for each of {', '.join(report.board.criteria)}.",
        "As above, for each criterion alone. The scales differ.", charts.curves(panels, option),
    )  # fmt: skip


def _points(report: StudyReport) -> Iterator[Plot]:
    variants = [row.standing for row in report.rows if row.standing.average_points is not None]
    if not variants:
        return
    panels = [
        (name, [(each.entrant, each.points[name].percent) for each in variants if name in each.points])
        for name in report.board.criteria
    ]
    average = [(each.entrant, each.average_points.percent) for each in variants if each.average_points]
    words = "; ".join(f"{chart_label(name)} {number(each.value, 0)}" for name, each in average)
    yield Plot(
        "points", f"Points against {report.board.reference}", f"Points over all criteria: {words}.",
        "Percent of the maximum, with 95% intervals; at the dashed line a variant is as good as the whole method.",
        charts.points_by_criterion([("average", average), *panels]),
    )  # fmt: skip


def _wins(report: StudyReport, baselines: list[str], first: int) -> Iterator[Plot]:
    wins = [each for each in report.wins if each.opponent in baselines and each.comparisons]
    if not wins:
        return
    words = "; ".join(
        f"{chart_label(each.entrant)} against {chart_label(each.opponent)} {percent(each.rate.value)}" for each in wins
    )
    yield Plot(
        "wins" if not first else f"wins-{first}", f"Blind wins over {' and '.join(map(chart_label, baselines))}",
        f"Win rates: {words}.", "Share of comparisons won, with 95% intervals; at the dashed line both are as good.",
        charts.win_rates(wins, baselines),
    )  # fmt: skip
