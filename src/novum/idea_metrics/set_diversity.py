"""How much variety there is in a set of ideas: duplicates, effective number, and how fast it stops saying anything new.

What a near-duplicate is, the library says: two ideas that are more alike than nearly all papers are to their nearest.
"""

from __future__ import annotations

import asyncio
import hashlib
import heapq
import math

import numpy as np
from numpy.typing import ArrayLike

from novum.core.arrays import Floats, Vectors
from novum.idea_metrics.corpus import FEWEST_PAPERS, unit
from novum.idea_metrics.duplicates import (
    DuplicateThreshold,
    SetSummary,
    distinct_counts,
    nearest_others,
    rarely_exceeded,
)
from novum.literature import Library

RARE = 0.01
"""Share of papers that are more alike to their nearest than the threshold."""
MOST_PAPERS = 5000
ASSUMED = 0.85
"""The threshold where a library is too small to say: about that of the default embedder on machine-learning papers."""


async def near_duplicates_in(library: Library, most: int = MOST_PAPERS, seed: int = 0) -> DuplicateThreshold:
    """The cosine that one paper in a hundred passes with its nearest other, among `most` papers drawn by the seed.

    Embeds what has no vector yet. Raises LibraryError when the library cannot be read.
    """
    await library.embed()
    _, vectors = await asyncio.to_thread(_drawn, library, most, seed)
    if len(vectors) < FEWEST_PAPERS:
        return DuplicateThreshold(
            cosine=ASSUMED,
            why=f"assumed, as {len(vectors)} papers with an abstract are too few to tell ({FEWEST_PAPERS} at least)",
        )
    cosine = rarely_exceeded(unit(vectors), RARE)
    return DuplicateThreshold(
        cosine=cosine, why=f"1 of 100 papers is as like its nearest other, among {len(vectors):,} of the library"
    )


def _drawn(library: Library, most: int, seed: int) -> tuple[list[str], Vectors]:
    """A sample that depends on the seed and on what the library holds, not on the order in which it came in."""
    ids = (paper.id for paper in library.papers() if paper.gist.strip())
    selected = heapq.nsmallest(most, ids, key=lambda each: hashlib.blake2b(f"{seed}:{each}".encode()).digest())
    return library.vectors(selected)


def set_summary(vectors: Vectors, threshold: DuplicateThreshold) -> SetSummary:
    """`vectors`: of the ideas in their order, unit length, shape (n, d); a row of zeros counts as left out."""
    result = vectors[vectors.any(axis=1)]
    nearest = nearest_others(result)
    repeated = nearest.repeated(threshold.cosine)
    apart = distinctness(result, np.zeros(len(result)), 1)[0] if len(result) else math.nan
    return SetSummary(
        ideas=len(result),
        left_out=len(vectors) - len(result),
        duplicates=int(repeated.sum()),
        duplicate_rate=float(repeated.mean()) if len(result) else None,
        effective=vendi(result) if len(result) else None,
        mean_distance=None if math.isnan(apart) else float(apart),
        curve=distinct_counts(nearest.new(threshold.cosine)),
    )


_TINY = 1e-10
"""Eigenvalues below are rounding: K/n has a trace of 1."""


def vendi(vectors: ArrayLike, q: float = 1.0) -> float:
    """`vectors`: ideas × dimensions, of any length; rows of zeros or with a NaN say nothing and are left out. NaN where
    none is left. Raises ValueError for a negative `q`."""
    if math.isnan(q) or q < 0:
        raise ValueError(f"the order of an entropy is 0 or more, not {q}")
    matrix = np.asarray(vectors, dtype=float)
    length = np.linalg.norm(matrix, axis=1)
    usable = np.isfinite(length) & (length > 0)
    unit = matrix[usable] / length[usable, None]
    return effective_number(shares(unit), q) if len(unit) else math.nan


def shares(unit: Floats) -> Floats:
    """The eigenvalues above zero of K/n, K = X Xᵗ for rows X of unit length, adding up to 1.

    X Xᵗ (n × n) and Xᵗ X (d × d) have the same ones: the smaller matrix is taken apart.
    """
    n, d = unit.shape
    gram = unit @ unit.T if n <= d else unit.T @ unit
    values = np.linalg.eigvalsh(gram / n)
    above: Floats = values[values > _TINY]
    return np.asarray(above / above.sum())


def effective_number(shares: Floats, q: float = 1.0) -> float:
    """Hill number of order q of shares above zero that add up to 1."""
    if q == 1:
        return float(np.exp(-(shares * np.log(shares)).sum()))
    if math.isinf(q):
        return float(1 / shares.max())
    # Of the largest share first: high powers of small ones leave the range of floats.
    largest = shares.max()
    return float(np.exp((q * np.log(largest) + np.log(((shares / largest) ** q).sum())) / (1 - q)))


def distinctness(vectors: ArrayLike, groups: ArrayLike, count: int | None = None) -> Floats:
    """Mean pairwise cosine distance (0 the same, 1 unrelated, 2 opposite) of the vectors of each group.

    `vectors` is ideas × dimensions; `groups[i]` from 0 says whose idea `i` is, one group for each model and keyword;
    `count` is the number of groups. NaN for a group with fewer than two vectors; a vector of zeros or with a NaN says
    nothing and is left out. Raises ValueError when there is not one group for each vector.
    """
    matrix, group = np.asarray(vectors, dtype=float), np.asarray(groups, dtype=np.int64)
    if matrix.ndim != 2 or group.shape != (len(matrix),):
        raise ValueError(f"one group for each vector is wanted, not {group.shape} beside {matrix.shape}")
    size = int(group.max(initial=-1)) + 1 if count is None else count
    length = np.linalg.norm(matrix, axis=1)
    usable = np.isfinite(length) & (length > 0)
    unit, group = matrix[usable] / length[usable, None], group[usable]
    n = np.bincount(group, minlength=size).astype(float)
    sums = np.zeros((size, matrix.shape[1]))
    np.add.at(sums, group, unit)
    # The square of a sum of unit vectors is n, plus twice the cosine of every pair.
    with np.errstate(invalid="ignore", divide="ignore"):
        cosine = ((sums**2).sum(axis=1) - n) / (n * (n - 1))
    apart: Floats = np.where(n > 1, np.clip(1 - cosine, 0, 2), np.nan)
    return apart
