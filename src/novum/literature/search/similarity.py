"""The similarity of a paper to a question, as a function that can be sent to other machines."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from novum.core import Paper
from novum.literature.embedding import Embedder
from novum.literature.search.whitening import Vectors, Whitening, cosines
from novum.literature.store.rows import indexed_text


@dataclass(frozen=True, eq=False)
class SimilarityScorer:
    """`question`: its whitened unit vector, shape (d,). Not to be called from inside an event loop."""

    embedder: Embedder
    whitening: Whitening
    question: Vectors

    def __call__(self, paper: Paper) -> float:
        """Cosine, -1 to 1."""
        raw = asyncio.run(self.embedder.embed([indexed_text(paper)]))
        return float(cosines(self.whitening.apply(raw), self.question)[0])
