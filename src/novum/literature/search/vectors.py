"""The vectors of a library, kept in step with its rows: all in memory while they are few, clustered when many; or
on the database server, where its URL says so."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from novum.literature.search.exact import ExactVectors
from novum.literature.search.nearest import Nearest
from novum.literature.search.pgvector import PgVectors
from novum.literature.store import vector_rows
from novum.literature.store.database import Database

if TYPE_CHECKING:
    from novum.literature.search.clustered import ClusteredVectors

EXACT_UP_TO = 20_000
"""Papers. Comparing with all of them takes about two milliseconds here, and needs no files."""


class VectorIndex:
    """Opens whichever kind fits the size, and moves from one to the other as the library grows."""

    def __init__(self, database: Database, embedder: str, dimensions: int, folder: Path) -> None:
        self._database = database
        self._embedder = embedder
        self._dimensions = dimensions
        self._folder = folder
        self.current: Nearest | None = None
        self._on_server = PgVectors(database, embedder, dimensions) if database.server_vectors else None
        self._many: ClusteredVectors | None = None

    def catch_up(self, exact_up_to: int = EXACT_UP_TO) -> None:
        """Bring `current` in step with the rows."""
        if self._on_server:
            self._on_server.catch_up()
            self.current = self._on_server
        elif not self._many and not self._more_than(exact_up_to):
            self.current = ExactVectors.load(self._database, self._embedder, self._dimensions)
        else:
            self.current = self._many = self._clustered()

    def _more_than(self, papers: int) -> bool:
        with self._database.read() as connection:
            return vector_rows.more_than(connection, self._embedder, papers)

    def _clustered(self) -> ClusteredVectors:
        from novum.literature.search.clustered import ClusteredVectors  # noqa: PLC0415  small libraries need no faiss

        index = self._many or ClusteredVectors.load(self._folder, self._database, self._embedder)
        if index and index.change > self._database.last_change():
            index = None  # the database was put back from a copy: what else is here, it never heard of
        if index:
            index.catch_up()
        if index is None or index.outgrown:
            index = ClusteredVectors.build(self._database, self._embedder, self._dimensions)
        index.save(self._folder)
        return index
