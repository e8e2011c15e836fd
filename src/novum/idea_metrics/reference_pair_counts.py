"""Are two kinds of references named together more often than by chance? After Uzzi et al. (2013).

The null is a shuffle: every paper keeps how many references it has, every kind (a venue, a field) how often it is
referred to, and who refers to what is drawn anew. How often two kinds then meet in one list has a mean and a variance
that can be written down, so nothing has to be shuffled: a list of m references is m points, each joined with each, the
kinds are colours dealt out at random, and what is counted are joins between two given colours.

Left out on purpose: the source also keeps the years of what is referred to.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np

from novum.core.arrays import Floats, Ints
from novum.core.record import Value

_PENDING = 2_000_000
"""Pairs gathered before they are added up."""


@dataclass(frozen=True)
class PairCounts:
    """How often kinds, numbered from 0, meet in lists of references, and what a shuffle would make of it."""

    totals: Floats
    """References of each kind, shape (kinds,)."""
    codes: Ints
    """Pairs that were met, lower × kinds + higher, ascending."""
    counts: Floats
    """How often each of `codes` was met: joins, so that two references to a and three to b in a list are six."""
    joins: float
    """Pairs of references in the same list."""
    forks: float
    """Ordered pairs of joins that share one reference."""

    @classmethod
    def of(cls, lists: Iterable[Ints], kinds: int) -> Self:
        """`lists`: the kinds of each paper's references, in any order. Memory grows with the pairs that are met."""
        totals = np.zeros(kinds)
        codes, counts = np.empty(0, dtype=np.int64), np.empty(0)
        pending: list[tuple[Ints, Floats]] = []
        waiting, joins, forks = 0, 0.0, 0.0
        for one in lists:
            present, times = np.unique(one, return_counts=True)
            m = float(len(one))
            totals[present] += times
            joins += m * (m - 1) / 2
            forks += m * (m - 1) * (m - 2)
            pending.append(_joins(present, times.astype(float), kinds))
            waiting += len(pending[-1][0])
            if waiting > _PENDING:
                codes, counts = _added_up([(codes, counts), *pending])
                pending, waiting = [], 0
        codes, counts = _added_up([(codes, counts), *pending])
        return cls(totals, codes, counts, joins, forks)

    def observed(self, a: Ints, b: Ints) -> Floats:
        """How often each pair was met, 0 for one that never was; any shape."""
        wanted = np.minimum(a, b) * len(self.totals) + np.maximum(a, b)
        if not len(self.codes):
            return np.zeros(wanted.shape)
        place = np.minimum(np.searchsorted(self.codes, wanted), len(self.codes) - 1)
        return np.where(self.codes[place] == wanted, self.counts[place], 0.0)

    def expected(self, a: Ints, b: Ints) -> Floats:
        """Mean number of meetings over all shuffles."""
        return self.joins * self._one_join(a, b)

    def variance(self, a: Ints, b: Ints) -> Floats:
        """Variance of the same: from the chance that two joins are both of the pair, by whether they are the same one,
        share a reference, or do not."""
        n, na, nb = self.totals.sum(), self.totals[a], self.totals[b]
        same = a == b
        fork = np.where(same, _falling(na, 3), na * nb * (na + nb - 2))
        apart = np.where(same, _falling(na, 4), 4 * _falling(na, 2) * _falling(nb, 2))
        one = self._one_join(a, b)
        distinct = self.joins**2 - self.joins - self.forks
        second = self.joins * one + self.forks * _over(fork, _falling(n, 3)) + distinct * _over(apart, _falling(n, 4))
        values: Floats = np.maximum(second - (self.joins * one) ** 2, 0.0)
        return values

    def z(self, a: Ints, b: Ints) -> Floats:
        """Standard deviations above chance; NaN where every shuffle gives the same."""
        expected, variance = self.expected(a, b), self.variance(a, b)
        steady = variance <= 1e-12 * np.maximum(expected, 1.0) ** 2
        spread = np.sqrt(np.where(steady, 1.0, variance))
        return np.where(steady, np.nan, (self.observed(a, b) - expected) / spread)

    def _one_join(self, a: Ints, b: Ints) -> Floats:
        """Chance that one given join is of the pair."""
        n, na, nb = self.totals.sum(), self.totals[a], self.totals[b]
        return _over(np.where(a == b, na * (na - 1), 2 * na * nb), _falling(n, 2))


def _joins(present: Ints, times: Floats, kinds: int) -> tuple[Ints, Floats]:
    """The pairs of kinds in one list, with how many pairs of references are of each."""
    first, second = np.triu_indices(len(present))
    own = times[first] * (times[first] - 1) / 2
    values = np.where(first == second, own, times[first] * times[second])
    met = values > 0
    return (present[first] * kinds + present[second])[met], values[met]


def _added_up(parts: list[tuple[Ints, Floats]]) -> tuple[Ints, Floats]:
    codes, place = np.unique(np.concatenate([codes for codes, _ in parts]), return_inverse=True)
    counts = np.bincount(place, np.concatenate([counts for _, counts in parts]), minlength=len(codes))
    return codes, counts.astype(float)


def _falling(n: Floats, times: int) -> Floats:
    """n (n-1) (n-2) … with `times` factors."""
    product = np.ones_like(n)
    for step in range(times):
        product = product * (n - step)
    return product


def _over(part: Floats, whole: Floats) -> Floats:
    """0 where there are too few references for it."""
    return np.asarray(part / whole if whole > 0 else np.zeros_like(part))


def pairs_within(kinds: Ints) -> tuple[Ints, Ints]:
    """The two kinds of each pair of references of a list, as many pairs as there are."""
    first, second = np.triu_indices(len(kinds), 1)
    return kinds[first], kinds[second]


class ReferencePair(Value):
    """Two kinds that a subject refers to together."""

    one: str
    other: str
    z: float
    observed: float
    """Meetings in the papers that were learnt from."""
    expected: float
    """Mean over all shuffles of them."""


class Atypicality(Value):
    """How unusual a subject's references are side by side."""

    kind: str
    """`venue` or `field`."""
    tail: float | None = None
    """10th percentile of z over the pairs of its references: below 0, it joins what is seldom joined."""
    median: float | None = None
    """Median of the same: high, most of it is joined as usual."""
    references: int = 0
    """That the subject has."""
    known: int = 0
    """Of these, how many are of a kind that is common enough to be judged."""
    pairs: int = 0
    """Of those, how many say something."""
    rarest: tuple[ReferencePair, ...] = ()
    """Its least usual pairs, each once, least usual first."""
    why: str = ""
    """What it rests on, or why nothing can be said."""
