"""The plots of an arena's report in their order, each with a description in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from novum.benchmarks.arena.report import charts
from novum.benchmarks.arena.report.records import ArenaReport, ComparisonReport, RatedEntrant
from novum.reports import phrases
from novum.reports.charts.look import chart_label
from novum.reports.charts.plot import Plot

MOST_DRAWN, MOST_IN_MATRIX = 100, 40
"""Entrants or judges in one plot; the tables and the data have all."""
_NAMES = {"idea": "", "experiment": "experiment-"}
"""What stands before a plot's name, so that each kind has files of its own."""


def plots(report: ArenaReport) -> tuple[Plot, ...]:
    """Those that the arena has numbers for."""
    return tuple(plot for board in report.boards for plot in board_plots(board))


def board_plots(board: ComparisonReport) -> Iterator[Plot]:
    """The plots of one kind of comparison."""
    rated = [each for each in board.standings if each.rating.rating.value is not None]
    if not rated:
        return
    lead, first, last = _NAMES[board.kind], rated[0], rated[-1]
    in_charts, in_matrix = rated[:MOST_DRAWN], rated[:MOST_IN_MATRIX]
    yield Plot(
        f"{lead}ratings",
        "Ratings",
        f"{phrases.count(len(rated), 'entrant')} by rating, from {chart_label(first.entrant)} "
        f"({first.rating.rating.value:.0f}) to {chart_label(last.entrant)} ({last.rating.rating.value:.0f}).",
        "Circles: Bradley–Terry with its 95% interval over topics. Diamonds: Elo as published; its line is the effect "
        "of the order of the games, not a confidence interval, and with K = 4 it spreads less. Both are 1000 on "
        "average." + _cut(rated, in_charts),
        charts.ratings(in_charts),
    )
    yield Plot(
        f"{lead}criteria",
        "Ratings by criterion",
        "; ".join(f"{name}: highest is {chart_label(_highest(board, name))}" for name in board.criteria) + ".",
        "Bradley–Terry on each criterion alone, with 95% intervals, in the order of the ratings over all criteria.",
        charts.by_criterion(in_charts, board.criteria),
    )
    yield Plot(
        f"{lead}matrix",
        "Results by pair",
        f"Share of points that each of {phrases.count(len(rated), 'entrant')} took from each other one; the table "
        "below holds the same numbers.",
        "Share of points that the entrant on the left took from the one above, all criteria together, a tie as half. "
        "Blue: the one on the left took more. Empty: never compared." + _cut(rated, in_matrix),
        charts.heat_map(board.average, [each.entrant for each in in_matrix]),
    )
    if board.length is not None and board.length.points.value:
        yield Plot(
            f"{lead}length",
            "With length held equal",
            "; ".join(
                f"{chart_label(each.entrant)} {each.rating.rating.value:.0f} plain, {_equal(each):.0f} at equal length"
                for each in in_charts
            )
            + ".",
            "The same games, fitted with the difference in length beside the strengths: what a rating would be if all "
            "texts were of one length.",
            charts.equal_length(in_charts),
        )
    if any(each.first_seat.share.value is not None for each in board.bias):
        yield Plot(
            f"{lead}preferences",
            "What judges prefer",
            "; ".join(
                f"{chart_label(each.judge)} prefers the first position in "
                f"{phrases.percent(each.first_seat.share.value)} of its decisions"
                for each in board.bias
            )
            + ".",
            "Shares of the verdicts that name a winner, with 95% intervals over topics. Half is no preference. Longer "
            "texts and a family's texts may be better: a preference for them is not necessarily a bias.",
            charts.judge_preferences(board.bias[:MOST_DRAWN]),
        )


def _cut(rated: Sequence[RatedEntrant], displayed: Sequence[RatedEntrant]) -> str:
    return f" Only the {len(displayed)} highest rated of {len(rated)} are shown." if len(displayed) < len(rated) else ""


def _highest(board: ComparisonReport, criterion: str) -> str:
    known = [
        (each.by_criterion[criterion].rating.value, each.entrant)
        for each in board.standings
        if each.by_criterion[criterion].rating.value is not None
    ]
    return max(known, default=(0, "nobody"))[1]


def _equal(standing: RatedEntrant) -> float:
    value = standing.at_equal_length.rating.value if standing.at_equal_length else None
    return float("nan") if value is None else value
