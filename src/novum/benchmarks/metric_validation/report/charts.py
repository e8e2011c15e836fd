"""The forest plot: every metric's correlation with its interval, one small chart an outcome, all on one scale."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from novum.benchmarks.metric_validation.report.phrases import named, outcome_title
from novum.benchmarks.metric_validation.report.records import OutcomeTable
from novum.reports.charts.look import (
    FIRST,
    SECOND,
    SOFT,
    Drawable,
    bounds,
    height,
    label,
    models_axis,
    table,
)

_COLUMNS = 3
_WIDE = 190
METRIC, BASELINE = "metric", "baseline"
_WAYS = (METRIC, BASELINE)


def forest(tables: Sequence[OutcomeTable]) -> Drawable:
    """Spearman with intervals, baselines last and in another colour and shape."""
    order = list(dict.fromkeys(each.metric for found in tables for each in found.findings))
    charts = [_one(found, order, labelled=place % _COLUMNS == 0) for place, found in enumerate(tables)]
    together: Drawable = alt.concat(*charts, columns=_COLUMNS).resolve_scale(x="shared", color="shared", shape="shared")
    return together


def _one(found: OutcomeTable, order: Sequence[str], *, labelled: bool) -> Drawable:
    rows = [
        {"model": label(named(each.metric)), "way": BASELINE if each.is_baseline else METRIC}
        | bounds("rho", each.spearman)
        for each in found.findings
        if each.spearman.value is not None
    ]
    title = alt.TitleParams(
        label(outcome_title(found.outcome)),
        subtitle=f"{found.papers:,} papers",
        fontSize=11,
        subtitleFontSize=11,
        subtitleColor=SOFT,
        limit=_WIDE + 10,
    )
    base = alt.Chart(table(rows), width=_WIDE, height=height(len(order)), title=title)
    y = models_axis(map(named, order)).scale(alt.Scale(domain=[label(named(name)) for name in order]))
    if not labelled:
        y = y.axis(None)
    scale = alt.Scale(domain=_WAYS, range=[FIRST, SECOND])
    legend = alt.Legend(orient="top", symbolOpacity=1)
    color = alt.Color("way:N", title=None, scale=scale, legend=legend)
    shape = alt.Shape("way:N", title=None, scale=alt.Scale(domain=_WAYS, range=["circle", "diamond"]), legend=legend)
    axis = alt.Axis(tickCount=4, format=".2~f", labelOverlap=True)
    x = alt.X("low:Q", scale=alt.Scale(zero=True, nice=True), title=None, axis=axis)
    none = alt.Chart(table([{"none": 0}])).mark_rule(color=SOFT, strokeDash=[3, 3]).encode(x="none:Q")
    reach = base.mark_rule(strokeWidth=2).encode(y=y, x=x, x2="high:Q", color=color)
    points = base.mark_point(filled=True, size=45, opacity=1).encode(
        y=y, x="rho:Q", color=color, shape=shape, tooltip=["model:N", alt.Tooltip("rho:Q", format="+.2f")]
    )
    return alt.layer(none, reach, points)
