"""Diversity of a set of ideas: near-duplicates, effective number, and the curve of distinct ideas.

The threshold of near-duplicates comes from the library: two ideas are near-duplicates if they are more similar than
nearly all papers are to their nearest paper.
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
"""Share of papers whose similarity to their nearest paper exceeds the threshold."""
MOST_PAPERS = 5000
ASSUMED = 0.85
"""The threshold for a small library: about that of the default embedder on machine-learning papers."""


async def near_duplicates_in(library: Library, most: int = MOST_PAPERS, seed: int = 0) -> DuplicateThreshold:
    """The cosine that one paper in a hundred exceeds with its nearest paper, in a random sample of `most` papers.

    Embeds papers without a vector. Raises LibraryError when the library cannot be read.
    """
    await library.embed()
    _, vectors = await asyncio.to_thread(_sample, library, most, seed)
    if len(vectors) < FEWEST_PAPERS:
        return DuplicateThreshold(
            cosine=ASSUMED,
            why=f"assumed, since {len(vectors)} papers with an abstract are too few ({FEWEST_PAPERS} are needed)",
        )
    cosine = rarely_exceeded(unit(vectors), RARE)
    return DuplicateThreshold(
        cosine=cosine, why=f"1 of 100 papers is as similar to its nearest, among {len(vectors):,} of the library"
    )


def _sample(library: Library, most: int, seed: int) -> tuple[list[str], Vectors]:
    """Ids and vectors of a random sample of papers, which does not depend on the order in which papers were added."""
    ids = (paper.id for paper in library.papers() if paper.gist.strip())
    selected = heapq.nsmallest(most, ids, key=lambda each: hashlib.blake2b(f"{seed}:{each}".encode()).digest())
    return library.vectors(selected)


def set_summary(vectors: Vectors, threshold: DuplicateThreshold) -> SetSummary:
    """The diversity of a set. `vectors`: of the ideas, in order, of unit length, shape (n, d); a row of zeros is left
    out."""
    unit_vectors = vectors[vectors.any(axis=1)]
    n = len(unit_vectors)
    nearest = nearest_others(unit_vectors)
    repeated = nearest.repeated(threshold.cosine)
    distance = distinctness(unit_vectors, np.zeros(n), 1)[0] if n else math.nan
    return SetSummary(
        ideas=n,
        left_out=len(vectors) - n,
        duplicates=int(repeated.sum()),
        duplicate_rate=float(repeated.mean()) if n else None,
        effective=vendi(unit_vectors) if n else None,
        mean_distance=None if math.isnan(distance) else float(distance),
        curve=distinct_counts(nearest.new(threshold.cosine)),
    )


_TINY = 1e-10
"""Smaller eigenvalues are rounding errors, since K/n has a trace of 1."""


def vendi(vectors: ArrayLike, q: float = 1.0) -> float:
    """The Vendi score of order `q`: the effective number of ideas. `vectors`: ideas × dimensions, of any length; rows
    of zeros or with a NaN are left out. NaN where none remains. Raises ValueError for a negative `q`."""
    if math.isnan(q) or q < 0:
        raise ValueError(f"the order of an entropy must be 0 or more, not {q}")
    matrix = np.asarray(vectors, dtype=float)
    length = np.linalg.norm(matrix, axis=1)
    usable = np.isfinite(length) & (length > 0)
    unit = matrix[usable] / length[usable, None]
    return effective_number(shares(unit), q) if len(unit) else math.nan


def shares(unit: Floats) -> Floats:
    """The eigenvalues above zero of K/n, with a sum of 1; K = X Xᵗ for rows X of unit length.

    X Xᵗ (n × n) and Xᵗ X (d × d) have the same eigenvalues above zero; those of the smaller matrix are computed.
    """
    n, d = unit.shape
    gram = unit @ unit.T if n <= d else unit.T @ unit
    values = np.linalg.eigvalsh(gram / n)
    above: Floats = values[values > _TINY]
    return np.asarray(above / above.sum())


def effective_number(shares: Floats, q: float = 1.0) -> float:
    """The Hill number of order `q` of shares above zero with a sum of 1."""
    if q == 1:
        return float(np.exp(-(shares * np.log(shares)).sum()))
    if math.isinf(q):
        return float(1 / shares.max())
    # The largest share is factored out: high powers of small shares leave the range of floats.
    largest = shares.max()
    return float(np.exp((q * np.log(largest) + np.log(((shares / largest) ** q).sum())) / (1 - q)))


def distinctness(vectors: ArrayLike, groups: ArrayLike, count: int | None = None) -> Floats:
    """Mean pairwise cosine distance (0 the same, 1 unrelated, 2 opposite) of the vectors of each group.

    `vectors`: ideas × dimensions; `groups[i]`: number of the group of idea `i`, from 0; `count`: number of groups. NaN
    for a group with fewer than two vectors; vectors of zeros or with a NaN are left out. Raises ValueError unless there
    is one group for each vector.
    """
    matrix, group = np.asarray(vectors, dtype=float), np.asarray(groups, dtype=np.int64)
    if matrix.ndim != 2 or group.shape != (len(matrix),):
        raise ValueError(f"expected one group for each vector, not shapes {group.shape} and {matrix.shape}")
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
    distance: Floats = np.where(n > 1, np.clip(1 - cosine, 0, 2), np.nan)
    return distance
