"""The plots of a validation: every metric's correlation with its interval, one panel an outcome, on one scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import altair as alt

from novum.benchmarks.metric_validation.report.phrases import WHEN, metric_title, outcome_title
from novum.benchmarks.metric_validation.report.records import OutcomeTable, Validation
from novum.reports.charts.intervals import IntervalPanel, IntervalPoint, interval_panels
from novum.reports.charts.look import Drawable
from novum.reports.charts.plot import Plot
from novum.reports.phrases import count, signed

_MAX_PANELS = 12
_KINDS = ("metric", "baseline")


def plots(validation: Validation) -> tuple[Plot, ...]:
    """A plot for later papers and one for the others, as far as there are any."""
    return tuple(_plots(validation))


def _plots(validation: Validation) -> Iterator[Plot]:
    for when, papers in WHEN.items():
        tables = [table for table in validation.tables if table.when == when and _is_known(table)]
        if tables:
            first_tables = tables[:_MAX_PANELS]
            left_out = f" The first {_MAX_PANELS} of {len(tables)} outcomes." if len(tables) > _MAX_PANELS else ""
            yield Plot(
                f"forest-{when}",
                f"Correlation of metrics with outcomes: papers {papers}",
                f"{count(len(tables), 'outcome')}. {' '.join(map(_best, first_tables))}",
                "Spearman's correlation within venue and year, with 95% intervals. Right of the dashed line means as "
                f"intended. Baselines need no fitting.{left_out}",
                forest(first_tables),
            )


def _is_known(table: OutcomeTable) -> bool:
    return any(each.spearman.value is not None for each in table.findings)


def _best(table: OutcomeTable) -> str:
    known = [each for each in table.findings if each.spearman.value is not None]
    best = max(known, key=lambda each: each.spearman.value or 0)
    return f"{outcome_title(table.outcome)}: {metric_title(best.metric)} highest ({signed(best.spearman.value)})."


def forest(tables: Sequence[OutcomeTable]) -> Drawable:
    """Spearman's correlations with intervals. Baselines come last, in another colour and shape."""
    order = list(dict.fromkeys(metric_title(each.metric) for table in tables for each in table.findings))
    axis = alt.Axis(tickCount=4, format=".2~f", labelOverlap=True)
    x = alt.X("low:Q", scale=alt.Scale(zero=True, nice=True), title=None, axis=axis)
    chart = interval_panels(list(map(_panel, tables)), order, x, "+.2f", _KINDS, width=190)
    shared: Drawable = chart.resolve_scale(x="shared")
    return shared


def _panel(table: OutcomeTable) -> IntervalPanel:
    points = [
        IntervalPoint(metric_title(each.metric), each.spearman, _KINDS[each.is_baseline]) for each in table.findings
    ]
    return IntervalPanel(points, outcome_title(table.outcome), f"{table.papers:,} papers", line=0)
