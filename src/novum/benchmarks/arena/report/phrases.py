"""The numbers and the protocol of an arena's report in words."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from novum.benchmarks.arena.records import ArenaRun
from novum.benchmarks.arena.report.records import ArenaReport, ComparisonReport, EntrantCost, RatedEntrant
from novum.benchmarks.arena.statistics.shared_ranks import CLEAR, FEWEST_TOPICS, SharedRank, leading
from novum.core import Spend
from novum.core.comparison import ComparisonKind
from novum.core.cost import Cost
from novum.reports import phrases
from novum.reports.phrases import NONE, number, share_text
from novum.statistics.bradley_terry import FEWEST_TOPICS as LEAST_FOR_INTERVALS
from novum.statistics.elo import BASE, INITIAL, SCALE, EloRating
from novum.statistics.records import Estimate

HEADINGS: Mapping[ComparisonKind, str] = {"idea": "Ideas", "experiment": "Experiment designs"}
_SCHEDULES = {
    "round-robin": "round robin: every pair on every topic",
    "reference": "the first entrant with every other one, on every topic",
    "swiss": "Swiss: entrants of similar strength are compared, round by round",
    "adaptive": "adaptive: the most informative pairs, until the ranking is certain enough",
}


def shared_rank(rank: SharedRank | None) -> str:
    """`1–3` for ranks that are shared, `1` for one that is not; a dash for an entrant without games."""
    if rank is None:
        return NONE
    return f"{rank.best}–{rank.worst}" if rank.best != rank.worst else f"{rank.best}"


def rating_interval(rating: Estimate) -> str:
    """`980–1043`; "no interval" where none can be given for a rating, empty without a rating."""
    if rating.low is None or rating.high is None:
        return "" if rating.value is None else "no interval"
    return f"{number(rating.low, 0)}–{number(rating.high, 0)}"


def elo_range(elo: EloRating | None) -> str:
    """The range of 95% of the orders of the games; empty when it is a single number."""
    if elo is None or (ends := (number(elo.low, 0), number(elo.high, 0)))[0] == ends[1]:
        return ""
    return " to ".join(ends)


def of_games(weight: float) -> str:
    """A number of games on the average of criteria: `12`, `12.4`."""
    return f"{round(weight, 1):,g}"


def options(given: Mapping[str, JsonValue]) -> str:
    """`length 0, branches 3`; empty when all are defaults."""
    return ", ".join(f"{name} {phrases.option(value)}" for name, value in given.items())


def spend(cost: Cost) -> Spend:
    """The cost as `novum.reports.phrases` takes it."""
    return Spend(**cost.model_dump())


def price_per_idea(of: EntrantCost) -> str:
    """`$0.12`, or how much of it is unknown."""
    if not of.ideas:
        return NONE
    each = of.cost.model_copy(update={"usd": of.cost.usd / of.ideas})
    return phrases.cost_in_brief(spend(each))


def balance(won: float, tied: float, lost: float) -> str:
    """`12 : 4 : 3`, won, tied and lost."""
    return f"{of_games(won)} : {of_games(tied)} : {of_games(lost)}"


def standing(board: ComparisonReport) -> str:
    """Who leads, by how much, or who cannot be distinguished."""
    rated = [each for each in board.standings if each.rating.rating.value is not None]
    if len(rated) < 2:
        return "There were no comparisons."
    if not board.average.connected:
        return "Not all entrants are linked by comparisons, so there is no common ranking."
    first, *others = rated
    if not board.average.ahead:
        few = board.average.topics < LEAST_FOR_INTERVALS
        lacking = f"from {phrases.count(board.average.topics, 'topic')}" if few else "without bootstrap samples"
        return f"No leader can be named: {_above(first, others[0])}, and how certain that is, is not known {lacking}."
    if board.average.topics < FEWEST_TOPICS:
        return (
            f"No significant leader: {_above(first, others[0])}, but {phrases.count(board.average.topics, 'topic')} "
            f"cannot show that this is more than chance; that takes at least {FEWEST_TOPICS}."
        )
    place = {each.player: at for at, each in enumerate(board.average.ratings)}
    unclear = [each for each in others if each.entrant in leading(board.average)]
    next_one = (unclear or others)[0]
    share = share_text(board.average.ahead[place[first.entrant]][place[next_one.entrant]])
    difference = f"{_above(first, next_one)}, and stronger in {share} of the bootstrap samples"
    if not unclear:
        return f"{difference}: more than chance between topics explains."
    names = phrases.listed([each.entrant for each in (first, *unclear)])
    return f"No significant leader: {names} cannot be distinguished on these topics. {difference}."


def _above(one: RatedEntrant, other: RatedEntrant) -> str:
    lead = (one.rating.rating.value or 0) - (other.rating.rating.value or 0)
    return f"{one.entrant} is rated {lead:.0f} points above {other.entrant}"


def headline(report: ArenaReport) -> str:
    """What was compared and the result, in a few sentences."""
    run = report.run
    requests = sum(board.tally.asked for board in report.boards)
    failed = sum(board.tally.failed for board in report.boards)
    ideas = sum(each.idea is not None for each in run.entries)
    with_ideas = f" with {phrases.count(ideas, 'idea')}" if run.entries else ""
    without = f"; {phrases.count(failed, 'request')} had no usable answer" if failed else ""
    entrants, topics = phrases.count(len(run.entrants), "entrant"), phrases.count(len(run.topics), "topic")
    sentence = (
        f"{entrants} on {topics}{with_ideas}, compared in "
        f"{phrases.count(requests, 'request')} to {phrases.count(len(run.judges), 'judge')}{without}."
    )
    return " ".join([sentence, *(standing(board) for board in report.boards[:1])])


def judging_protocol(run: ArenaRun) -> str:
    """The name of the judging protocol, with the hashes of prompts that are not part of Novum."""
    if not run.protocol:
        return "not stated in the file"
    hashes = ", ".join(f"{name} {digest[:12]}" for name, digest in run.prompt_hashes.items())
    return f"{run.protocol} (SHA-256: {hashes})" if hashes else run.protocol


def protocol(report: ArenaReport) -> list[tuple[str, str]]:
    """The protocol with its numbers, as pairs of a name and a value."""
    run = report.run
    facts = [
        ("Topics", f"{len(run.topics):,}" + (f", {len(run.papers):,} of them from papers" if run.papers else "")),
        ("Literature before", run.before or "no limit"),
        ("Pairs judged", _SCHEDULES.get(run.schedule, run.schedule)),
        ("A pair", "is judged twice, with the positions exchanged; two orders that disagree are a tie"),
        ("A failed verdict", "is no match: it is counted, nobody wins, and the other order does not count either"),
        *((f"Criteria of {HEADINGS[board.kind].lower()}", ", ".join(board.criteria)) for board in report.boards),
        ("Judges", ", ".join(run.judges) or "none"),
        ("Judging protocol", judging_protocol(run)),
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
        (
            "Ranks",
            f"shared by entrants that cannot be distinguished: neither is stronger in {CLEAR:.1%} of the bootstrap "
            f"samples, or there are fewer than {FEWEST_TOPICS} topics",
        ),
        ("Length", "held equal in a second fit" if report.equal_length else "not held equal; --equal-length does it"),
        ("Seed", str(run.seed)),
    ]  # fmt: skip
    if run.ended:
        facts.append(("Ended", phrases.moment(run.ended)))
    return facts


def _intervals(report: ArenaReport) -> str:
    if not report.draws:
        return "none requested"
    if all(board.average.topics < LEAST_FOR_INTERVALS for board in report.boards):
        return f"none: they need {LEAST_FOR_INTERVALS} topics"
    return (
        f"95%, by {report.draws:,} bootstrap samples of topics; none where all samples give the same, as with the same "
        "verdicts on all topics"
    )


def _orders(report: ArenaReport) -> str:
    return f"mean over {report.orders:,} random orders of the games" if report.orders else "in the order of the games"


def _prior(report: ArenaReport) -> str:
    weight = report.boards[0].average.prior if report.boards else 1
    return f"a prior with the weight of {phrases.count(round(weight), 'game')} keeps all ratings finite"


def _references(report: ArenaReport) -> str:
    return report.boards[0].reference if report.boards and report.boards[0].reference else "nobody"
