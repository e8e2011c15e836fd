"""Charts of what was written: how long, whether longer ideas score higher, and how often models decline."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from novum.benchmarks.liveidea.report.records import (
    IdeaRelation,
    LengthQuality,
    ModelIdeas,
    QualitySpread,
    ScoreDistribution,
)
from novum.benchmarks.liveidea.report.relations import COLUMNS, ROWS, SCALE
from novum.reports.charts.look import (
    FIRST,
    INK,
    SCHEME,
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
from novum.reports.phrases import correlation_text, interval, number, with_interval

_WIDTH = 270
_SIDE = _WIDTH / COLUMNS
"""Width of a hexagon, in pixels."""
_HEIGHT = round(3**0.5 * _SIDE * ROWS * (SCALE.length + 1) / SCALE.length)
"""So that hexagons touch; half a point is left free above and below the scale."""
_HEXAGON = "M0,-1.1547L1,-0.57735L1,0.57735L0,1.1547L-1,0.57735L-1,-0.57735Z"
"""Two wide. Vega scales a shape so that its `size` is the square of what is two wide here."""
_NAMES = ("p5", "p25", "p50", "p75", "p95")
_NEAR_BEGINNING, _ANYWHERE = "as whole words near the beginning", "anywhere, as the released code does"
REQUESTED = 100
"""Words that a model is asked to stay below."""


def lengths(ideas: Sequence[ModelIdeas], most_words: int) -> Drawable:
    """Words of each model's ideas: median, middle half, all but the outer tenth; what is asked and what is too long."""
    known = [each for each in ideas if each.words]
    rows = ({"model": chart_label(each.model), **dict(zip(_NAMES, each.words, strict=True))} for each in known)
    base = alt.Chart(chart_data(rows), width=WIDE, height=chart_height(len(known)))
    y = models_axis(each.model for each in known)
    x = alt.X("p5:Q", title="words of an idea", scale=alt.Scale(domainMin=0))
    whole = base.mark_rule(color=FIRST).encode(y=y, x=x, x2="p95:Q")
    middle = base.mark_bar(color=FIRST, opacity=0.55, height={"band": 0.6}).encode(y=y, x="p25:Q", x2="p75:Q")
    median = base.mark_tick(color=INK, thickness=2, size=13).encode(
        y=y, x="p50:Q", tooltip=["model:N", *(alt.Tooltip(f"{name}:Q", format=".0f") for name in _NAMES)]
    )
    limits = alt.Chart(
        chart_data([{"words": REQUESTED, "what": "requested"}, {"words": most_words, "what": "excluded above"}])
    )
    rule = limits.mark_rule(strokeDash=[5, 3], strokeWidth=1.5).encode(
        x="words:Q",
        color=alt.Color("what:N", title=None, scale=alt.Scale(range=[SOFT, SECOND]), legend=alt.Legend(orient="top")),
    )
    return alt.layer(whole, middle, median, rule)


def honeycombs(found: Sequence[LengthQuality]) -> Drawable:
    """Length against quality and each dimension: the darker a hexagon, the more ideas; the fitted line over it."""
    beside: Drawable = alt.concat(*map(_honeycomb, found), columns=2).resolve_scale(color="independent")
    return beside


def relations(found: Sequence[IdeaRelation]) -> Drawable:
    """Two measures of single ideas, a honeycomb for each relation, with the fitted line."""
    beside: Drawable = alt.concat(*map(_relation, found), columns=2).resolve_scale(color="independent")
    return beside


def _honeycomb(of: LengthQuality) -> Drawable:
    return _comb(of, "words", of.what, f"{of.what}: {correlation_text(of.r)}")


def _relation(of: IdeaRelation) -> Drawable:
    r = with_interval(number(of.r.value), interval(of.r) if of.r.value is not None else "")
    return _comb(of, of.x, of.y, f"{chart_label(of.name)}: r = {r}")


def _comb(of: LengthQuality | IdeaRelation, x_title: str, y_title: str, title: str) -> Drawable:
    cells = ({"x": cell.x, "score": cell.y, "ideas": cell.count} for cell in of.hexagons)
    x = alt.X("x:Q", title=x_title, scale=alt.Scale(domain=[of.across.low, of.across.high], nice=False))
    y = alt.Y("score:Q", title=y_title, scale=alt.Scale(domain=[SCALE.low - 0.5, SCALE.high + 0.5], nice=False))
    comb = (
        alt.Chart(chart_data(cells))
        .mark_point(shape=_HEXAGON, filled=True, opacity=1, size=_SIDE**2, clip=True)
        .encode(
            x=x,
            y=y,
            color=alt.Color("ideas:Q", scale=alt.Scale(scheme=SCHEME, reverse=True, type="log"), title="ideas"),
            tooltip=["ideas:Q"],
        )
    )
    line = (
        alt.Chart(chart_data({"x": point.x, "score": point.y} for point in of.line))
        .mark_line(color=SECOND, strokeDash=[6, 3], strokeWidth=2, clip=True)
        .encode(x=x, y=y)
    )
    return alt.layer(comb, line).properties(width=_WIDTH, height=_HEIGHT, title=title)


