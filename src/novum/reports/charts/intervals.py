"""Estimates with their intervals, a row for each model: the chart that most reports share, alone or in panels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from novum.reports.charts.look import (
    FIRST,
    SECOND,
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


@dataclass(frozen=True)
class IntervalPoint:
    """One estimate of a model. `kind`: what it is, where a chart has several kinds."""

    model: str
    estimate: Estimate
    kind: str = ""


@dataclass(frozen=True)
class IntervalPanel:
    """One chart of points. `line`: where a dashed line marks no difference or no preference."""

    points: Sequence[IntervalPoint]
    title: str = ""
    subtitle: str = ""
    line: float | None = None

    @property
    def rows(self) -> list[dict[str, object]]:
        """The points that have a value, as data of a chart; where there is no interval, its ends are at the value."""
        return [
            {"model": chart_label(each.model), "kind": each.kind} | interval_cells("value", each.estimate)
            for each in self.points
            if each.estimate.value is not None
        ]


def interval_chart(panel: IntervalPanel, x: alt.X, number: str, kinds: Sequence[str] = ()) -> Drawable:
    """A wide chart. `x`: the axis of the column `low`. `number`: the format of a value. `kinds`: of the points, at most
    two, which stand below each other: the first as blue circles, the second as brown diamonds."""
    rows = panel.rows
    models = list(dict.fromkeys(each.model for each in panel.points if each.estimate.value is not None))
    height = round((1.6 if kinds else 1.0) * chart_height(len(models)))
    base = alt.Chart(chart_data(rows), width=WIDE, height=height)
    axes: dict[str, Any] = {"y": models_axis(models)}
    if kinds:
        axes["yOffset"] = alt.YOffset("kind:N", sort=[*kinds], scale=alt.Scale(paddingOuter=0.55))
    return _layers(base, x, axes, number, kinds, panel.line)


def interval_panels(
    panels: Sequence[IntervalPanel],
    models: Sequence[str],
    x: alt.X,
    number: str,
    kinds: Sequence[str] = (),
    *,
    columns: int = 3,
    width: int = 165,
) -> Drawable:
    """One panel beside the other, all with a row for each of `models`, whose names stand at the left of each line of
    panels. The rest as for `interval_chart`; kinds share a row."""
    labels = list(dict.fromkeys(map(chart_label, models)))
    charts = []
    for place, panel in enumerate(panels):
        title = alt.TitleParams(
            chart_label(panel.title), subtitle=panel.subtitle or alt.Undefined, frame="group", fontSize=12,
            subtitleFontSize=11, subtitleColor=SOFT, limit=width + 10,
        )  # fmt: skip
        base = alt.Chart(chart_data(panel.rows), width=width, height=chart_height(len(labels)), title=title)
        y = models_axis(models).scale(alt.Scale(domain=labels))  # a row also where a model has no estimate
        charts.append(_layers(base, x, {"y": y.axis(None) if place % columns else y}, number, kinds, panel.line))
    together: Drawable = alt.concat(*charts, columns=columns)
    return together.resolve_scale(color="shared", shape="shared") if kinds else together


def vertical_line(place: float) -> alt.Chart:
    """A dashed line, at no difference or no preference."""
    rule = alt.Chart(chart_data([{"line": place}])).mark_rule(color=SOFT, strokeDash=[3, 3])
    line: alt.Chart = rule.encode(x="line:Q")
    return line


def _layers(
    base: alt.Chart, x: alt.X, axes: dict[str, Any], number: str, kinds: Sequence[str], line: float | None
) -> Drawable:
    """The dashed line, the intervals and the points. `axes`: the encodings of the rows."""
    color: Any = alt.value(FIRST)
    points: dict[str, Any] = {}
    tooltip = ["model:N", alt.Tooltip("value:Q", format=number)]
    if kinds:
        legend = alt.Legend(orient="top", labelLimit=300, symbolOpacity=1)
        colors = alt.Scale(domain=[*kinds], range=[FIRST, SECOND])
        shapes = alt.Scale(domain=[*kinds], range=["circle", "diamond"])
        color = alt.Color("kind:N", title=None, scale=colors, legend=legend)
        points = {"shape": alt.Shape("kind:N", title=None, scale=shapes, legend=legend)}
        tooltip.insert(1, "kind:N")
    reach = base.mark_rule(strokeWidth=2).encode(x=x, x2="high:Q", color=color, **axes)
    dots = base.mark_point(filled=True, size=55, opacity=1).encode(
        x="value:Q", color=color, tooltip=tooltip, **points, **axes
    )
    return alt.layer(*([] if line is None else [vertical_line(line)]), reach, dots)
