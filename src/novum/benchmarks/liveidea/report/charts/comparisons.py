"""Charts that hold two measurements against each other: other benchmarks, other panels, cheaper measures, people."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from novum.benchmarks.liveidea.report.records import Distinctness, MeasureComparison, OutsideBenchmark
from novum.benchmarks.liveidea.report.shapes import LinePoint
from novum.reports.charts.intervals import IntervalPanel, IntervalPoint, interval_chart
from novum.reports.charts.look import FIRST, INK, SECOND, SOFT, WIDE, Drawable, chart_data, chart_label, interval_cells
from novum.reports.phrases import correlation_text

_FEW = 14
"""With more models than this, points are named only where one points at them."""
_AVERAGE, _PANEL = "average of five dimensions", "panel, mean"


def side_by_side(comparison: MeasureComparison) -> Drawable:
    """Each model measured in two ways, with intervals, in the order of the first."""
    ways = (comparison.here, comparison.there)
    points = [
        IntervalPoint(pair.model, estimate, way)
        for pair in comparison.pairs
        for way, estimate in zip(ways, (pair.here, pair.there), strict=True)
    ]
    x = alt.X("low:Q", scale=alt.Scale(zero=False), title=chart_label(comparison.measure))
    return interval_chart(IntervalPanel(points), x, ".2f", ways)


def regression(outside: OutsideBenchmark) -> Drawable:
    """The average against another benchmark, with intervals, the fitted line and its 95% band."""
    named = len(outside.points) <= _FEW
    rows = [
        {"model": chart_label(point.model), "name": chart_label(point.model) if named else "", "outside": point.outside}
        | interval_cells("average", point.average)
        for point in outside.points
    ]
    base = alt.Chart(chart_data(rows), width=WIDE, height=320, title=correlation_text(outside.r))
    x = alt.X("outside:Q", title=chart_label(outside.name), scale=alt.Scale(zero=False, padding=20))
    scale = alt.Scale(zero=False)
    y, low = alt.Y("average:Q", title=_AVERAGE, scale=scale), alt.Y("low:Q", title=_AVERAGE, scale=scale)
    reach = base.mark_rule(color=FIRST, opacity=0.6).encode(x=x, y=low, y2="high:Q")
    points = base.mark_point(filled=True, size=60, color=FIRST, opacity=1).encode(
        x=x, y=y, tooltip=["model:N", alt.Tooltip("outside:Q"), alt.Tooltip("average:Q", format=".2f")]
    )
    names = base.mark_text(dy=-9, dx=4, align="left", fontSize=10, color=INK).encode(x=x, y=y, text="name:N")
    band, line = _line(outside.line, "outside", "average", x, y, low)
    return alt.layer(band, line, reach, points, names)


def diversity(of: Distinctness) -> Drawable:
    """Fluency by judges against the distance between a model's own ideas."""
    rows = [
        {"model": chart_label(each.model), "distinctness": each.distinctness, "fluency": each.fluency}
        for each in of.models
        if each.fluency is not None
    ]
    base = alt.Chart(chart_data(rows), width=WIDE, height=280, title=correlation_text(of.r))
    x = alt.X(
        "distinctness:Q",
        title="mean cosine distance of a keyword's ideas",
        scale=alt.Scale(zero=False, padding=30),
        axis=alt.Axis(tickCount=8, labelOverlap=True),
    )
    y = alt.Y("fluency:Q", title="fluency", scale=alt.Scale(zero=False, padding=20))
    points = base.mark_point(filled=True, size=60, color=FIRST, opacity=1).encode(x=x, y=y, tooltip=["model:N"])
    names = base.mark_text(dy=-10, fontSize=10, color=INK).encode(x=x, y=y, text="model:N")
    return alt.layer(points, names) if len(rows) <= _FEW else alt.layer(points)


def scatter(
    people: Sequence[float], panel: Sequence[float], names: Sequence[str], line: Sequence[LinePoint], title: str
) -> Drawable:
    """The mean of people against the mean of the panel, one point an idea, with the line of equal scores."""
    rows = [
        {"idea": chart_label(name), "people": one, "panel": other}
        for name, one, other in zip(names, people, panel, strict=True)
    ]
    x = alt.X("people:Q", title="people, mean", scale=alt.Scale(domain=[1, 10]))
    scale = alt.Scale(domain=[1, 10])
    y, low = alt.Y("panel:Q", title=_PANEL, scale=scale), alt.Y("low:Q", title=_PANEL, scale=scale)
    base = alt.Chart(chart_data(rows), width=230, height=230, title=title)
    points = base.mark_point(filled=True, size=50, color=FIRST, opacity=0.75).encode(
        x=x, y=y, tooltip=["idea:N", alt.Tooltip("people:Q", format=".2f"), alt.Tooltip("panel:Q", format=".2f")]
    )
    equal = alt.Chart(chart_data([{"people": 1, "panel": 1}, {"people": 10, "panel": 10}]))
    diagonal = equal.mark_line(color=SOFT, strokeDash=[2, 3], strokeWidth=1).encode(x=x, y=y)
    band, fitted = _line(line, "people", "panel", x, y, low)
    return alt.layer(band, diagonal, fitted, points)


def _line(
    line: Sequence[LinePoint], across: str, up: str, x: alt.X, y: alt.Y, low: alt.Y
) -> tuple[alt.Chart, alt.Chart]:
    """The band of a fitted line, and the line; `low` is the upright axis as `y` has it, for the band's lower bound."""
    base = alt.Chart(chart_data({across: point.x, up: point.y, "low": point.low, "high": point.high} for point in line))
    band = base.mark_area(color=SECOND, opacity=0.15, clip=True).encode(x=x, y=low, y2="high:Q")
    return band, base.mark_line(color=SECOND, strokeWidth=2, clip=True).encode(x=x, y=y)
