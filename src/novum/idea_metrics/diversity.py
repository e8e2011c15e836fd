"""Diversity, DS (eq. 10): one divided by the mean cosine of the idea to all papers of the library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from novum.core.arrays import Floats
from novum.files.arrays import ModelState
from novum.idea_metrics.corpus import Corpus
from novum.idea_metrics.metric import SubjectBatch

FLOOR = 0.01
"""As printed, the number jumps from +∞ to -∞ where the mean cosine passes 0. Below this value the tangent is used."""


@dataclass(frozen=True)
class Diversity:
    """1 / mean cosine. Since vectors have unit length, the mean cosine to all papers is the dot product with their mean
    vector."""

    name: ClassVar[str] = "diversity"
    better: ClassVar[int] = 1

    mean: Floats
    """Mean of the papers' vectors, shape (d,)."""
    papers: int

    @classmethod
    def fit(cls, corpus: Corpus, *, seed: int = 0) -> Self:
        """Computes the mean vector of all papers; `seed` is not used."""
        return cls(corpus.vectors.mean(axis=0, dtype=float), len(corpus))

    def measure(self, batch: SubjectBatch) -> Floats:
        """Diversities, above 0, shape (n,); NaN for a subject without text."""
        return np.where(batch.empty, np.nan, inverse(self.cosines(batch)))

    def cosines(self, batch: SubjectBatch) -> Floats:
        """Mean cosine to the papers, shape (n,)."""
        cosines: Floats = batch.vectors @ self.mean
        return cosines

    def explain(self, batch: SubjectBatch, row: int, raw: float) -> str:
        """The mean cosine."""
        if not np.isfinite(raw):
            return "the idea has no text to compare with papers"
        mean = float(batch.vectors[row] @ self.mean)
        floor = f"; below {FLOOR:g} the tangent of 1/x is used" if mean < FLOOR else ""
        return f"mean cosine {mean:.3f} to the library's {self.papers:,} papers{floor}"

    def state(self) -> ModelState:
        """The mean vector."""
        return ModelState(arrays={"mean": self.mean}, facts={"papers": self.papers})

    @classmethod
    def of_state(cls, state: ModelState) -> Self:
        """The metric from its stored state. Raises KeyError or ValueError where that is damaged."""
        mean = np.asarray(state.arrays["mean"], dtype=float)
        if mean.ndim != 1 or not np.isfinite(mean).all():
            raise ValueError("the mean vector is damaged")
        return cls(mean, int(state.number("papers")))


def inverse(cosines: Floats) -> Floats:
    """1/x for x ≥ 0.01, and below that the tangent at 0.01: finite, above 0 and decreasing everywhere."""
    return np.where(cosines >= FLOOR, 1 / np.maximum(cosines, FLOOR), 1 / FLOOR + (FLOOR - cosines) / FLOOR**2)
