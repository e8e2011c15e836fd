"""Reports on disk: a folder with the page, its numbers as data, and every chart as SVG and PNG."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from novum.benchmarks.liveidea.records import FLUENCY, IDEA_DIMENSIONS
from novum.benchmarks.liveidea.report import phrases as words
from novum.benchmarks.liveidea.report.agreement import (
    AgreementStudy,
    agreement_plots,
    render_agreement,
    render_agreement_page,
)
from novum.benchmarks.liveidea.report.charts.scores import DIMENSIONS
from novum.benchmarks.liveidea.report.page import render_liveidea_page
from novum.benchmarks.liveidea.report.plots import plots
from novum.benchmarks.liveidea.report.records import LiveIdeaReport
from novum.reports.charts.drawing import interactive_page
from novum.reports.folder import ReportFiles, csv_cell, csv_table, write_charted
from novum.reports.sanitizing import clean_line


def write_liveidea_report(report: LiveIdeaReport, folder: Path) -> ReportFiles:
    """Write `report.html`, `report.json`, `leaderboard.csv`, `charts.html` and `charts/*.svg|png` into `folder`.

    Each file appears whole under its name or not at all. Raises BadInput when the folder cannot be written.
    """
    found = plots(report)
    others = {
        "leaderboard.csv": leaderboard_csv(report),
        "charts.html": interactive_page(found, f"LiveIdeaBench: {clean_line(report.run.name, 80)}"),
    }
    return write_charted(report, found, partial(render_liveidea_page, report), others, folder)


def write_agreement(study: AgreementStudy, folder: Path) -> ReportFiles:
    """Write `agreement.html`, `agreement.md`, `agreement.json` and the scatter plots. Raises as above."""
    others = {"agreement.md": render_agreement(study)}
    page = render_agreement_page(study)
    return write_charted(study, agreement_plots(study), lambda drawn: page, others, folder, name="agreement")


def leaderboard_csv(report: LiveIdeaReport) -> str:
    """One line a model: each score with its bounds, the corrected average, keywords, missing scores in all and of each
    dimension, and the distance between its ideas.
    """
    names = (*DIMENSIONS, "flexibility_by_rows", "average")
    bounds = [f"{name}{part}" for name in names for part in ("", "_low", "_high")]
    lacking = {f"{name}_missing": name for name in (*IDEA_DIMENSIONS, FLUENCY)}
    heads = ["model", *bounds, "average_without_severity", "keywords", "missing", "distinctness", *lacking]
    return csv_table(heads, _leaderboard_rows(report, names, tuple(lacking.values())))


def _leaderboard_rows(
    report: LiveIdeaReport, names: tuple[str, ...], lacking: tuple[str, ...]
) -> Iterator[list[object]]:
    apart = {each.model: each.distinctness for each in report.distinctness.models} if report.distinctness else {}
    for plain, corrected in zip(report.leaderboard, report.corrected, strict=True):
        cells = [getattr(getattr(plain, name), part) for name in names for part in ("value", "low", "high")]
        rest = corrected.average.value, plain.keywords, words.missing(plain), apart.get(plain.model)
        missing = (plain.judgements[name].missing for name in lacking)
        yield [csv_cell(plain.model), *cells, *rest, *missing]
