"""Numbers of an arena's report as people say them. What is not known says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from novum.benchmarks.arena.report.records import ArenaReport, ComparisonReport, EntrantCost
from novum.benchmarks.liveidea.report.phrases import NONE, interval, number, signed
from novum.core import Spend
from novum.core.comparison import ComparisonKind
from novum.core.cost import Cost
from novum.reports import phrases
from novum.reports.phrases import correlation_text, p_value
from novum.statistics.bradley_terry import Rating
from novum.statistics.elo import BASE, INITIAL, SCALE, EloRating
from novum.statistics.records import Estimate

__all__ = [
    "HEADINGS", "NONE", "balance", "correlation_text", "elo_range", "headline", "interval", "number", "of_games",
    "options", "p_value", "percent", "percents", "price_per_idea", "protocol", "rank_interval", "signed", "spend",
    "standing", "total",
]  # fmt: skip
_SEVERAL = 2
"""Topics from which on an interval can be had."""
HEADINGS: Mapping[ComparisonKind, str] = {"idea": "Ideas", "experiment": "Experiment designs"}
_SCHEDULES = {
    "round-robin": "round robin: every pair on every topic",
    "swiss": "Swiss: entrants of like strength meet, round by round",
    "adaptive": "adaptive: pairs from which most is to be learned, until the ranking is sure enough",
}


def percent(share: float | None) -> str:
    """`62%`; a dash where there is none."""
    return NONE if share is None else f"{100 * share:.0f}%"


def percents(estimate: Estimate) -> str:
    """`58% to 66%`; empty where there is no interval."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f"{percent(estimate.low)} to {percent(estimate.high)}"


def rank_interval(rating: Rating) -> str:
    """`1 to 3`, or `1`; empty where there is none."""
    if rating.rank_low is None or rating.rank_high is None:
        return ""
    return f"{rating.rank_low} to {rating.rank_high}" if rating.rank_low != rating.rank_high else f"{rating.rank_low}"


def elo_range(elo: EloRating | None) -> str:
    """What 95% of the orders of the games gave."""
    if elo is None or (ends := (number(elo.low, 0), number(elo.high, 0)))[0] == ends[1]:
        return ""
    return " to ".join(ends)


def of_games(weight: float) -> str:
    """A sum of games on the average of criteria: `12`, `12.4`."""
    return f"{round(weight, 1):,g}"


def options(given: Mapping[str, JsonValue]) -> str:
    """`length 0, branches 3`; empty where all are as by default."""
    return ", ".join(f"{name} {phrases.option(value)}" for name, value in given.items())


def spend(cost: Cost) -> Spend:
    """In the form that `phrases` can say."""
    return Spend(**cost.model_dump())


def total(costs: Sequence[EntrantCost]) -> Cost:
    """The sum; what is unknown of a part is unknown of the whole."""
    return Cost(**{name: sum(getattr(each.cost, name) for each in costs) for name in Cost.model_fields})


def price_per_idea(of: EntrantCost) -> str:
    """`$0.12`; what is unknown says so."""
    if not of.ideas:
        return NONE
    each = of.cost.model_copy(update={"usd": of.cost.usd / of.ideas})
    return phrases.cost_in_brief(spend(each))


def balance(won: float, tied: float, lost: float) -> str:
    """`12 : 4 : 3`, won, tied and lost."""
    return f"{of_games(won)} : {of_games(tied)} : {of_games(lost)}"


def standing(board: ComparisonReport) -> str:
    """Who leads, and how sure that is."""
    rated = [each for each in board.standings if each.rating.rank is not None]
    if len(rated) < 2:
        return "Nobody met."
    best, second = rated[0], rated[1]
    if second.rating.rank == 1:
        return "The best ones are of equal strength."
    sure = best.rating.best
    if sure is None:
        lacking = "from one topic" if board.average.topics < _SEVERAL else "without draws of topics"
        return f"{best.entrant} leads; how surely cannot be said {lacking}."
    lead = (best.rating.rating.value or 0) - (second.rating.rating.value or 0)
    return f"{best.entrant} leads by {lead:.0f} points, and was the best in {percent(sure)} of all draws of topics."


def headline(report: ArenaReport) -> str:
    """What was done and what came out, in a few sentences."""
    run = report.run
    asked = sum(board.tally.asked for board in report.boards)
    failed = sum(board.tally.failed for board in report.boards)
    ideas = sum(each.idea is not None for each in run.entries)
    had = f" with {phrases.count(ideas, 'idea')}" if run.entries else ""
    lost = f", {failed:,} of them without a verdict" if failed else ""
    told = (
        f"{phrases.count(len(run.entrants), 'entrant')} on {phrases.count(len(run.topics), 'topic')}{had}, compared in "
        f"{phrases.count(asked, 'asking')} of {phrases.count(len(run.judges), 'judge')}{lost}."
    )
    return " ".join([told, *(standing(board) for board in report.boards[:1])])


def protocol(report: ArenaReport) -> list[tuple[str, str]]:
    """How it was done, with its numbers."""
    run = report.run
    facts = [
        ("Topics", f"{len(run.topics):,}" + (f", {len(run.papers):,} of them from papers" if run.papers else "")),
        ("Nothing read or cited from", run.before or "no limit"),
        ("Who meets", _SCHEDULES.get(run.schedule, run.schedule)),
        ("A pair", "is judged twice, the seats exchanged; two orders that disagree are a tie"),
        ("A failed verdict", "is no match: counted, and nobody's win; nor does the other order of its pair count"),
        *((f"Criteria of {HEADINGS[board.kind].lower()}", ", ".join(board.criteria)) for board in report.boards),
        ("Judges", ", ".join(run.judges) or "none"),
        (
            "Ratings",
            "Bradley–Terry with ties (Davidson), 1000 on average, 400 points for odds of ten to one; "
            + _prior(report),
        ),
        (
            "Elo",
            f"K = {report.k:g}, base {BASE:g}, scale {SCALE:g}, from {INITIAL:g}, zero-sum; {_orders(report)}, "
            "then over the criteria",
        ),
        ("Points", f"2 for a win, 1 for a tie, 0 for a loss, against {_references(report)}"),
        ("Intervals", _intervals(report)),
        ("Length", "held equal in a second fit" if report.equal_length else "not held equal; --equal-length does it"),
        ("Seed", str(run.seed)),
    ]  # fmt: skip
    if run.ended:
        facts.append(("Ended", phrases.moment(run.ended)))
    return facts


def _intervals(report: ArenaReport) -> str:
    if not report.draws:
        return "none were asked for"
    if all(board.average.topics < _SEVERAL for board in report.boards):
        return "none: they need two topics"
    return f"95%, by {report.draws:,} draws of topics"


def _orders(report: ArenaReport) -> str:
    return f"mean over {report.orders:,} random orders of the games" if report.orders else "in the order of the games"


def _prior(report: ArenaReport) -> str:
    weight = report.boards[0].average.prior if report.boards else 1
    return f"a prior as heavy as {phrases.count(round(weight), 'game')} keeps who won everything finite"


def _references(report: ArenaReport) -> str:
    return report.boards[0].reference if report.boards and report.boards[0].reference else "nobody"
