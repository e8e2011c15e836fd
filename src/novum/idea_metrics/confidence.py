"""Model confidence: how confident the model was that wrote an idea.

The measure is the probability of the idea's tokens. Where a provider does not report it, the same request is sent
several times: a confident model gives similar answers.
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
    """The probability of an idea by the model that wrote it, else the agreement of several answers. Not fitted to
    papers."""

    name: ClassVar[str] = "confidence"
    better: ClassVar[int] = 1

    @classmethod
    def fit(cls, corpus: Corpus, *, seed: int = 0) -> Self:
        """There is nothing to fit."""
        return cls()

    def measure(self, batch: SubjectBatch) -> Floats:
        """Length-normalised probabilities (0 to 1), else the agreement of samples (-1 to 1), shape (n,)."""
        rows = zip(batch.subjects, batch.vectors, batch.samples, strict=True)
        return np.array([_confidence(*row) for row in rows], dtype=float)

    def explain(self, batch: SubjectBatch, row: int, raw: float) -> str:
        subject = batch.subjects[row]
        if subject.token_probability is not None:
            return "the length-normalised probability of its tokens by the model that wrote it"
        if not np.isnan(raw):
            answers = len(_usable(batch.vectors[row], batch.samples[row]))
            return f"agreement of {answers} answers to the same request (mean pairwise cosine)"
        if subject.samples:
            return "fewer than two answers to the same request have a text that can be compared"
        return "token probabilities are unknown, and there are no further answers to the same request"

    def state(self) -> ModelState:
        return ModelState()

    @classmethod
    def of_state(cls, state: ModelState) -> Self:
        return cls()


def _confidence(subject: Subject, vector: Vectors, samples: Vectors) -> float:
    if subject.token_probability is not None:
        return subject.token_probability
    return agreement(_usable(vector, samples)) if len(samples) else np.nan


def agreement(vectors: Vectors) -> float:
    """Mean cosine over all pairs of `m` unit vectors, shape (m, d); NaN for fewer than two.

    The sum of all vectors has the squared length m + 2 · (sum over pairs), so pairs need not be computed one by one.
    """
    m = len(vectors)
    if m < 2:
        return float("nan")
    total = vectors.sum(axis=0, dtype=np.float64)
    return float(np.clip((total @ total - m) / (m * (m - 1)), -1.0, 1.0))


def _usable(vector: Vectors, samples: Vectors) -> Vectors:
    """The vectors of idea and samples that are not zero, shape (m, d)."""
    vectors = np.concatenate([vector[None, :], samples])
    return np.asarray(vectors[vectors.any(axis=1)])
