"""The charts on reviewers: how far ratings and orders are off, and whether probabilities are true."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from novum.benchmarks.judge_evaluation.report.records import ReviewerResult
from novum.reports.charts.look import FIRST, SECOND, SOFT, Drawable, bounds, height, label, models_axis, table
from novum.statistics.estimate import Estimate

_WIDE = 190
_SIDE = 170
_COLUMNS = 3
REVIEWER, BESIDE = "reviewer", "beside them"


def standing_chart(standings: Sequence[ReviewerResult], noise: float | None) -> Drawable:
    """Three small charts with one row a reviewer: RMSE, RMSE with the level set right, Spearman. `noise`: the least
    RMSE there can be, as a dashed line."""
    panels = (
        ("RMSE", [each.rating.rmse for each in standings], noise),
        ("RMSE, level set right", [each.rating.level_rmse for each in standings], noise),
        ("Spearman", [each.rating.spearman for each in standings], 0.0),
    )
    charts = [
        _panel(standings, name, values, line, labelled=place == 0) for place, (name, values, line) in enumerate(panels)
    ]
    together: Drawable = alt.hconcat(*charts).resolve_scale(color="shared", shape="shared")
    return together


def _panel(
    standings: Sequence[ReviewerResult], name: str, values: Sequence[Estimate], line: float | None, *, labelled: bool
) -> Drawable:
    rows = [
        {"model": label(each.name), "way": BESIDE if each.kind in {"constant", "ridge", "real"} else REVIEWER}
        | bounds("value", value)
        for each, value in zip(standings, values, strict=True)
        if value.value is not None
    ]
    order = [each.name for each in standings]
    y = models_axis(order).scale(alt.Scale(domain=list(map(label, order))))
    base = alt.Chart(table(rows), width=_WIDE, height=height(len(order)), title=alt.TitleParams(name, fontSize=11))
    ways = alt.Scale(domain=[REVIEWER, BESIDE], range=[FIRST, SECOND])
    color = alt.Color("way:N", title=None, scale=ways, legend=alt.Legend(orient="top", symbolOpacity=1))
    forms = alt.Scale(domain=[REVIEWER, BESIDE], range=["circle", "diamond"])
    shape = alt.Shape("way:N", title=None, scale=forms, legend=alt.Legend(orient="top", symbolOpacity=1))
    axis = alt.Axis(tickCount=4, format=".2~f", labelOverlap=True)
    x = alt.X("low:Q", scale=alt.Scale(zero=False, nice=True), title=None, axis=axis)
    y = y if labelled else y.axis(None)
    reach = base.mark_rule(strokeWidth=2).encode(y=y, x=x, x2="high:Q", color=color)
    points = base.mark_point(filled=True, size=45, opacity=1).encode(
        y=y, x="value:Q", color=color, shape=shape, tooltip=["model:N", alt.Tooltip("value:Q", format=".3f")]
    )
    if line is None:
        return alt.layer(reach, points)
    mark = alt.Chart(table([{"at": line}])).mark_rule(color=SOFT, strokeDash=[3, 3]).encode(x="at:Q")
    return alt.layer(mark, reach, points)


def reliability_chart(standings: Sequence[ReviewerResult]) -> Drawable:
    """One small chart a reviewer: probability of acceptance as foretold, and as it came; the diagonal is the truth."""
    together: Drawable = alt.concat(*(_reliability(each) for each in standings), columns=_COLUMNS)
    return together


def _reliability(of: ReviewerResult) -> Drawable:
    rows = [each.model_dump() for each in of.decision.bins]
    title = alt.TitleParams(
        label(of.name),
        subtitle="its utilities" if of.decision.own else "from its ratings",
        fontSize=11,
        subtitleFontSize=11,
        subtitleColor=SOFT,
        limit=_SIDE,
    )
    share = alt.Scale(domain=[0, 1])
    axis = alt.Axis(values=[0, 0.5, 1], format=".1f")
    x = alt.X("foretold:Q", title="foretold", scale=share, axis=axis)
    y = alt.Y("came:Q", title="accepted", scale=share, axis=axis)
    line = alt.Chart(table([{"foretold": 0, "came": 0}, {"foretold": 1, "came": 1}]), width=_SIDE, height=_SIDE)
    ideal = line.mark_line(color=SOFT, strokeDash=[3, 3], strokeWidth=1).encode(x=x, y=y)
    size = alt.Size("cases:Q", legend=None, scale=alt.Scale(rangeMin=20, rangeMax=160))
    color = SECOND if of.kind in {"constant", "ridge", "real"} else FIRST
    points = (
        alt.Chart(table(rows), title=title)
        .mark_point(filled=True, opacity=0.75, color=color)
        .encode(x=x, y=y, size=size, tooltip=["cases:Q", "foretold:Q", "came:Q"])
    )
    return alt.layer(ideal, points)
