"""Bradley-Terry with ties (Davidson 1970), fitted to many weightings of the same games at once.

For two players with strengths s and t, and d = s - t, the probabilities that the first wins, that they tie and that the
second wins are proportional to exp(d/2) : ν : exp(-d/2). An advantage of one player (a longer text, the first position)
is added to d.

The log likelihood is concave in strengths, effects and log ν. Each has a weak normal prior around 0, with the
information of one close game without ties (standard deviation 2 in natural units, 347 Elo points). So a player that won
or lost every game has a finite strength, and the strengths have a mean of 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from novum.core.arrays import Floats, Ints
from novum.statistics.games import Games

_STEPS, _TOLERANCE = 1000, 1e-5
"""The remaining error is about the square of the last step."""
_GAME = 0.25
"""Information of one close game without ties about a strength: the inverse of a variance."""


@dataclass(frozen=True, eq=False)
class GameKinds:
    """Kinds of games: a pair, the lower index first, and its effects. Sorted by pair."""

    players: int
    low: Ints
    """Lower player of each pair that played."""
    high: Ints
    starts: Ints
    """Where the kinds of each pair begin."""
    pair: Ints
    """The number of each kind's pair."""
    effects: Floats
    """Kinds × effects: how much of each effect the lower player has over the other."""

    def __len__(self) -> int:
        return len(self.pair)

    def by_pair(self, values: Floats) -> Floats:
        """Weightings × kinds → weightings × pairs."""
        if len(self) == len(self.low):
            return values
        summed: Floats = np.add.reduceat(values, self.starts, axis=1)
        return summed

    def player_table(self, values: Floats) -> Floats:
        """Weightings × pairs → weightings × players × players, the lower player as the row."""
        table = np.zeros((len(values), self.players, self.players))
        table[:, self.low, self.high] = values
        return table


def game_kinds(games: Games, effects: Floats | None = None) -> tuple[GameKinds, Ints]:
    """The kinds of games, and the index of each game in a table of kinds × (lost, tied, won by the lower player).

    `effects` is games × effects: how much of each effect the first player has over the second.
    """
    turned = games.first > games.second
    low, high = np.minimum(games.first, games.second), np.maximum(games.first, games.second)
    points = np.where(turned, 1 - games.outcome, games.outcome)
    pair = low * len(games.players) + high
    if effects is None or not effects.shape[1]:
        kinds, cell = np.unique(pair, return_inverse=True)
        pair_of_cell, helped = kinds, np.zeros((len(kinds), 0))
    else:
        seen = np.where(turned[:, None], -effects, effects)
        rows, cell = np.unique(np.column_stack([pair, seen]), axis=0, return_inverse=True)
        pair_of_cell, helped = rows[:, 0].astype(np.int64), rows[:, 1:]
    met, starts, number = np.unique(pair_of_cell, return_index=True, return_inverse=True)
    low_of_pair, high_of_pair = np.divmod(met, max(len(games.players), 1))
    cells = GameKinds(len(games.players), low_of_pair, high_of_pair, starts, number, helped)
    return cells, cell.ravel() * 3 + np.rint(points * 2).astype(np.int64)


def outcome_probabilities(apart: Floats, tie: Floats | float) -> tuple[Floats, Floats, Floats]:
    """Probabilities that the player who is stronger by `apart` wins, ties and loses; `tie` is log ν."""
    half = apart / 2
    # The largest of the three is taken out before exponentials overflow.
    top = np.maximum(np.abs(half), tie)
    won, tied, lost = np.exp(half - top), np.exp(tie - top), np.exp(-half - top)
    total = won + tied + lost
    return won / total, tied / total, lost / total


@dataclass(frozen=True, eq=False)
class Fits:
    """One fit for each weighting, in natural units."""

    strengths: Floats
    """Weightings × players; mean 0."""
    effects: Floats
    """Weightings × effects."""
    tie: Floats
    """log ν of each weighting: at 0, a third of the games between equals are ties."""
    covariance: Floats
    """Of the first weighting, parameters × parameters (strengths, effects, log ν): the inverse of the curvature."""


