"""The report of a training on disk, beside the model."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from novum.reports.folder import ReportFiles, write_report_with_charts
from novum.training.report.page import render_training, render_training_page
from novum.training.report.plots import plots
from novum.training.report.records import TrainingReport


def write_training(report: TrainingReport, folder: Path) -> ReportFiles:
    """Write `report.html`, `report.json`, `report.md` and `charts/*.svg|png` into `folder`, each whole or not at all.

    Raises BadInput when the folder cannot be written.
    """
    others = {"report.md": render_training(report)}
    return write_report_with_charts(report, plots(report), partial(render_training_page, report), others, folder)
