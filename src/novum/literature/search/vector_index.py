"""The vectors of a library, updated from its rows: all in memory while they are few, clustered when they are many, or
on the database server, if its URL asks for that."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self

import numpy as np

from novum.literature.search.catalogue import Numbers
from novum.literature.search.pgvector import PgVectors
from novum.literature.search.whitening import Vectors, Whitening, cosines
from novum.literature.store import vector_rows
from novum.literature.store.database import Database

if TYPE_CHECKING:
    from novum.literature.search.clustered_vectors import ClusteredVectors


class Nearest(Protocol):
    """Whitened unit vectors by row number."""

    @property
    def whitening(self) -> Whitening:
        """The transformation of stored vectors."""
        ...

    def __len__(self) -> int: ...

    def nearest(self, query: Vectors, k: int, allowed: Numbers | None) -> list[int]:
        """Rows of the `k` nearest to the whitened unit vector `query`, shape (d,), nearest first; `allowed`: among
        these rows, ascending."""
        ...

    def units(self, numbers: Iterable[int]) -> dict[int, Vectors]:
        """Whitened unit vectors of those rows that have one, shape (d,) each."""
        ...


class ExactVectors:
    """All vectors of a library in memory."""

    def __init__(self, numbers: Numbers, raw: Vectors) -> None:
        self._numbers = numbers
        self.whitening = Whitening.fit(raw)
        self._units = self.whitening.apply(raw)

    @classmethod
    def load(cls, database: Database, embedder: str, dimensions: int) -> Self:
        """Reads all vectors from the rows."""
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


EXACT_UP_TO = 20_000
"""Papers. Comparing with all of them takes about two milliseconds and needs no files."""


class VectorIndex:
    """Opens the kind of index that fits the size of the library, and changes it when the library grows."""

    def __init__(self, database: Database, embedder: str, dimensions: int, folder: Path) -> None:
        self._database = database
        self._embedder = embedder
        self._dimensions = dimensions
        self._folder = folder
        self.current: Nearest | None = None
        self._on_server = PgVectors(database, embedder, dimensions) if database.server_vectors else None
        self._many: ClusteredVectors | None = None

    def catch_up(self, exact_up_to: int = EXACT_UP_TO) -> None:
        """Updates `current` from the rows."""
        if self._on_server:
            self._on_server.catch_up()
            self.current = self._on_server
        elif not self._many and not self._more_than(exact_up_to):
            self.current = ExactVectors.load(self._database, self._embedder, self._dimensions)
        else:
            from novum.literature.search.clustered_vectors import current_clusters  # noqa: PLC0415  small libraries need no faiss

            self._many = current_clusters(self._folder, self._database, self._embedder, self._dimensions, self._many)
            self.current = self._many

    def _more_than(self, papers: int) -> bool:
        with self._database.read() as connection:
            return vector_rows.more_than(connection, self._embedder, papers)
