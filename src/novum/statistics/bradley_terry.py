"""Bradley-Terry ratings with ties: strengths, their intervals, and probabilities of winning.

Model and prior are those of `davidson`; ratings are on the Elo scale, with mean 1000 and 400 points for odds of ten to
one. Intervals come from a bootstrap over topics, since games on one topic depend on each other: all players in the same
samples, so that differences and ranks can be read within a sample.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import fdtri, ndtri

from novum.core.arrays import Bools, Floats, Ints
from novum.core.record import Value
from novum.statistics.bootstrap import estimate, percentile_interval
from novum.statistics.bootstrap_counts import bootstrap_counts, observed_counts, resampling_units
from novum.statistics.davidson import Fits, fit, game_kinds, outcome_probabilities
from novum.statistics.games import Games
from novum.statistics.records import NO_ESTIMATE, Estimate

MEAN = 1000.0
PER_UNIT = 400 / math.log(10)
"""Elo points for one natural unit of strength."""
LENGTH, FIRST_POSITION = "length", "first seat"
"""Names of effects, as they are stored in reports."""
FEWEST_TOPICS = 3
"""Topics that intervals need: two have a single difference between them, and an interval of thousands of points."""
_LEAST = 1e-9
"""Strengths that differ by less are equal: the last digits are rounding."""
Matrix = tuple[tuple[float, ...], ...]


class PlayerRating(Value):
    """The rating of one player; without a game it has no rating and no rank."""

    player: str
    rating: Estimate
    """Elo points; at equal length and without the effect of a position, where these were fitted."""
    rank: int | None
    """1 is best; players of equal strength share the better rank."""
    rank_low: int | None
    """Interval of the rank, at the level of the rating's; None where the rating has none: without bootstrap samples,
    and where all samples give the same."""
    rank_high: int | None
    best: float | None
    """Share of bootstrap samples in which no player was stronger."""
    won: float
    """Sum of weights, as are the next two."""
    tied: float
    lost: float

    @property
    def is_held_by_prior(self) -> bool:
        """Whether it won every game, or lost every game: then only the prior keeps its rating finite."""
        return not self.tied and (not self.won) != (not self.lost)


class Effect(Value):
    """An advantage that the model accounts for."""

    name: str
    """`LENGTH`, or `FIRST_POSITION` followed by the name of the judge."""
    points: Estimate
    """Its value in Elo points: for twice the length, or for the first position."""


class BradleyTerry(Value):
    """Ratings of all players, in the order of the games; matrices have a row and a column for each."""

    ratings: tuple[PlayerRating, ...]
    tie: Estimate
    """Share of ties between equals."""
    effects: tuple[Effect, ...]
    win_probability: Matrix
    """That the row's player beats the column's, at equal length and position; the rest to 1 both ways is a tie."""
    ahead: Matrix
    """Share of bootstrap samples in which the row's player is stronger; empty without samples."""
    wins: Matrix
    """Games won by the row's player against the column's, by weight."""
    ties: Matrix
    parts: tuple[tuple[str, ...], ...]
    """Groups of players connected by games. Ratings of different groups cannot be compared."""
    topics: int
    """Number of topics that were resampled; of games, where no topics are known."""
    unmeasured: int
    """Games with an unknown length, treated as of equal length; 0 when length is not in the model."""
    prior: float
    """Its weight in games."""

    @property
    def connected(self) -> bool:
        """Whether all ratings can be compared."""
        return len(self.parts) <= 1


@dataclass(frozen=True, eq=False)
class Strengths:
    """The fit without intervals, in natural units, for choosing the next game."""

    players: tuple[str, ...]
    strength: Floats
    """Mean 0; 0 for a player without games."""
    covariance: Floats
    """Players × players, around the mean of all; from the curvature, as if games were independent."""
    tie: float
    """log ν."""

    @property
    def elo(self) -> Floats:
        """Strengths on the Elo scale."""
        return MEAN + PER_UNIT * self.strength

    def probabilities(self) -> tuple[Floats, Floats]:
        """Players × players: the probabilities that the row's player wins, and that they tie."""
        return win_and_tie_probabilities(self.strength, self.tie)


