"""The plots of a report on foresight, in their order, each with its content in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import altair as alt

from novum.benchmarks.foresight.records import EARLIER, ThresholdCalibration
from novum.benchmarks.foresight.report import phrases as words
from novum.benchmarks.foresight.report.records import ForesightReport, MethodForesight, YearResult
from novum.reports import phrases
from novum.reports.charts.intervals import IntervalPanel, IntervalPoint, interval_panels
from novum.reports.charts.look import (
    FAINT,
    FIRST,
    INK,
    SCHEME,
    SECOND,
    SOFT,
    WIDE,
    Drawable,
    chart_data,
    chart_label,
    interval_cells,
)
from novum.reports.charts.plot import Plot
from novum.statistics.records import Estimate

MAX_PLOTS = 20
"""Methods with a plot; the tables and the data have all."""


def plots(report: ForesightReport) -> tuple[Plot, ...]:
    """The plots for which there are numbers."""
    return tuple(_plots(report))


def _plots(report: ForesightReport) -> Iterator[Plot]:
    known = [each for each in report.methods if each.ideas][:MAX_PLOTS]
    baselines = [name for name in report.baselines if any(_is_known(each, name) for each in known)]
    over = ", with 95% intervals over topics" if _has_intervals(known) else ""
    if baselines:
        yield Plot(
            "gains",
            "Gain over each baseline",
            "; ".join(
                f"{chart_label(each.name)} {phrases.signed(each.gains[EARLIER].similarity.value)} over earlier papers"
                for each in known
            )
            + ".",
            f"Similarity of a method's ideas minus that of each baseline, topic by topic{over}. The line marks no "
            "difference.",
            gains_chart(known, baselines),
        )
    drawn = [*known, *(each for each in report.standings if each.name == EARLIER and each.ideas)]
    for number, each in enumerate(drawn, 1):
        if any(point.closeness.similarity.value is not None for point in each.points):
            yield _over_years(each, number, over)
    if report.run.calibration.threshold is not None:
        yield Plot(
            "threshold",
            "When are two papers about the same subject?",
            words.calibration(report.run.calibration),
            "Cosines of random pairs and of pairs that cite each other, as shares of all pairs of their kind.",
            threshold_chart(report.run.calibration),
        )


def _is_known(of: MethodForesight, baseline: str) -> bool:
    return baseline in of.gains and of.gains[baseline].similarity.value is not None


def _has_intervals(methods: Sequence[MethodForesight]) -> bool:
    return any(each.closeness.similarity.low is not None for each in methods)


def _over_years(of: MethodForesight, number: int, over: str) -> Plot:
    values = "; ".join(
        f"up to {point.cutoff}, year {point.year}: {phrases.number(point.closeness.similarity.value)}"
        for point in of.points
    )
    return Plot(
        f"years-{number}",
        f"{chart_label(of.name)}, year by year",
        f"Similarity with what was published, by cut-off and year after it: {values}.",
        f"A line for each cut-off{over}. A library has more papers of some years than of others, and a year with more "
        "papers has nearer ones; the difference to earlier papers in the same years is free of this effect.",
        years_chart(of),
    )


_PANEL, _TALL = 235, 190
_BESIDE = 0.05
"""Years between the points of two cut-offs, so that their intervals do not hide each other."""
_RANDOM, _CITING = "random pairs of the same years", "pairs that cite each other"
_GAIN = 0.05
"""A panel of gains reaches at least so far to both sides of none: noise must not fill it."""


@dataclass(frozen=True)
class _Panel:
    """`low`, `high`: what its axis spans at least, so that a small step looks small."""

    name: str
    form: str
    value: Callable[[YearResult], Estimate]
    low: float
    high: float

    def span(self, points: Sequence[YearResult]) -> tuple[float, float]:
        """From the lowest to the highest that is drawn, intervals included, and never less than its own."""
        found = [each for each in map(self.value, points) if each.value is not None]
        ends = [end for each in found for end in (each.value, each.low, each.high) if end is not None]
        return min(self.low, *ends), max(self.high, *ends)


_PANELS = (
    _Panel("similarity", ".1f", lambda point: point.closeness.similarity, 0.0, 1.0),
    _Panel("ideas with a hit", ".0%", lambda point: point.closeness.hits, 0.0, 1.0),
    _Panel("similarity above earlier papers", "+.2f", lambda point: point.over_earlier.similarity, -_GAIN, _GAIN),
)


def years_chart(of: MethodForesight) -> Drawable:
    """A line for each cut-off over the years after it, in panels: similarity, hits, and the gain over earlier papers
    in the same years (the last is left out for these themselves)."""
    cutoffs = list(dict.fromkeys(point.cutoff for point in of.points))
    panels = [
        _lines(of.points, cutoffs, panel)
        for panel in _PANELS
        if any(panel.value(point).value is not None for point in of.points)
    ]
    together: Drawable = alt.concat(*panels, columns=len(_PANELS), spacing=28)
    return together


def _lines(points: Sequence[YearResult], cutoffs: Sequence[str], panel: _Panel) -> Drawable:
    beside = {cutoff: _BESIDE * (place - (len(cutoffs) - 1) / 2) for place, cutoff in enumerate(cutoffs)}
    rows = [
        {"cutoff": chart_label(point.cutoff), "year": point.year + beside[point.cutoff], "calendar": point.calendar}
        | interval_cells("value", panel.value(point))
        for point in points
        if panel.value(point).value is not None
    ]
    last = max(point.year for point in points)
    base = alt.Chart(chart_data(rows), width=_PANEL, height=_TALL, title=panel.name)
    x = alt.X(
        "year:Q",
        title="years after the cut-off",
        scale=alt.Scale(domain=[0.75, last + 0.25], nice=False),
        axis=alt.Axis(values=list(range(1, last + 1)), format="d", grid=False),
    )
    scale = alt.Scale(domain=panel.span(points), nice=True)
    y = alt.Y("low:Q", title=None, scale=scale, axis=alt.Axis(format=panel.form, tickCount=5))
    color = alt.Color(
        "cutoff:N",
        sort=list(map(chart_label, cutoffs)),
        title="literature up to",
        scale=alt.Scale(scheme=SCHEME),
        legend=alt.Legend(orient="bottom", symbolOpacity=1),
    )
    whiskers = base.mark_rule(opacity=0.45).encode(x=x, y=y, y2="high:Q", color=color)
    tooltip = ["cutoff:N", "calendar:N", alt.Tooltip("value:Q", format=".3f")]
    lines = base.mark_line(strokeWidth=2).encode(x=x, y=alt.Y("value:Q"), color=color)
    dots = base.mark_point(filled=True, size=45, opacity=1).encode(
        x=x, y=alt.Y("value:Q"), color=color, tooltip=tooltip
    )
    nothing = alt.Chart(chart_data([{"zero": 0}])).mark_rule(color=FAINT, strokeWidth=2).encode(y="zero:Q")
    layered: Drawable = alt.layer(nothing, whiskers, lines, dots)
    return layered


def gains_chart(methods: Sequence[MethodForesight], baselines: Sequence[str]) -> Drawable:
    """How much nearer than each baseline every method is, with intervals; a panel for each baseline, of which there is
    one at least."""
    panels = [
        IntervalPanel(
            [IntervalPoint(each.name, each.gains[name].similarity) for each in methods if name in each.gains],
            f"over {name}",
            line=0,
        )
        for name in baselines
    ]
    scale = alt.Scale(domain=_reach(methods, baselines), nice=True)
    x = alt.X("low:Q", title="similarity", scale=scale, axis=alt.Axis(format="+.2f", tickCount=4))
    charts = interval_panels(panels, [each.name for each in methods], x, "+.3f", columns=2, width=WIDE // 2 - 40)
    shared: Drawable = charts.resolve_scale(x="shared")
    return shared


def _reach(methods: Sequence[MethodForesight], baselines: Sequence[str]) -> tuple[float, float]:
    """From the lowest to the highest gain with its interval, and never so close around none that noise fills it."""
    found = [each.gains[name].similarity for each in methods for name in baselines if name in each.gains]
    ends = [end for each in found for end in (each.value, each.low, each.high) if end is not None]
    return min(-_GAIN, *ends), max(_GAIN, *ends)


def threshold_chart(found: ThresholdCalibration) -> Drawable:
    """Histograms of the similarity of random and citing pairs, with the threshold."""
    base = alt.Chart(chart_data(_bins(found)), width=WIDE, height=180)
    color = alt.Color(
        "pairs:N",
        sort=[_RANDOM, _CITING],
        title=None,
        scale=alt.Scale(domain=[_RANDOM, _CITING], range=[SECOND, FIRST]),
        legend=alt.Legend(orient="top", labelLimit=300, symbolOpacity=1),
    )
    bars = base.mark_bar(opacity=0.55).encode(
        x=alt.X("from:Q", title="cosine of two papers", axis=alt.Axis(format=".1f", grid=False)),
        x2="to:Q",
        y=alt.Y("share:Q", stack=None, title="share of pairs", axis=alt.Axis(format=".0%", tickCount=4)),
        y2=alt.datum(0),
        color=color,
    )
    mark = alt.Chart(chart_data([{"threshold": found.threshold}]))
    line = mark.mark_rule(color=INK, strokeDash=[4, 3]).encode(x="threshold:Q")
    text = mark.mark_text(align="left", dx=5, dy=-80, color=SOFT, text="a hit from here on").encode(x="threshold:Q")
    layered: Drawable = alt.layer(bars, line, text)
    return layered


def _bins(found: ThresholdCalibration) -> Iterator[dict[str, object]]:
    kinds = ((_RANDOM, found.random_counts), (_CITING, found.citing_counts))
    for name, counts in kinds:
        total = sum(counts)
        for low, high, count in zip(found.edges, found.edges[1:], counts, strict=False):
            if count:
                yield {"pairs": name, "from": low, "to": high, "share": count / total}
