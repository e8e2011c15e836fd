"""The report on scored ideas as one page: no script, and nothing is loaded from anywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from novum.idea_metrics.report import phrases as words
from novum.idea_metrics.report.plots import plots
from novum.idea_metrics.report.records import WHOLES, ScoringReport
from novum.reports.charts.drawing import as_image, svg
from novum.reports.charts.plot import Plot
from novum.reports.page import TEMPLATES, environment

MOST_TOLD, MOST_LISTED = 100, 1_000
"""Ideas that the page explains, and that its table lists; the files beside it have all."""


def render_scoring_page(
    report: ScoringReport, drawn: Mapping[str, str] | None = None, *, told: int = MOST_TOLD, listed: int = MOST_LISTED
) -> str:
    """One self-contained page. `drawn` holds the SVG of plots by their names, where they are drawn already; `told` and
    `listed` are the most ideas that it explains, and that its table has."""
    found: Sequence[Plot] = plots(report)
    return (
        environment()
        .get_template("scoring.html.j2")
        .render(
            report=report,
            words=words,
            wholes=WHOLES,
            told=report.ideas[:told],
            listed=report.ideas[:listed],
            plots=found,
            images={plot.name: as_image((drawn or {}).get(plot.name) or svg(plot)) for plot in found},
            more_style=_own("figures.css") + _own("scoring.css"),
        )
    )


def _own(name: str) -> Markup:
    return Markup((TEMPLATES / name).read_text("utf-8"))  # noqa: S704  # ours
