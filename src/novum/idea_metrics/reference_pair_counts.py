"""How often two kinds of papers are cited together, compared with chance. After Uzzi et al. (2013).

The null model is a random assignment: every paper keeps its number of references, every kind (a venue or field) its
number of citations, and references are assigned at random. The number of joint citations of two kinds then has a mean
and a variance in closed form, so nothing is simulated: a list of m references is a complete graph of m nodes, kinds are
random colours of the nodes, and the count is that of edges (`joins`) between two given colours.

Not implemented: the source also keeps the years of the cited papers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np

from novum.core.arrays import Floats, Ints, positions_in
from novum.core.record import Value

_PENDING = 2_000_000
"""Pairs that are collected before they are summed."""


@dataclass(frozen=True)
class PairCounts:
    """How often kinds, numbered from 0, occur together in lists of references, and how often they would by chance."""

    totals: Floats
    """Number of references of each kind, shape (kinds,)."""
    codes: Ints
    """Pairs that occur, as lower × kinds + higher, ascending, shape (pairs,)."""
    counts: Floats
    """Number of joins of each of `codes`: two references to a and three to b in one list are six."""
    joins: float
    """Number of pairs of references in the same list."""
    forks: float
    """Number of ordered pairs of joins that share one reference."""

    @classmethod
    def of(cls, lists: Iterable[Ints], kinds: int) -> Self:
        """Counts the pairs in `lists`, the kinds of each paper's references. Memory grows with the number of different
        pairs."""
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
                codes, counts = _sums([(codes, counts), *pending])
                pending, waiting = [], 0
        codes, counts = _sums([(codes, counts), *pending])
        return cls(totals, codes, counts, joins, forks)

    def observed(self, a: Ints, b: Ints) -> Floats:
        """Number of joins of each pair of `a` and `b`, in their shape."""
        place = positions_in(self.codes, np.minimum(a, b) * len(self.totals) + np.maximum(a, b))
        return np.where(place >= 0, np.append(self.counts, 0.0)[place], 0.0)

    def expected(self, a: Ints, b: Ints) -> Floats:
        """Expected number of joins by chance."""
        return self.joins * self._one_join(a, b)

    def variance(self, a: Ints, b: Ints) -> Floats:
        """Variance of the number of joins by chance: from the probability that two joins are both of the pair, for
        joins that are equal, share a reference, or share none."""
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
        """Standard deviations above chance; NaN where the number by chance has no variance."""
        expected, variance = self.expected(a, b), self.variance(a, b)
        steady = variance <= 1e-12 * np.maximum(expected, 1.0) ** 2
        spread = np.sqrt(np.where(steady, 1.0, variance))
        return np.where(steady, np.nan, (self.observed(a, b) - expected) / spread)

    def _one_join(self, a: Ints, b: Ints) -> Floats:
        """Probability that a given join is of the pair."""
        n, na, nb = self.totals.sum(), self.totals[a], self.totals[b]
        return _over(np.where(a == b, na * (na - 1), 2 * na * nb), _falling(n, 2))


def _joins(present: Ints, times: Floats, kinds: int) -> tuple[Ints, Floats]:
    """Codes of the pairs of kinds in one list, and their numbers of joins."""
    first, second = np.triu_indices(len(present))
    own = times[first] * (times[first] - 1) / 2
    values = np.where(first == second, own, times[first] * times[second])
    exists = values > 0
    return (present[first] * kinds + present[second])[exists], values[exists]


def _sums(parts: list[tuple[Ints, Floats]]) -> tuple[Ints, Floats]:
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
    """The ratio; 0 where there are too few references for a denominator."""
    return np.asarray(part / whole if whole > 0 else np.zeros_like(part))


def pairs_within(kinds: Ints) -> tuple[Ints, Ints]:
    """The two kinds of each pair of references of a list, each of shape (pairs,)."""
    first, second = np.triu_indices(len(kinds), 1)
    return kinds[first], kinds[second]


class ReferencePair(Value):
    """Two kinds that a subject cites together."""

    one: str
    other: str
    z: float
    observed: float
    """Number of joins in the training papers."""
    expected: float
    """Expected number by chance."""


class Atypicality(Value):
    """How unusual the combinations of a subject's references are."""

    kind: str
    """`venue` or `field`."""
    tail: float | None = None
    """10th percentile of z over the pairs of its references; below 0 it combines kinds that are seldom combined."""
    median: float | None = None
    """Median of z; if it is high, most combinations are usual."""
    references: int = 0
    """Number of its references."""
    known: int = 0
    """Number of those of a sufficiently frequent kind."""
    pairs: int = 0
    """Number of pairs of these with a known z."""
    rarest: tuple[ReferencePair, ...] = ()
    """Its least usual pairs, each once, least usual first."""
    why: str = ""
    """What the numbers are based on, or why they are unknown."""
