"""Who judges passages and writes the next queries: a reader model, or similarity alone.

Similarity needs no model calls. It is what a model too small to judge passages is given, and what a user chooses who
wants to look before spending anything.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from novum.core.evidence import Judge, Snippet
from novum.literature import Embedder
from novum.llm import Models
from novum.reading.exploration.findings import judge_passage, opening_sentences, snippet_by_similarity
from novum.reading.exploration.passage_index import NearPassage
from novum.reading.exploration.queries import NextStep, SearchState, new_queries, sharper_queries


class Examiner(Protocol):
    """`notice` is told to the user, empty when there is nothing to tell."""

    judge: Judge
    notice: str

    async def examine(self, question: str, near: NearPassage, query: str, turn: int) -> Snippet | None: ...

    async def next_step(self, so_far: SearchState) -> NextStep: ...


class ReaderExaminer:
    """A model reads every passage: the paper's own way."""

    judge: Judge = "reader"
    notice = ""

    def __init__(self, models: Models) -> None:
        self._models = models

    async def examine(self, question: str, near: NearPassage, query: str, turn: int) -> Snippet | None:
        """What the reader makes of a passage."""
        return await judge_passage(self._models, question, near, query, turn)

    async def next_step(self, so_far: SearchState) -> NextStep:
        """What the reader finds missing."""
        return await sharper_queries(self._models, so_far)


class SimilarityExaminer:
    """No model reads."""

    judge: Judge = "similarity"
    notice = (
        "No model read the passages: their scores are their similarity to the question, their summaries are sentences "
        "of their own."
    )

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    async def examine(self, question: str, near: NearPassage, query: str, turn: int) -> Snippet | None:
        """The passage with that sentence of it which is nearest to the question."""
        openings = opening_sentences(near.passage.text)
        vectors = await self._embedder.embed([question, *openings])
        lengths = np.linalg.norm(vectors, axis=1)
        cosines = vectors[1:] @ vectors[0] / np.maximum(lengths[1:] * lengths[0], np.finfo(np.float32).tiny)
        return snippet_by_similarity(near, query, turn, openings[int(np.argmax(cosines))])

    async def next_step(self, so_far: SearchState) -> NextStep:
        """The papers nearest so far, as queries: what is near to them is near to the question."""
        queries = new_queries(so_far.titles, [each.query for each in so_far.asked])
        return NextStep("", queries[: so_far.count])
