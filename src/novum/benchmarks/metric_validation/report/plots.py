"""The plots of a validation: every metric's correlation with its interval, one panel an outcome, on one scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import altair as alt

from novum.benchmarks.metric_validation.report.phrases import WHEN, metric_title, outcome_title
from novum.benchmarks.metric_validation.report.records import OutcomeTable, Validation
from novum.reports.charts.look import (
    FIRST,
    SECOND,
    SOFT,
    Drawable,
    chart_data,
    chart_height,
    chart_label,
    interval_cells,
    models_axis,
)
from novum.reports.charts.plot import Plot
from novum.reports.phrases import count, signed

_MAX_PANELS = 12
_COLUMNS = 3
_PANEL_WIDTH = 190
_KINDS = ("metric", "baseline")


def plots(validation: Validation) -> tuple[Plot, ...]:
    """A plot for later papers and one for the others, as far as there are any."""
    return tuple(_plots(validation))


def _plots(validation: Validation) -> Iterator[Plot]:
    for when, papers in WHEN.items():
        tables = [table for table in validation.tables if table.when == when and _is_known(table)]
        if tables:
            shown = tables[:_MAX_PANELS]
            left_out = f" The first {_MAX_PANELS} of {len(tables)} outcomes." if len(tables) > _MAX_PANELS else ""
            yield Plot(
                f"forest-{when}",
                f"Correlation of metrics with outcomes: papers {papers}",
                f"{count(len(tables), 'outcome')}. {' '.join(map(_best, shown))}",
                "Spearman's correlation within venue and year, with 95% intervals. Right of the dashed line means as "
                f"intended. Baselines need no fitting.{left_out}",
                forest(shown),
            )


def _is_known(table: OutcomeTable) -> bool:
    return any(each.spearman.value is not None for each in table.findings)


def _best(table: OutcomeTable) -> str:
    known = [each for each in table.findings if each.spearman.value is not None]
    best = max(known, key=lambda each: each.spearman.value or 0)
    return f"{outcome_title(table.outcome)}: {metric_title(best.metric)} highest ({signed(best.spearman.value)})."


def forest(tables: Sequence[OutcomeTable]) -> Drawable:
    """Spearman's correlations with intervals. Baselines come last, in another colour and shape."""
    order = list(dict.fromkeys(each.metric for table in tables for each in table.findings))
    panels = [_panel(table, order, labelled=place % _COLUMNS == 0) for place, table in enumerate(tables)]
    chart: Drawable = alt.concat(*panels, columns=_COLUMNS).resolve_scale(x="shared", color="shared", shape="shared")
    return chart


def _panel(table: OutcomeTable, order: Sequence[str], *, labelled: bool) -> Drawable:
    rows = [
        {"model": chart_label(metric_title(each.metric)), "kind": _KINDS[each.is_baseline]}
        | interval_cells("rho", each.spearman)
        for each in table.findings
        if each.spearman.value is not None
    ]
    title = alt.TitleParams(
        chart_label(outcome_title(table.outcome)),
        subtitle=f"{table.papers:,} papers",
        fontSize=11,
        subtitleFontSize=11,
        subtitleColor=SOFT,
        limit=_PANEL_WIDTH + 10,
    )
    base = alt.Chart(chart_data(rows), width=_PANEL_WIDTH, height=chart_height(len(order)), title=title)
    titles = list(map(metric_title, order))
    y = models_axis(titles).scale(alt.Scale(domain=list(map(chart_label, titles))))
    if not labelled:
        y = y.axis(None)
    legend = alt.Legend(orient="top", symbolOpacity=1)
    color = alt.Color("kind:N", title=None, scale=alt.Scale(domain=_KINDS, range=[FIRST, SECOND]), legend=legend)
    shape = alt.Shape("kind:N", title=None, scale=alt.Scale(domain=_KINDS, range=["circle", "diamond"]), legend=legend)
    axis = alt.Axis(tickCount=4, format=".2~f", labelOverlap=True)
    x = alt.X("low:Q", scale=alt.Scale(zero=True, nice=True), title=None, axis=axis)
    zero = alt.Chart(chart_data([{"zero": 0}])).mark_rule(color=SOFT, strokeDash=[3, 3]).encode(x="zero:Q")
    intervals = base.mark_rule(strokeWidth=2).encode(y=y, x=x, x2="high:Q", color=color)
    points = base.mark_point(filled=True, size=45, opacity=1).encode(
        y=y, x="rho:Q", color=color, shape=shape, tooltip=["model:N", alt.Tooltip("rho:Q", format="+.2f")]
    )
    return alt.layer(zero, intervals, points)
