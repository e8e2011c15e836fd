"""Diversity, DS (eq. 10): how unlike the idea is to what exists, as one over its mean cosine to all papers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from novum.core.arrays import Floats
from novum.files.arrays import ModelState
from novum.idea_metrics.corpus import Corpus
from novum.idea_metrics.metric import SubjectBatch

FLOOR = 0.01
"""As printed the number jumps from +∞ to -∞ where the mean cosine passes 0. Below this it goes on along its tangent."""


@dataclass(frozen=True)
class Diversity:
    """1 / mean cosine. Vectors have unit length, so that the mean over all M papers is the cosine's dot product with
    their mean vector: comparing with every paper costs no more than with one."""

    name: ClassVar[str] = "diversity"
    better: ClassVar[int] = 1

    mean: Floats
    """Of the papers' vectors of unit length, shape (d,)."""
    papers: int

    @classmethod
    def fit(cls, corpus: Corpus, *, seed: int = 0) -> Self:
        """Of all papers: nothing is drawn."""
        return cls(corpus.vectors.mean(axis=0, dtype=float), len(corpus))

    def measure(self, batch: SubjectBatch) -> Floats:
        """Shape (n,), above 0; NaN where the idea has no text."""
        return np.where(batch.empty, np.nan, inverse(self.cosines(batch)))

    def cosines(self, batch: SubjectBatch) -> Floats:
        """Mean cosine to the papers, shape (n,)."""
        cosines: Floats = batch.vectors @ self.mean
        return cosines

    def explain(self, batch: SubjectBatch, row: int, raw: float) -> str:
        """The mean cosine that was turned round."""
        if not np.isfinite(raw):
            return "the idea has no text that could be compared with papers"
        mean = float(batch.vectors[row] @ self.mean)
        bent = f"; below {FLOOR:g} the tangent of 1/x is followed" if mean < FLOOR else ""
        return f"mean cosine {mean:.3f} to the library's {self.papers:,} papers{bent}"

    def state(self) -> ModelState:
        """The mean vector."""
        return ModelState(arrays={"mean": self.mean}, facts={"papers": self.papers})

    @classmethod
    def of_state(cls, state: ModelState) -> Self:
        """Raises KeyError or ValueError where the state is damaged."""
        mean = np.asarray(state.arrays["mean"], dtype=float)
        if mean.ndim != 1 or not np.isfinite(mean).all():
            raise ValueError("the mean vector is no vector of numbers")
        return cls(mean, int(state.number("papers")))


def inverse(cosines: Floats) -> Floats:
    """1/x for x ≥ 0.01, and below it the tangent at that point: everywhere finite, above 0, and falling as x grows."""
    return np.where(cosines >= FLOOR, 1 / np.maximum(cosines, FLOOR), 1 / FLOOR + (FLOOR - cosines) / FLOOR**2)
