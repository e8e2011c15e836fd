"""The report on an arena as a record: every number on its page, with all entries and verdicts."""

from __future__ import annotations

from pydantic import JsonValue

from novum.benchmarks.arena.records import ArenaRun
from novum.benchmarks.arena.statistics.agreement import JudgePair, RatingAgreement
from novum.benchmarks.arena.statistics.judge_bias import JudgeBias
from novum.benchmarks.arena.statistics.points import Points
from novum.benchmarks.arena.statistics.shared_ranks import SharedRank
from novum.core.comparison import ComparisonKind
from novum.core.cost import Cost
from novum.core.record import Value
from novum.statistics.bradley_terry import BradleyTerry, Effect, PlayerRating
from novum.statistics.elo import EloRating
from novum.statistics.games import Tally


class RatedEntrant(Value):
    """One entrant in one kind of comparison."""

    entrant: str
    method: str
    options: dict[str, JsonValue]
    rating: PlayerRating
    """By Bradley-Terry, over all criteria together."""
    shared_rank: SharedRank | None = None
    """The ranks that it may have, shared with all from whom it cannot be distinguished. None without games."""
    by_criterion: dict[str, PlayerRating]
    at_equal_length: PlayerRating | None
    """Over all criteria, with the length of texts held equal; None when not requested."""
    elo: EloRating | None
    """As published: mean over the criteria and over random orders. None without games."""
    elo_by_criterion: dict[str, EloRating]
    points: dict[str, Points]
    """By criterion: 2, 1, 0 against the reference; empty for the reference itself."""
    average_points: Points | None = None
    """Over all criteria together, with an interval; None as `mean_points`."""
    mean_points: float | None
    """Of `points`, over criteria; None for the reference and without games against it."""
    handed_in: int
    """Topics on which it has an entry that could be compared."""
    forfeits: int
    mean_words: float | None
    """Mean length of its entries; None when the texts are not known."""


class JudgeComparison(Value):
    """Two judges compared; a judge is a model, a person, or a group of one kind."""

    first: str
    second: str
    matches: JudgePair
    """On single pairs of ideas."""
    ratings: RatingAgreement
    """Of all entrants, each judge by what it judged."""
    entrants: int
    """Rated by both."""


class ComparisonReport(Value):
    """The results of one kind of comparison, the best entrant first, those without games last."""

    kind: ComparisonKind
    standings: tuple[RatedEntrant, ...]
    average: BradleyTerry
    """Over all criteria together; its rows and columns are in the order of its own ratings."""
    tally: Tally
    tallies: dict[str, Tally]
    """By criterion."""
    length: Effect | None
    """The effect of twice the length; None when length was not held equal."""
    unmeasured: int
    """Games of texts whose length is not known, in the fit at equal length."""
    reference: str
    """The entrant that `points` are against."""
    bias: tuple[JudgeBias, ...]
    agreement: tuple[JudgeComparison, ...]
    """Every two judges."""

    @property
    def criteria(self) -> tuple[str, ...]:
        return tuple(self.tallies)


class EntrantCost(Value):
    """What one entrant's entries took, including forfeits."""

    entrant: str
    ideas: int
    forfeits: int
    cost: Cost
    seconds: float
    """Sum over its calls."""


class ArenaReport(Value):
    """The numbers of one arena, with the arena itself."""

    run: ArenaRun
    boards: tuple[ComparisonReport, ...]
    """Ideas first."""
    costs: tuple[EntrantCost, ...]
    """In the order of the first board."""
    failed_topics: tuple[str, ...]
    """On which no entrant has an idea."""
    draws: int
    """Bootstrap samples of topics behind each interval."""
    orders: int
    """Random orders of the games, which Elo is averaged over."""
    k: float
    """Of Elo."""
    equal_length: bool
    """Whether length was held equal in a second fit."""
