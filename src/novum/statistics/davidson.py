"""Bradley-Terry with ties (Davidson 1970), fitted to many weightings of the same games at once.

Of two players with strengths s and t, and d = s - t, the first wins, they tie, or the second wins in the proportions
exp(d/2) : ν : exp(-d/2). Whatever helps one of them (the longer text, the first seat) is added to d.

The logarithm of the likelihood is concave in strengths, effects and log ν. Each of them has a weak prior, a normal
distribution around 0 as wide as the knowledge from one close game without ties (standard deviation 2 in natural units,
347 Elo points). So who won or lost everything has a finite strength, and the strengths have a mean of 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novum.statistics.games import Games

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_STEPS, _STILL = 1000, 1e-5
"""The error left is about the square of the last step."""
_GAME = 0.25
"""What one close game without ties tells of a strength: the inverse of its variance."""


@dataclass(frozen=True, eq=False)
class Cells:
    """Kinds of games: a pair, the lower place first, and what helps that one. Sorted by pair."""

    players: int
    low: Ints
    """Of each pair that met."""
    high: Ints
    starts: Ints
    """Where each pair's cells begin."""
    pair: Ints
    """Number of the pair of each cell."""
    effects: Floats
    """Cells × effects: how much of each effect the lower one has over the other."""

    def __len__(self) -> int:
        return len(self.pair)

    def by_pair(self, values: Floats) -> Floats:
        """Weightings × cells → weightings × pairs."""
        if len(self) == len(self.low):
            return values
        summed: Floats = np.add.reduceat(values, self.starts, axis=1)
        return summed

    def meetings(self, values: Floats) -> Floats:
        """Weightings × pairs → weightings × players × players, the lower place as the row."""
        table = np.zeros((len(values), self.players, self.players))
        table[:, self.low, self.high] = values
        return table


def cells_of(games: Games, effects: Floats | None = None) -> tuple[Cells, Ints]:
    """The kinds of games there are, and each game's place in a table of cells × (lost, tied, won by the lower one).

    `effects` is games × effects: how much of each the first player has over the second.
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
    cells = Cells(len(games.players), low_of_pair, high_of_pair, starts, number, helped)
    return cells, cell.ravel() * 3 + np.rint(points * 2).astype(np.int64)


def outcome_chances(apart: Floats, tie: Floats | float) -> tuple[Floats, Floats, Floats]:
    """Of the one who is stronger by `apart` to win, to tie and to lose; `tie` is log ν."""
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


def fit(cells: Cells, counts: Floats, prior: float = 1.0, start: Fits | None = None) -> Fits:
    """The most likely parameters for each of several weightings.

    `counts` is weightings × (cells · 3): how often the lower one lost, tied, won. `prior`: its weight, in games; above
    0. Newton's steps, each shortened by how far it reaches, which makes them converge from anywhere (Sun & Tran-Dinh
    2019: the likelihood is self-concordant). Raises ValueError for a prior of 0 or less.
    """
    if prior <= 0:
        raise ValueError("without a prior, who won everything has no finite strength: it must weigh more than 0 games")
    slopes = _Slopes(cells, counts.reshape(len(counts), len(cells), 3), prior * _GAME)
    at = slopes.beginning(start)
    for _ in range(_STEPS):
        gradient, curvature = slopes.at(at)
        step = np.linalg.solve(curvature, gradient[:, :, None])[:, :, 0].astype(float)
        reach = slopes.reach(step)
        at = at + step * np.where(reach > 0, np.log1p(reach) / np.maximum(reach, 1e-300), 1.0)[:, None]
        if not reach.size or reach.max() < _STILL:
            break
    players = cells.players
    return Fits(at[:, :players], at[:, players:-1], at[:, -1], np.linalg.inv(curvature[0]))


class _Slopes:
    """First and second derivatives of the logarithm of likelihood times prior, for all weightings together."""

    def __init__(self, cells: Cells, counts: Floats, weight: float) -> None:
        self.cells, self.weight = cells, weight
        self.games = counts.sum(axis=2)
        self.score = (counts[:, :, 2] - counts[:, :, 0]) / 2
        self.ties = counts[:, :, 1].sum(axis=1)
        self.parameters = cells.players + cells.effects.shape[1] + 1

    def beginning(self, start: Fits | None) -> Floats:
        shape = (len(self.games), self.parameters)
        if start is None:
            return np.zeros(shape)
        one = np.concatenate([start.strengths, start.effects, start.tie[:, None]], axis=1)
        return np.broadcast_to(one, shape).copy()

    def _apart(self, at: Floats) -> Floats:
        """d of each cell: weightings × cells."""
        cells, players = self.cells, self.cells.players
        apart: Floats = (at[:, cells.low] - at[:, cells.high])[:, cells.pair]
        return apart + at[:, players:-1] @ cells.effects.T if cells.effects.shape[1] else apart

    def reach(self, step: Floats) -> Floats:
        """The most by which a step changes the odds of any game."""
        apart = np.abs(self._apart(step)).max(axis=1, initial=0.0)
        reach: Floats = apart + np.abs(step[:, -1])
        return reach

    def at(self, at: Floats) -> tuple[Floats, Floats]:
        """Gradient and negative curvature: weightings × parameters (× parameters)."""
        won, tied, lost = outcome_chances(self._apart(at), at[:, -1:])
        expected = (won - lost) / 2
        spread = self.games * ((won + lost) / 4 - expected**2)
        shared = -self.games * expected * tied
        missing = self.score - self.games * expected
        ties = self.ties - (self.games * tied).sum(axis=1)
        gradient = np.concatenate([self._spread_out(missing), ties[:, None]], axis=1) - self.weight * at
        curvature = np.zeros((len(at), self.parameters, self.parameters))
        curvature[:, :-1, :-1] = self._between(spread)
        curvature[:, -1, :-1] = curvature[:, :-1, -1] = self._spread_out(shared)
        curvature[:, -1, -1] = (self.games * tied * (1 - tied)).sum(axis=1)
        curvature += self.weight * np.eye(self.parameters)
        return gradient, curvature

    def _spread_out(self, values: Floats) -> Floats:
        """Something of each cell, summed up for each strength (with a minus for the one with less) and effect."""
        table = self.cells.meetings(self.cells.by_pair(values))
        return np.concatenate([table.sum(axis=2) - table.sum(axis=1), values @ self.cells.effects], axis=1)

    def _between(self, spread: Floats) -> Floats:
        """Curvature of strengths and effects: for strengths alone, the Laplacian of the games."""
        cells, players = self.cells, self.cells.players
        size = self.parameters - 1
        table = np.zeros((len(spread), size, size))
        met = cells.meetings(cells.by_pair(spread))
        met += met.transpose(0, 2, 1)
        table[:, :players, :players] = -met
        table[:, range(players), range(players)] = met.sum(axis=2)
        for place, effect in enumerate(cells.effects.T, players):
            its = self._spread_out(spread * effect)
            table[:, place, :] = its
            table[:, :, place] = its
        return table
