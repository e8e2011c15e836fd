"""The leaderboards of an arena: one for ideas, one for experiments."""

from __future__ import annotations

from novum.benchmarks.arena.judging import has_content
from novum.benchmarks.arena.records import ArenaRun
from novum.benchmarks.arena.statistics.ratings import rate_entrants
from novum.benchmarks.arena.statistics.shared_ranks import SharedRank, leading, shared_ranks
from novum.core import Cost
from novum.core.comparison import ComparisonKind
from novum.core.cost import sum_costs
from novum.core.record import Value
from novum.statistics.bradley_terry import PlayerRating
from novum.statistics.games import AVERAGE, Tally
from novum.statistics.records import Estimate


class ArenaLeaderboardRow(Value):
    """One entrant."""

    entrant: str
    rating: PlayerRating
    """Bradley–Terry rating over all criteria."""
    shared_rank: SharedRank | None = None
    """The ranks that it may have, shared with all from whom it cannot be distinguished. None without games."""
    elo: float | None
    """Published Elo: the mean over criteria and over random orders of the games. None without games."""
    by_criterion: dict[str, Estimate]
    """Bradley–Terry ratings on each criterion."""
    entries: int
    """Topics on which it submitted something that could be compared."""
    forfeits: int
    cost: Cost
    """Of all its entries, including forfeits."""
    seconds: float
    """Sum over its calls."""


class ArenaBoard(Value):
    """All entrants in one kind of comparison, best first, those without games last."""

    kind: ComparisonKind
    lines: tuple[ArenaLeaderboardRow, ...]
    tally: Tally
    tallies: dict[str, Tally]
    """By criterion."""
    connected: bool
    """Whether all ratings can be compared with each other."""
    leading: tuple[str, ...] = ()
    """The entrant with the highest rating, and those that cannot be distinguished from it: a single one is the leader.
    Empty where fewer than two entrants have games."""


class ArenaLeaderboard(Value):
    """The boards of an arena, ideas first."""

    boards: tuple[ArenaBoard, ...]
    draws: int
    """Bootstrap samples of topics behind each interval."""


def leaderboard(run: ArenaRun, *, draws: int = 1000, orders: int = 100) -> ArenaLeaderboard:
    """Ratings of all entrants; the options are those of `rate_entrants`."""
    return ArenaLeaderboard(boards=tuple(_board(run, kind, draws, orders) for kind in run.kinds), draws=draws)


def _board(run: ArenaRun, kind: ComparisonKind, draws: int, orders: int) -> ArenaBoard:
    ratings = rate_entrants(run, kind, draws=draws, orders=orders)
    average = ratings.bradley_terry[AVERAGE]
    ranks = shared_ranks(average)
    rows = []
    for position, entrant in enumerate(run.entrants):
        entries = [each for each in run.entries if each.entrant == entrant.name]
        submitted = sum(has_content(kind, each) for each in entries)
        elo = ratings.elo.ratings[position]
        rows.append(
            ArenaLeaderboardRow(
                entrant=entrant.name,
                rating=average.ratings[position],
                shared_rank=ranks[position],
                elo=elo.rating if elo.games else None,
                by_criterion={name: ratings.bradley_terry[name].ratings[position].rating for name in ratings.criteria},
                entries=submitted,
                forfeits=len(entries) - submitted,
                cost=sum_costs(each.cost for each in entries),
                seconds=round(sum(each.seconds for each in entries), 3),
            )
        )
    return ArenaBoard(
        kind=kind,
        lines=tuple(sorted(rows, key=lambda row: (row.rating.rank is None, row.rating.rank or 0, row.entrant))),
        tally=ratings.games[AVERAGE].tally,
        tallies={name: ratings.games[name].tally for name in ratings.criteria},
        connected=average.connected,
        leading=leading(average),
    )
