"""Bradley-Terry ratings with ties: how strong each player is, how sure that is, and who would beat whom.

The model and its prior are those of `davidson`; ratings are on the Elo scale, 1000 on average, 400 points for odds of
ten to one. Intervals come from a bootstrap over topics, since games on one topic go together: all players in the same
draws, so that differences and ranks can be read within a draw.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from novum.core.record import Value
from novum.statistics.bootstrap import estimate, interval
from novum.statistics.bootstrap_counts import clusters, counted, drawn_counts
from novum.statistics.crosstable import crosstable, linked_players
from novum.statistics.davidson import Fits, cells_of, fit, outcome_chances
from novum.statistics.distributions import f_quantile
from novum.statistics.estimate import NOTHING, Estimate
from novum.statistics.games import Floats, Games, Ints

MEAN = 1000.0
PER_UNIT = 400 / math.log(10)
"""Elo points for one natural unit of strength."""
LENGTH, SEAT = "length", "first seat"
_LEAST = 1e-9
"""Strengths that differ by less are the same: the last digits are those of the computation."""
Matrix = tuple[tuple[float, ...], ...]


class Rating(Value):
    """One player. Without a game it has no rating and no rank."""

    player: str
    rating: Estimate
    """Elo points. At equal length, and without the help of a seat, where these were fitted."""
    rank: int | None
    """1 is best; players of equal strength share the better rank."""
    rank_low: int | None
    """Interval of the rank, at the same level as that of the rating; None without draws."""
    rank_high: int | None
    best: float | None
    """Share of draws in which nobody was stronger."""
    won: float
    """Sum of weights, as are the next two."""
    tied: float
    lost: float

    @property
    def held(self) -> bool:
        """Whether it won everything, or lost everything: then the prior alone keeps its rating finite."""
        return not self.tied and (not self.won) != (not self.lost)


class Effect(Value):
    """Something that helps whoever has it."""

    name: str
    """`LENGTH`, or `SEAT` with the judge's name behind it."""
    points: Estimate
    """Elo points that it is worth: for being twice as long, or for sitting in the first seat."""


class BradleyTerry(Value):
    """All players, in the order of the games; matrices have a row and a column for each."""

    ratings: tuple[Rating, ...]
    tie: Estimate
    """Share of ties between equals."""
    effects: tuple[Effect, ...]
    win_probability: Matrix
    """That the row's player beats the column's, at equal length and seat; what is missing to 1 both ways is a tie."""
    ahead: Matrix
    """Share of draws in which the row's player is the stronger one; empty without draws."""
    wins: Matrix
    """Games won by the row's player against the column's, by weight."""
    ties: Matrix
    parts: tuple[tuple[str, ...], ...]
    """Players linked by games. With more than one part, ratings of different parts cannot be compared."""
    topics: int
    """What the draws drew from; games, where no topics are known."""
    unmeasured: int
    """Games with a length unknown, taken as of equal length; 0 where length was not asked for."""
    prior: float
    """Its weight in games."""

    @property
    def connected(self) -> bool:
        """Whether all ratings can be compared."""
        return len(self.parts) <= 1


@dataclass(frozen=True, eq=False)
class Strengths:
    """The fit alone, in natural units, for those who choose the next game."""

    players: tuple[str, ...]
    strength: Floats
    """Mean 0; 0 for a player without games."""
    covariance: Floats
    """Players × players, around the mean of all; from the curvature, as if games did not depend on topics."""
    tie: float
    """log ν."""

    @property
    def elo(self) -> Floats:
        """The same on the Elo scale."""
        return MEAN + PER_UNIT * self.strength

    def chances(self) -> tuple[Floats, Floats]:
        """Players × players: that the row's player wins, and that they tie."""
        return chances(self.strength, self.tie)


def strengths(games: Games, *, prior: float = 1.0) -> Strengths:
    """The most likely strengths, without intervals: some milliseconds for a hundred players."""
    cells, kind = cells_of(games)
    found = fit(cells, counted(games, kind, 3 * len(cells)), prior)
    centring = np.eye(len(games.players)) - 1 / max(len(games.players), 1)
    # Only differences are known; the prior's doubt about the mean is no doubt about a rating.
    covariance = centring @ found.covariance[: len(centring), : len(centring)] @ centring
    return Strengths(games.players, found.strengths[0], covariance, float(found.tie[0]))


def chances(strength: Floats, tie: float) -> tuple[Floats, Floats]:
    """Players × players: that the row's player wins, and that they tie, from natural strengths and log ν."""
    won, tied, _ = outcome_chances(strength[:, None] - strength[None, :], tie)
    return won, tied


