"""Elo ratings as in the published Idea Arena: one game after another, K = 4, base 10, scale 400, from 1000.

One player gains what the other loses, so ratings have a mean of 1000. The result depends on the order of the games;
therefore many random orders are computed side by side, and the mean is given with its spread. That spread is not a
confidence interval: it shows how much one order differs from another. For intervals, see `bradley_terry`.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Floats
from novum.core.record import Value
from novum.statistics.games import Games

K, BASE, SCALE, INITIAL = 4.0, 10.0, 400.0, 1000.0
_UNIT = SCALE / math.log(BASE)
"""Points for one natural unit of strength; natural units need no powers, only exponentials."""
_STEPS = 2000
"""Games whose indices are looked up at once."""
_MOST = 20_000_000
"""Indices of games in memory at once (80 MB)."""


class EloRating(Value):
    """The rating of one player."""

    player: str
    rating: float
    """Mean over the orders; 1000 for a player without games."""
    spread: float
    """Standard deviation over the orders; 0 where there is one."""
    low: float
    """`low` to `high` contains 95 % of the orders."""
    high: float
    games: int


class Elo(Value):
    """Ratings in the order of the players, and the parameters of the computation."""

    ratings: tuple[EloRating, ...]
    k: float
    orders: int
    """Random orders that were averaged; 0: the given order of the games."""
    seed: int


def elo(games: Games, *more: Games, k: float = K, orders: int = 100, seed: int = 0) -> Elo:
    """Ratings of all players; for several criteria, the mean of the ratings on each, as in the paper.

    A game's weight scales its step. `orders` = 0 takes the games once, in the given order. Raises ValueError when
    criteria have different players, or `orders` is negative.
    """
    if any(each.players != games.players for each in more):
        raise ValueError("criteria can be averaged for the same players only")
    sample = np.mean([elo_orders(each, k=k, orders=orders, seed=seed) for each in (games, *more)], axis=0)
    appearances = np.concatenate([side for each in (games, *more) for side in (each.first, each.second)])
    count = np.bincount(appearances, minlength=len(games.players))
    ratings = []
    for place, player in enumerate(games.players):
        low, high = np.quantile(sample[:, place], [0.025, 0.975])
        ratings.append(
            EloRating(
                player=player,
                rating=float(sample[:, place].mean()),
                spread=float(sample[:, place].std()),
                low=float(low),
                high=float(high),
                games=int(count[place]),
            )
        )
    return Elo(ratings=tuple(ratings), k=k, orders=orders, seed=seed)


def elo_orders(games: Games, *, k: float = K, orders: int = 100, seed: int = 0) -> Floats:
    """Ratings after each of several random orders of the games: orders × players; for 0, after the given order."""
    if orders < 0:
        raise ValueError(f"the number of orders cannot be negative ({orders})")
    rng = np.random.default_rng(seed)
    together = max(1, _MOST // max(len(games), 1))
    played = []
    for start in range(0, max(orders, 1), together):
        count = min(together, max(orders, 1) - start)
        order = np.tile(np.arange(len(games), dtype=np.int32), (count, 1))
        played.append(_played(games, rng.permuted(order, axis=1) if orders else order, k))
    return np.concatenate(played)


def _played(games: Games, order: NDArray[np.int32], k: float) -> Floats:
    """All orders (rows of indices of games) side by side, game by game."""
    players, offset = len(games.players), np.arange(len(order)) * len(games.players)
    step = k / _UNIT * games.weights
    strengths = np.zeros(len(order) * players)
    for start in range(0, len(games), _STEPS):
        now = np.ascontiguousarray(order[:, start : start + _STEPS].T)
        turns = zip(games.first[now] + offset, games.second[now] + offset, games.outcome[now], step[now], strict=True)
        for one, other, points, most in turns:
            above, below = strengths[one], strengths[other]
            gain = most * (points - 1 / (1 + np.exp(below - above)))
            strengths[one] = above + gain
            strengths[other] = below - gain
    return INITIAL + _UNIT * strengths.reshape(len(order), players)
