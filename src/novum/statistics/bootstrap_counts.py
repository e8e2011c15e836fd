"""Games drawn anew: how often each kind of game would have been seen, had other topics been played."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from novum.statistics.bootstrap import resampled
from novum.statistics.games import Games

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_BLOCK = 250_000
"""Numbers in one block of draws (2 MB): what follows makes a dozen arrays of that size, and they fit the cache."""


def counted(games: Games, kind: Ints, kinds: int) -> Floats:
    """How often each kind was seen, by weight: 1 × kinds. `kind` is the number of each game's."""
    return np.bincount(kind, games.weights, minlength=kinds)[None].astype(float)


def clusters(games: Games) -> int:
    """How many things a draw draws from: topics, or games where no topics are known."""
    return len(games) if games.group is None else len(np.unique(games.group))


def drawn_counts(games: Games, kind: Ints, kinds: int, draws: int, seed: int) -> Iterator[Floats]:
    """The same for draws of as many topics as there are, with replacement: blocks of draws × kinds.

    Where games have no topics, they are drawn one by one. The same draws for the same seed.
    """
    # A fit makes tables of players × players for each draw, too.
    rows = max(1, _BLOCK // max(kinds, len(games.players) ** 2, 1))
    if games.group is None:
        yield from _single_games(games, kind, kinds, draws, seed, rows)
        return
    _, group = np.unique(games.group, return_inverse=True)
    # What one topic has of one kind counts together in every draw.
    cell, place = np.unique(group * kinds + kind, return_inverse=True)
    weight = np.bincount(place, games.weights)
    topic, kind = np.divmod(cell, max(kinds, 1))
    for block in resampled(clusters(games), draws, seed):
        for start in range(0, len(block), rows):
            few = block[start : start + rows]
            yield np.stack([np.bincount(kind, each[topic] * weight, minlength=kinds) for each in few])


def _single_games(games: Games, kind: Ints, kinds: int, draws: int, seed: int, rows: int) -> Iterator[Floats]:
    """Games of one kind and weight cannot be told apart, so only their number is drawn."""
    if not len(games):
        return
    rng = np.random.default_rng(seed)
    weights, of_weight = np.unique(games.weights, return_inverse=True)
    alike, number = np.unique(of_weight.ravel() * kinds + kind, return_counts=True)
    weight, kind = weights[alike // kinds], alike % kinds
    for start in range(0, draws, rows):
        times = rng.multinomial(len(games), number / len(games), size=min(rows, draws - start))
        yield np.stack([np.bincount(kind, each * weight, minlength=kinds) for each in times])
