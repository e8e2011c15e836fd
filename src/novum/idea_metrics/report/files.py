"""The report on scored ideas on disk: a folder with the page, numbers as data, scores as a table, charts."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from novum.idea_metrics.report.page import render_scoring_page
from novum.idea_metrics.report.plots import plots
from novum.idea_metrics.report.records import ScoringReport
from novum.idea_metrics.report.table import scores_csv
from novum.reports.folder import ReportFiles, write_report_with_charts


def write_scoring_report(report: ScoringReport, folder: Path) -> ReportFiles:
    """Write `report.html`, `report.json`, `scores.csv` and `charts/*.svg|png` into `folder`.

    Each file appears whole under its name or not at all. Raises BadInput when the folder cannot be written.
    """
    tables = {"scores.csv": scores_csv(report.ideas)}
    return write_report_with_charts(report, plots(report), partial(render_scoring_page, report), tables, folder)
