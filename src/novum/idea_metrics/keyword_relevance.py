"""Keyword relevance, KRS (eq. 7): does the idea speak of what its reader asked for? Cosine of the two embeddings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from novum.core.arrays import Floats
from novum.files.arrays import ModelState
from novum.idea_metrics.corpus import Corpus
from novum.idea_metrics.metric import SubjectBatch

_LONGEST_SHOWN = 80


@dataclass(frozen=True)
class KeywordRelevance:
    """v_gen · v_ex / (‖v_gen‖ ‖v_ex‖), from -1 to 1; v_ex is the embedding of topic and keywords. Learns nothing."""

    name: ClassVar[str] = "keyword_relevance"
    better: ClassVar[int] = 1

    @classmethod
    def fit(cls, corpus: Corpus, *, seed: int = 0) -> Self:
        """There is nothing to learn: what is asked for comes with each idea."""
        return cls()

    def measure(self, batch: SubjectBatch) -> Floats:
        """Shape (n,); NaN where the idea has no text, or nobody said what was asked for."""
        cosine = np.einsum("nd,nd->n", batch.vectors, batch.interests, dtype=float)
        known = batch.vectors.any(axis=1) & batch.interests.any(axis=1)
        return np.where(known, np.clip(cosine, -1, 1), np.nan)

    def explain(self, batch: SubjectBatch, row: int, raw: float) -> str:
        """What was asked for, or what is missing."""
        if np.isfinite(raw):
            return f"cosine {raw:.2f} between the idea and “{_short(batch.subjects[row].interests)}”"
        if batch.empty[row]:
            return "the idea has no text that could be compared with a topic"
        return "neither a topic nor keywords are given that it could be compared with"

    def state(self) -> ModelState:
        """Nothing."""
        return ModelState()

    @classmethod
    def of_state(cls, state: ModelState) -> Self:
        """As it always is."""
        return cls()


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"
