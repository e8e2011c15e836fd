"""Filters near-duplicates from a sequence of vectors: each is compared, by cosine, with those accepted before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from novum.core.arrays import Vectors

_AT_ONCE = 256
"""Rows that are compared together, which bounds the memory for cosines."""


@dataclass(frozen=True)
class NearDuplicate:
    """The accepted row that a row is too similar to, by its index among the accepted rows, and their cosine."""

    place: int
    cosine: float


class DistinctFilter:
    """Accepts rows whose cosine to all accepted rows is below `similarity`; a row of zeros is always accepted. The
    result depends on the order of the rows only, not on how they are divided into calls."""

    def __init__(self, similarity: float) -> None:
        self._similarity = similarity
        self._accepted: Vectors = np.zeros((0, 0), np.float32)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def take(self, vectors: Vectors) -> Iterator[NearDuplicate | None]:
        """For each row of `vectors`, shape (n, d), its near-duplicate, or None where the row was accepted."""
        for begin in range(0, len(vectors), _AT_ONCE):
            yield from self._take(_units(vectors[begin : begin + _AT_ONCE]))

    def _take(self, units: Vectors) -> Iterator[NearDuplicate | None]:
        before = self._count
        self._make_room(units)
        nearest_before = _nearest(units @ self._accepted[:before].T)
        among_these = units @ units.T
        new: list[int] = []
        for row, nearest in enumerate(nearest_before):
            here = _nearest(among_these[row : row + 1, new])[0]
            nearer = NearDuplicate(before + here.place, here.cosine) if here.cosine > nearest.cosine else nearest
            if nearer.place >= 0 and nearer.cosine >= self._similarity:
                yield NearDuplicate(nearer.place, min(nearer.cosine, 1.0))
                continue
            self._accepted[self._count] = units[row]
            self._count += 1
            new.append(row)
            yield None

    def _make_room(self, units: Vectors) -> None:
        """Doubles the capacity when needed, so that small batches do not copy all rows each time."""
        needed = self._count + len(units)
        if needed > len(self._accepted):
            larger = np.zeros((max(needed, 2 * len(self._accepted)), units.shape[1]), np.float32)
            if self._count:
                larger[: self._count] = self._accepted[: self._count]
            self._accepted = larger


def distinct_rows(vectors: Vectors, similarity: float) -> list[int]:
    """Indices of the rows of `vectors`, shape (n, d), whose cosine to all selected earlier rows is below
    `similarity`."""
    return [row for row, near in enumerate(DistinctFilter(similarity).take(vectors)) if near is None]


def _units(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths == 0, 1, lengths), dtype=np.float32)


def _nearest(cosines: Vectors) -> list[NearDuplicate]:
    """The highest cosine of each row with its column, -1 for an empty row."""
    if not cosines.shape[1]:
        return [NearDuplicate(-1, -np.inf)] * len(cosines)
    places = cosines.argmax(axis=1)
    best = cosines[np.arange(len(cosines)), places]
    return [NearDuplicate(place, cosine) for place, cosine in zip(places.tolist(), best.tolist(), strict=True)]
