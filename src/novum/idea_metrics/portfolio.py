"""Selection of good and different ideas: a determinant weighted by quality, maximised greedily.

The determinant of the cosines of some ideas is the square of the volume that their embeddings span: 1 when they have
nothing in common, 0 when one repeats the others. The value of a selection S is Π qualityᵢ^(1-b) × det(K_S)^b; the
balance b is the weight of difference: the mode of a determinantal point process. Finding the best one is hard; the
greedy one comes close, and is fast by a Cholesky decomposition that grows by one row at a time (Chen et al. 2018).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from novum.core.arrays import Bools, Floats, Ints
from novum.core.idea import Idea
from novum.core.record import Value
from novum.idea_metrics.duplicates import DuplicateThreshold, SetSummary

UNIQUE_SHARE = 0.01
"""Added to the diagonal, so that a set larger than the dimensions of the embeddings still has a volume:
K = 0.99 cosines + 0.01 on the diagonal."""
STEEPNESS = 1 / 3
"""Exponent of quality. With 1, even a balance of 0.5 hardly changed the selection from real pools; with 1/3 it makes
ten of 150 papers on graphs a third more diverse, for 2 % of their mean score."""
_EQUAL = 1e-9
"""Gains that differ by less are equal, so that rounding decides nothing."""


class PassedOverIdea(Value):
    """The best idea by score that was passed over when another was selected."""

    title: str
    score: float | None
    like: int
    """Rank of the selected idea that is most similar to it."""
    similarity: float
    duplicate: bool
    """Whether it is a near-duplicate of that one; otherwise its score did not outweigh the similarity."""


class PortfolioIdea(Value):
    """One idea of a portfolio."""

    rank: int
    idea: Idea
    source: str
    score: float | None
    nearest: int | None
    """Rank of the other selected idea that is most similar to it."""
    similarity: float | None
    passed: PassedOverIdea | None
    """None when no idea with a better score was left."""
    forced: bool = False
    """Whether it is a near-duplicate of an earlier one, because nothing else was left."""


class Portfolio(Value):
    """A portfolio, its pool, and how it was selected."""

    by: str
    balance: float
    threshold: DuplicateThreshold
    choices: tuple[PortfolioIdea, ...]
    pool: SetSummary
    chosen: SetSummary
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class SelectionStep:
    """The selected row, and the best row by quality that was passed over for it."""

    row: int
    forced: bool = False
    passed: int | None = None
    like: int | None = None
    """The earlier selected row that is most similar to `passed`."""
    duplicate: bool = False
    """Whether `passed` is a near-duplicate of that row."""


def quality_of(scores: ArrayLike) -> Floats:
    """Log quality: a third of -log of the share of the pool that is at least as good; 0 for the worst, 0.8 for the best
    tenth, 1.5 for the best hundredth. It depends on ranks only, so scores on any scale have the same weight."""
    values = np.asarray(scores, dtype=float)
    ranked = np.sort(values)
    at_least = len(values) - np.searchsorted(ranked, values, side="left")
    return -STEEPNESS * np.log(at_least / max(len(values), 1)) + 0.0


def portfolio(
    unit: ArrayLike, quality: ArrayLike, k: int, *, balance: float = 0.5, threshold: float | None = None
) -> list[SelectionStep]:
    """The `k` selected rows (all, if there are fewer) in order of selection.

    `unit`: rows of unit length, shape (n, d); `quality`: logarithms, shape (n,); `balance`: 0 quality only, 1
    difference only. Rows above the cosine `threshold` to a selected one are excluded while there are others. Equal
    gains go to the higher quality, then to the earlier row. Raises ValueError for a balance outside 0 to 1.
    """
    if not 0 <= balance <= 1:
        raise ValueError(f"the balance must be from 0 to 1, not {balance}")
    rows, value = np.asarray(unit, dtype=float), np.asarray(quality, dtype=float)
    n, k = len(rows), min(k, len(rows))
    left, volume = np.ones(n, dtype=bool), np.ones(n)
    root = np.empty((max(k, 0), n))
    nearest, like = np.full(n, -np.inf), np.full(n, -1)
    steps: list[SelectionStep] = []
    for taken in range(k):
        repeats = nearest > threshold if threshold is not None else np.zeros(n, dtype=bool)
        forced = not (left & ~repeats).any()
        open_rows = left if forced else left & ~repeats
        row = _best(_gains(value, volume, balance), value, open_rows)
        steps.append(_step(row, forced, value, left, like, repeats))
        left[row] = False
        cosine = rows @ rows[row]
        root[taken] = ((1 - UNIQUE_SHARE) * cosine - root[:taken, row] @ root[:taken]) / np.sqrt(volume[row])
        # Rounding must not go below the diagonal term.
        volume = np.maximum(volume - root[taken] ** 2, UNIQUE_SHARE)
        closer = cosine > nearest
        nearest, like = np.where(closer, cosine, nearest), np.where(closer, row, like)
    return steps


def _gains(value: Floats, volume: Floats, balance: float) -> Floats:
    return np.asarray((1 - balance) * value + balance * np.log(volume))


def _best(gains: Floats, value: Floats, among: Bools) -> int:
    candidates = np.flatnonzero(among & (gains >= gains[among].max() - _EQUAL))
    return int(candidates[np.argmax(value[candidates])])


def _step(row: int, forced: bool, value: Floats, left: Bools, like: Ints, repeats: Bools) -> SelectionStep:
    best = int(np.flatnonzero(left)[np.argmax(value[left])])
    if value[best] <= value[row] or like[best] < 0:
        return SelectionStep(row, forced)
    return SelectionStep(row, forced, passed=best, like=int(like[best]), duplicate=bool(repeats[best]) and not forced)
