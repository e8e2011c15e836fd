"""The report on a LiveIdeaBench run as one page: charts as images, tables to be sorted, nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from novum.benchmarks.liveidea.report import findings
from novum.benchmarks.liveidea.report import phrases as words
from novum.benchmarks.liveidea.report.plots import plots
from novum.benchmarks.liveidea.report.records import LiveIdeaReport
from novum.reports.charts.drawing import as_image, script_hash, svg
from novum.reports.charts.plot import Plot
from novum.reports.page import TEMPLATES, environment

PLACE = {
    "ranking": "leaderboard", "originality": "dimensions", "feasibility": "dimensions", "clarity": "dimensions",
    "fluency": "dimensions", "flexibility": "dimensions", "disciplines": "dimensions", "trade-off": "dimensions",
    "lengths": "lengths", "length-quality": "lengths", "refusals": "refusals", "outside": "outside",
    "diversity": "diversity",
}  # fmt: skip
"""In which section a plot stands; comparisons bring their own."""


def render_liveidea_page(report: LiveIdeaReport, drawn: Mapping[str, str] | None = None) -> str:
    """One self-contained page. Its one script sorts tables and is allowed by its hash; without it all can be read.

    `drawn` holds the SVG of plots by their names, where they are drawn already.
    """
    found = plots(report)
    images = {plot.name: as_image((drawn or {}).get(plot.name) or svg(plot)) for plot in found}
    script = _own("liveidea.js")
    return (
        environment()
        .get_template("liveidea.html.j2")
        .render(
            report=report,
            run=report.run,
            words=words,
            tell=findings,
            images=images,
            named={plot.name: plot for plot in found},
            sections=_sections(found),
            more_style=_own("liveidea.css"),
            script=script,
            allowed=script_hash(script),
        )
    )


def _sections(found: Sequence[Plot]) -> dict[str, list[Plot]]:
    sections: dict[str, list[Plot]] = {}
    for plot in found:
        sections.setdefault(PLACE.get(plot.name, "comparisons"), []).append(plot)
    return sections


def _own(name: str) -> Markup:
    return Markup((TEMPLATES / name).read_text("utf-8"))  # noqa: S704  # ours
