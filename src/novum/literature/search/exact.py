"""Nearest vectors by comparing with all of them: exact, and below some ten thousand papers also the fastest way."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

import numpy as np

from novum.literature.search.catalogue import Numbers
from novum.literature.search.whitening import Vectors, Whitening, cosines
from novum.literature.store import vector_rows
from novum.literature.store.database import Database


class ExactVectors:
    """All vectors of a library in memory."""

    def __init__(self, numbers: Numbers, raw: Vectors) -> None:
        self._numbers = numbers
        self.whitening = Whitening.fit(raw)
        self._units = self.whitening.apply(raw)

    @classmethod
    def load(cls, database: Database, embedder: str, dimensions: int) -> Self:
        """From the rows."""
        with database.read() as connection:
            numbers, raw = vector_rows.page_after(connection, embedder, 0, 10**9, dimensions)
        return cls(np.array(numbers, np.int64), raw)

    def __len__(self) -> int:
        return len(self._numbers)

    def nearest(self, query: Vectors, k: int, allowed: Numbers | None) -> list[int]:
        """Rows of the `k` nearest to the whitened unit vector `query`, shape (d,), nearest first; ties by row."""
        numbers, similarities = self._numbers, cosines(self._units, query)
        if allowed is not None:
            among = np.isin(numbers, allowed, assume_unique=True)
            numbers, similarities = numbers[among], similarities[among]
        if k < len(numbers):
            best = np.argpartition(-similarities, k - 1)[:k]
            numbers, similarities = numbers[best], similarities[best]
        return [int(number) for number in numbers[np.lexsort((numbers, -similarities))]]

    def units(self, numbers: Iterable[int]) -> dict[int, Vectors]:
        """Whitened unit vectors of those rows that have one."""
        wanted = np.array(list(numbers), np.int64)
        places = np.searchsorted(self._numbers, wanted)
        inside = places < len(self._numbers)
        return {
            int(number): self._units[place]
            for number, place in zip(wanted[inside], places[inside], strict=True)
            if self._numbers[place] == number
        }
