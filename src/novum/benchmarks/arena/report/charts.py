"""Charts of an arena: ratings with intervals, pairwise results, and preferences of judges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import altair as alt

from novum.benchmarks.arena.report.records import JudgeComparison, RatedEntrant
from novum.benchmarks.arena.statistics.blind_wins import BlindWins
from novum.benchmarks.arena.statistics.judge_bias import JudgeBias
from novum.reports.charts.intervals import IntervalPanel, IntervalPoint, interval_chart, interval_panels
from novum.reports.charts.look import (
    FIRST,
    INK,
    SECOND,
    SOFT,
    WIDE,
    Drawable,
    chart_data,
    chart_label,
    interval_cells,
    models_axis,
)
from novum.statistics.bradley_terry import BradleyTerry
from novum.statistics.records import Estimate

_STRONG, _PUBLISHED = "Bradley–Terry, 95% interval", "Elo as published, 95% of orders"
_PLAIN, _EQUAL = "plain", "at equal length"
_MOST_NAMED = 14
"""Entrants up to which a heat map writes its numbers, and a point its name."""
_COLUMNS = 3
_MEAN = 1000
_RATINGS, _FEW_RATINGS = (alt.Axis(format="d", tickCount=count, labelOverlap=True) for count in (8, 4))
_SHARES = alt.X(
    "low:Q", title=None, scale=alt.Scale(domain=[0, 1]),
    axis=alt.Axis(format=".0%", values=[0, 0.5, 1], labelOverlap=True),
)  # fmt: skip


def ratings(standings: Sequence[RatedEntrant]) -> Drawable:
    """Each entrant's rating with its interval, highest first, and below it the published Elo with its spread."""
    points = []
    for each in standings:
        points.append(IntervalPoint(each.entrant, each.rating.rating, _STRONG))
        if each.elo is not None:
            published = Estimate(value=each.elo.rating, low=each.elo.low, high=each.elo.high)
            points.append(IntervalPoint(each.entrant, published, _PUBLISHED))
    return interval_chart(
        IntervalPanel(points, line=_MEAN), _rating_axis("rating", _RATINGS), ".0f", (_STRONG, _PUBLISHED)
    )


def equal_length(standings: Sequence[RatedEntrant]) -> Drawable:
    """Ratings as they are, and with the length of texts held equal."""
    points = [
        IntervalPoint(each.entrant, rating.rating, kind)
        for each in standings
        for kind, rating in ((_PLAIN, each.rating), (_EQUAL, each.at_equal_length))
        if rating is not None
    ]
    return interval_chart(IntervalPanel(points, line=_MEAN), _rating_axis("rating", _RATINGS), ".0f", (_PLAIN, _EQUAL))


def by_criterion(standings: Sequence[RatedEntrant], criteria: Sequence[str]) -> Drawable:
    """A small chart of ratings for each criterion, all on one scale."""
    panels = [
        IntervalPanel(
            [IntervalPoint(each.entrant, each.by_criterion[name].rating) for each in standings], name, line=_MEAN
        )
        for name in criteria
    ]
    charts = interval_panels(panels, [each.entrant for each in standings], _rating_axis(None, _FEW_RATINGS), ".0f")
    shared: Drawable = charts.resolve_scale(x="shared")
    return shared


def _rating_axis(title: str | None, axis: alt.Axis) -> alt.X:
    return alt.X("low:Q", scale=alt.Scale(zero=False, nice=True), title=title, axis=axis)


