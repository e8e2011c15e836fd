"""Pairs within one topic and period: hard ones, which differ in score and hardly in anything else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Floats, Vectors
from novum.training.preferences.balance import ScoredPair, alternate
from novum.training.preferences.pool import Pool, Rows
from novum.training.preferences.records import PreferenceSettings
from novum.training.preferences.topics import Topics

_BLOCK = 512
"""Ideas that are compared with their whole topic at once."""
_CANDIDATES = 8
"""Nearest lower-scored ideas that are tried for each use of a chosen idea."""


@dataclass(frozen=True)
class PairingData:
    """The input of pairing."""

    pool: Pool
    topics: Topics
    scores: Sequence[Floats]
    """Numbers, shape (n,) each, of which the rejected idea must be lower by the margin of the settings in every one."""
    groups: Rows
    """Only ideas of one group are compared, shape (n,)."""
    settings: PreferenceSettings


def pairs_among(data: PairingData, rows: Rows) -> list[ScoredPair]:
    """Pairs of the candidates `rows` of one topic: most similar first, balanced in length and year, each idea within
    its number of uses."""
    settings = data.settings
    possible = sorted(_possible(data, rows), key=lambda pair: (-pair.similarity, pair.chosen, pair.rejected))
    used = Counter[int]()
    taken: list[ScoredPair] = []
    for pair, _ in alternate(
        possible, data.pool, lambda pair: max(used[pair.chosen], used[pair.rejected]) < settings.uses
    ):
        taken.append(pair)
        used.update((pair.chosen, pair.rejected))
        if len(taken) == settings.per_topic:
            break
    return taken


def _possible(data: PairingData, rows: Rows) -> Iterator[ScoredPair]:
    """For each idea the most similar ideas that may be rejected for it."""
    most = _CANDIDATES * data.settings.uses
    for begin in range(0, len(rows), _BLOCK):
        some = rows[begin : begin + _BLOCK]
        similarity = data.pool.vectors[some] @ data.pool.vectors[rows].T
        overlap = data.topics.overlap(some, rows)
        allowed = _allowed(data, some, rows, similarity, overlap)
        for at in np.flatnonzero(allowed.any(axis=1)):
            others = np.flatnonzero(allowed[at])
            nearest = others[np.argsort(-similarity[at, others], kind="stable")[:most]]
            for other in nearest:
                near, shared = float(similarity[at, other]), float(overlap[at, other])
                yield ScoredPair(int(some[at]), int(rows[other]), near, shared)


def _allowed(data: PairingData, some: Rows, rows: Rows, similarity: Vectors, overlap: Floats) -> NDArray[np.bool_]:
    """Whether the idea of a column may be rejected for that of a row, shape (len(some), len(rows))."""
    pool, settings = data.pool, data.settings

    def above(values: Floats) -> NDArray[np.bool_]:
        return np.asarray(values[some][:, None] - values[rows][None, :] >= settings.margin)

    lengths = pool.words[some][:, None] / pool.words[rows][None, :]
    years = np.abs(pool.years[some][:, None] - pool.years[rows][None, :])
    return np.asarray(
        np.logical_and.reduce([above(each) for each in data.scores])
        & (data.groups[some][:, None] == data.groups[rows][None, :])
        & (similarity >= settings.similarity_from)
        & (similarity <= settings.similarity_to)
        & (overlap >= settings.overlap)
        & (np.maximum(lengths, 1 / lengths) <= settings.length_ratio)
        & (years <= settings.years_apart)
    )
