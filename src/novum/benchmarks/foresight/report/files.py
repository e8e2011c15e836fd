"""The report on foresight on disk: a folder with the page, its numbers as data, tables, and charts as files."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from novum.benchmarks.foresight.report.page import render_foresight_page
from novum.benchmarks.foresight.report.plots import plots
from novum.benchmarks.foresight.report.records import Foresight, ForesightReport
from novum.files.tables import csv_text
from novum.reports.folder import ReportFiles, csv_cell, write_charted
from novum.statistics.estimate import Estimate

_YEARS = (
    "method", "cutoff", "year", "calendar", "similarity", "similarity_low", "similarity_high", "hits", "hits_low",
    "hits_high", "over_earlier", "over_earlier_low", "over_earlier_high",
)  # fmt: skip
_IDEAS = (
    "cutoff", "topic", "method", "kind", "title", "similarity", "hit", "similarity_elsewhere", "hit_elsewhere",
    "nearest_paper", "nearest_published", "nearest_similarity",
)  # fmt: skip


def write_foresight_report(report: ForesightReport, folder: Path) -> ReportFiles:
    """Write `report.html`, `report.json`, `years.csv`, `ideas.csv` and `charts/*.svg|png` into `folder`.

    Each file appears whole under its name or not at all. Raises BadInput when the folder cannot be written.
    """
    tables = {
        "years.csv": csv_text(_YEARS, (row for each in report.standings for row in _years(each))),
        "ideas.csv": csv_text(_IDEAS, _ideas(report)),
    }
    return write_charted(report, plots(report), partial(render_foresight_page, report), tables, folder)


def _years(of: Foresight) -> Iterator[list[object]]:
    for point in of.points:
        yield [
            csv_cell(of.name), point.cutoff, point.year, point.calendar, *_cells(point.closeness.similarity),
            *_cells(point.closeness.hits), *_cells(point.over_earlier.similarity),
        ]  # fmt: skip


def _cells(of: Estimate) -> tuple[float | None, float | None, float | None]:
    return of.value, of.low, of.high


def _ideas(report: ForesightReport) -> Iterator[list[object]]:
    for each in report.run.sightings:
        near = each.nearest[0] if each.nearest else None
        yield [
            each.cutoff, csv_cell(each.topic), csv_cell(each.by), each.kind, csv_cell(each.title),
            each.whole.similarity, each.whole.hit, each.elsewhere.similarity, each.elsewhere.hit,
            csv_cell(near.title) if near else None, near.published if near else None, near.similarity if near else None,
        ]  # fmt: skip
