"""Ratings of a large arena: 100,000 matches of 50 competitors on 200 topics, Elo and Bradley-Terry.

Elo is averaged over 100 random orders of the matches, Bradley-Terry has ties, 1,000 draws of topics for its intervals,
ranks and matrices. Beside it, what the parts take, and the same with length as a covariate, for which games of a pair
are no longer alike, on the 5,000 matches of an arena of usual size. Strengths, lengths and topics are drawn; the
ratings found are held against them, so that what was timed is right, too.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np

from figures.row import Bench, Row, at_least, at_most
from novum.statistics.bradley_terry import PER_UNIT, BradleyTerry, bradley_terry
from novum.statistics.elo import elo
from novum.statistics.games import Games

PLAYERS, MATCHES, TOPICS, DRAWS, ORDERS = 50, 100_000, 200, 1000, 100
USUAL = 5000
SECONDS = 10.0
TIES = 0.5
"""ν: a fifth of the games between equals are ties."""


def ratings(bench: Bench) -> list[Row]:
    """Time for all, and whether it is right."""
    strength = np.random.default_rng(0).normal(0, 0.8, PLAYERS)
    strength -= strength.mean()
    games = drawn(strength, MATCHES)
    timed = sorted(_timed(games) for _ in range(bench.runs))
    seconds, of_elo, of_bootstrap = timed[len(timed) // 2]
    began = perf_counter()
    bradley_terry(drawn(strength, USUAL), draws=DRAWS, length=True)
    with_length = perf_counter() - began
    told = f"Elo {of_elo:.1f} s, Bradley-Terry {of_bootstrap:.1f} s"
    inside = 100 * _held(bradley_terry(games, draws=DRAWS), strength)
    return [
        at_most(f"Elo, Bradley-Terry, {DRAWS:,} draws: {MATCHES:,} matches", seconds, SECONDS, told, unit=" s"),
        at_least("    95% intervals that hold the true strength", inside, 85, f"{PLAYERS} of them"),
        at_most(f"    the same draws with length as a covariate: {USUAL:,} matches", with_length, SECONDS, unit=" s"),
    ]


def _timed(games: Games) -> tuple[float, float, float]:
    began = perf_counter()
    elo(games, orders=ORDERS)
    middle = perf_counter()
    bradley_terry(games, draws=DRAWS)
    ended = perf_counter()
    print(f"  Elo {middle - began:.2f} s, Bradley-Terry {ended - middle:.2f} s")
    return ended - began, middle - began, ended - middle


def _held(found: BradleyTerry, strength: np.ndarray) -> float:
    """Share of intervals that hold the truth."""
    truth = 1000 + PER_UNIT * strength
    inside = [
        each.rating.low is not None and each.rating.high is not None and each.rating.low < elo_ < each.rating.high
        for each, elo_ in zip(found.ratings, truth, strict=True)
    ]
    return float(np.mean(inside))


def drawn(strength: np.ndarray, matches: int) -> Games:
    """Matches of random pairs on random topics, by Davidson's model."""
    rng = np.random.default_rng(1)
    first = rng.integers(len(strength), size=matches)
    second = (first + rng.integers(1, len(strength), size=matches)) % len(strength)
    half = (strength[first] - strength[second]) / 2
    weights = np.stack([np.exp(-half), np.full(matches, TIES), np.exp(half)], axis=1)
    up_to = (weights / weights.sum(axis=1, keepdims=True)).cumsum(axis=1)
    outcome = (rng.uniform(size=matches)[:, None] > up_to).sum(axis=1).clip(0, 2) / 2
    words = rng.integers(200, 800, size=(2, matches)).astype(float)
    names = tuple(f"competitor {place}" for place in range(len(strength)))
    return Games(
        names,
        first,
        second,
        outcome,
        group=rng.integers(TOPICS, size=matches),
        lengths_first=words[0],
        lengths_second=words[1],
    )
