"""Observed shares of linked pairs by score, from which the intervals of probabilities are computed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from novum.core.arrays import Floats
from novum.opportunities.calibration import shift_odds

_MOST_BINS, _PER_BIN = 60, 10
"""Number of bins at most, and of linked pairs in each at least, so that the upper bins, which matter most, are narrow.
(With a dozen bins the top one spanned shares of 0.2 to 0.45, and probabilities were outside its interval.)"""
_Z = 1.959964
"""Standard deviations of a 95 % interval."""


@dataclass(frozen=True, eq=False)
class ScoreBins:
    """Bins of pairs, each column of shape (bins,): mean score `at`, ascending; number of `pairs`; `linked` ones."""

    at: Floats
    pairs: Floats
    linked: Floats

    @classmethod
    def fit(cls, scores: Floats, happened: ArrayLike) -> Self | None:
        """Bins of `scores` and outcomes, both of shape (n,); None where too few pairs were linked for two bins."""
        truth = np.asarray(happened, float)
        bins = min(_MOST_BINS, int(truth.sum()) // _PER_BIN)
        if bins < 2:
            return None
        order = np.argsort(scores, kind="stable")
        upto = np.cumsum(truth[order])
        begins = np.searchsorted(upto, np.arange(bins) * upto[-1] / bins, side="right")
        begins[0] = 0
        begins = np.unique(begins)
        begins = np.array(_merge_decreasing(begins.tolist(), upto, len(order)))
        pairs = np.diff(np.append(begins, len(order))).astype(float)
        return cls(np.add.reduceat(scores[order], begins) / pairs, pairs, np.add.reduceat(truth[order], begins))

    @classmethod
    def from_stored(cls, table: NDArray[np.generic]) -> Self:
        """The bins from their stored form. Raises ValueError where it is damaged."""
        values = np.asarray(table, float)
        if values.ndim != 2 or values.shape[0] != 3 or not values.shape[1] or not np.isfinite(values).all():
            raise ValueError("the bins of scores are damaged")
        at, pairs, linked = values
        if (np.diff(at) < 0).any() or (pairs < 1).any() or (linked < 0).any() or (linked > pairs).any():
            raise ValueError("the bins of scores have no valid shares")
        return cls(at, pairs, linked)

    def table(self) -> Floats:
        """The stored form, shape (3, bins)."""
        return np.stack([self.at, self.pairs, self.linked])

    def shifted(self, by: float) -> Self:
        """The bins after a shift of the log odds of their shares, with the same numbers of pairs."""
        return replace(self, linked=self.pairs * shift_odds(self.linked / self.pairs, by))

    @property
    def usual(self) -> float:
        """The share of linked pairs over all bins."""
        return float(self.linked.sum() / self.pairs.sum())

    def chance(self, scores: Floats) -> Floats:
        """The share of linked pairs at each score, not decreasing, shape (n,)."""
        share = np.maximum.accumulate((self.linked + 0.5) / (self.pairs + 1))
        values: Floats = np.interp(scores, self.at, share)
        return values

    def bounds(self, scores: Floats) -> tuple[Floats, Floats]:
        """Wilson's 95 % bounds of that share, interpolated linearly between bins; each of shape (n,)."""
        share, square = self.linked / self.pairs, _Z**2
        middle = (share + square / (2 * self.pairs)) / (1 + square / self.pairs)
        spread = share * (1 - share) / self.pairs + square / (4 * self.pairs**2)
        half = _Z * np.sqrt(spread) / (1 + square / self.pairs)
        low, high = np.maximum(middle - half, 0), np.minimum(middle + half, 1)
        return np.interp(scores, self.at, low), np.interp(scores, self.at, high)


def _merge_decreasing(begins: list[int], upto: Floats, n: int) -> list[int]:
    """The beginnings of bins after merging each bin with a smaller share of linked pairs than the one below it (pool
    adjacent violators). `upto`: cumulative number of linked pairs, shape (n,)."""

    def share(begin: int, end: int) -> float:
        return float(upto[end - 1] - (upto[begin - 1] if begin else 0)) / (end - begin)

    results: list[int] = []
    for begin, end in zip(begins, [*begins[1:], n], strict=True):
        results.append(begin)
        while len(results) > 1 and share(results[-2], results[-1]) > share(results[-1], end):
            results.pop()
    return results
