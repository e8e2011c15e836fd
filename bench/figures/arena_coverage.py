"""Whether the 95% intervals of ratings hold the truth that often, also where results decided who was asked next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import NormalDist

import numpy as np

from figures.arena_simulation import Floats, World
from figures.row import Row
from novum.statistics.bradley_terry import MEAN, PER_UNIT, bradley_terry, strengths
from novum.statistics.games import Games

LOW, HIGH = 93.0, 97.0
DRAWS = 300


def bootstrapped(games: Games, seed: int) -> tuple[Floats, Floats]:
    """The intervals of a report: topics drawn anew."""
    rated = [each.rating for each in bradley_terry(games, draws=DRAWS, seed=seed).ratings]
    return np.array([each.low for each in rated]), np.array([each.high for each in rated])


def from_curvature(games: Games, _: int = 0) -> tuple[Floats, Floats]:
    """Those of the likelihood and the prior at their peak, each game by itself."""
    found = strengths(games)
    reach = NormalDist().inv_cdf(0.975) * PER_UNIT * np.sqrt(np.diag(found.covariance))
    return found.elo - reach, found.elo + reach


WAYS: Mapping[str, Callable[[Games, int], tuple[Floats, Floats]]] = {
    "topics drawn anew": bootstrapped,
    "from the curvature": from_curvature,
}


def held(games: Games, world: World) -> dict[str, Floats]:
    """By the way in which intervals are made: 1 where the truth of an entrant lies in its interval, else 0."""
    truth = MEAN + PER_UNIT * world.truth
    intervals = {name: way(games, world.seed) for name, way in WAYS.items()}
    return {name: ((low <= truth) & (truth <= high)).astype(float) for name, (low, high) in intervals.items()}


def coverage(figure: str, found: Sequence[Mapping[str, Floats]]) -> list[Row]:
    """The share of entrants whose interval holds the truth; the error is that of the mean over arenas."""
    rows = []
    for name in WAYS:
        shares = [100 * float(each[name].mean()) for each in found]
        share, error = float(np.mean(shares)), float(np.std(shares, ddof=1) / np.sqrt(len(shares)))
        target = f"{LOW:.0f}-{HIGH:.0f}%"
        rows.append(Row(f"    {figure}: {name}", f"{share:.1f}%", target, LOW <= share <= HIGH, f"± {error:.1f}"))
    return rows
