"""How often each kind of game occurs, as observed and in bootstrap samples of the topics."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from novum.core.arrays import Floats, Ints
from novum.statistics.bootstrap import bootstrap_weights
from novum.statistics.games import Games

_BLOCK = 250_000
"""Numbers in one block of samples (2 MB): the fit makes a dozen arrays of that size, and they fit the cache."""


def observed_counts(games: Games, kind: Ints, kinds: int) -> Floats:
    """How often each kind occurs, by weight: 1 × kinds. `kind` is the number of each game's kind."""
    return np.bincount(kind, games.weights, minlength=kinds)[None].astype(float)


def resampling_units(games: Games) -> int:
    """The number of things that the bootstrap resamples: topics, or games where no topics are known."""
    return len(games) if games.group is None else len(np.unique(games.group))


def bootstrap_counts(games: Games, kind: Ints, kinds: int, draws: int, seed: int) -> Iterator[Floats]:
    """The counts in `draws` samples of as many topics, with replacement: blocks of samples × kinds.

    Games without topics are resampled one by one. The same seed gives the same samples.
    """
    # A fit makes tables of players × players for each sample, too.
    rows = max(1, _BLOCK // max(kinds, len(games.players) ** 2, 1))
    if games.group is None:
        yield from _single_games(games, kind, kinds, draws, seed, rows)
        return
    _, group = np.unique(games.group, return_inverse=True)
    # The games of one topic and one kind are always drawn together.
    cell, place = np.unique(group * kinds + kind, return_inverse=True)
    weight = np.bincount(place, games.weights)
    topic, kind = np.divmod(cell, max(kinds, 1))
    for block in bootstrap_weights(resampling_units(games), draws, seed):
        for start in range(0, len(block), rows):
            few = block[start : start + rows]
            yield np.stack([np.bincount(kind, each[topic] * weight, minlength=kinds) for each in few])


def _single_games(games: Games, kind: Ints, kinds: int, draws: int, seed: int, rows: int) -> Iterator[Floats]:
    """Games of one kind and weight are interchangeable, so only their number is drawn."""
    if not len(games):
        return
    rng = np.random.default_rng(seed)
    weights, of_weight = np.unique(games.weights, return_inverse=True)
    alike, number = np.unique(of_weight.ravel() * kinds + kind, return_counts=True)
    weight, kind = weights[alike // kinds], alike % kinds
    for start in range(0, draws, rows):
        times = rng.multinomial(len(games), number / len(games), size=min(rows, draws - start))
        yield np.stack([np.bincount(kind, each * weight, minlength=kinds) for each in times])