def bradley_terry(
    games: Games,
    *,
    draws: int = 1000,
    seed: int = 0,
    level: float = 0.95,
    prior: float = 1.0,
    length: bool = False,
    seats: bool = False,
) -> BradleyTerry:
    """Ratings of all players with intervals, and the matrices.

    `length` fits what being longer is worth (difference of the logarithms) beside the strengths, so that nobody wins by
    length alone; `seats` what the first seat is worth to each judge. `prior` is its weight in games. Intervals need two
    topics. Raises ValueError for `length` without lengths, `seats` where two orders have become one game, and a prior
    of 0 or less.
    """
    effects, names = _effects(games, length=length, seats=seats)
    cells, kind = cells_of(games, effects)
    kinds = 3 * len(cells)
    point = fit(cells, counted(games, kind, kinds), prior)
    repeated = draws if clusters(games) > 1 else 0
    found = [fit(cells, counts, prior, point) for counts in drawn_counts(games, kind, kinds, repeated, seed)]
    sample = _Sample.of([point, *found], _widening(clusters(games), level) if found else 1.0)
    wins, ties = crosstable(games)
    played = (wins + wins.T + ties).sum(axis=1) > 0
    return BradleyTerry(
        ratings=_ratings(games.players, sample, wins, ties, played, level),
        tie=_estimate(_tie_share(sample.tie), level),
        effects=tuple(
            Effect(name=name, points=_estimate(PER_UNIT * sample.effects[:, place], level))
            for place, name in enumerate(names)
        ),
        win_probability=_plain(chances(sample.strengths[0], sample.tie[0])[0]),
        ahead=_plain(_ahead(sample.strengths[1:])) if found else (),
        wins=_plain(wins),
        ties=_plain(ties),
        parts=linked_players(games),
        topics=clusters(games),
        unmeasured=int((~np.isfinite(_log_ratio(games))).sum()) if length else 0,
        prior=prior,
    )


def _effects(games: Games, *, length: bool, seats: bool) -> tuple[Floats, list[str]]:
    """Games × effects: how much of each the first player has over the second."""
    columns, names = [], []
    if length:
        columns.append(np.nan_to_num(_log_ratio(games), nan=0.0, posinf=0.0, neginf=0.0))
        names.append(LENGTH)
    if seats:
        if not games.seated:
            raise ValueError(
                "no seat can be told where two orders have become one game: let each order count by itself"
            )
        judge = np.zeros(len(games), dtype=np.int64) if games.judge is None else games.judge
        for each in np.unique(judge):
            columns.append((judge == each).astype(float))
            names.append(f"{SEAT}: {games.judges[each]}" if games.judges else SEAT)
    return np.column_stack(columns) if columns else np.zeros((len(games), 0)), names


def _log_ratio(games: Games) -> Floats:
    """How many times twice as long the first one is; not finite where a length is unknown or 0."""
    if games.lengths_first is None or games.lengths_second is None:
        raise ValueError("without lengths, their effect cannot be fitted")
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio: Floats = np.log2(games.lengths_first) - np.log2(games.lengths_second)
    return ratio


@dataclass(frozen=True, eq=False)
class _Sample:
    """The fit to the games as they are, and below it those to the draws."""

    strengths: Floats
    effects: Floats
    tie: Floats

    @classmethod
    def of(cls, fits: list[Fits], widening: float) -> _Sample:
        """The draws are moved away from the first fit, so many times as far."""
        columns = (np.concatenate([getattr(each, name) for each in fits]) for name in ("strengths", "effects", "tie"))
        return cls(*(each[0] + widening * (each - each[0]) for each in columns))


def _widening(topics: int, level: float) -> float:
    """By how much a bootstrap is too narrow: its spread is that of n, not of n - 1, and its tails are normal.

    A tenth with twenty topics, nothing to speak of with two hundred (Hesterberg 2015).
    """
    student = math.sqrt(f_quantile(level, 1, topics - 1))
    return math.sqrt(topics / (topics - 1)) * student / NormalDist().inv_cdf((1 + level) / 2)


def _estimate(sample: Floats, level: float) -> Estimate:
    return estimate(float(sample[0]), sample[1:], level)


def _tie_share(tie: Floats) -> Floats:
    """ν / (2 + ν)."""
    share: Floats = 1 / (1 + 2 * np.exp(-tie))
    return share


def _ratings(
    players: tuple[str, ...], sample: _Sample, wins: Floats, ties: Floats, played: NDArray[np.bool_], level: float
) -> tuple[Rating, ...]:
    ranks = np.full(sample.strengths.shape, np.nan)
    ranks[:, played] = _ranks(sample.strengths[:, played])
    ratings = []
    for place, player in enumerate(players):
        record = {"won": wins[place].sum(), "tied": ties[place].sum(), "lost": wins[:, place].sum()}
        if not played[place]:
            empty = dict.fromkeys(("rank", "rank_low", "rank_high", "best"))
            ratings.append(Rating(player=player, rating=NOTHING, **empty, **record))
            continue
        low, high = interval(ranks[1:, place], level)
        ratings.append(
            Rating(
                player=player,
                rating=_estimate(MEAN + PER_UNIT * sample.strengths[:, place], level),
                rank=int(ranks[0, place]),
                rank_low=None if low is None else math.floor(low),
                rank_high=None if high is None else math.ceil(high),
                best=float((ranks[1:, place] == 1).mean()) if len(ranks) > 1 else None,
                **record,
            )
        )
    return tuple(ratings)


def _ranks(strength: Floats) -> Ints:
    """1 and the number of those who are stronger: draws × players."""
    stronger = [(strength > each[:, None] + _LEAST).sum(axis=1) for each in strength.T]
    return np.stack(stronger, axis=1) + 1 if stronger else np.zeros(strength.shape, dtype=np.int64)


def _ahead(strength: Floats) -> Floats:
    shares = [(each[:, None] > strength + _LEAST).mean(axis=0) for each in strength.T]
    return np.stack(shares) if shares else np.zeros((0, 0))


def _plain(table: Floats) -> Matrix:
    return tuple(tuple(float(each) for each in row) for row in table)
