"""A second stage of the search: the best papers of words and static vectors, ranked again with a sentence encoder.

The encoder's vectors are computed when a paper first comes among the best of a search, and kept with the paper. They
are used with the precision that they are stored with, so a ranking does not depend on which of them existed before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from novum.errors import LibraryError
from novum.literature.embedding import Embedder, Vectors, vectors_of
from novum.literature.search.fusion import FusedResult, Scores
from novum.literature.search.locking import LOG
from novum.literature.search.spelling import usual_spelling
from novum.literature.search.whitening import cosines
from novum.literature.store import vector_rows
from novum.literature.store.database import Database

RERANKED = 24
"""Papers that are ranked again: on two cores, computing their vectors for the first time takes about a second. With 30
the search was as good."""
ENCODER_WEIGHT = 0.4
"""Weight of the encoder's cosine beside the score of the first stage, both relative to the best of the query.
Chosen on half of the queries of `bench/retrieval.py`; 0.3 to 0.5 are within the noise."""
_QUERIES_KEPT = 500
_VECTORS_KEPT = 20_000
"""Vectors in memory, 30 MB."""


class SecondStage:
    """The sentence encoder of a library, with the vectors that it has computed."""

    def __init__(self, database: Database, encoder: Embedder) -> None:
        self._database = database
        self._encoder = encoder
        self._name = f"{vector_rows.SECOND_STAGE}{encoder.name}"
        self._queries: dict[str, Vectors] = {}
        self._vectors: dict[int, Vectors] = {}
        self._change = -1

    async def rerank(self, query: str, results: Sequence[FusedResult]) -> list[FusedResult]:
        """`results` in their new order: the first `RERANKED` among each other, then the rest as it was. Raises
        LibraryError when the encoder cannot be used."""
        first, rest = results[:RERANKED], results[RERANKED:]
        if not first:
            return []
        held = await self._held([one.number for one in first])
        vector = await self._query(query)
        units = np.array([held.get(one.number, np.zeros_like(vector)) for one in first])
        scores = blend(np.array([one.score for one in first]), cosines(units, vector).astype(np.float64))
        again = [replace(one, score=float(score)) for one, score in zip(first, scores, strict=True)]
        again.sort(key=lambda one: (-one.score, one.number))
        return again + [replace(one, score=min(one.score, again[-1].score)) for one in rest]

    async def _query(self, query: str) -> Vectors:
        """The vector of a query in its usual spelling, shape (d,). Queries are repeated."""
        if query not in self._queries:
            if len(self._queries) >= _QUERIES_KEPT:
                self._queries.clear()
            self._queries[query] = (await vectors_of(self._encoder, [usual_spelling(query)], queries=True))[0]
        return self._queries[query]

    async def _held(self, numbers: Sequence[int]) -> dict[int, Vectors]:
        """The vectors of these rows, from memory, from the library, or computed and stored; deleted rows have none."""
        change = self._database.last_change()
        if change != self._change or len(self._vectors) > _VECTORS_KEPT:
            self._vectors, self._change = {}, change
        vectors = self._vectors
        if missing := [number for number in numbers if number not in vectors]:
            vectors.update(await asyncio.to_thread(self._stored, missing))
        if missing := [number for number in numbers if number not in vectors]:
            vectors.update(await self._computed(missing))
        return vectors

    def _stored(self, numbers: Iterable[int]) -> dict[int, Vectors]:
        with self._database.read() as connection:
            rows, stored = vector_rows.read(connection, self._name, numbers, self._encoder.dimensions)
        return dict(zip(rows, stored, strict=True))

    async def _computed(self, numbers: Sequence[int]) -> dict[int, Vectors]:
        with self._database.read() as connection:
            page = vector_rows.texts_of(connection, numbers)
        computed = await vectors_of(self._encoder, [one.text for one in page])
        await asyncio.to_thread(self._keep, page, computed)
        return dict(zip((one.number for one in page), vector_rows.as_stored(computed), strict=True))

    def _keep(self, page: Sequence[vector_rows.PaperToEmbed], computed: Vectors) -> None:
        """A search must not fail because its vectors cannot be kept: then they are computed again."""
        if self._database.read_only or not page:
            return
        try:
            vector_rows.keep_beside(self._database, self._name, page, computed)
        except LibraryError as error:
            LOG.warning("The vectors of %d papers could not be kept: %s", len(page), error)


def blend(first: Scores, similarity: Scores) -> Scores:
    """Scores of both stages together, on the scale of `first`: both shape (n,), each relative to its best."""
    best, nearest = first.max(initial=0.0), similarity.max(initial=0.0)
    relative = similarity / nearest if nearest else similarity
    blended: Scores = (1 - ENCODER_WEIGHT) * first + ENCODER_WEIGHT * best * relative
    return blended
