"""Originality (equation 1): how far an idea lies from the points around which the literature gathers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from novum.scoring.clusters import cluster, elbow_curve, nearest
from novum.scoring.corpus import Corpus
from novum.scoring.part import Batch, Numbers, State, Vectors

__all__ = ["Originality", "elbow_curve"]


@dataclass(frozen=True)
class Originality:
    """`centroids`: shape (K, d). `examples`: for each, the title of the paper nearest to it.

    As printed, 1 / (δ + 1) of the Euclidean distance δ to the nearest centroid is largest for what is most typical.
    That is the raw number here; what grows with the distance is 1 minus it, δ / (δ + 1).
    """

    name: ClassVar[str] = "originality"
    better: ClassVar[int] = 1

    centroids: Vectors
    examples: Sequence[str]
    inertia: float

    @classmethod
    def fit(cls, corpus: Corpus, clusters: int = 150, seed: int = 0) -> Self:
        """Fewer clusters than asked for where there are not two papers for each."""
        found = cluster(corpus.vectors, min(clusters, max(1, len(corpus) // 2)), seed)
        which, distance = nearest(corpus.vectors, found.centroids)
        examples = [_nearest_title(corpus, which == each, distance) for each in range(len(found.centroids))]
        return cls(found.centroids, examples, found.inertia)

    def measure(self, batch: Batch) -> Numbers:
        """1 / (δ + 1), from 1 on a centroid towards 0."""
        _, distance = nearest(batch.vectors, self.centroids)
        return np.where(batch.empty, np.nan, 1 / (distance + 1))

    def explain(self, batch: Batch, row: int, raw: float) -> str:
        """The cluster it lies nearest to."""
        if np.isnan(raw):
            return "there is no text to place among the papers"
        (which,), (distance,) = nearest(batch.vectors[row : row + 1], self.centroids)
        return f"{distance:.2f} from the nearest of {len(self.centroids)} clusters, that of «{self.examples[which]}»"

    def state(self) -> State:
        return State({"centroids": self.centroids}, {"examples": list(self.examples), "inertia": self.inertia})

    @classmethod
    def of_state(cls, state: State) -> Self:
        return cls(state.arrays["centroids"].astype(np.float32), state.texts("examples"), state.number("inertia"))


def _nearest_title(corpus: Corpus, mine: NDArray[np.bool_], distance: Numbers) -> str:
    """Of one cluster; empty where all its papers lie on another one."""
    rows = np.flatnonzero(mine)
    return corpus.papers[rows[distance[rows].argmin()]].title if len(rows) else ""
