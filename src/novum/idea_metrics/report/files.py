"""The report on scored ideas on disk: a folder with the page, numbers as data, scores as a table, charts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from markupsafe import Markup

from novum.core.scorecard import Scorecard
from novum.files.tables import csv_text
from novum.idea_metrics.report import phrases as words
from novum.idea_metrics.report.plots import plots
from novum.idea_metrics.report.records import WHOLES, ScoredIdea, ScoringReport
from novum.reports.charts.drawing import as_image, svg
from novum.reports.charts.plot import Plot
from novum.reports.folder import ReportFiles, csv_cell, write_report_with_charts
from novum.reports.page import TEMPLATES, environment


def write_scoring_report(report: ScoringReport, folder: Path) -> ReportFiles:
    """Write `report.html`, `report.json`, `scores.csv` and `charts/*.svg|png` into `folder`.

    Each file appears whole under its name or not at all. Raises BadInput when the folder cannot be written.
    """
    tables = {"scores.csv": scores_csv(report.ideas)}
    return write_report_with_charts(report, plots(report), partial(render_scoring_page, report), tables, folder)


MOST_TOLD, MOST_LISTED = 100, 1_000
"""Ideas that the page explains, and that its table lists; the files beside it have all."""


def render_scoring_page(
    report: ScoringReport, drawn: Mapping[str, str] | None = None, *, told: int = MOST_TOLD, listed: int = MOST_LISTED
) -> str:
    """One self-contained page. `drawn` holds the SVG of plots by their names, where they are drawn already; `told` and
    `listed` are the most ideas that it explains, and that its table has."""
    result: Sequence[Plot] = plots(report)
    return (
        environment()
        .get_template("scoring.html.j2")
        .render(
            report=report,
            words=words,
            wholes=WHOLES,
            told=report.ideas[:told],
            listed=report.ideas[:listed],
            plots=result,
            images={plot.name: as_image((drawn or {}).get(plot.name) or svg(plot)) for plot in result},
            more_style=_own("figures.css") + _own("scoring.css"),
        )
    )


def _own(name: str) -> Markup:
    return Markup((TEMPLATES / name).read_text("utf-8"))  # noqa: S704  # ours


def scores_csv(ideas: Sequence[ScoredIdea]) -> str:
    """One line for each idea: the wholes, then each part raw and scaled; what is not known is empty."""
    parts = list(dict.fromkeys(name for each in ideas for name in each.card.parts))
    columns = [column for name in parts for column in (name, f"{name}_scaled")]
    wholes = ["creativity", "creativity_published", "creativity_corrected", "satisfaction", "combined"]
    return csv_text(["title", "topic", *wholes, *columns], (_row(each.card, wholes, parts) for each in ideas))


def _row(card: Scorecard, wholes: Sequence[str], parts: Sequence[str]) -> Iterator[object]:
    yield csv_cell(card.subject.title or card.subject.text[:200])
    yield csv_cell(card.subject.topic)
    yield from (card.of(name) for name in wholes)
    yield from _cells(card, parts)


def _cells(card: Scorecard, parts: Sequence[str]) -> Iterator[float | None]:
    for name in parts:
        part = card.parts.get(name)
        yield part.raw if part else None
        yield part.scaled if part else None
