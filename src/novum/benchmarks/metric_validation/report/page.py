"""The report of a validation: one HTML page without scripts, Markdown, and a folder of files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from novum.benchmarks.metric_validation.report import phrases as words
from novum.benchmarks.metric_validation.report.plots import plots
from novum.benchmarks.metric_validation.report.records import MetricFinding, OutcomeTable, Validation
from novum.files.tables import csv_text
from novum.reports.charts.drawing import plot_images
from novum.reports.folder import ReportFiles, write_report_with_charts
from novum.reports.markdown import markdown_document, markdown_line, markdown_list, markdown_table
from novum.reports.page import render_page
from novum.reports.sanitizing import clean_line
from novum.statistics.records import NO_ESTIMATE

TEMPLATES = Path(__file__).parent / "templates"
_COLUMNS = (
    "outcome", "papers_are", "metric", "baseline", "spearman", "low", "high", "p", "q", "given_length",
    "given_length_low", "given_length_high", "auc", "auc_low", "auc_high", "n", "missing", "strata", "standing",
)  # fmt: skip


def write_validation(validation: Validation, folder: Path) -> ReportFiles:
    """Write `report.html`, `report.json`, `report.md`, `figures.csv` and `charts/*.svg|png` into `folder`, each file
    atomically. Raises BadInput when the folder cannot be written.
    """
    others = {"report.md": render_validation_markdown(validation), "figures.csv": figures_csv(validation)}
    page = partial(render_validation_page, validation)
    return write_report_with_charts(validation, plots(validation), page, others, folder)


def render_validation_page(validation: Validation, svgs: Mapping[str, str] | None = None) -> str:
    """One self-contained page. `svgs`: SVG files by plot name, for plots that are drawn already."""
    every = plots(validation)
    return render_page(
        "validation.html.j2", TEMPLATES, study=validation, words=words, plots=every, images=plot_images(every, svgs)
    )


def render_validation_markdown(validation: Validation) -> str:
    """The tables, verdicts and remarks of the page as Markdown."""
    return markdown_document(_blocks(validation))


def figures_csv(validation: Validation) -> str:
    """One row for each outcome and metric."""
    return csv_text(_COLUMNS, (_row(table, each) for table in validation.tables for each in table.rows))


def _blocks(validation: Validation) -> Iterator[str]:
    yield "# Do metrics mean anything?"
    yield markdown_line(words.headline(validation))
    yield "## Verdicts"
    yield markdown_list(
        f"**{markdown_line(words.metric_title(name))}** {markdown_line(verdict)}."
        for name, verdict in validation.verdicts.items()
    )
    for when, papers in words.WHEN.items():
        if tables := [table for table in validation.tables if table.when == when]:
            yield f"## Summary: papers {papers}"
            heads, *rows = words.matrix(tables)
            yield markdown_table(heads, rows)
    for table in validation.tables:
        yield f"## {markdown_line(words.table_title(table))}"
        yield markdown_table(words.HEADS, (words.cells(finding, table) for finding in table.rows))
        yield markdown_line(words.agreement_line(table))
    yield "## How to read this"
    yield markdown_list(map(markdown_line, words.remarks(validation)))
    yield "## Data"
    yield markdown_list(map(markdown_line, words.account(validation)))


def _row(table: OutcomeTable, finding: MetricFinding) -> list[object]:
    area = finding.auc or NO_ESTIMATE
    return [
        clean_line(table.outcome), table.when, clean_line(finding.metric), int(finding.is_baseline),
        finding.spearman.value, finding.spearman.low, finding.spearman.high, finding.p, finding.q,
        finding.given_length.value, finding.given_length.low, finding.given_length.high,
        area.value, area.low, area.high, finding.n, finding.missing, finding.strata, finding.standing,
    ]  # fmt: skip