def strengths(games: Games, *, prior: float = 1.0) -> Strengths:
    """The most likely strengths, without intervals: some milliseconds for a hundred players."""
    kinds, kind = game_kinds(games)
    fitted = fit(kinds, observed_counts(games, kind, 3 * len(kinds)), prior)
    centring = np.eye(len(games.players)) - 1 / max(len(games.players), 1)
    # Only differences are identified: the variance of the mean, which is the prior's, is removed.
    covariance = centring @ fitted.covariance[: len(centring), : len(centring)] @ centring
    return Strengths(games.players, fitted.strengths[0], covariance, float(fitted.tie[0]))


def win_and_tie_probabilities(strength: Floats, tie: float) -> tuple[Floats, Floats]:
    """Players × players: the probabilities that the row's player wins, and that they tie. `tie` is log ν."""
    won, tied, _ = outcome_probabilities(strength[:, None] - strength[None, :], tie)
    return won, tied


def bradley_terry(
    games: Games,
    *,
    draws: int = 1000,
    seed: int = 0,
    level: float = 0.95,
    prior: float = 1.0,
    length: bool = False,
    position: bool = False,
) -> BradleyTerry:
    """Ratings of all players with intervals, and the matrices.

    `length` adds the effect of being longer (difference of the logarithms) to the model, so that nobody wins by length
    alone; `position` the effect of the first position on each judge. `prior` is its weight in games. Intervals need
    three topics. Raises ValueError for `length` without lengths, `position` when two orders have become one game, and a
    prior of 0 or less.
    """
    effects, names = _effects(games, length=length, position=position)
    kinds, kind = game_kinds(games, effects)
    outcomes, topics = 3 * len(kinds), resampling_units(games)
    point = fit(kinds, observed_counts(games, kind, outcomes), prior)
    samples = bootstrap_counts(games, kind, outcomes, draws if topics >= FEWEST_TOPICS else 0, seed)
    fits = [fit(kinds, counts, prior, point) for counts in samples]
    sample = _Sample.of([point, *fits], _widening(topics, level) if fits else 1.0)
    wins, ties = games.crosstable()
    played = (wins + wins.T + ties).sum(axis=1) > 0
    return BradleyTerry(
        ratings=_ratings(games.players, sample, wins, ties, played, level),
        tie=_estimate(_tie_share(sample.tie), level),
        effects=tuple(
            Effect(name=name, points=_estimate(PER_UNIT * sample.effects[:, place], level))
            for place, name in enumerate(names)
        ),
        win_probability=_rows(win_and_tie_probabilities(sample.strengths[0], sample.tie[0])[0]),
        ahead=_rows(_ahead(sample.strengths[1:])) if fits else (),
        wins=_rows(wins),
        ties=_rows(ties),
        parts=games.connected_players(),
        topics=topics,
        unmeasured=int((~np.isfinite(_log_ratio(games))).sum()) if length else 0,
        prior=prior,
    )


def _effects(games: Games, *, length: bool, position: bool) -> tuple[Floats, list[str]]:
    """Games × effects: how much of each effect the first player has over the second; and the names of the effects."""
    columns, names = [], []
    if length:
        columns.append(np.nan_to_num(_log_ratio(games), nan=0.0, posinf=0.0, neginf=0.0))
        names.append(LENGTH)
    if position:
        if not games.positioned:
            raise ValueError(
                "the effect of the position is unknown where two orders have become one game: use `each_order`"
            )
        judge = np.zeros(len(games), dtype=np.int64) if games.judge is None else games.judge
        for each in np.unique(judge):
            columns.append((judge == each).astype(float))
            names.append(f"{FIRST_POSITION}: {games.judges[each]}" if games.judges else FIRST_POSITION)
    return np.column_stack(columns) if columns else np.zeros((len(games), 0)), names


