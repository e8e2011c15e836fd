"""The report of a training on disk, beside the model."""

from __future__ import annotations

from pathlib import Path

from novum.reports.charts.drawing import svg
from novum.reports.folder import ReportFiles, as_json, chart_files, write_folder
from novum.reports.training.page import render_training, render_training_page
from novum.reports.training.plots import plots
from novum.reports.training.records import TrainingReport


def write_training(report: TrainingReport, folder: Path) -> ReportFiles:
    """Write `report.html`, `report.json`, `report.md` and `charts/*.svg|png` into `folder`, each whole or not at all.

    Raises BadInput when the folder cannot be written.
    """
    found = plots(report)
    drawn = {plot.name: svg(plot) for plot in found}
    return write_folder(
        {
            "report.html": render_training_page(report, drawn),
            "report.json": as_json(report),
            "report.md": render_training(report),
            **chart_files(found, drawn),
        },
        folder,
    )
