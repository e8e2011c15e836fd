"""The report on foresight as one page: tables, plots as images, every idea with what came near it; no script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from novum.benchmarks.foresight.records import EARLIER, Sighting
from novum.benchmarks.foresight.report import phrases as words
from novum.benchmarks.foresight.report.plots import plots
from novum.benchmarks.foresight.report.records import ForesightReport
from novum.reports.charts.drawing import plot_images
from novum.reports.page import asset, environment

MOST_SHOWN = 300
"""Ideas on the page, the nearest to the future first; the data beside it have all."""


def render_foresight_page(report: ForesightReport, drawn: Mapping[str, str] | None = None) -> str:
    """One self-contained page without any script. `drawn` holds the SVG of plots by their names, where they are drawn
    already."""
    found = plots(report)
    ideas = [each for each in report.run.sightings if each.kind == "idea" and each.whole.similarity is not None]
    ideas.sort(key=lambda each: (-(each.whole.similarity or 0.0), each.topic, each.by, each.cutoff))
    return (
        environment()
        .get_template("foresight.html.j2")
        .render(
            report=report,
            run=report.run,
            words=words,
            earlier=EARLIER,
            plots={each.name: each for each in found},
            over_years=[each for each in found if each.name.startswith("years-")],
            images=plot_images(found, drawn),
            shown=_by_topic(ideas[:MOST_SHOWN]),
            left=max(0, len(ideas) - MOST_SHOWN),
            more_style=asset("figures.css") + asset("ratings.css"),
        )
    )


def _by_topic(ideas: Sequence[Sighting]) -> list[tuple[str, list[Sighting]]]:
    """Topics in the order of their nearest idea."""
    order = {topic: place for place, topic in enumerate(dict.fromkeys(each.topic for each in ideas))}
    ordered = sorted(ideas, key=lambda each: order[each.topic])
    return [(topic, list(each)) for topic, each in groupby(ordered, key=lambda each: each.topic)]
