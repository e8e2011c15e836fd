"""Ratings of the entrants of an arena: Bradley–Terry and Elo, over all criteria and on each one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from novum.benchmarks.arena.records import ArenaRun
from novum.core.comparison import CRITERIA, ComparisonKind
from novum.statistics.bradley_terry import BradleyTerry, bradley_terry
from novum.statistics.elo import Elo, elo
from novum.statistics.games import AVERAGE, JudgedGames, games_of

TextLengths = Mapping[tuple[str, str], float]
"""Words of each compared text, by (topic, entrant)."""


@dataclass(frozen=True, eq=False)
class ArenaRatings:
    """The ratings of all entrants in one kind of comparison, each in the order of `ArenaRun.entrants`."""

    games: Mapping[str, JudgedGames]
    """Games by criterion, and under `average` of all criteria together."""
    bradley_terry: Mapping[str, BradleyTerry]
    """By the same names."""
    at_equal_length: BradleyTerry | None
    """Over all criteria, with text length as a covariate; None when not requested or lengths are unknown."""
    orders: int
    seed: int

    @property
    def criteria(self) -> tuple[str, ...]:
        return tuple(name for name in self.games if name != AVERAGE)

    @cached_property
    def elo(self) -> Elo:
        """Published Elo: the mean over criteria, each after many random orders of its games."""
        return elo(*(self.games[name].games for name in self.criteria), orders=self.orders, seed=self.seed)

    @cached_property
    def elo_by_criterion(self) -> dict[str, Elo]:
        return {name: elo(self.games[name].games, orders=self.orders, seed=self.seed) for name in self.criteria}


def rate_entrants(
    run: ArenaRun,
    kind: ComparisonKind,
    *,
    draws: int = 1000,
    orders: int = 100,
    lengths: TextLengths | None = None,
    equal_length: bool = False,
) -> ArenaRatings:
    """Rates all entrants of a run, finished or not.

    `draws`: bootstrap samples of topics behind the intervals; `orders`: random orders of the games that Elo is averaged
    over. `equal_length`: fit a second time with the text `lengths` as a covariate. The same run gives the same ratings.
    """
    players = [each.name for each in run.entrants]
    games = {
        name: games_of(run.judged_pairs, kind, name, players=players, lengths=lengths)
        for name in (AVERAGE, *CRITERIA[kind])
    }
    fits = {name: bradley_terry(each.games, draws=draws, seed=run.seed) for name, each in games.items()}
    equal = None
    if equal_length and lengths:
        equal = bradley_terry(games[AVERAGE].games, draws=draws, seed=run.seed, length=True)
    return ArenaRatings(games, fits, equal, orders, run.seed)
