"""The report on a foresight study: one HTML page without scripts, and a folder of files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path

from novum.benchmarks.foresight.records import EARLIER, ComparedItem
from novum.benchmarks.foresight.report import phrases as words
from novum.benchmarks.foresight.report.plots import plots
from novum.benchmarks.foresight.report.records import ForesightReport, MethodForesight
from novum.files.tables import csv_text
from novum.reports.charts.drawing import plot_images
from novum.reports.folder import ReportFiles, write_report_with_charts
from novum.reports.ideation import findings
from novum.reports.page import render_page
from novum.reports.sanitizing import clean_line
from novum.statistics.records import Estimate

TEMPLATES = Path(__file__).parent / "templates"
MAX_IDEAS = 300
"""Ideas on the page, nearest to the future first; the data files have all."""


def render_foresight_page(report: ForesightReport, svgs: Mapping[str, str] | None = None) -> str:
    """One self-contained page. `svgs`: SVG files by plot name, for plots that are drawn already."""
    every = plots(report)
    ideas = [each for each in report.run.sightings if each.kind == "idea" and each.whole.similarity is not None]
    ideas.sort(key=lambda each: (-(each.whole.similarity or 0.0), each.topic, each.by, each.cutoff))
    return render_page(
        "foresight.html.j2",
        TEMPLATES,
        report=report,
        run=report.run,
        words=words,
        find=findings,
        earlier=EARLIER,
        plots={each.name: each for each in every},
        over_years=[each for each in every if each.name.startswith("years-")],
        images=plot_images(every, svgs),
        shown=_by_topic(ideas[:MAX_IDEAS]),
        left=max(0, len(ideas) - MAX_IDEAS),
    )


def _by_topic(ideas: Sequence[ComparedItem]) -> list[tuple[str, list[ComparedItem]]]:
    """Ideas by topic, the topic with the nearest idea first."""
    order = {topic: place for place, topic in enumerate(dict.fromkeys(each.topic for each in ideas))}
    ordered = sorted(ideas, key=lambda each: order[each.topic])
    return [(topic, list(each)) for topic, each in groupby(ordered, key=lambda each: each.topic)]


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

    Each file is written atomically. Raises BadInput when the folder cannot be written.
    """
    tables = {
        "years.csv": csv_text(_YEARS, (row for each in report.standings for row in _years(each))),
        "ideas.csv": csv_text(_IDEAS, _ideas(report)),
    }
    return write_report_with_charts(report, plots(report), partial(render_foresight_page, report), tables, folder)


def _years(of: MethodForesight) -> Iterator[list[object]]:
    for point in of.points:
        yield [
            clean_line(of.name), point.cutoff, point.year, point.calendar, *_cells(point.closeness.similarity),
            *_cells(point.closeness.hits), *_cells(point.over_earlier.similarity),
        ]  # fmt: skip


def _cells(of: Estimate) -> tuple[float | None, float | None, float | None]:
    return of.value, of.low, of.high


def _ideas(report: ForesightReport) -> Iterator[list[object]]:
    for each in report.run.sightings:
        near = each.nearest[0] if each.nearest else None
        yield [
            each.cutoff, clean_line(each.topic), clean_line(each.by), each.kind, clean_line(each.title),
            each.whole.similarity, each.whole.hit, each.elsewhere.similarity, each.elsewhere.hit,
            *((clean_line(near.title), near.published, near.similarity) if near else (None, None, None)),
        ]  # fmt: skip
