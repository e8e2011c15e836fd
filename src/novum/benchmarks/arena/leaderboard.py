"""Who is better, by how much, and how sure that is: one table for ideas, one for experiments."""

from __future__ import annotations

from collections.abc import Sequence

from novum.benchmarks.arena.records import ArenaRun
from novum.core import Cost
from novum.core.comparison import CRITERIA, Entry, Kind
from novum.core.record import Value
from novum.statistics.bradley_terry import Rating, bradley_terry
from novum.statistics.elo import elo
from novum.statistics.estimate import Estimate
from novum.statistics.games import AVERAGE, Tally, settled


class ArenaLeaderboardRow(Value):
    """One entrant."""

    entrant: str
    rating: Rating
    """By Bradley-Terry, over all criteria together."""
    elo: float | None
    """As published: the mean over criteria, each after many random orders of its games. None without games."""
    by_criterion: dict[str, Estimate]
    """Bradley-Terry ratings on each criterion alone."""
    entries: int
    """Topics on which it handed something in that could be compared."""
    forfeits: int
    cost: Cost
    """Of all its entries, forfeits too."""
    seconds: float
    """Sum over its calls."""


class Board(Value):
    """All entrants by what was compared, the best first, those without games last."""

    kind: Kind
    lines: tuple[ArenaLeaderboardRow, ...]
    tally: Tally
    tallies: dict[str, Tally]
    """By criterion."""
    connected: bool
    """Whether all ratings can be compared with each other."""


class Leaderboard(Value):
    """Boards of an arena: ideas first."""

    boards: tuple[Board, ...]
    draws: int
    """Of topics, behind each interval."""


def leaderboard(run: ArenaRun, *, draws: int = 1000, orders: int = 100) -> Leaderboard:
    """Ratings of all entrants. `orders`: random orders of the games that Elo is averaged over."""
    return Leaderboard(boards=tuple(_board(run, kind, draws, orders) for kind in run.kinds), draws=draws)


def _board(run: ArenaRun, kind: Kind, draws: int, orders: int) -> Board:
    players = [each.name for each in run.entrants]
    found = {name: settled(run.bouts, kind, name, players=players) for name in (AVERAGE, *CRITERIA[kind])}
    fits = {name: bradley_terry(each.games, draws=draws, seed=run.seed) for name, each in found.items()}
    games = [found[name].games for name in CRITERIA[kind]]
    published = elo(*games, orders=orders, seed=run.seed)
    lines = [
        ArenaLeaderboardRow(
            entrant=player,
            rating=fits[AVERAGE].ratings[place],
            elo=published.ratings[place].rating if published.ratings[place].games else None,
            by_criterion={name: fits[name].ratings[place].rating for name in CRITERIA[kind]},
            **_handed_in(kind, [each for each in run.entries if each.entrant == player]),
        )
        for place, player in enumerate(players)
    ]
    lines.sort(key=lambda line: (line.rating.rank is None, line.rating.rank or 0, line.entrant))
    tallies = {name: found[name].tally for name in CRITERIA[kind]}
    average = fits[AVERAGE]
    return Board(
        kind=kind, lines=tuple(lines), tally=found[AVERAGE].tally, tallies=tallies, connected=average.connected
    )


def _handed_in(kind: Kind, entries: Sequence[Entry]) -> dict[str, object]:
    there = sum((each.idea if kind == "idea" else each.experiment) is not None for each in entries)
    total = {name: sum(getattr(each.cost, name) for each in entries) for name in Cost.model_fields}
    return {
        "entries": there,
        "forfeits": len(entries) - there,
        "cost": Cost(**total),
        "seconds": round(sum(each.seconds for each in entries), 3),
    }
