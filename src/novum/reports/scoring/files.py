"""The report on scored ideas on disk: a folder with the page, numbers as data, scores as a table, charts."""

from __future__ import annotations

from pathlib import Path

from novum.reports.charts.drawing import svg
from novum.reports.folder import ReportFiles, as_json, chart_files, write_folder
from novum.reports.scoring.page import render_scoring_page
from novum.reports.scoring.plots import plots
from novum.reports.scoring.records import ScoringReport
from novum.reports.scoring.table import scores_csv


def write_scoring_report(report: ScoringReport, folder: Path) -> ReportFiles:
    """Write `report.html`, `report.json`, `scores.csv` and `charts/*.svg|png` into `folder`.

    Each file appears whole under its name or not at all. Raises BadInput when the folder cannot be written.
    """
    found = plots(report)
    drawn = {plot.name: svg(plot) for plot in found}
    return write_folder(
        {
            "report.html": render_scoring_page(report, drawn),
            "report.json": as_json(report),
            "scores.csv": scores_csv(report.ideas),
            **chart_files(found, drawn),
        },
        folder,
    )
