"""Charts of the leaderboard: ranking, dimensions, disciplines, and what a model gives up for originality."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from novum.benchmarks.liveidea.report.records import DisciplineScore
from novum.benchmarks.liveidea.report.shapes import front
from novum.benchmarks.liveidea.statistics.scores import ModelScores
from novum.reports.charts.intervals import IntervalPanel, IntervalPoint, interval_chart
from novum.reports.charts.look import (
    FIRST,
    INK,
    SCHEME,
    SOFT,
    WIDE,
    Drawable,
    chart_data,
    chart_height,
    chart_label,
    interval_cells,
    models_axis,
)
from novum.statistics.records import Estimate

DIMENSIONS = ("originality", "feasibility", "clarity", "fluency", "flexibility")
_MOST_LABELS = 14
"""With more models than this, only those on the front are named."""

_HOLLOW = alt.Legend(tickCount=3, symbolFillColor="white", symbolStrokeColor=INK)


def ranking(leaderboard: Sequence[ModelScores]) -> Drawable:
    """The average of the five dimensions with its interval, highest first; the axis does not begin at zero."""
    points = [IntervalPoint(each.model, each.average) for each in leaderboard]
    x = alt.X("low:Q", scale=alt.Scale(zero=False, nice=True), title="average of five dimensions")
    return interval_chart(IntervalPanel(points), x, ".2f")


def dimension_bars(leaderboard: Sequence[ModelScores], dimension: str) -> Drawable:
    """One dimension, from 0 to 10, best first."""
    scores = {each.model: _estimate(each, dimension) for each in leaderboard}
    known = sorted(
        (each for each in leaderboard if scores[each.model].value is not None),
        key=lambda each: -(scores[each.model].value or 0),
    )
    base = alt.Chart(
        chart_data(_row(each, scores[each.model]) for each in known), width=210, height=chart_height(len(known))
    )
    rows = models_axis(each.model for each in known)
    across = alt.X("score:Q", scale=alt.Scale(domain=[0, 10]), title=dimension)
    bars = base.mark_bar(color=FIRST, opacity=0.8, height={"band": 0.72}).encode(y=rows, x=across, tooltip=_tooltip())
    reach = base.mark_rule(color=INK, strokeWidth=1.5).encode(y=rows, x="low:Q", x2="high:Q")
    return alt.layer(bars, reach)


def heat_map(disciplines: Sequence[DisciplineScore], models: Sequence[str]) -> Drawable:
    """Model by discipline; colour is the mean of the four judged dimensions."""
    rows = (
        {
            "model": chart_label(each.model),
            "discipline": chart_label(each.discipline),
            "score": round(each.score, 3),
            "keywords": each.keywords,
        }
        for each in disciplines
    )
    columns = sorted({chart_label(each.discipline) for each in disciplines})
    present = {each.model for each in disciplines}
    chart = alt.Chart(chart_data(rows), width=max(120, 24 * len(columns)), height=chart_height(len(present)))
    cells: Drawable = chart.mark_rect(stroke="white", strokeWidth=1).encode(
        x=alt.X("discipline:N", sort=columns, title=None, axis=alt.Axis(labelAngle=-50, labelLimit=150, ticks=False)),
        y=models_axis(each for each in models if each in present),
        color=alt.Color("score:Q", scale=alt.Scale(scheme=SCHEME), title="mean score"),
        tooltip=["model:N", "discipline:N", alt.Tooltip("score:Q", format=".2f"), "keywords:Q"],
    )
    return cells


def trade_off(leaderboard: Sequence[ModelScores]) -> Drawable:
    """Feasibility against originality. Size is fluency, colour flexibility, the width of the edge clarity.

    The line joins the models that no other beats in both.
    """
    known = [each for each in leaderboard if all(_estimate(each, name).value is not None for name in DIMENSIONS)]
    places = [(each.feasibility.value or 0.0, each.originality.value or 0.0) for each in known]
    best = front(places)
    named = range(len(known)) if len(known) <= _MOST_LABELS else best
    rows = [
        {"model": chart_label(each.model), "name": chart_label(each.model) if at in named else ""}
        | {name: _estimate(each, name).value for name in DIMENSIONS}
        for at, each in enumerate(known)
    ]
    base = alt.Chart(chart_data(rows), width=WIDE, height=380)
    x = alt.X("feasibility:Q", scale=alt.Scale(zero=False, padding=30))
    y = alt.Y("originality:Q", scale=alt.Scale(zero=False, padding=24))
    bubbles = base.mark_point(filled=True, stroke=INK, opacity=0.9).encode(
        x=x,
        y=y,
        size=alt.Size("fluency:Q", scale=alt.Scale(zero=False, range=[60, 520]), legend=_HOLLOW),
        color=alt.Color("flexibility:Q", scale=alt.Scale(scheme=SCHEME)),
        strokeWidth=alt.StrokeWidth("clarity:Q", scale=alt.Scale(zero=False, range=[0.4, 3.6]), legend=_HOLLOW),
        tooltip=["model:N", *(alt.Tooltip(f"{name}:Q", format=".2f") for name in DIMENSIONS)],
    )
    names = base.mark_text(dy=-19, fontSize=10, color=INK).encode(x=x, y=y, text="name:N")
    line = [{"feasibility": places[at][0], "originality": places[at][1]} for at in best]
    edge = alt.Chart(chart_data(line)).mark_line(color=SOFT, strokeDash=[4, 3]).encode(x=x, y=y)
    return alt.layer(edge, bubbles, names)


def _row(scores: ModelScores, estimate: Estimate) -> dict[str, object]:
    return {"model": chart_label(scores.model)} | interval_cells("score", estimate)


def _estimate(scores: ModelScores, dimension: str) -> Estimate:
    found = getattr(scores, dimension)
    assert isinstance(found, Estimate)
    return found


def _tooltip() -> list[alt.Tooltip | str]:
    return ["model:N", *(alt.Tooltip(f"{name}:Q", format=".2f") for name in ("score", "low", "high"))]
