"""A population of ideas: each with its review and its standing, and who is near whom."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novum.literature import Embedder
from novum.literature.embedding import vectors_of
from novum.methods.sketch import SketchedIdea

INITIAL = 1200.0
"""Rating of a first idea that has not played."""
Likeness = NDArray[np.float64]
"""Cosines between ideas, shape (n, n), less what all of them share; the diagonal means nothing."""


@dataclass(frozen=True)
class ContenderReview:
    """A review of one idea, without its novelty check."""

    strengths: tuple[str, ...]
    weaknesses: tuple[str, ...]
    mend: str


@dataclass(frozen=True)
class Contender:
    """An idea in the tournament. `review`: None without a usable answer."""

    sketched: SketchedIdea
    review: ContenderReview | None = None
    rating: float = INITIAL
    played: int = 0

    @property
    def id(self) -> str:
        """That of the idea."""
        return self.sketched.idea.id

    @property
    def known(self) -> bool:
        """A paper has it already."""
        return self.sketched.known


def ranked_contenders(pool: Iterable[Contender]) -> list[Contender]:
    """Known ideas last, then by rating; equal ones in their given order."""
    return sorted(pool, key=lambda one: (one.known, -one.rating))


async def similarity_matrix(embedder: Embedder, field: Sequence[Contender]) -> Likeness:
    """Cosine similarity between ideas. Their mean is subtracted first, because all are about one topic."""
    ideas = [one.sketched.idea for one in field]
    vectors = await vectors_of(embedder, [f"{idea.title}\n{idea.summary}\n{idea.method}" for idea in ideas])
    centred = vectors.astype(float) - vectors.mean(axis=0)
    lengths = np.linalg.norm(centred, axis=1, keepdims=True)
    units = centred / np.where(lengths == 0, 1, lengths)
    cosines: Likeness = units @ units.T
    return cosines.round(3)  # further digits hang on machine and service, and must not decide a pairing


def similarity_groups(alike: Likeness) -> list[int]:
    """A group number for each idea; ideas that are each other's nearest neighbours share a group."""
    count = len(alike)
    number = list(range(count))
    for one in range(count):
        others = [other for other in range(count) if other != one]
        if not others:
            break
        nearest = max(others, key=lambda other: (alike[one, other], -other))
        old, new = max(number[one], number[nearest]), min(number[one], number[nearest])
        number = [new if each == old else each for each in number]
    return number
