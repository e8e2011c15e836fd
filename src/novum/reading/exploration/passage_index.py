"""The passages of one session, found by the cosine of their vectors, in a FAISS index that ends with the session."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import faiss
import numpy as np
from numpy.typing import NDArray

from novum.errors import LibraryError
from novum.literature import Embedder
from novum.reading.exploration.passages import Passage

Vectors = NDArray[np.float32]
_CENTRE_PRIOR = 16
"""Passages' worth of belief that they share nothing: a few passages are no measure of what all have in common."""


@dataclass(frozen=True)
class NearPassage:
    """A passage and its cosine to a query."""

    passage: Passage
    similarity: float


class PassageIndex:
    """Grows as papers are found. Vectors are kept as the embedder gives them; those compared are centred on all that
    the session holds, since what all its passages share tells nothing about any of them.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.passages: list[Passage] = []
        self._embedder = embedder
        self._raw: Vectors = np.zeros((0, 0), np.float32)
        self._centre = np.zeros(0, np.float32)
        self._units = self._raw
        self._faiss: faiss.IndexFlatIP | None = None

    async def add(self, passages: Sequence[Passage]) -> None:
        """Takes in passages that it does not hold yet. Raises LibraryError when the embedder's vectors do not fit."""
        if not passages:
            return
        made = await self._embed([passage.embedded for passage in passages])
        self._raw = np.concatenate([self._raw, made]) if self.passages else made
        self.passages += passages
        self._centre = self._raw.sum(axis=0) / (len(self._raw) + _CENTRE_PRIOR)
        self._units = self._unit(self._raw)
        self._faiss = faiss.IndexFlatIP(self._units.shape[1])
        self._faiss.add(self._units)

    async def nearest(self, query: str) -> list[NearPassage]:
        """All passages, nearest first."""
        if self._faiss is None:
            return []
        similarities, places = self._faiss.search(self._unit(await self._embed([query])), len(self.passages))
        return [
            NearPassage(self.passages[at], float(cosine)) for cosine, at in zip(similarities[0], places[0], strict=True)
        ]

    def likeness(self, passages: Iterable[Passage]) -> Vectors:
        """Cosine of each of n passages with each, shape (n, n)."""
        place = {passage.key: at for at, passage in enumerate(self.passages)}
        units = self._units[[place[passage.key] for passage in passages]]
        cosines: Vectors = units @ units.T
        return cosines

    def _unit(self, raw: Vectors) -> Vectors:
        """Centred and of length 1; the zero vector of an empty text stays zero."""
        centred = np.where(raw.any(axis=1, keepdims=True), raw - self._centre, 0)
        lengths = np.linalg.norm(centred, axis=1, keepdims=True)
        unit: Vectors = np.ascontiguousarray(centred / np.where(lengths == 0, 1, lengths), dtype=np.float32)
        return unit

    async def _embed(self, texts: Sequence[str]) -> Vectors:
        made = np.asarray(await self._embedder.embed(texts), dtype=np.float32)
        fits = made.ndim == 2 and len(made) == len(texts) and (not self.passages or made.shape[1] == self._raw.shape[1])
        if not fits or not np.isfinite(made).all():
            raise LibraryError(
                f"The embedder {self._embedder.name} returned vectors of shape {made.shape} for {len(texts)} passages: "
                "check its model, or go on with the built-in one (setting `embedder`)."
            )
        return made
