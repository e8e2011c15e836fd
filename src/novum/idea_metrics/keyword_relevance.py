"""Keyword relevance, KRS (eq. 7): the cosine of the embeddings of the idea and of its topic and keywords."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from novum.core import shorten
from novum.core.arrays import Floats
from novum.files.arrays import ModelState
from novum.idea_metrics.corpus import Corpus
from novum.idea_metrics.metric import SubjectBatch

_LONGEST = 80


@dataclass(frozen=True)
class KeywordRelevance:
    """v_gen · v_ex / (‖v_gen‖ ‖v_ex‖), from -1 to 1; v_ex is the embedding of topic and keywords. Not fitted to
    papers."""

    name: ClassVar[str] = "keyword_relevance"
    better: ClassVar[int] = 1

    @classmethod
    def fit(cls, corpus: Corpus, *, seed: int = 0) -> Self:
        """There is nothing to fit."""
        return cls()

    def measure(self, batch: SubjectBatch) -> Floats:
        """Cosines, shape (n,); NaN for a subject without text, or without topic and keywords."""
        cosine = np.einsum("nd,nd->n", batch.vectors, batch.interests, dtype=float)
        known = batch.vectors.any(axis=1) & batch.interests.any(axis=1)
        return np.where(known, np.clip(cosine, -1, 1), np.nan)

    def explain(self, batch: SubjectBatch, row: int, raw: float) -> str:
        """The topic and keywords, or what is missing."""
        if np.isfinite(raw):
            return f"cosine {raw:.2f} between the idea and “{shorten(batch.subjects[row].interests, _LONGEST)}”"
        if batch.empty[row]:
            return "the idea has no text to compare with a topic"
        return "the idea has neither a topic nor keywords to compare with"

    def state(self) -> ModelState:
        """An empty state."""
        return ModelState()

    @classmethod
    def of_state(cls, state: ModelState) -> Self:
        """The metric; there is nothing to restore."""
        return cls()
