"""Charts of an arena: ratings with intervals, pairwise results, and preferences of judges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import altair as alt

from novum.benchmarks.arena.report.records import JudgeComparison, RatedEntrant
from novum.benchmarks.arena.statistics.judge_bias import JudgeBias
from novum.reports.charts.look import (
    FAINT,
    FIRST,
    INK,
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
from novum.statistics.bradley_terry import BradleyTerry
from novum.statistics.records import Estimate

_STRONG, _PUBLISHED = "Bradley–Terry, 95% interval", "Elo as published, 95% of orders"
_PLAIN, _EQUAL = "plain", "at equal length"
_AT_MOST = 14
"""Entrants up to which a heat map writes its numbers."""
_COLUMNS = 3
_MEAN = 1000
_RATINGS, _FEW_RATINGS = (alt.Axis(format="d", tickCount=count, labelOverlap=True) for count in (8, 4))
_SHARES = alt.Axis(format=".0%", values=[0, 0.5, 1], labelOverlap=True)


def ratings(standings: Sequence[RatedEntrant]) -> Drawable:
    """Each entrant's rating with its interval, best first, and below it the published Elo with its spread."""
    rows = []
    for each in standings:
        rows.append({"model": chart_label(each.entrant), "way": _STRONG} | interval_cells("rating", each.rating.rating))
        if each.elo is not None:
            published = Estimate(value=each.elo.rating, low=each.elo.low, high=each.elo.high)
            rows.append({"model": chart_label(each.entrant), "way": _PUBLISHED} | interval_cells("rating", published))
    return _two_ways(rows, (_STRONG, _PUBLISHED), [each.entrant for each in standings])


def equal_length(standings: Sequence[RatedEntrant]) -> Drawable:
    """Ratings as they are, and with the length of texts held equal."""
    rows = [
        {"model": chart_label(each.entrant), "way": way} | interval_cells("rating", rating.rating)
        for each in standings
        for way, rating in ((_PLAIN, each.rating), (_EQUAL, each.at_equal_length))
        if rating is not None
    ]
    return _two_ways(rows, (_PLAIN, _EQUAL), [each.entrant for each in standings])


def _two_ways(rows: Sequence[dict[str, object]], ways: Sequence[str], entrants: Sequence[str]) -> Drawable:
    """Points with intervals, the second way below the first."""
    known = [row for row in rows if row["rating"] is not None]
    base = alt.Chart(chart_data(known), width=WIDE, height=round(1.7 * chart_height(len(entrants))))
    y, shift = models_axis(entrants), alt.YOffset("way:N", sort=ways, scale=alt.Scale(paddingOuter=0.6))
    color = alt.Color(
        "way:N",
        sort=ways,
        title=None,
        scale=alt.Scale(domain=ways, range=[FIRST, SECOND]),
        legend=alt.Legend(orient="top", labelLimit=300, symbolOpacity=1),
    )
    x = alt.X("low:Q", scale=alt.Scale(zero=False, nice=True), title="rating", axis=_RATINGS)
    reach = base.mark_rule(strokeWidth=2).encode(y=y, yOffset=shift, x=x, x2="high:Q", color=color)
    points = base.mark_point(filled=True, size=60, opacity=1).encode(
        y=y,
        yOffset=shift,
        x="rating:Q",
        color=color,
        shape=alt.Shape("way:N", sort=ways, scale=alt.Scale(domain=ways, range=["circle", "diamond"]), legend=None),
        tooltip=["model:N", "way:N", alt.Tooltip("rating:Q", format=".0f")],
    )
    return alt.layer(_middle(_MEAN), reach, points)


def by_criterion(standings: Sequence[RatedEntrant], criteria: Sequence[str]) -> Drawable:
    """A small chart of ratings for each criterion, all on one scale."""
    order = [each.entrant for each in standings]
    charts = []
    for place, name in enumerate(criteria):
        comparisons = [(each.entrant, each.by_criterion[name].rating) for each in standings]
        rows = [
            {"model": chart_label(entrant)} | interval_cells("rating", rating)
            for entrant, rating in comparisons
            if rating.value is not None
        ]
        y = models_axis(order)
        if place % _COLUMNS:
            y = y.axis(None)
        base = alt.Chart(chart_data(rows), width=165, height=chart_height(len(order)), title=_title(name))
        x = alt.X("low:Q", scale=alt.Scale(zero=False, nice=True), title=None, axis=_FEW_RATINGS)
        reach = base.mark_rule(color=FIRST, strokeWidth=2).encode(y=y, x=x, x2="high:Q")
        point = base.mark_point(filled=True, size=50, color=FIRST, opacity=1).encode(
            y=y, x="rating:Q", tooltip=["model:N", alt.Tooltip("rating:Q", format=".0f")]
        )
        charts.append(alt.layer(_middle(_MEAN), reach, point))
    together: Drawable = alt.concat(*charts, columns=_COLUMNS).resolve_scale(x="shared")
    return together


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
    if len(order) > _AT_MOST:
        return alt.layer(cells)
    dark = "abs(datum.share - 0.5) > 0.32"
    numbers = base.mark_text(fontSize=11).encode(
        x=columns,
        y=models_axis(order),
        text=alt.Text("share:Q", format=".0%"),
        color=alt.condition(dark, alt.value("white"), alt.value(INK)),
    )
    return alt.layer(cells, numbers)