def _log_ratio(games: Games) -> Floats:
    """Base-2 logarithm of the ratio of lengths; not finite where a length is unknown or 0."""
    if games.lengths_first is None or games.lengths_second is None:
        raise ValueError("the effect of length cannot be fitted without lengths")
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio: Floats = np.log2(games.lengths_first) - np.log2(games.lengths_second)
    return ratio


@dataclass(frozen=True, eq=False)
class _Sample:
    """The fit to the observed games in the first row, and below it those to the bootstrap samples."""

    strengths: Floats
    effects: Floats
    tie: Floats

    @classmethod
    def of(cls, fits: list[Fits], widening: float) -> _Sample:
        """The bootstrap fits are moved away from the first fit by the factor `widening`."""
        columns = (np.concatenate([getattr(each, name) for each in fits]) for name in ("strengths", "effects", "tie"))
        return cls(*(each[0] + widening * (each - each[0]) for each in columns))


def _widening(topics: int, level: float) -> float:
    """The factor by which a bootstrap is too narrow: its variance is that of n, not of n - 1, and its tails are normal.

    About a tenth with twenty topics, negligible with two hundred (Hesterberg 2015).
    """
    student = math.sqrt(float(fdtri(1, topics - 1, level)))
    return math.sqrt(topics / (topics - 1)) * student / float(ndtri((1 + level) / 2))


def _estimate(sample: Floats, level: float) -> Estimate:
    return estimate(float(sample[0]), sample[1:], level)


def _tie_share(tie: Floats) -> Floats:
    """ν / (2 + ν)."""
    share: Floats = 1 / (1 + 2 * np.exp(-tie))
    return share


def _ratings(
    players: tuple[str, ...], sample: _Sample, wins: Floats, ties: Floats, played: Bools, level: float
) -> tuple[PlayerRating, ...]:
    ranks = np.full(sample.strengths.shape, np.nan)
    ranks[:, played] = _ranks(sample.strengths[:, played])
    ratings = []
    for place, player in enumerate(players):
        record = {"won": wins[place].sum(), "tied": ties[place].sum(), "lost": wins[:, place].sum()}
        if not played[place]:
            empty = dict.fromkeys(("rank", "rank_low", "rank_high", "best"))
            ratings.append(PlayerRating(player=player, rating=NO_ESTIMATE, **empty, **record))
            continue
        rating = _estimate(MEAN + PER_UNIT * sample.strengths[:, place], level)
        varies = rating.low is not None and rating.high is not None and rating.high - rating.low > _LEAST
        low, high = percentile_interval(ranks[1:, place], level) if varies else (None, None)
        ratings.append(
            PlayerRating(
                player=player,
                # A bootstrap in which nothing varies, as where all topics had the same outcomes, gives no interval.
                rating=rating if varies else Estimate(value=rating.value, level=level),
                rank=int(ranks[0, place]),
                rank_low=None if low is None else math.floor(low),
                rank_high=None if high is None else math.ceil(high),
                best=float((ranks[1:, place] == 1).mean()) if len(ranks) > 1 else None,
                **record,
            )
        )
    return tuple(ratings)


def _ranks(strength: Floats) -> Ints:
    """1 plus the number of stronger players: samples × players."""
    stronger = [(strength > each[:, None] + _LEAST).sum(axis=1) for each in strength.T]
    return np.stack(stronger, axis=1) + 1 if stronger else np.zeros(strength.shape, dtype=np.int64)


def _ahead(strength: Floats) -> Floats:
    shares = [(each[:, None] > strength + _LEAST).mean(axis=0) for each in strength.T]
    return np.stack(shares) if shares else np.zeros((0, 0))


def _rows(table: Floats) -> Matrix:
    return tuple(tuple(float(each) for each in row) for row in table)