def fit(cells: GameKinds, counts: Floats, prior: float = 1.0, start: Fits | None = None) -> Fits:
    """The most likely parameters for each of several weightings.

    `counts` is weightings × (kinds · 3): how often the lower player lost, tied, won. `prior`: its weight in games,
    above 0. Damped Newton steps, which converge from any start (Sun & Tran-Dinh 2019: the likelihood is
    self-concordant). Raises ValueError for a prior of 0 or less.
    """
    if prior <= 0:
        raise ValueError(
            "the prior must have a weight above 0: without it, a player that won every game has no finite strength"
        )
    likelihood = _LogPosterior(cells, counts.reshape(len(counts), len(cells), 3), prior * _GAME)
    at = likelihood.initial(start)
    for _ in range(_STEPS):
        gradient, curvature = likelihood.derivatives(at)
        step = np.linalg.solve(curvature, gradient[:, :, None])[:, :, 0].astype(float)
        reach = likelihood.reach(step)
        at = at + step * np.where(reach > 0, np.log1p(reach) / np.maximum(reach, 1e-300), 1.0)[:, None]
        if not reach.size or reach.max() < _TOLERANCE:
            break
    players = cells.players
    return Fits(at[:, :players], at[:, players:-1], at[:, -1], np.linalg.inv(curvature[0]))


class _LogPosterior:
    """First and second derivatives of the log posterior, for all weightings together."""

    def __init__(self, cells: GameKinds, counts: Floats, weight: float) -> None:
        self.cells, self.weight = cells, weight
        self.games = counts.sum(axis=2)
        self.score = (counts[:, :, 2] - counts[:, :, 0]) / 2
        self.ties = counts[:, :, 1].sum(axis=1)
        self.parameters = cells.players + cells.effects.shape[1] + 1

    def initial(self, start: Fits | None) -> Floats:
        shape = (len(self.games), self.parameters)
        if start is None:
            return np.zeros(shape)
        one = np.concatenate([start.strengths, start.effects, start.tie[:, None]], axis=1)
        return np.broadcast_to(one, shape).copy()

    def _apart(self, at: Floats) -> Floats:
        """d of each kind: weightings × kinds."""
        cells, players = self.cells, self.cells.players
        apart: Floats = (at[:, cells.low] - at[:, cells.high])[:, cells.pair]
        return apart + at[:, players:-1] @ cells.effects.T if cells.effects.shape[1] else apart

    def reach(self, step: Floats) -> Floats:
        """The largest change of the log odds of any game by a step."""
        apart = np.abs(self._apart(step)).max(axis=1, initial=0.0)
        reach: Floats = apart + np.abs(step[:, -1])
        return reach

    def derivatives(self, at: Floats) -> tuple[Floats, Floats]:
        """Gradient and negative curvature: weightings × parameters (× parameters)."""
        won, tied, lost = outcome_probabilities(self._apart(at), at[:, -1:])
        expected = (won - lost) / 2
        spread = self.games * ((won + lost) / 4 - expected**2)
        shared = -self.games * expected * tied
        missing = self.score - self.games * expected
        ties = self.ties - (self.games * tied).sum(axis=1)
        gradient = np.concatenate([self._by_parameter(missing), ties[:, None]], axis=1) - self.weight * at
        curvature = np.zeros((len(at), self.parameters, self.parameters))
        curvature[:, :-1, :-1] = self._curvature(spread)
        curvature[:, -1, :-1] = curvature[:, :-1, -1] = self._by_parameter(shared)
        curvature[:, -1, -1] = (self.games * tied * (1 - tied)).sum(axis=1)
        curvature += self.weight * np.eye(self.parameters)
        return gradient, curvature

    def _by_parameter(self, values: Floats) -> Floats:
        """Values of kinds, summed for each strength (negative for the higher player) and effect."""
        table = self.cells.player_table(self.cells.by_pair(values))
        return np.concatenate([table.sum(axis=2) - table.sum(axis=1), values @ self.cells.effects], axis=1)

    def _curvature(self, spread: Floats) -> Floats:
        """Curvature of strengths and effects: for strengths alone, the Laplacian of the games."""
        cells, players = self.cells, self.cells.players
        size = self.parameters - 1
        table = np.zeros((len(spread), size, size))
        met = cells.player_table(cells.by_pair(spread))
        met += met.transpose(0, 2, 1)
        table[:, :players, :players] = -met
        table[:, range(players), range(players)] = met.sum(axis=2)
        for place, effect in enumerate(cells.effects.T, players):
            its = self._by_parameter(spread * effect)
            table[:, place, :] = its
            table[:, :, place] = its
        return table
