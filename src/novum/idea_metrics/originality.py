"""Originality (equation 1), by the distance of an idea from the nearest cluster of papers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from novum.core.arrays import Bools, Floats, Vectors
from novum.files.arrays import ModelState
from novum.idea_metrics.clusters import cluster, elbow_curve, nearest
from novum.idea_metrics.corpus import Corpus
from novum.idea_metrics.metric import SubjectBatch

__all__ = ["Originality", "elbow_curve"]


@dataclass(frozen=True)
class Originality:
    """`centroids`: shape (K, d); `examples`: for each centroid the title of the nearest paper.

    As printed, 1 / (δ + 1) of the Euclidean distance δ to the nearest centroid is largest for the most typical idea.
    This is the raw number; 1 minus it, δ / (δ + 1), grows with the distance.
    """

    name: ClassVar[str] = "originality"
    better: ClassVar[int] = 1

    centroids: Vectors
    examples: Sequence[str]
    members: Vectors
    """Number of papers of each cluster, shape (K,)."""
    inertia: float

    @classmethod
    def fit(cls, corpus: Corpus, clusters: int = 150, seed: int = 0) -> Self:
        """Clusters the papers; there are at most half as many clusters as papers."""
        result = cluster(corpus.vectors, min(clusters, max(1, len(corpus) // 2)), seed)
        which, distance = nearest(corpus.vectors, result.centroids)
        examples = [_nearest_title(corpus, which == each, distance) for each in range(len(result.centroids))]
        members = np.bincount(which, minlength=len(result.centroids)).astype(np.float32)
        return cls(result.centroids, examples, members, result.inertia)

    def measure(self, batch: SubjectBatch) -> Floats:
        """1 / (δ + 1), from 1 on a centroid towards 0, shape (n,); NaN for a subject without text."""
        _, distance = batch.once(self, lambda: nearest(batch.vectors, self.centroids))
        return np.where(batch.empty, np.nan, 1 / (distance + 1))

    def measure_own(self, batch: SubjectBatch) -> Floats:
        """The same for training papers, measured as if each had not been used: a centroid lies closer to its own papers
        than to any new text.

        Without the paper, a centroid of `m` papers is m / (m - 1) times as far from it; a paper that is alone in its
        cluster belongs to the next one.
        """
        apart = np.sqrt(np.maximum(1 + (self.centroids**2).sum(axis=1) - 2 * (batch.vectors @ self.centroids.T), 0))
        rows, own = np.arange(len(batch)), apart.argmin(axis=1)
        others = self.members[own] - 1
        farther = apart[rows, own] * self.members[own] / np.maximum(others, 1)
        apart[rows, own] = np.where(others > 0, farther, np.inf)
        distance = apart.min(axis=1).astype(float)
        return np.where(batch.empty | ~np.isfinite(distance), np.nan, 1 / (distance + 1))

    def explain(self, batch: SubjectBatch, row: int, raw: float) -> str:
        """The nearest cluster."""
        if np.isnan(raw):
            return "the idea has no text to compare with papers"
        which, distance = batch.once(self, lambda: nearest(batch.vectors, self.centroids))
        example = f", that of «{self.examples[which[row]]}»" if self.examples[which[row]] else ""
        return f"{distance[row]:.2f} from the nearest of {len(self.centroids):,} clusters{example}"

    @property
    def sizes(self) -> dict[str, int]:
        """Number of clusters."""
        return {"clusters": len(self.centroids)}

    def state(self) -> ModelState:
        arrays = {"centroids": self.centroids, "members": self.members}
        return ModelState(arrays, {"examples": list(self.examples), "inertia": self.inertia})

    @classmethod
    def of_state(cls, state: ModelState) -> Self:
        """The metric from its stored state. Raises KeyError or ValueError where that is damaged."""
        centroids, members = (np.asarray(state.arrays[name], dtype=np.float32) for name in ("centroids", "members"))
        examples = state.texts("examples")
        # Means of vectors of unit length have a length of at most 1.
        if centroids.ndim != 2 or not len(centroids) or not (abs(centroids) <= 1.001).all():
            raise ValueError("the centroids are damaged")
        if members.shape != (len(centroids),) or len(examples) != len(centroids):
            raise ValueError("the numbers of centroids and examples differ")
        return cls(centroids, examples, members, state.number("inertia"))


def _nearest_title(corpus: Corpus, mine: Bools, distance: Floats) -> str:
    """The title of the paper nearest to the centroid of a cluster; empty for a cluster without papers."""
    rows = np.flatnonzero(mine)
    return corpus.papers[rows[distance[rows].argmin()]].title if len(rows) else ""
