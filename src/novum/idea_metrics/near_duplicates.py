"""Which of a row of vectors say something new: each is compared, by cosine, with those that were taken before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from novum.core.arrays import Vectors

_AT_ONCE = 256
"""Rows compared in one go: cosines of more, with many thousands taken, would fill memory."""


@dataclass(frozen=True)
class NearDuplicate:
    """The row that one is too like: its place among those taken, and the cosine."""

    place: int
    cosine: float


class DistinctFilter:
    """Takes rows that are less like all taken before than `similarity`. A row of zeros is like nothing.

    What is taken depends on the order in which rows come, and on nothing else.
    """

    def __init__(self, similarity: float) -> None:
        self._similarity = similarity
        self._taken: Vectors = np.zeros((0, 0), np.float32)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def take(self, vectors: Vectors) -> Iterator[NearDuplicate | None]:
        """For each row of `vectors`, shape (n, d): its twin, or None where it was taken."""
        for begin in range(0, len(vectors), _AT_ONCE):
            yield from self._take(_units(vectors[begin : begin + _AT_ONCE]))

    def _take(self, units: Vectors) -> Iterator[NearDuplicate | None]:
        before = self._count
        self._make_room(units)
        nearest_before = _nearest(units @ self._taken[:before].T)
        among_these = units @ units.T
        new: list[int] = []
        for row, nearest in enumerate(nearest_before):
            here = _nearest(among_these[row : row + 1, new])[0]
            nearer = NearDuplicate(before + here.place, here.cosine) if here.cosine > nearest.cosine else nearest
            if nearer.place >= 0 and nearer.cosine >= self._similarity:
                yield NearDuplicate(nearer.place, min(nearer.cosine, 1.0))
                continue
            self._taken[self._count] = units[row]
            self._count += 1
            new.append(row)
            yield None

    def _make_room(self, units: Vectors) -> None:
        """Grows by doubling, so that many small batches do not copy everything each time."""
        needed = self._count + len(units)
        if needed > len(self._taken):
            grown = np.zeros((max(needed, 2 * len(self._taken)), units.shape[1]), np.float32)
            if self._count:
                grown[: self._count] = self._taken[: self._count]
            self._taken = grown


def distinct_rows(vectors: Vectors, similarity: float) -> list[int]:
    """Rows of `vectors`, shape (n, d), each less like all those taken before it than `similarity`, by cosine."""
    return [row for row, twin in enumerate(DistinctFilter(similarity).take(vectors)) if twin is None]


def _units(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths == 0, 1, lengths), dtype=np.float32)


def _nearest(cosines: Vectors) -> list[NearDuplicate]:
    """The highest of each row with its place, -1 where there is nothing."""
    if not cosines.shape[1]:
        return [NearDuplicate(-1, -np.inf)] * len(cosines)
    places = cosines.argmax(axis=1)
    best = cosines[np.arange(len(cosines)), places]
    return [NearDuplicate(place, cosine) for place, cosine in zip(places.tolist(), best.tolist(), strict=True)]
