"""Near-duplicates in a set of ideas, by the cosine of their embeddings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from novum.core.arrays import Bools, Floats, Ints
from novum.core.record import Value

_AT_ONCE = 16 * 2**20
"""Number of cosines in memory at once."""


class DuplicateThreshold(Value):
    """The cosine above which two ideas are near-duplicates, and its source."""

    cosine: float
    why: str


class DistinctCount(Value):
    """A point of the curve of distinct ideas: of the first `ideas`, `new` are not near-duplicates of earlier ones."""

    ideas: int
    new: int


class SetSummary(Value):
    """The diversity of a set of ideas. Numbers that need more ideas are None."""

    ideas: int
    left_out: int = 0
    """Number of ideas without text."""
    duplicates: int = 0
    """Number of ideas with a near-duplicate in the set; both ideas of a pair count."""
    duplicate_rate: float | None = None
    effective: float | None = None
    """Effective number of ideas (Vendi score of order 1)."""
    mean_distance: float | None = None
    """Mean cosine distance of all pairs."""
    curve: tuple[DistinctCount, ...] = ()
    """At most 50 points in the order of the set, the last for the whole set."""


@dataclass(frozen=True)
class NearestOthers:
    """For each row of a set the nearest other row and the nearest earlier row, each of shape (n,); NaN and -1 where
    there is none, and for a row of zeros."""

    similarity: Floats
    index: Ints
    earlier_similarity: Floats
    earlier_index: Ints

    def repeated(self, threshold: float) -> Bools:
        """Which rows have a near-duplicate, shape (n,)."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.similarity > threshold)

    def new(self, threshold: float) -> Bools:
        """Which rows are not near-duplicates of an earlier row, shape (n,)."""
        with np.errstate(invalid="ignore"):
            return np.asarray(~(self.earlier_similarity > threshold))


def nearest_others(unit: ArrayLike) -> NearestOthers:
    """The nearest other rows. `unit`: rows of unit length or zero, shape (n, d). Memory is bounded; time grows with
    n²."""
    rows = np.asarray(unit)
    n = len(rows)
    has_text: Bools = np.asarray(rows.any(axis=1))
    similarity, earlier = np.full(n, np.nan), np.full(n, np.nan)
    index, earlier_index = np.full(n, -1, dtype=np.int64), np.full(n, -1, dtype=np.int64)
    step = max(1, _AT_ONCE // max(n, 1))
    for begin in range(0, n, step):
        end = min(begin + step, n)
        cosine = rows[begin:end] @ rows.T
        cosine[:, ~has_text] = -np.inf
        own = np.arange(begin, end)
        cosine[np.arange(end - begin), own] = -np.inf
        similarity[begin:end], index[begin:end] = _best(cosine, has_text[begin:end])
        cosine[np.arange(n)[None, :] > own[:, None]] = -np.inf
        earlier[begin:end], earlier_index[begin:end] = _best(cosine, has_text[begin:end])
    return NearestOthers(similarity, index, earlier, earlier_index)


def _best(cosine: NDArray[np.floating], has_text: Bools) -> tuple[Floats, Ints]:
    """The highest cosine of each row and its column; NaN and -1 where there is none."""
    place = cosine.argmax(axis=1)
    best = cosine[np.arange(len(cosine)), place].astype(float)
    known = has_text & np.isfinite(best)
    return np.where(known, np.clip(best, -1, 1), np.nan), np.where(known, place, -1)


def rarely_exceeded(unit: ArrayLike, share: float = 0.01) -> float:
    """The cosine that only this share of vectors reaches with its nearest other vector; NaN with fewer than two.

    It is not computed from all pairs: two random papers are hardly ever on the same topic, so a cosine that is rare
    among all pairs is usual between papers on one topic.
    """
    nearest = nearest_others(unit).similarity
    known = nearest[np.isfinite(nearest)]
    return float(np.quantile(known, 1 - share)) if len(known) else float("nan")


def distinct_counts(new: Bools, points: int = 50) -> tuple[DistinctCount, ...]:
    """The curve of the number of distinct ideas, at no more than `points` points. `new`: shape (n,)."""
    if not len(new):
        return ()
    total = np.cumsum(new)
    places = np.unique(np.linspace(1, len(new), min(points, len(new))).round().astype(int))
    return tuple(DistinctCount(ideas=int(place), new=int(total[place - 1])) for place in places)
