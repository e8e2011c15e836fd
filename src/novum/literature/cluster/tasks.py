"""An embedder whose work is done by workers. Its vectors are those of the embedder itself, and so is its name."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

import numpy as np

from novum.core import Paper
from novum.core.arrays import Vectors
from novum.literature.cluster.apply import Apply, apply_locally
from novum.literature.embedding import Embedder, QueryEmbedder
from novum.literature.filters import EVERYTHING, Filters
from novum.literature.library import Library

_AT_ONCE = 125
"""Texts for one worker; fewer are embedded here."""


class ClusterEmbedder:
    """For `Library.open` or `Library.embed_with`. The embedder itself must be picklable."""

    def __init__(self, embedder: Embedder, apply: Apply) -> None:
        self._embedder = embedder
        self._apply = apply
        self._width = 0

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimensions(self) -> int:
        return self._width or self._embedder.dimensions

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """As the embedder itself does. Raises LibraryError when a cluster fails, and what the embedder raises."""
        if len(texts) <= _AT_ONCE:
            return await self._embedder.embed(texts)
        parts = [texts[start : start + _AT_ONCE] for start in range(0, len(texts), _AT_ONCE)]
        vectors = np.concatenate(await asyncio.to_thread(self._embed_texts, parts))
        self._width = vectors.shape[1]  # some embedders know it only when they have answered, which they did elsewhere
        return vectors

    async def embed_query(self, text: str) -> Vectors:
        """Shape (1, dimensions)."""
        if isinstance(self._embedder, QueryEmbedder):
            return await self._embedder.embed_query(text)
        return await self._embedder.embed([text])

    def _embed_texts(self, parts: Sequence[Sequence[str]]) -> list[Vectors]:
        return list(self._apply(partial(_embed_texts, self._embedder), parts))


def _embed_texts(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    return asyncio.run(embedder.embed(texts))


_PAPERS_AT_ONCE = 1000


class PaperScore(NamedTuple):
    """A paper's score; None if the function returned none."""

    paper_id: str
    score: float | None


def score_library(
    library: Library,
    function: Callable[[Paper], float | None],
    filters: Filters = EVERYTHING,
    *,
    apply: Apply = apply_locally,
) -> Iterator[PaperScore]:
    """Yields the result of `function` for every paper that passes, in order of arrival. Memory does not grow with the
    library.

    `apply`: from `workers`; the function must then be picklable. To score the similarity to a question, use
    `await library.similarity_to(question)`. Raises LibraryError, and what `function` raises.
    """
    for page in apply(partial(_score_page, function), _pages(library.papers(filters))):
        yield from page


def _pages(papers: Iterator[Paper]) -> Iterator[list[Paper]]:
    while page := list(islice(papers, _PAPERS_AT_ONCE)):
        yield page


def _score_page(function: Callable[[Paper], float | None], page: Sequence[Paper]) -> list[PaperScore]:
    return [PaperScore(paper.id, function(paper)) for paper in page]
