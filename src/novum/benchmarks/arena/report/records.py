"""The report on an arena as a record: every number that its page shows, and everything that was handed in and said."""

from __future__ import annotations

from pydantic import JsonValue

from novum.benchmarks.arena.records import ArenaRun
from novum.benchmarks.arena.statistics.agreement import JudgePair, RatingAgreement
from novum.benchmarks.arena.statistics.judge_bias import JudgeBias
from novum.benchmarks.arena.statistics.points import Points
from novum.core.comparison import ComparisonKind
from novum.core.cost import Cost
from novum.core.record import Value
from novum.statistics.bradley_terry import BradleyTerry, Effect, Rating
from novum.statistics.elo import EloRating
from novum.statistics.games import Tally


class RatedEntrant(Value):
    """One entrant in one kind of comparison."""

    entrant: str
    method: str
    options: dict[str, JsonValue]
    rating: Rating
    """By Bradley-Terry, over all criteria together."""
    by_criterion: dict[str, Rating]
    at_equal_length: Rating | None
    """Over all criteria, with the length of texts held equal; None where that was not asked for."""
    elo: EloRating | None
    """As published: mean over the criteria and over random orders. None without games."""
    elo_by_criterion: dict[str, EloRating]
    points: dict[str, Points]
    """By criterion: 2, 1, 0 against the reference; empty for the reference itself."""
    mean_points: float | None
    """Of `points`, over criteria; None for the reference and without games against it."""
    handed_in: int
    """Topics with something that could be compared."""
    forfeits: int
    mean_words: float | None
    """Of what it handed in; None where the texts are not known."""


class JudgeComparison(Value):
    """Two judges beside each other, a judge being a model, a person, or several of one kind together."""

    first: str
    second: str
    matches: JudgePair
    """On single pairs of ideas."""
    ratings: RatingAgreement
    """Of all entrants, each judge by what it judged."""
    entrants: int
    """Rated by both."""


class ComparisonReport(Value):
    """All that was found by comparing one kind of thing, the best entrant first, those without games last."""

    kind: ComparisonKind
    standings: tuple[RatedEntrant, ...]
    average: BradleyTerry
    """Over all criteria together; its rows and columns are in the order of its own ratings."""
    tally: Tally
    tallies: dict[str, Tally]
    """By criterion."""
    length: Effect | None
    """What being twice as long is worth; None where length was not held equal."""
    unmeasured: int
    """Games of texts whose length is not known, in the fit at equal length."""
    reference: str
    """Whom `points` are against."""
    bias: tuple[JudgeBias, ...]
    agreement: tuple[JudgeComparison, ...]
    """Every two judges."""

    @property
    def criteria(self) -> tuple[str, ...]:
        return tuple(self.tallies)


class EntrantCost(Value):
    """What one entrant's entries took, forfeits too."""

    entrant: str
    ideas: int
    forfeits: int
    cost: Cost
    seconds: float
    """Sum over its calls."""


class ArenaReport(Value):
    """One arena brought down to numbers, with the arena itself."""

    run: ArenaRun
    boards: tuple[ComparisonReport, ...]
    """Ideas first."""
    costs: tuple[EntrantCost, ...]
    """In the order of the first board."""
    failed_topics: tuple[str, ...]
    """On which nobody has an idea."""
    draws: int
    """Of topics, behind each interval."""
    orders: int
    """Random orders of the games, which Elo is averaged over."""
    k: float
    """Of Elo."""
    equal_length: bool
    """Whether length was held equal in a second fit."""
