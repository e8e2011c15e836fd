"""The report on an arena as one page: plots as images, tables to sort, ideas side by side, nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from markupsafe import Markup

from novum.benchmarks.arena.report import phrases as words
from novum.benchmarks.arena.report.comparisons_by_topic import PAGE_LIMIT, topic_views
from novum.benchmarks.arena.report.plots import board_plots
from novum.benchmarks.arena.report.records import ArenaReport
from novum.reports.charts.drawing import Image, as_image, script_hash, svg
from novum.reports.charts.plot import Plot
from novum.reports.page import TEMPLATES, environment


def render_arena_page(report: ArenaReport, drawn: Mapping[str, str] | None = None, limit: int = PAGE_LIMIT) -> str:
    """One self-contained page. Its one script is allowed by its hash; without it all can be read.

    `drawn` holds the SVG of plots by their names, where they are drawn already. Ideas and verdicts take about `limit`
    characters; for what has no room the page points to the data beside it.
    """
    sections = {board.kind: list(board_plots(board)) for board in report.boards}
    script = own("arena.js") + own("liveidea.js")  # in this order: see the end of the first
    return (
        environment()
        .get_template("arena.html.j2")
        .render(
            report=report,
            run=report.run,
            topics=topic_views(report.run, limit),
            words=words,
            plots_of=sections,
            images=images_of((plot for plots in sections.values() for plot in plots), drawn or {}),
            more_style=own("liveidea.css") + own("arena.css"),
            script=script,
            allowed=script_hash(script),
        )
    )


def images_of(plots: Iterable[Plot], drawn: Mapping[str, str]) -> dict[str, Image]:
    """Plots as images, by their names."""
    return {plot.name: as_image(drawn.get(plot.name) or svg(plot)) for plot in plots}


def own(name: str) -> Markup:
    """A style or script of ours, as it is."""
    return Markup((TEMPLATES / name).read_text("utf-8"))  # noqa: S704  # ours
