"""Model confidence: how sure the model was that wrote an idea.

Its own token probabilities tell it best. Where a provider keeps these to itself, the idea is asked for again: a model
that is sure says the same each time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from novum.core import Subject
from novum.core.arrays import Floats, Vectors
from novum.files.arrays import ModelState
from novum.idea_metrics.corpus import Corpus
from novum.idea_metrics.metric import SubjectBatch


@dataclass(frozen=True)
class Confidence:
    """Nothing is learnt from papers: nobody asked how sure their authors were."""

    name: ClassVar[str] = "confidence"
    better: ClassVar[int] = 1

    @classmethod
    def fit(cls, corpus: Corpus, *, seed: int = 0) -> Self:
        """Neither is needed."""
        return cls()

    def measure(self, batch: SubjectBatch) -> Floats:
        """The length-normalised probability of the answer (0 to 1), else the agreement of samples (-1 to 1)."""
        rows = zip(batch.subjects, batch.vectors, batch.samples, strict=True)
        return np.array([_confidence(*row) for row in rows], dtype=float)

    def explain(self, batch: SubjectBatch, row: int, raw: float) -> str:
        subject = batch.subjects[row]
        if subject.token_probability is not None:
            return "the length-normalised probability of its tokens by the model that wrote it"
        if not np.isnan(raw):
            result = len(_said(batch.vectors[row], batch.samples[row]))
            return f"agreement of {result} answers to the same question (mean pairwise cosine)"
        if subject.samples:
            return "of the answers to the same question fewer than two have a text that can be compared"
        return "its token probabilities are not known, and it was not asked for repeatedly"

    def state(self) -> ModelState:
        return ModelState()

    @classmethod
    def of_state(cls, state: ModelState) -> Self:
        return cls()


def _confidence(subject: Subject, vector: Vectors, samples: Vectors) -> float:
    if subject.token_probability is not None:
        return subject.token_probability
    return agreement(_said(vector, samples)) if len(samples) else np.nan


def agreement(vectors: Vectors) -> float:
    """Mean cosine over all pairs of `m` unit vectors, shape (m, d); NaN for fewer than two.

    The sum of all vectors has the squared length m + 2 · (sum over pairs), so that no pair has to be looked at.
    """
    m = len(vectors)
    if m < 2:
        return float("nan")
    total = vectors.sum(axis=0, dtype=np.float64)
    return float(np.clip((total @ total - m) / (m * (m - 1)), -1.0, 1.0))


def _said(vector: Vectors, samples: Vectors) -> Vectors:
    """Idea and samples, without those of which nothing could be embedded."""
    every = np.concatenate([vector[None, :], samples])
    return np.asarray(every[every.any(axis=1)])