def distributions(found: Sequence[ScoreDistribution]) -> Drawable:
    """The share of ideas with each score, with its interval: quality and each dimension."""
    beside: Drawable = alt.concat(*map(_distribution, found), columns=2)
    return beside


def _distribution(of: ScoreDistribution) -> Drawable:
    rows = (
        {"from": each.low, "to": each.high, "middle": (each.low + each.high) / 2, "ideas": each.ideas}
        | interval_cells("share", each.share)
        for each in of.bins
    )
    base = alt.Chart(chart_data(rows), width=_WIDTH, height=150)
    y = alt.Y("share:Q", title="share of ideas", axis=alt.Axis(format=".0%"), scale=alt.Scale(domainMin=0))
    across = alt.Scale(domain=[SCALE.low, SCALE.high], nice=False)
    bars = base.mark_bar(color=FIRST, opacity=0.75).encode(
        x=alt.X("from:Q", title=of.what, scale=across),
        x2="to:Q",
        y=y,
        y2=alt.datum(0),
        tooltip=["ideas:Q", alt.Tooltip("share:Q", format=".1%")],
    )
    reach = base.mark_rule(color=INK, strokeWidth=1.2).encode(x=alt.X("middle:Q", scale=across), y="low:Q", y2="high:Q")
    return alt.layer(bars, reach)


def spreads(found: Sequence[QualitySpread]) -> Drawable:
    """Quality of each model's ideas: median, middle half, all but the outer tenth, and the mean with its interval."""
    rows = [
        {"model": chart_label(each.model), **dict(zip(_NAMES, each.quantiles, strict=True))}
        | interval_cells("mean", each.mean)
        for each in found
    ]
    base = alt.Chart(chart_data(rows), width=WIDE, height=chart_height(len(rows)))
    y = models_axis(each.model for each in found)
    scale = alt.Scale(domain=[SCALE.low, SCALE.high], nice=False)
    whole = base.mark_rule(color=FIRST).encode(
        y=y,
        x=alt.X("p5:Q", title="quality", scale=scale, axis=alt.Axis(values=list(range(1, 11)), format="d")),
        x2="p95:Q",
    )
    middle = base.mark_bar(color=FIRST, opacity=0.45, height={"band": 0.6}).encode(y=y, x="p25:Q", x2="p75:Q")
    median = base.mark_tick(color=INK, thickness=2, size=13).encode(y=y, x="p50:Q")
    reach = base.mark_rule(color=SECOND, strokeWidth=3).encode(y=y, x="low:Q", x2="high:Q")
    mean = base.mark_point(color=SECOND, filled=True, opacity=1, size=45).encode(
        y=y, x="mean:Q", tooltip=["model:N", alt.Tooltip("mean:Q", format=".2f")]
    )
    return alt.layer(whole, middle, median, reach, mean)


def refusals(ideas: Sequence[ModelIdeas]) -> Drawable:
    """Share of first answers that decline, matched in two ways; most first."""
    known = sorted(
        (each for each in ideas if each.asked), key=lambda each: (-each.first_refused_as_released, each.model)
    )
    rows = [
        {"model": chart_label(each.model), "share": count / each.asked, "matched": how, "of": each.asked}
        for each in known
        for how, count in (
            (_ANYWHERE, each.first_refused_as_released),
            (_NEAR_BEGINNING, each.first_refused),
        )
    ]
    base = alt.Chart(chart_data(rows), width=WIDE, height=chart_height(len(known)))
    y = models_axis(each.model for each in known)
    x = alt.X("share:Q", title="first answers that decline", axis=alt.Axis(format=".0%"), scale=alt.Scale(domainMin=0))
    line = base.mark_line(color=SOFT, strokeWidth=1).encode(y=y, x=x, detail="model:N")
    ways = [_NEAR_BEGINNING, _ANYWHERE]
    # Where both are the same the smaller lies on the larger.
    points = base.mark_point(filled=True, opacity=1).encode(
        y=y,
        x=x,
        size=alt.Size("matched:N", sort=ways, scale=alt.Scale(range=[40, 130]), legend=None),
        color=alt.Color(
            "matched:N",
            title=None,
            sort=ways,
            scale=alt.Scale(range=[FIRST, SECOND]),
            legend=alt.Legend(orient="top", labelLimit=300),
        ),
        tooltip=["model:N", "matched:N", alt.Tooltip("share:Q", format=".1%"), "of:Q"],
    )
    return alt.layer(line, points)
