"""The report of a training as an HTML page without scripts and as Markdown, and its files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from novum.reports.charts.drawing import plot_images
from novum.reports.folder import ReportFiles, write_report_with_charts
from novum.reports.markdown import markdown_document, markdown_line, markdown_list, markdown_table
from novum.reports.page import render_page
from novum.training.report import phrases as words
from novum.training.report.plots import plots
from novum.training.report.records import TrainingReport


def render_training_page(report: TrainingReport, svg: Mapping[str, str] | None = None) -> str:
    """Render one self-contained HTML page. `svg`: SVG of plots by name, if they exist already."""
    all_plots = plots(report)
    return render_page(
        "training.html.j2", report=report, words=words, plots=all_plots, images=plot_images(all_plots, svg)
    )


def render_training(report: TrainingReport) -> str:
    """Render the report as Markdown."""
    return markdown_document(_blocks(report))


def write_training(report: TrainingReport, folder: Path) -> ReportFiles:
    """Write `report.html`, `report.json`, `report.md` and `charts/*.svg|png` into `folder`, each whole or not at all.

    Raises BadInput when the folder cannot be written.
    """
    others = {"report.md": render_training(report)}
    return write_report_with_charts(report, plots(report), partial(render_training_page, report), others, folder)


def _blocks(report: TrainingReport) -> Iterator[str]:
    yield f"# {markdown_line(report.model.name)}: {words.title(report.model)}"
    yield markdown_line(f"{words.headline(report.model)} {words.caveat(report)}".rstrip())
    yield markdown_table(words.heads(report.model), words.rows(report.model))
    yield "## How to read this"
    yield markdown_list(map(markdown_line, words.remarks(report)))
    yield "## How it was made"
    yield markdown_list(map(markdown_line, words.account(report)))
    yield markdown_table(("setting", "value"), words.settings(report))
