"""How pairs of about such a score fared in years of their own: what a probability's interval rests on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from novum.core.arrays import Floats
from novum.opportunities.calibration import shift_odds

_MOST_BINS, _PER_BIN = 60, 10
"""Bins, and pairs that came true in each at least: so the upper bins, which are asked about, are the narrower ones. Of
a dozen the top one spanned shares of 0.2 to 0.45, and what was told lay outside its interval. Where a bin fared worse
than the one below it the two are one."""
_SURE = 1.959964
"""Standard deviations of 95 %."""


@dataclass(frozen=True, eq=False)
class ScoreBins:
    """Bins by score: the mean score `at`, the number of `pairs`, and how many became linked (`joined`)."""

    at: Floats
    pairs: Floats
    linked: Floats

    @classmethod
    def fit(cls, scores: Floats, happened: ArrayLike) -> Self | None:
        """None where too few came true to tell two bins apart."""
        truth = np.asarray(happened, float)
        bins = min(_MOST_BINS, int(truth.sum()) // _PER_BIN)
        if bins < 2:
            return None
        order = np.argsort(scores, kind="stable")
        upto = np.cumsum(truth[order])
        begins = np.searchsorted(upto, np.arange(bins) * upto[-1] / bins, side="right")
        begins[0] = 0
        begins = np.unique(begins)
        begins = np.array(_rising(begins.tolist(), upto, len(order)))
        pairs = np.diff(np.append(begins, len(order))).astype(float)
        return cls(np.add.reduceat(scores[order], begins) / pairs, pairs, np.add.reduceat(truth[order], begins))

    @classmethod
    def from_stored(cls, table: NDArray[np.generic]) -> Self:
        """Back from an array. Raises ValueError where it is damaged."""
        values = np.asarray(table, float)
        if values.ndim != 2 or values.shape[0] != 3 or not values.shape[1] or not np.isfinite(values).all():
            raise ValueError("how pairs fared is damaged")
        at, pairs, linked = values
        if (np.diff(at) < 0).any() or (pairs < 1).any() or (linked < 0).any() or (linked > pairs).any():
            raise ValueError("how pairs fared holds no shares")
        return cls(at, pairs, linked)

    def table(self) -> Floats:
        """The stored form, shape (3, bins)."""
        return np.stack([self.at, self.pairs, self.linked])

    def shifted(self, by: float) -> Self:
        """As if the log odds of all of them had been moved by as much: as wide intervals, elsewhere."""
        return replace(self, linked=self.pairs * shift_odds(self.linked / self.pairs, by))

    @property
    def usual(self) -> float:
        """The share of all pairs that became linked."""
        return float(self.linked.sum() / self.pairs.sum())

    def chance(self, scores: Floats) -> Floats:
        """The share that became linked, not decreasing with the score, shape (n,)."""
        share = np.maximum.accumulate((self.linked + 0.5) / (self.pairs + 1))
        values: Floats = np.interp(scores, self.at, share)
        return values

    def bounds(self, scores: Floats) -> tuple[Floats, Floats]:
        """Wilson's 95 % bounds of that share, between bins in straight lines; each of shape (n,)."""
        share, square = self.linked / self.pairs, _SURE**2
        middle = (share + square / (2 * self.pairs)) / (1 + square / self.pairs)
        spread = share * (1 - share) / self.pairs + square / (4 * self.pairs**2)
        half = _SURE * np.sqrt(spread) / (1 + square / self.pairs)
        low, high = np.maximum(middle - half, 0), np.minimum(middle + half, 1)
        return np.interp(scores, self.at, low), np.interp(scores, self.at, high)


def _rising(begins: list[int], upto: Floats, whole: int) -> list[int]:
    """Where bins begin so that none holds a smaller share of what came true than the one below it (pool adjacent
    violators). `upto`: how many came true in all up to each place."""

    def share(begin: int, end: int) -> float:
        return float(upto[end - 1] - (upto[begin - 1] if begin else 0)) / (end - begin)

    results: list[int] = []
    for begin, end in zip(begins, [*begins[1:], whole], strict=True):
        results.append(begin)
        while len(results) > 1 and share(results[-2], results[-1]) > share(results[-1], end):
            results.pop()
    return results
