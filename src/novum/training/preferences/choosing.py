"""From scored candidates to the pairs of three splits, without I/O."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from novum.core import normal_title
from novum.core.arrays import Bools
from novum.errors import BadInput
from novum.training.preferences.balance import ScoredPair, balanced
from novum.training.preferences.pairing import PairingData, pairs_among
from novum.training.preferences.pool import Pool, Rows
from novum.training.preferences.records import SHARES, SPLITS, PreferenceSettings
from novum.training.preferences.splitting import NOWHERE, Cuts, best_cuts, split_topics

_BLOCK_ROWS = 2048
"""Rows of a block in which cosines are computed at once."""
_TOLERANCE = 1.1
"""Largest ratio of the size of a later split to its share, relative to training."""
ELSEWHERE = "its topic went to a split of other years, or to none"
REPEATED = "one of its ideas is in a later split, in nearly the same words"
LEANING = "its split had too many longer or newer chosen ideas, or was larger than its share"
Cells: TypeAlias = dict[tuple[int, int], list[ScoredPair]]
"""Pairs by topic and period."""


@dataclass(frozen=True)
class ChosenPairs:
    """The pairs of train, validation and test, and what was dropped."""

    splits: Sequence[Sequence[ScoredPair]]
    cuts: Cuts | None
    dropped: Counter[str]
    """Number of dropped pairs by reason."""


def choose_pairs(data: PairingData, progress: Callable[[int], None] = lambda done: None) -> ChosenPairs:
    """Pairs in splits that share no topic, paper or text. `progress` is called with the number of topics done.

    Raises BadInput if a split would be empty.
    """
    settings = data.settings
    cuts = _cuts(data)
    cells = _cells(data, cuts, progress)
    counts = np.zeros((len(data.topics.names), len(SPLITS)), dtype=np.intp)
    for (topic, stretch), pairs in cells.items():
        counts[topic, stretch] = len(pairs)
    if settings.apart == "topic":
        counts[:] = counts[:, :1]
    of = split_topics(counts, settings.seed).of
    splits = [_pairs_of_split(cells, of.tolist(), split, settings) for split in range(len(SPLITS))]
    apart = without_repeated_texts(splits, data.pool, settings.duplicate)
    sized = _sized(apart, data)
    sizes = [sum(map(len, each)) for each in (cells.values(), splits, apart, sized)]
    lost = [before - after for before, after in pairwise(sizes)]
    dropped = +Counter(dict(zip((ELSEWHERE, REPEATED, LEANING), lost, strict=True)))
    _check(sized, sizes[0], len({topic for topic, _ in cells}), dropped, settings)
    return ChosenPairs(sized, cuts, dropped)


def _cuts(data: PairingData) -> Cuts | None:
    """None if the splits are by topic alone."""
    if data.settings.apart == "topic":
        return None
    inside = data.topics.of >= 0
    cuts = best_cuts(data.topics.of[inside], data.pool.years[inside], data.settings.seed)
    if cuts is None:
        raise BadInput(
            "The candidates are of fewer than three years, and cannot be split by time. Take more of the library, or "
            "split by topic alone: --apart topic."
        )
    return cuts


def _cells(data: PairingData, cuts: Cuts | None, progress: Callable[[int], None]) -> Cells:
    of = data.topics.of
    stretch = cuts.stretch(data.pool.years) if cuts else np.zeros(len(of), dtype=np.intp)
    order = np.lexsort((stretch, of))
    inside = order[of[order] >= 0]
    keys = of[inside] * len(SPLITS) + stretch[inside]
    cells: Cells = {}
    for done, rows in enumerate(np.split(inside, np.flatnonzero(np.diff(keys)) + 1), 1):
        if len(rows) and (pairs := pairs_among(data, rows)):
            cells[int(of[rows[0]]), int(stretch[rows[0]])] = pairs
        progress(done)
    return cells


def _pairs_of_split(cells: Cells, of: Sequence[int], split: int, settings: PreferenceSettings) -> list[ScoredPair]:
    """The pairs that a split gets from its topics."""
    stretch = 0 if settings.apart == "topic" else split
    topics = [topic for topic, its in enumerate(of) if its == split != NOWHERE]
    return [pair for topic in topics for pair in cells.get((topic, stretch), ())]


def _sized(splits: Sequence[Sequence[ScoredPair]], data: PairingData) -> list[list[ScoredPair]]:
    """Balanced splits, no larger than their shares. Training is never cut to fit the others."""
    settings, sized = data.settings, list[list[ScoredPair]]()
    for pairs, share in zip(splits, SHARES, strict=True):
        limits = [len(pairs)]
        if settings.most is not None:
            limits.append(max(1, round(share * settings.most)))
        if sized:
            limits.append(math.ceil(_TOLERANCE * share / SHARES[0] * len(sized[0])))
        mixed = sorted(pairs, key=lambda pair: _random_order(pair, data))
        sized.append(balanced(mixed, data.pool, min(limits)))
    return sized


def _random_order(pair: ScoredPair, data: PairingData) -> bytes:
    """A sort key that is random but fixed by the seed and the ids of the pair."""
    ids = (data.pool.candidates[row].id for row in (pair.chosen, pair.rejected))
    return hashlib.blake2b("\n".join((str(data.settings.seed), *ids)).encode("utf-8", "replace")).digest()


def _check(
    splits: Sequence[Sequence[ScoredPair]], pairs: int, topics: int, dropped: Counter[str], settings: PreferenceSettings
) -> None:
    if not pairs:
        raise BadInput(
            "No two ideas on one topic are near each other and so far apart in their scores. Lower --margin or "
            "--min-similarity, or bring more papers into the library."
        )
    if empty := [name for name, split in zip(SPLITS, splits, strict=True) if not split]:
        why = "; ".join(f"{number:,}: {reason}" for reason, number in dropped.most_common())
        by_topic = "" if settings.apart == "topic" else " split by topic alone (--apart topic),"
        raise BadInput(
            f"Of {topics:,} topics {pairs:,} pairs were found, and nothing is left for {' and '.join(empty)} when "
            f"splits may not share anything ({why or 'no topic is free for it'}). Lower --margin,{by_topic} or bring "
            "more papers or ideas, of other topics."
        )


def without_repeated_texts(
    splits: Sequence[Sequence[ScoredPair]], pool: Pool, threshold: float
) -> list[list[ScoredPair]]:
    """The splits, earliest first, without pairs whose idea is also in a later split: with the same title, or a cosine
    above `threshold`. The later split, which is smaller, keeps it."""
    remaining: list[list[ScoredPair]] = []
    later = np.empty(0, dtype=np.intp)
    for pairs in reversed(splits):
        rows = rows_of(pairs)
        repeated = set(rows[_repeats(pool, rows, later, threshold)].tolist())
        remaining.append([pair for pair in pairs if repeated.isdisjoint((pair.chosen, pair.rejected))])
        later = np.union1d(later, rows_of(remaining[-1]))
    return remaining[::-1]


def rows_of(pairs: Sequence[ScoredPair]) -> Rows:
    """The rows of these pairs, each once, sorted."""
    return np.unique(np.array([row for pair in pairs for row in (pair.chosen, pair.rejected)], dtype=np.intp))


def _repeats(pool: Pool, rows: Rows, later: Rows, threshold: float) -> Bools:
    """Which of `rows` repeat one of `later`, shape (len(rows),)."""
    titles = {title for row in later if (title := normal_title(pool.candidates[row].subject.title))}
    repeated = np.array([normal_title(pool.candidates[row].subject.title) in titles for row in rows], dtype=bool)
    for begin in range(0, len(rows), _BLOCK_ROWS):
        block = pool.vectors[rows[begin : begin + _BLOCK_ROWS]]
        for other in range(0, len(later), _BLOCK_ROWS):
            near = (block @ pool.vectors[later[other : other + _BLOCK_ROWS]].T).max(axis=1) > threshold
            repeated[begin : begin + _BLOCK_ROWS] |= near
    return repeated
