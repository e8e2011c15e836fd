"""Feasibility (equation 2): how close an idea is to what was done and taken up, the library's most cited papers."""

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
    """`vectors`: the most cited papers', shape (n, d), most cited first; `weights`: theirs, adding up to 1.

    The paper leaves open how many papers and which weights. By default they are a thousand, weighed by the logarithm
    of one more than their citations: by plain counts, the most cited one alone would often be worth hundreds of others.
    """

    name: ClassVar[str] = "feasibility"
    better: ClassVar[int] = 1

    vectors: Vectors
    weights: Floats
    titles: Sequence[str]

    @classmethod
    def fit(cls, corpus: Corpus, top: int = 1000, weights: CitationWeights = "log", seed: int = 0) -> Self:
        """Of papers that are cited at all, no more than the better half. Says nothing where nobody is cited."""
        counts = np.nan_to_num(corpus.citations, nan=0.0)
        most = min(top, max(1, len(corpus) // 2), int((counts > 0).sum()))
        rows = np.lexsort((np.arange(len(counts)), -counts))[:most]
        selected = weigh(counts[rows], weights)
        total = selected.sum() or 1.0
        return cls(corpus.vectors[rows], selected / total, [corpus.papers[row].title for row in rows])

    def measure(self, batch: SubjectBatch) -> Floats:
        """Weighted mean cosine, -1 to 1."""
        if not len(self.weights):
            return np.full(len(batch), np.nan)
        centre = self.weights @ self.vectors.astype(np.float64)  # a mean of cosines is the cosine part of the mean
        return np.where(batch.empty, np.nan, batch.vectors @ centre)

    def explain(self, batch: SubjectBatch, row: int, raw: float) -> str:
        """The nearest of the most cited papers."""
        if not len(self.weights):
            return "no paper of the library is known to be cited"
        if np.isnan(raw):
            return "there is no text to compare with cited papers"
        similarity = batch.once(self, lambda: batch.vectors @ self.vectors.T)[row]
        best = int(similarity.argmax())
        return (
            f"weighted mean cosine to the {len(self.titles):,} most cited papers; nearest, at {similarity[best]:.2f}: "
            f"«{self.titles[best]}»"
        )

    @property
    def sizes(self) -> dict[str, int]:
        """The papers compared with."""
        return {"cited_papers": len(self.titles)}

    def state(self) -> ModelState:
        return ModelState({"vectors": self.vectors, "weights": self.weights}, {"titles": list(self.titles)})

    @classmethod
    def of_state(cls, state: ModelState) -> Self:
        """Raises KeyError or ValueError where the state is damaged."""
        vectors = np.asarray(state.arrays["vectors"], dtype=np.float32)
        weights, titles = np.asarray(state.arrays["weights"], dtype=float), state.texts("titles")
        if vectors.ndim != 2 or weights.shape != (len(vectors),) or len(titles) != len(vectors):
            raise ValueError("cited papers, their weights and their titles are not as many")
        if not (np.isfinite(vectors).all() and np.isfinite(weights).all()):
            raise ValueError("vectors or weights of cited papers are no numbers")
        return cls(vectors, weights, titles)


def weigh(counts: Floats, weights: CitationWeights) -> Floats:
    """Citation counts as weights."""
    if weights == "equal":
        return np.ones(len(counts))
    return np.log1p(counts) if weights == "log" else counts.astype(float)
