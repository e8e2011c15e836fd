"""Which ideas of a set nearly repeat others: by the cosine of their embeddings, above a threshold that says of real
papers that they hardly differ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from novum.core.arrays import Bools, Floats, Ints
from novum.core.record import Value

_AT_ONCE = 16 * 2**20
"""Cosines held at a time."""


class DuplicateThreshold(Value):
    """From which cosine on two ideas are near-duplicates, and where that was taken from."""

    cosine: float
    why: str


class DistinctCount(Value):
    """A point of the curve of novelty against the set itself: of the first `ideas`, `new` repeat none before them."""

    ideas: int
    new: int


class SetSummary(Value):
    """How much variety there is in a set of ideas. What cannot be said of so few is None."""

    ideas: int
    left_out: int = 0
    """Without any text to compare."""
    duplicates: int = 0
    """Ideas with a near-duplicate in the set, both of a pair counting."""
    duplicate_rate: float | None = None
    effective: float | None = None
    """Effective number of ideas (Vendi score of order 1)."""
    mean_distance: float | None = None
    """Mean cosine distance of all pairs."""
    curve: tuple[DistinctCount, ...] = ()
    """In the order of the set, 50 points at most, the last of the whole."""


@dataclass(frozen=True)
class NearestOthers:
    """For each row the nearest other row of the set, and the nearest before it; NaN and -1 where there is none, as for
    a row of zeros."""

    similarity: Floats
    index: Ints
    earlier_similarity: Floats
    earlier_index: Ints

    def repeated(self, threshold: float) -> Bools:
        """Which have a near-duplicate."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.similarity > threshold)

    def new(self, threshold: float) -> Bools:
        """Which are not near-duplicates of any before them."""
        with np.errstate(invalid="ignore"):
            return np.asarray(~(self.earlier_similarity > threshold))


def nearest_others(unit: ArrayLike) -> NearestOthers:
    """`unit`: rows of unit length or zero, shape (n, d). Memory is bounded, time grows with n²."""
    rows = np.asarray(unit)
    n = len(rows)
    values: Bools = np.asarray(rows.any(axis=1))
    similarity, earlier = np.full(n, np.nan), np.full(n, np.nan)
    index, earlier_index = np.full(n, -1, dtype=np.int64), np.full(n, -1, dtype=np.int64)
    step = max(1, _AT_ONCE // max(n, 1))
    for begin in range(0, n, step):
        end = min(begin + step, n)
        cosine = rows[begin:end] @ rows.T
        cosine[:, ~values] = -np.inf
        own = np.arange(begin, end)
        cosine[np.arange(end - begin), own] = -np.inf
        similarity[begin:end], index[begin:end] = _best(cosine, values[begin:end])
        cosine[np.arange(n)[None, :] > own[:, None]] = -np.inf
        earlier[begin:end], earlier_index[begin:end] = _best(cosine, values[begin:end])
    return NearestOthers(similarity, index, earlier, earlier_index)


def _best(cosine: NDArray[np.floating], said: Bools) -> tuple[Floats, Ints]:
    """The highest of each row and its place; NaN and -1 where nothing is left to choose from."""
    place = cosine.argmax(axis=1)
    best = cosine[np.arange(len(cosine)), place].astype(float)
    result = said & np.isfinite(best)
    return np.where(result, np.clip(best, -1, 1), np.nan), np.where(result, place, -1)


def rarely_exceeded(unit: ArrayLike, share: float = 0.01) -> float:
    """The cosine that only this share of vectors has, or passes, with its nearest other; NaN with fewer than two.

    Taken from the nearest and not from all pairs: two random papers are hardly ever on the same topic, so that what is
    rare among all pairs is usual between any two on one topic.
    """
    nearest = nearest_others(unit).similarity
    known = nearest[np.isfinite(nearest)]
    return float(np.quantile(known, 1 - share)) if len(known) else float("nan")


def distinct_counts(new: Bools, points: int = 50) -> tuple[DistinctCount, ...]:
    """The curve of how many of the first were new, at so many places at most."""
    if not len(new):
        return ()
    total = np.cumsum(new)
    places = np.unique(np.linspace(1, len(new), min(points, len(new))).round().astype(int))
    return tuple(DistinctCount(ideas=int(place), new=int(total[place - 1])) for place in places)
