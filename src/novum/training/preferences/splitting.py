"""Train, validation and test with different topics and later years, so that a test score is about the future.

The years are cut into three periods. Every topic belongs to one split and contributes only its pairs of that split's
period; its other pairs are dropped. Cuts and topics are chosen to keep as many pairs as possible in the wanted
proportions: topics that appeared late are used for testing, where they lose least.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Floats
from novum.training.preferences.pool import Rows
from novum.training.preferences.records import SHARES

TRAIN, VALIDATION, TEST = range(3)
NOWHERE = -1
_HALVINGS = 20
_ROUGHLY = 8
"""Halvings that are enough to compare cuts."""
_MOST_YEARS = 40
"""Latest years at which a cut is tried; earlier ones have too few papers to matter."""


@dataclass(frozen=True)
class Cuts:
    """Last years of training and of validation."""

    train: int
    validation: int

    def stretch(self, years: Rows) -> Rows:
        """0, 1 or 2 for each year."""
        return np.searchsorted([self.train, self.validation], years, side="left").astype(np.intp)


def best_cuts(topics: Rows, years: Rows, seed: int) -> Cuts | None:
    """The cuts that keep most pairs, estimated from the candidates of each topic and year. None for fewer than three
    years. `topics`: numbers from 0."""
    known, at = np.unique(years, return_inverse=True)
    counts = np.zeros((int(topics.max(initial=-1)) + 1, len(known)), dtype=np.intp)
    np.add.at(counts, (topics, at), 1)
    before = np.concatenate([np.zeros((len(counts), 1), dtype=np.intp), np.cumsum(counts, axis=1)], axis=1)
    best, best_total = None, -1.0
    first = max(1, len(known) - _MOST_YEARS)
    for one, two in combinations(range(first, len(known)), 2):
        ends = before[:, [one, two, len(known)]]
        stretches = np.diff(ends, axis=1, prepend=0)
        total = split_topics(np.where(stretches > 1, stretches, 0), seed, _ROUGHLY).total
        if total > best_total:
            best, best_total = Cuts(int(known[one - 1]), int(known[two - 1])), total
    return best


@dataclass(frozen=True)
class TopicSplits:
    """`of[topic]`: its split, or `NOWHERE` if it has no pairs. `total`: pairs in all splits when none exceeds its
    share."""

    of: Rows
    total: float


def split_topics(pairs: Rows, seed: int, halvings: int = _HALVINGS) -> TopicSplits:
    """Assigns every topic to one split. `pairs[topic, split]`: the number of pairs it has there.

    A binary search finds the largest total for which validation and test reach their shares, filled with the topics
    that have most pairs there relative to training, while training keeps its share of the rest.
    """
    ties = np.random.default_rng(seed).permutation(len(pairs))
    orders = [_order(pairs, split, ties) for split in (VALIDATION, TEST)]
    low, high = 0.0, float(pairs.sum())
    best = _filled(pairs, orders, 0.0)
    for _ in range(halvings):
        middle = (low + high) / 2
        tried = _filled(pairs, orders, middle)
        best = max(best, tried, key=lambda each: each.total)
        low, high = (middle, high) if tried.total >= middle else (low, middle)
    return best


def _order(pairs: Rows, split: int, ties: NDArray[np.int64]) -> Rows:
    """Topics by their pairs in this split for each pair lost to training."""
    gain: Floats = pairs[:, split] / (1.0 + pairs[:, TRAIN])
    return np.lexsort((ties, -gain))


def _filled(pairs: Rows, orders: list[Rows], total: float) -> TopicSplits:
    """Fills test and validation up to their shares of `total`; the rest goes to training."""
    of = np.where(pairs[:, TRAIN] > 0, TRAIN, NOWHERE)
    free = np.ones(len(pairs), dtype=bool)
    for split, order in ((TEST, orders[1]), (VALIDATION, orders[0])):
        left = order[free[order] & (pairs[order, split] > 0)]
        wanted = max(1.0, SHARES[split] * total)
        full = int(np.searchsorted(np.cumsum(pairs[left, split]), wanted - 1e-9)) + 1
        of[left[:full]] = split
        free[left[:full]] = False
    sizes = [pairs[of == split, split].sum() for split in range(3)]
    return TopicSplits(of.astype(np.intp), float(min(size / share for size, share in zip(sizes, SHARES, strict=True))))