def heat_map(fitted: BradleyTerry, order: Sequence[str]) -> Drawable:
    """Share of points that the row's entrant took from the column's, in the order of the ratings."""
    place = {each.player: at for at, each in enumerate(fitted.ratings)}
    rows = []
    for one in order:
        for other in order:
            won, lost = fitted.wins[place[one]][place[other]], fitted.wins[place[other]][place[one]]
            tied = fitted.ties[place[one]][place[other]]
            if won + lost + tied > 0:
                share = (won + tied / 2) / (won + lost + tied)
                counts = {"won": round(won, 1), "tied": round(tied, 1), "lost": round(lost, 1)}
                rows.append({"model": chart_label(one), "against": chart_label(other), "share": share} | counts)
    side = max(30, min(54, 560 // max(len(order), 1)))
    columns = alt.X(
        "against:N",
        sort=[chart_label(each) for each in order],
        title=None,
        axis=alt.Axis(orient="top", labelAngle=-40, labelLimit=120, ticks=False, domain=False, labelOverlap=False),
    )
    base = alt.Chart(chart_data(rows), width=side * len(order), height=round(side * 0.72) * len(order))
    cells = base.mark_rect(stroke="white", strokeWidth=2).encode(
        x=columns,
        y=models_axis(order),
        color=alt.Color(
            "share:Q",
            scale=alt.Scale(domain=[0, 0.5, 1], range=[SECOND, "#f4f1ea", FIRST], interpolate="lab"),
            legend=alt.Legend(title="share of points", format=".0%", gradientLength=110, tickCount=3),
        ),
        tooltip=["model:N", "against:N", alt.Tooltip("share:Q", format=".0%"), "won:Q", "tied:Q", "lost:Q"],
    )
    if len(order) > _MOST_NAMED:
        return alt.layer(cells)
    dark = "abs(datum.share - 0.5) > 0.32"
    numbers = base.mark_text(fontSize=11).encode(
        x=columns,
        y=models_axis(order),
        text=alt.Text("share:Q", format=".0%"),
        color=alt.condition(dark, alt.value("white"), alt.value(INK)),
    )
    return alt.layer(cells, numbers)


def judge_preferences(judges: Sequence[JudgeBias]) -> Drawable:
    """Each judge's preference for a position, for length and for its own family; 50% is no preference."""
    kinds = (
        ("the first position", [(each.judge, each.first_seat.share) for each in judges]),
        ("the longer text", [(each.judge, each.longer.share) for each in judges]),
        ("its own family", [(each.judge, each.own_family) for each in judges]),
    )
    panels = [
        IntervalPanel([IntervalPoint(judge, share) for judge, share in shares], title, line=0.5)
        for title, shares in kinds
        if any(share.value is not None for _, share in shares)
    ]
    return interval_panels(panels, [each.judge for each in judges], _SHARES, ".0%")


def agreement(comparisons: Sequence[JudgeComparison], criteria: Sequence[str]) -> Drawable:
    """Share of matches on which two judges name the same winner, by criterion, with intervals."""
    panels = [
        IntervalPanel(
            [
                IntervalPoint(pair_name(each), of.same_winner)
                for each in comparisons
                for of in (each.matches.average, *each.matches.criteria)
                if of.criterion == name
            ],
            name,
            line=0.5,
        )
        for name in criteria
    ]
    return interval_panels(panels, [pair_name(each) for each in comparisons], _SHARES, ".0%")


def pair_name(of: JudgeComparison) -> str:
    """Two judges on one line."""
    return f"{chart_label(of.first)} / {chart_label(of.second)}"


def scatters(
    comparisons: Iterable[tuple[str, Sequence[tuple[str, float, float]]]], first: str, second: str
) -> Drawable:
    """Ratings by the one against ratings by the other, a small chart for each criterion; each point is an entrant."""
    charts = []
    for title, points in comparisons:
        rows = [{"entrant": chart_label(name), "one": one, "other": other} for name, one, other in points]
        ends = [rating for _, *both in points for rating in both]
        margin = max(20.0, (max(ends) - min(ends)) / 6)
        low, high = min(ends) - margin, max(ends) + margin
        scale = alt.Scale(domain=[low, high], nice=False)
        x = alt.X("one:Q", title=chart_label(first), scale=scale, axis=_FEW_RATINGS)
        y = alt.Y("other:Q", title=chart_label(second), scale=scale, axis=_FEW_RATINGS)
        base = alt.Chart(chart_data(rows), width=165, height=165, title=alt.TitleParams(title, frame="group"))
        line = alt.Chart(chart_data({"one": end, "other": end} for end in (low, high)))
        equal = line.mark_line(color=SOFT, strokeDash=[2, 3], strokeWidth=1).encode(x=x, y=y)
        dots = base.mark_point(filled=True, size=60, color=FIRST, opacity=0.9).encode(x=x, y=y, tooltip=["entrant:N"])
        names = base.mark_text(dy=-9, fontSize=9, color=INK).encode(x=x, y=y, text="entrant:N")
        charts.append(alt.layer(equal, dots, names) if len(rows) <= _MOST_NAMED else alt.layer(equal, dots))
    together: Drawable = alt.concat(*charts, columns=2)
    return together


def win_rates(wins: Sequence[BlindWins], baselines: Sequence[str]) -> Drawable:
    """Each entrant's share of blind comparisons won against one or two baselines; half is as good."""
    points = [IntervalPoint(each.entrant, each.rate, f"against {each.opponent}") for each in wins]
    kinds = [f"against {name}" for name in baselines] if len(baselines) > 1 else ()
    return interval_chart(IntervalPanel(points, line=0.5), _SHARES, ".0%", kinds)


def points_by_criterion(panels: Sequence[tuple[str, Sequence[tuple[str, Estimate]]]]) -> Drawable:
    """Points of variants in percent of the maximum, a small chart for each criterion; 50 is as good."""
    x = alt.X("low:Q", title=None, scale=alt.Scale(domain=[0, 100]), axis=alt.Axis(values=[0, 25, 50, 75, 100]))
    charts = [
        IntervalPanel([IntervalPoint(name, each) for name, each in points], title, line=50) for title, points in panels
    ]
    names = [name for _, points in panels for name, _ in points]
    return interval_panels(charts, list(dict.fromkeys(names)), x, ".0f")


def curve(points: Sequence[tuple[float, Estimate]], option: str, *, title: str = "", width: int = WIDE) -> Drawable:
    """Ratings by the value of an option, with their intervals."""
    rows = [{"at": at} | interval_cells("value", each) for at, each in points if each.value is not None]
    ticks = alt.Axis(values=sorted({at for at, _ in points}), format="d")
    x = alt.X("at:Q", title=option, axis=ticks, scale=alt.Scale(nice=False, padding=14))
    y = alt.Y("low:Q", title="rating", scale=alt.Scale(zero=False), axis=alt.Axis(format="d", tickCount=5))
    named = alt.TitleParams(title, frame="group", fontSize=12) if title else alt.Undefined
    base = alt.Chart(chart_data(rows), width=width, height=round(width * 0.45), title=named)
    line = base.mark_line(color=FIRST, strokeWidth=1.5).encode(x=x, y=alt.Y("value:Q"))
    reach = base.mark_rule(color=FIRST, strokeWidth=2).encode(x=x, y=y, y2="high:Q")
    tooltip = ["at:Q", alt.Tooltip("value:Q", format=".0f")]
    dots = base.mark_point(filled=True, size=60, color=FIRST, opacity=1).encode(
        x=x, y=alt.Y("value:Q"), tooltip=tooltip
    )
    return alt.layer(reach, line, dots)


def curves(panels: Sequence[tuple[str, Sequence[tuple[float, Estimate]]]], option: str) -> Drawable:
    """The same for each criterion."""
    charts = [curve(points, option, title=title, width=200) for title, points in panels]
    together: Drawable = alt.concat(*charts, columns=2)
    return together
