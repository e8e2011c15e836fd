"""What was played, before any model: who beat whom how often, and who is linked to whom by games."""

from __future__ import annotations

import numpy as np

from novum.statistics.games import Floats, Games


def crosstable(games: Games) -> tuple[Floats, Floats]:
    """Games won by the row's player against the column's, and ties of the two, by weight: players × players each."""
    size = len(games.players)
    first_won, tied = games.outcome == 1, games.outcome == 0.5
    winner = np.where(first_won, games.first, games.second)
    loser = np.where(first_won, games.second, games.first)
    wins, ties = np.zeros((size, size)), np.zeros((size, size))
    np.add.at(wins, (winner[~tied], loser[~tied]), games.weights[~tied])
    np.add.at(ties, (games.first[tied], games.second[tied]), games.weights[tied])
    return wins, ties + ties.T


def linked_players(games: Games) -> tuple[tuple[str, ...], ...]:
    """Players that can be reached from each other by games, the largest part first."""
    part = np.arange(len(games.players))
    for first, second in np.unique(np.column_stack([games.first, games.second]), axis=0):
        part[part == part[second]] = part[first]
    found = [
        tuple(name for name, its in zip(games.players, part, strict=True) if its == each) for each in np.unique(part)
    ]
    return tuple(sorted(found, key=len, reverse=True))
