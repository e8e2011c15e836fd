"""Feasibility (equation 2): the mean cosine of an idea to the most cited papers of the library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from novum.core.arrays import Floats, Vectors
from novum.files.arrays import ModelState
from novum.idea_metrics.corpus import Corpus
from novum.idea_metrics.metric import SubjectBatch
from novum.idea_metrics.settings import CitationWeights


@dataclass(frozen=True)
class Feasibility:
    """`vectors`: of the most cited papers, most cited first, shape (n, d); `weights`: shape (n,), with a sum of 1.

    The paper names neither the number of papers nor the weights. By default they are a thousand papers, weighted by
    log(1 + citations): with plain counts, the most cited paper alone would often outweigh hundreds of others.
    """

    name: ClassVar[str] = "feasibility"
    better: ClassVar[int] = 1

    vectors: Vectors
    weights: Floats
    titles: Sequence[str]

    @classmethod
    def fit(cls, corpus: Corpus, top: int = 1000, weights: CitationWeights = "log", seed: int = 0) -> Self:
        """Selects the `top` most cited papers, at most half of all. Without citations the metric is not available."""
        counts = np.nan_to_num(corpus.citations, nan=0.0)
        most = min(top, max(1, len(corpus) // 2), int((counts > 0).sum()))
        rows = np.lexsort((np.arange(len(counts)), -counts))[:most]
        selected = weigh(counts[rows], weights)
        total = selected.sum() or 1.0
        return cls(corpus.vectors[rows], selected / total, [corpus.papers[row].title for row in rows])

    def measure(self, batch: SubjectBatch) -> Floats:
        """Weighted mean cosines, -1 to 1, shape (n,)."""
        if not len(self.weights):
            return np.full(len(batch), np.nan)
        centre = self.weights @ self.vectors.astype(
            np.float64
        )  # the mean of the cosines is the product with the mean vector
        return np.where(batch.empty, np.nan, batch.vectors @ centre)

    def explain(self, batch: SubjectBatch, row: int, raw: float) -> str:
        """The nearest of the cited papers."""
        if not len(self.weights):
            return "no paper of the library has known citations"
        if np.isnan(raw):
            return "the idea has no text to compare with cited papers"
        similarity = batch.once(self, lambda: batch.vectors @ self.vectors.T)[row]
        best = int(similarity.argmax())
        return (
            f"weighted mean cosine to the {len(self.titles):,} most cited papers; nearest, at {similarity[best]:.2f}: "
            f"«{self.titles[best]}»"
        )

    @property
    def sizes(self) -> dict[str, int]:
        """Number of the cited papers."""
        return {"cited_papers": len(self.titles)}

    def state(self) -> ModelState:
        return ModelState({"vectors": self.vectors, "weights": self.weights}, {"titles": list(self.titles)})

    @classmethod
    def of_state(cls, state: ModelState) -> Self:
        """The metric from its stored state. Raises KeyError or ValueError where that is damaged."""
        vectors = np.asarray(state.arrays["vectors"], dtype=np.float32)
        weights, titles = np.asarray(state.arrays["weights"], dtype=float), state.texts("titles")
        if vectors.ndim != 2 or weights.shape != (len(vectors),) or len(titles) != len(vectors):
            raise ValueError("the numbers of cited papers, weights and titles differ")
        if not (np.isfinite(vectors).all() and np.isfinite(weights).all()):
            raise ValueError("vectors or weights of cited papers are not finite")
        return cls(vectors, weights, titles)


def weigh(counts: Floats, weights: CitationWeights) -> Floats:
    """Weights from citation counts, shape (n,)."""
    if weights == "equal":
        return np.ones(len(counts))
    return np.log1p(counts) if weights == "log" else counts.astype(float)
