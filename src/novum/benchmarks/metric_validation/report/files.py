"""The study on disk: a folder with the page, the data, the figures as a table, Markdown, and the plots as files."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from novum.benchmarks.metric_validation.report.page import render_validation, render_validation_page
from novum.benchmarks.metric_validation.report.plots import plots
from novum.benchmarks.metric_validation.report.records import Finding, OutcomeTable, Validation
from novum.files.tables import csv_text
from novum.reports.folder import ReportFiles, csv_cell, write_charted
from novum.statistics.estimate import NOTHING

_HEADS = (
    "outcome", "papers_are", "metric", "baseline", "spearman", "low", "high", "p", "q", "given_length",
    "given_length_low", "given_length_high", "auc", "auc_low", "auc_high", "n", "missing", "strata", "standing",
)  # fmt: skip


def write_validation(study: Validation, folder: Path) -> ReportFiles:
    """Write `report.html`, `report.json`, `report.md`, `figures.csv` and `charts/*.svg|png` into `folder`.

    Each file appears whole under its name or not at all. Raises BadInput when the folder cannot be written.
    """
    others = {"report.md": render_validation(study), "figures.csv": figures_csv(study)}
    return write_charted(study, plots(study), partial(render_validation_page, study), others, folder)


def figures_csv(study: Validation) -> str:
    """One line for each outcome and metric."""
    return csv_text(_HEADS, (_line(table, each) for table in study.tables for each in table.findings))


def _line(table: OutcomeTable, of: Finding) -> list[object]:
    area = of.auc or NOTHING
    return [
        csv_cell(table.outcome), table.when, csv_cell(of.metric), int(of.is_baseline),
        of.spearman.value, of.spearman.low, of.spearman.high, of.p, of.q,
        of.given_length.value, of.given_length.low, of.given_length.high,
        area.value, area.low, area.high, of.n, of.missing, of.strata, of.standing,
    ]  # fmt: skip
