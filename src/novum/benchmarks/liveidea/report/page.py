"""The report on a LiveIdeaBench run as one HTML page without outside resources, and as a folder of files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from novum.benchmarks.liveidea.records import FLUENCY, IDEA_DIMENSIONS
from novum.benchmarks.liveidea.report import findings
from novum.benchmarks.liveidea.report import phrases as words
from novum.benchmarks.liveidea.report.charts.scores import DIMENSIONS
from novum.benchmarks.liveidea.report.plots import plots
from novum.benchmarks.liveidea.report.records import LiveIdeaReport
from novum.files.tables import csv_text
from novum.reports.charts.drawing import interactive_page, plot_images, script_hash
from novum.reports.charts.plot import Plot
from novum.reports.folder import ReportFiles, write_report_with_charts
from novum.reports.page import asset, render_page
from novum.reports.sanitizing import clean_line

TEMPLATES = Path(__file__).parent / "templates"
_SECTIONS = {
    "ranking": "leaderboard", "originality": "dimensions", "feasibility": "dimensions", "clarity": "dimensions",
    "fluency": "dimensions", "flexibility": "dimensions", "disciplines": "dimensions", "trade-off": "dimensions",
    "quality-by-model": "dimensions", "score-distribution": "dimensions", "clarity-relations": "dimensions",
    "lengths": "lengths", "length-quality": "lengths", "response-length": "lengths",
    "refusals": "refusals", "outside": "outside", "diversity": "diversity",
}  # fmt: skip
"""The section of the page for each plot; all others are comparisons."""


def write_liveidea_report(report: LiveIdeaReport, folder: Path) -> ReportFiles:
    """Write `report.html`, `report.json`, `leaderboard.csv`, `charts.html` and `charts/*.svg|png` into `folder`.

    Each file is written atomically. Raises BadInput when the folder cannot be written.
    """
    every = plots(report)
    others = {
        "leaderboard.csv": leaderboard_csv(report),
        "charts.html": interactive_page(every, f"LiveIdeaBench: {clean_line(report.run.name, 80)}"),
    }
    return write_report_with_charts(report, every, partial(render_liveidea_page, report), others, folder)


def render_liveidea_page(report: LiveIdeaReport, svgs: Mapping[str, str] | None = None) -> str:
    """One self-contained page. Its one script sorts tables; the page can be read without it.

    `svgs`: SVG files by plot name, for plots that are drawn already.
    """
    script = asset("sort_tables.js")
    return render_page(
        "liveidea.html.j2", TEMPLATES, styles=["figures.css"], **page_context(report, svgs), script=script,
        allowed=script_hash(script),
    )  # fmt: skip


def page_context(report: LiveIdeaReport, svgs: Mapping[str, str] | None = None) -> dict[str, Any]:
    """What the templates of the page need to know; other pages that include them give them the same."""
    every = plots(report)
    sections: dict[str, list[Plot]] = {}
    for plot in every:
        sections.setdefault(_SECTIONS.get(plot.name, "comparisons"), []).append(plot)
    return {
        "report": report, "run": report.run, "words": words, "findings": findings, "sections": sections,
        "images": plot_images(every, svgs), "named": {plot.name: plot for plot in every},
    }  # fmt: skip


def leaderboard_csv(report: LiveIdeaReport) -> str:
    """One line per model: scores with their bounds, the average without severity, keywords, missing scores in total and
    by dimension, and the mean distance between its ideas.
    """
    names = (*DIMENSIONS, "flexibility_by_rows", "average")
    bounds = [f"{name}{part}" for name in names for part in ("", "_low", "_high")]
    judged = (*IDEA_DIMENSIONS, FLUENCY)
    missing = [f"{name}_missing" for name in judged]
    heads = ["model", *bounds, "average_without_severity", "keywords", "missing", "distinctness", *missing]
    return csv_text(heads, _leaderboard_rows(report, names, judged))


def _leaderboard_rows(report: LiveIdeaReport, names: Sequence[str], judged: Sequence[str]) -> Iterator[list[object]]:
    distances = {each.model: each.distinctness for each in report.distinctness.models} if report.distinctness else {}
    for plain, corrected in zip(report.leaderboard, report.corrected, strict=True):
        cells = [getattr(getattr(plain, name), part) for name in names for part in ("value", "low", "high")]
        rest = corrected.average.value, plain.keywords, words.missing(plain), distances.get(plain.model)
        missing = (plain.judgements[name].missing for name in judged)
        yield [clean_line(plain.model), *cells, *rest, *missing]
