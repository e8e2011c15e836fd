"""The charts of scored ideas and of a search for the number of clusters, each with a description in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import altair as alt

from novum.idea_metrics.report import phrases as words
from novum.idea_metrics.report.numbers import standing
from novum.idea_metrics.report.records import ScoringReport
from novum.reports import phrases
from novum.reports.charts.look import FIRST, INK, SECOND, WIDE, Drawable, chart_data
from novum.reports.charts.plot import Plot

_MAX_TICKS = 2_000
"""Number of ideas in a chart at most; more ticks would merge into a bar."""
_ROW = 26
_SHARES = alt.Axis(format=".0%", values=[0, 0.25, 0.5, 0.75, 1])


def plots(report: ScoringReport) -> tuple[Plot, ...]:
    """The charts for which the ideas have numbers."""
    return tuple(_parts(report))


def elbow_plot(curve: Sequence[tuple[int, float]], knee: int | None) -> Plot:
    """The elbow curve. `curve`: numbers of clusters with the sum of squares within them; `knee`: the number at the
    knee."""
    text = f"The knee lies at {knee:,} clusters." if knee else "The curve has no knee."
    return Plot(
        "elbow",
        "How many clusters?",
        f"Within-cluster sum of squares at {phrases.count(len(curve), 'number')} of clusters. {text}",
        f"Squared distances of papers to the centre of their cluster. {text} It is the point deepest below the line "
        "from the first to the last.",
        _elbow(curve, knee),
    )


def _parts(report: ScoringReport) -> Iterator[Plot]:
    selected = report.ideas[:_MAX_TICKS]
    rows = [
        {"part": words.heading(name), "at": at}
        for name in report.known
        for each in selected
        if (at := standing(each.card, name)) is not None
    ]
    if not rows or len(report.ideas) == 1:
        return
    known = report.known
    yield Plot(
        "parts",
        "Where the ideas stand among the library’s papers",
        "; ".join(f"{words.heading(name)} {phrases.percent(report.means[name].value)} on average" for name in known)
        + ".",
        "Each tick is an idea, at the share of the library's papers that it does better than; the point is their mean "
        "with its 95% interval."
        + (
            f" Only the first {len(selected):,} of {len(report.ideas):,} are shown."
            if len(selected) < len(report.ideas)
            else ""
        ),
        _strips(rows, report, known),
    )


def _strips(rows: Sequence[dict[str, object]], report: ScoringReport, known: Sequence[str]) -> Drawable:
    order = [words.heading(name) for name in known]
    y = alt.Y(
        "part:N", sort=order, title=None, axis=alt.Axis(ticks=False, domain=False, labelPadding=8, labelLimit=190)
    )
    x = alt.X(
        "at:Q", title="better than this share of the library’s papers", axis=_SHARES, scale=alt.Scale(domain=[0, 1])
    )
    means = [
        {"part": words.heading(name), "at": of.value, "low": of.low, "high": of.high}
        for name in known
        if (of := report.means[name]).value is not None
    ]
    opacity = max(0.12, min(0.6, 12 / len(report.ideas)))
    ticks = alt.Chart(chart_data(rows)).mark_tick(color=FIRST, thickness=2, height=14, opacity=opacity).encode(x=x, y=y)
    base = alt.Chart(chart_data(means))
    lines = base.mark_rule(color=INK, strokeWidth=2).encode(x="low:Q", x2="high:Q", y=y)
    points = base.mark_point(color=INK, filled=True, size=60, opacity=1).encode(x=x, y=y)
    return alt.layer(ticks, lines, points).properties(width=WIDE, height=max(2, len(order)) * _ROW)


def _elbow(curve: Sequence[tuple[int, float]], knee: int | None) -> Drawable:
    rows = [{"clusters": clusters, "within": within} for clusters, within in curve]
    x = alt.X("clusters:Q", title="clusters")
    y = alt.Y(
        "within:Q", title="within-cluster sum of squares", axis=alt.Axis(format="~s"), scale=alt.Scale(zero=False)
    )
    base = alt.Chart(chart_data(rows)).encode(x=x, y=y)
    chord = alt.Chart(chart_data([row for at, row in enumerate(rows) if at in {0, len(rows) - 1}]))
    layers = [
        chord.mark_line(color=INK, strokeDash=[4, 4], opacity=0.4).encode(x=x, y=y),
        base.mark_line(color=FIRST),
        base.mark_point(color=FIRST, filled=True, size=45, opacity=1),
    ]
    if knee:
        at = alt.Chart(chart_data([row | {"label": f"knee: {knee:,}"} for row in rows if row["clusters"] == knee]))
        layers.append(at.mark_rule(color=SECOND, strokeDash=[2, 3]).encode(x=x))
        layers.append(at.mark_point(color=SECOND, size=220, strokeWidth=3).encode(x=x, y=y))
        layers.append(
            at.mark_text(color=SECOND, align="left", dx=14, dy=-12, fontSize=13, fontWeight="bold").encode(
                x=x, y=y, text="label:N"
            )
        )
    return alt.layer(*layers).properties(width=WIDE, height=320)
