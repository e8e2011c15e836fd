"""Points of variants against a reference: 2 for a win, 1 for a tie, 0 for a loss (Chain of Ideas, Table 2).

Over 50 matches the maximum is 100, and the reference itself would have 50, since it would tie with itself.
"""

from __future__ import annotations

import numpy as np

from novum.core.record import Value
from novum.statistics.clustered_share import clustered_share
from novum.statistics.games import Games
from novum.statistics.records import Estimate

WIN, TIE, LOSS = 2, 1, 0


class Points(Value):
    """One variant against the reference, on one criterion."""

    player: str
    won: int
    tied: int
    lost: int
    percent: Estimate
    """Points in percent of the maximum; 50 is as good as the reference. The interval is that of `clustered_share`."""

    @property
    def points(self) -> int:
        """2 for each win, 1 for each tie."""
        return WIN * self.won + TIE * self.tied + LOSS * self.lost

    @property
    def most(self) -> int:
        """Maximum number of points."""
        return WIN * (self.won + self.tied + self.lost)


def points_against(reference: str, games: Games) -> tuple[Points, ...]:
    """Every other player's points, in the order of `games.players`; games without the reference do not count.

    Weights are ignored. Raises ValueError when there is no player called `reference`.
    """
    if reference not in games.players:
        raise ValueError(f"{reference!r} is not among the players: {', '.join(games.players)}")
    at = games.players.index(reference)
    return tuple(_points(games, place, at) for place in range(len(games.players)) if place != at)


def _points(games: Games, player: int, reference: int) -> Points:
    forth = (games.first == player) & (games.second == reference)
    back = (games.first == reference) & (games.second == player)
    both = games.where(forth | back)
    share = np.where(both.first == player, both.outcome, 1 - both.outcome)
    group = np.arange(len(both)) if both.group is None else both.group
    _, topic = np.unique(group, return_inverse=True)
    found = clustered_share(np.bincount(topic, share).astype(float), np.bincount(topic).astype(float))
    percent = {
        name: None if (each := getattr(found, name)) is None else 100 * each for name in ("value", "low", "high")
    }
    return Points(
        player=games.players[player],
        won=int((share == 1).sum()),
        tied=int((share == 0.5).sum()),
        lost=int((share == 0).sum()),
        percent=Estimate(**percent),
    )


def mean_points(by_criterion: tuple[Points, ...]) -> float | None:
    """Mean of one player's points over criteria, as printed; None without any match."""
    return float(np.mean([each.points for each in by_criterion])) if any(each.most for each in by_criterion) else None