def leanings(judges: Sequence[JudgeBias]) -> Drawable:
    """Each judge's preference for a position, for length and for its own family; 50% is no preference."""
    kinds = (
        ("the first position", [(each.judge, each.first_seat.share) for each in judges]),
        ("the longer text", [(each.judge, each.longer.share) for each in judges]),
        ("its own family", [(each.judge, each.own_family) for each in judges]),
    )
    known = [(title, rows) for title, rows in kinds if any(share.value is not None for _, share in rows)]
    charts = []
    for place, (title, comparisons) in enumerate(known):
        rows = [
            {"model": chart_label(judge)} | interval_cells("share", share)
            for judge, share in comparisons
            if share.value is not None
        ]
        y = models_axis(each.judge for each in judges)
        if place:
            y = y.axis(None)
        base = alt.Chart(chart_data(rows), width=165, height=chart_height(len(judges)), title=_title(title))
        x = alt.X("low:Q", title=None, scale=alt.Scale(domain=[0, 1]), axis=_SHARES)
        reach = base.mark_rule(color=FIRST, strokeWidth=2).encode(y=y, x=x, x2="high:Q")
        point = base.mark_point(filled=True, size=60, color=FIRST, opacity=1).encode(
            y=y, x="share:Q", tooltip=["model:N", alt.Tooltip("share:Q", format=".0%")]
        )
        charts.append(alt.layer(_middle(0.5), reach, point))
    beside: Drawable = alt.concat(*charts, columns=_COLUMNS)
    return beside


def agreement(comparisons: Sequence[JudgeComparison], criteria: Sequence[str]) -> Drawable:
    """Share of matches on which two judges name the same winner, by criterion, with intervals."""
    charts = []
    names = [pair_name(each) for each in comparisons]
    for place, name in enumerate(criteria):
        rows = [
            {"model": pair_name(each)} | interval_cells("share", of.same_winner)
            for each in comparisons
            for of in (each.matches.average, *each.matches.criteria)
            if of.criterion == name and of.same_winner.value is not None
        ]
        y = models_axis(names)
        if place % _COLUMNS:
            y = y.axis(None)
        base = alt.Chart(chart_data(rows), width=165, height=chart_height(len(names)), title=_title(name))
        x = alt.X("low:Q", title=None, scale=alt.Scale(domain=[0, 1]), axis=_SHARES)
        reach = base.mark_rule(color=FIRST, strokeWidth=2).encode(y=y, x=x, x2="high:Q")
        point = base.mark_point(filled=True, size=60, color=FIRST, opacity=1).encode(y=y, x="share:Q")
        charts.append(alt.layer(_middle(0.5), reach, point))
    together: Drawable = alt.concat(*charts, columns=_COLUMNS)
    return together


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
        room = max(20.0, (max(ends) - min(ends)) / 6)
        low, high = min(ends) - room, max(ends) + room
        scale = alt.Scale(domain=[low, high], nice=False)
        axis = _FEW_RATINGS
        x = alt.X("one:Q", title=chart_label(first), scale=scale, axis=axis)
        y = alt.Y("other:Q", title=chart_label(second), scale=scale, axis=axis)
        base = alt.Chart(chart_data(rows), width=165, height=165, title=_title(title))
        line = alt.Chart(chart_data({"one": end, "other": end} for end in (low, high)))
        equal = line.mark_line(color=SOFT, strokeDash=[2, 3], strokeWidth=1).encode(x=x, y=y)
        dots = base.mark_point(filled=True, size=60, color=FIRST, opacity=0.9).encode(x=x, y=y, tooltip=["entrant:N"])
        names = base.mark_text(dy=-9, fontSize=9, color=INK).encode(x=x, y=y, text="entrant:N")
        charts.append(alt.layer(equal, dots, names) if len(rows) <= _AT_MOST else alt.layer(equal, dots))
    together: Drawable = alt.concat(*charts, columns=_COLUMNS)
    return together


def _title(text: str) -> alt.TitleParams:
    """Above the plot, not above the names beside it."""
    return alt.TitleParams(text, frame="group")


def _middle(value: float) -> alt.Chart:
    """A line at the mean rating, or at no preference."""
    line: alt.Chart = (
        alt.Chart(chart_data([{"middle": value}])).mark_rule(color=FAINT, strokeWidth=2).encode(x="middle:Q")
    )
    return line
