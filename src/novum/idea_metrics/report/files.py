"""The report on scored ideas as files: the page, all numbers as JSON, the scores as a table, and charts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from novum.core.scorecard import COMPOSITES, RATING, Scorecard
from novum.files.tables import csv_text
from novum.idea_metrics.report import phrases as words
from novum.idea_metrics.report.plots import plots
from novum.idea_metrics.report.records import WHOLES, ScoredIdea, ScoringReport
from novum.reports.charts.drawing import plot_images
from novum.reports.folder import ReportFiles, write_report_with_charts
from novum.reports.page import render_page
from novum.reports.sanitizing import clean_line

TEMPLATES = Path(__file__).parent / "templates"
MAX_EXPLAINED, MAX_LISTED = 100, 1_000
"""Ideas that the page explains, and that its table lists; the files beside it have all."""


def write_scoring_report(report: ScoringReport, folder: Path) -> ReportFiles:
    """Write `report.html`, `report.json`, `scores.csv` and `charts/*.svg|png` into `folder`, each file atomically.
    Raises BadInput when the folder cannot be written.
    """
    tables = {"scores.csv": scores_csv(report.ideas)}
    return write_report_with_charts(report, plots(report), partial(render_scoring_page, report), tables, folder)


def render_scoring_page(
    report: ScoringReport,
    drawn: Mapping[str, str] | None = None,
    *,
    explained: int = MAX_EXPLAINED,
    listed: int = MAX_LISTED,
) -> str:
    """One self-contained page. `drawn`: SVG files by plot name, for plots that are drawn already. `explained` and
    `listed`: the most ideas that the page explains, and that its table lists."""
    report_plots = plots(report)
    return render_page(
        "scoring.html.j2",
        TEMPLATES,
        styles=["figures.css", "scoring.css"],
        report=report,
        words=words,
        wholes=WHOLES,
        explained=report.ideas[:explained],
        listed=report.ideas[:listed],
        plots=report_plots,
        images=plot_images(report_plots, drawn),
    )


def scores_csv(ideas: Sequence[ScoredIdea]) -> str:
    """A CSV row for each idea: the predicted rating in standard deviations, the composites, then each part raw and
    scaled. Unknown values are empty."""
    parts = list(dict.fromkeys(name for each in ideas for name in each.card.parts))
    columns = [column for name in parts for column in (name, f"{name}_scaled")]
    return csv_text(["title", "topic", RATING, *COMPOSITES, *columns], (_row(each.card, parts) for each in ideas))


def _row(card: Scorecard, parts: Sequence[str]) -> Iterator[object]:
    yield clean_line(card.subject.title or card.subject.text[:200])
    yield clean_line(card.subject.topic)
    yield from (card.of(name) for name in (RATING, *COMPOSITES))
    for name in parts:
        part = card.parts.get(name)
        yield part.raw if part else None
        yield part.scaled if part else None
