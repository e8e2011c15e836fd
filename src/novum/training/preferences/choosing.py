"""From scored candidates to the pairs of three splits: the whole of the choice, without I/O."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from novum.errors import BadInput
from novum.training.preferences.balance import IdeaPair, balanced
from novum.training.preferences.leaks import without_repeated_texts
from novum.training.preferences.pairing import PairingData, pairs_among
from novum.training.preferences.records import SHARES, SPLITS, PreferenceSettings
from novum.training.preferences.splitting import NOWHERE, Cuts, best_cuts, split_topics

_TOLERANCE = 1.1
"""How much larger than its share a later split may be for one of training."""
ELSEWHERE = "its topic went to a split of other years, or to none"
REPEATED = "one of its ideas stands in a later split, in nearly the same words"
LEANING = "its split leaned to longer or newer chosen ideas, or was larger than its share"
Cells: TypeAlias = dict[tuple[int, int], list[IdeaPair]]
"""Pairs by topic and stretch of years."""


@dataclass(frozen=True)
class ChosenPairs:
    """`splits`: train, validation, test."""

    splits: Sequence[Sequence[IdeaPair]]
    cuts: Cuts | None
    dropped: Counter[str]
    """Pairs, by the reason."""


def choose_pairs(ground: PairingData, told: Callable[[int], None] = lambda done: None) -> ChosenPairs:
    """Pairs in their splits, without a leak. `told` hears how many topics have been gone through.

    Raises BadInput where a split would be empty.
    """
    settings = ground.settings
    cuts = _cuts(ground)
    cells = _cells(ground, cuts, told)
    counts = np.zeros((len(ground.topics.names), len(SPLITS)), dtype=np.intp)
    for (topic, stretch), pairs in cells.items():
        counts[topic, stretch] = len(pairs)
    if settings.apart == "topic":
        counts[:] = counts[:, :1]
    of = split_topics(counts, settings.seed).of
    splits = [_brought(cells, of.tolist(), split, settings) for split in range(len(SPLITS))]
    apart = without_repeated_texts(splits, ground.pool, settings.duplicate)
    sized = _sized(apart, ground)
    sizes = [sum(map(len, each)) for each in (cells.values(), splits, apart, sized)]
    lost = [before - after for before, after in pairwise(sizes)]
    dropped = +Counter(dict(zip((ELSEWHERE, REPEATED, LEANING), lost, strict=True)))
    _check(sized, sizes[0], len({topic for topic, _ in cells}), dropped, settings)
    return ChosenPairs(sized, cuts, dropped)


def _cuts(ground: PairingData) -> Cuts | None:
    """None where time does not count."""
    if ground.settings.apart == "topic":
        return None
    inside = ground.topics.of >= 0
    cuts = best_cuts(ground.topics.of[inside], ground.pool.years[inside], ground.settings.seed)
    if cuts is None:
        raise BadInput(
            "The candidates are of fewer than three years, and cannot be split by time. Take more of the library, or "
            "split by topic alone: --apart topic."
        )
    return cuts


def _cells(ground: PairingData, cuts: Cuts | None, told: Callable[[int], None]) -> Cells:
    of = ground.topics.of
    stretch = cuts.stretch(ground.pool.years) if cuts else np.zeros(len(of), dtype=np.intp)
    order = np.lexsort((stretch, of))
    inside = order[of[order] >= 0]
    keys = of[inside] * len(SPLITS) + stretch[inside]
    cells: Cells = {}
    for done, rows in enumerate(np.split(inside, np.flatnonzero(np.diff(keys)) + 1), 1):
        if len(rows) and (pairs := pairs_among(ground, rows)):
            cells[int(of[rows[0]]), int(stretch[rows[0]])] = pairs
        told(done)
    return cells


def _brought(cells: Cells, of: Sequence[int], split: int, settings: PreferenceSettings) -> list[IdeaPair]:
    """What its topics bring to a split."""
    stretch = 0 if settings.apart == "topic" else split
    topics = [topic for topic, its in enumerate(of) if its == split != NOWHERE]
    return [pair for topic in topics for pair in cells.get((topic, stretch), ())]


def _sized(splits: Sequence[Sequence[IdeaPair]], ground: PairingData) -> list[list[IdeaPair]]:
    """Each in balance and no larger than its share; training is never cut for the others' sake."""
    settings, sized = ground.settings, list[list[IdeaPair]]()
    for pairs, share in zip(splits, SHARES, strict=True):
        limits = [len(pairs)]
        if settings.most is not None:
            limits.append(max(1, round(share * settings.most)))
        if sized:
            limits.append(math.ceil(_TOLERANCE * share / SHARES[0] * len(sized[0])))
        mixed = sorted(pairs, key=lambda pair: _drawn(pair, ground))
        sized.append(balanced(mixed, ground.pool, min(limits)))
    return sized


def _drawn(pair: IdeaPair, ground: PairingData) -> bytes:
    """A place in an order by chance, the same for the same seed whatever else there is."""
    ids = (ground.pool.candidates[row].id for row in (pair.chosen, pair.rejected))
    return hashlib.blake2b("\n".join((str(ground.settings.seed), *ids)).encode("utf-8", "replace")).digest()


def _check(
    splits: Sequence[Sequence[IdeaPair]],
    pairs: int,
    topics: int,
    dropped: Counter[str],
    settings: PreferenceSettings,
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
