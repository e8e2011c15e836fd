"""How much variety there is in a set of ideas: duplicates, effective number, and how fast it stops saying anything new.

What a near-duplicate is, the library says: two ideas that are more alike than nearly all papers are to their nearest.
"""

from __future__ import annotations

import asyncio
import hashlib
import heapq
import math

import numpy as np

from novum.core.arrays import Vectors
from novum.idea_metrics.corpus import FEWEST_PAPERS, unit
from novum.idea_metrics.duplicates import (
    DuplicateThreshold,
    SetSummary,
    distinct_counts,
    nearest_others,
    rarely_exceeded,
)
from novum.idea_metrics.mean_distance import distinctness
from novum.idea_metrics.vendi import vendi
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
    chosen = heapq.nsmallest(most, ids, key=lambda each: hashlib.blake2b(f"{seed}:{each}".encode()).digest())
    return library.vectors(chosen)


def set_summary(vectors: Vectors, threshold: DuplicateThreshold) -> SetSummary:
    """`vectors`: of the ideas in their order, unit length, shape (n, d); a row of zeros counts as left out."""
    said = vectors[vectors.any(axis=1)]
    nearest = nearest_others(said)
    repeated = nearest.repeated(threshold.cosine)
    apart = distinctness(said, np.zeros(len(said)), 1)[0] if len(said) else math.nan
    return SetSummary(
        ideas=len(said),
        left_out=len(vectors) - len(said),
        duplicates=int(repeated.sum()),
        duplicate_rate=float(repeated.mean()) if len(said) else None,
        effective=vendi(said) if len(said) else None,
        mean_distance=None if math.isnan(apart) else float(apart),
        curve=distinct_counts(nearest.new(threshold.cosine)),
    )
