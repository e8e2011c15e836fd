"""The two learning curves: held-out loss by task, and error of the expected rating, with the untrained base."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import altair as alt

from novum.core.trained import CurvePoint
from novum.reports.charts.look import FIRST, SECOND, SOFT, WIDE, Drawable, chart_data, chart_label

_HIGH = 240
_COLORS = ("#1c2024", FIRST, SECOND, "#3f7d4e", "#7a4fa3")
_DASHES = ([1, 0], [6, 2], [2, 2], [8, 3, 2, 3], [4, 4])


def curves(
    points: Sequence[CurvePoint], lines: Mapping[str, Sequence[float | None]], title: str,
    levels: Mapping[str, float] | None = None,
) -> Drawable:  # fmt: skip
    """Draw one line for each name of `lines`, whose values are in the order of `points`.

    The untrained base (step 0) is a dashed rule. `levels` are further values to compare with, as dotted rules.
    """
    rows = [
        {"step": point.step, "value": value, "line": chart_label(name)}
        for name, values in lines.items()
        for point, value in zip(points, values, strict=True)
        if value is not None
    ]
    names = [chart_label(name) for name in lines]
    colors = alt.Scale(domain=names, range=list(_COLORS[: len(names)]))
    legend = alt.Legend(orient="top", columns=3, symbolType="stroke", symbolStrokeWidth=2, symbolOpacity=1)
    color = alt.Color("line:N", title=None, sort=names, scale=colors, legend=legend)
    dash = alt.StrokeDash("line:N", title=None, scale=alt.Scale(domain=names, range=list(_DASHES[: len(names)])),
                          legend=None)  # fmt: skip
    x = alt.X("step:Q", title="steps", axis=alt.Axis(tickMinStep=1, format=",.0f"))
    y = alt.Y("value:Q", title=title, scale=alt.Scale(zero=False, nice=True, padding=8))
    chart = alt.Chart(chart_data(rows), width=WIDE, height=_HIGH)
    line = chart.mark_line(strokeWidth=2).encode(x=x, y=y, color=color, strokeDash=dash)
    dots = chart.mark_point(filled=True, size=45, opacity=1).encode(
        x=x, y=y, color=color, tooltip=["line:N", "step:Q", alt.Tooltip("value:Q", format=".3f")]
    )
    first = [row for row in rows if row["step"] == 0]
    base = alt.Chart(chart_data(first)).mark_rule(strokeDash=[3, 3], opacity=0.8).encode(y=y, color=color)
    return alt.layer(base, line, dots, *_levels(levels or {}, y))


def _levels(levels: Mapping[str, float], y: alt.Y) -> list[alt.Chart]:
    if not levels:
        return []
    data = chart_data([{"value": value, "name": chart_label(name)} for name, value in levels.items()])
    rule = alt.Chart(data).mark_rule(color=SOFT, strokeDash=[1, 3]).encode(y=y)
    words = (
        alt.Chart(data)
        .mark_text(align="right", baseline="top", dy=3, color=SOFT, fontSize=11)
        .encode(y=y, text="name:N", x=alt.value(WIDE))
    )
    return [rule, words]
