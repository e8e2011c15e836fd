"""All indexes of a library behind one door: catch up with the rows, then answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from novum.errors import LibraryError
from novum.literature.embedding import Embedder, Vectors
from novum.literature.filters import Filters
from novum.literature.index.catalogue import Catalogue
from novum.literature.index.exact import ExactVectors
from novum.literature.index.fusion import Fused, fuse
from novum.literature.index.text import TextIndex
from novum.literature.index.vectors import VectorIndex
from novum.literature.index.whitening import cosines
from novum.literature.store import vector_rows
from novum.literature.store.database import Database
from novum.literature.store.rows import indexed_text

if TYPE_CHECKING:
    from novum.literature.index.clustered import ClusteredVectors

_EMBED_AT_ONCE = 1000
_CANDIDATES = 100
"""At least so many of each kind are looked at before fusing."""


class Indexes:
    """Full text, vectors and catalogue of one library, with the embedder that its vectors come from."""

    def __init__(self, database: Database, folder: Path, embedder: Embedder) -> None:
        self.text = TextIndex(database, folder / "text")
        self.change = -1
        """The rows up to this change number are in all indexes."""
        self._database = database
        self._embedder = embedder
        self._vectors = VectorIndex(database, embedder.name, embedder.dimensions, folder / "vectors")
        self._catalogue = Catalogue.empty()
        self._busy = Lock()

    async def catch_up(self) -> None:
        """Embed what has no vector yet and bring every index in step with the rows; nothing to do costs one look-up.

        Raises LibraryError when the library's vectors are another embedder's, or an index cannot be written.
        """
        if self._database.last_change() == self.change:
            return
        async with self._alone():
            if self._database.last_change() != self.change:
                await self._embed()
                await asyncio.to_thread(self._derive)

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        """One catch-up at a time, whichever thread or event loop asks. Waiting can be cancelled."""
        while not self._busy.acquire(blocking=False):  # noqa: ASYNC110  no asyncio event serves several loops
            await asyncio.sleep(0.005)
        try:
            yield
        finally:
            self._busy.release()

    async def _embed(self) -> None:
        self._check_embedder()
        since = vector_rows.embedded_to(self._database, self._embedder.name)
        while page := vector_rows.without_vector(self._database, self._embedder.name, since, _EMBED_AT_ONCE):
            made = await self._embedded([indexed_text(one.paper) for one in page])
            vector_rows.keep(self._database, self._embedder.name, page, made)
            since = page[-1].change

    def _check_embedder(self) -> None:
        held = self._database.fact("embedder")
        if held not in {None, self._embedder.name}:
            raise LibraryError(
                f"The vectors of {self._database.place} were made with {held}, not with {self._embedder.name}: "
                f"go on with {held} (setting `embedder`), or bring the papers into a new library."
            )

    async def _embedded(self, texts: Sequence[str]) -> Vectors:
        made = np.asarray(await self._embedder.embed(texts), dtype=np.float32)
        wanted = (len(texts), self._embedder.dimensions)
        if made.shape != wanted or not np.isfinite(made).all():
            raise LibraryError(
                f"The embedder {self._embedder.name} returned vectors of shape {made.shape} where finite ones of "
                f"{wanted} were asked for: check its model and `dimensions`."
            )
        return made

    def _derive(self) -> None:
        change = self._database.last_change()
        self.text.catch_up()
        self._vectors.catch_up()
        self._catalogue = Catalogue.load(self._database)
        self.change = change

    @property
    def _near(self) -> ExactVectors | ClusteredVectors:
        if self._vectors.current is None:
            raise LibraryError("The indexes were asked before they had caught up with the library.")
        return self._vectors.current

    async def vector(self, text: str) -> Vectors:
        """The whitened unit vector of a text, shape (d,)."""
        raw = await self._embedded([text])
        unit: Vectors = self._near.whitening.apply(raw)[0]
        return unit

    def search(self, text: str, vector: Vectors, k: int, filters: Filters, excluded: Sequence[int]) -> list[Fused]:
        """The best `k` rows for a text and its vector, by words and meaning together."""
        pool = max(_CANDIDATES, 2 * k)
        worded = self.text.search(text, pool, filters, excluded)
        near = self._near.nearest(vector, pool, self._catalogue.passing(filters, excluded))
        similarities = self.similarities(vector, dict.fromkeys([*worded, *near]))
        return fuse(worded, near, similarities, all_texts=len(worded) < pool)[:k]

    def nearest(self, vector: Vectors, k: int, filters: Filters, excluded: Sequence[int]) -> dict[int, float]:
        """The `k` rows whose vectors are nearest, with their cosines, nearest first, ties by row."""
        near = self._near.nearest(vector, k, self._catalogue.passing(filters, excluded))
        similarities = self.similarities(vector, near)
        return dict(sorted(similarities.items(), key=lambda one: (-one[1], one[0])))

    def similarities(self, vector: Vectors, numbers: Iterable[int]) -> dict[int, float]:
        """Cosine of each row's vector with `vector`, in the order given; 0 for a row without one."""
        wanted = list(numbers)
        units = self._near.units(wanted)
        rows = [number for number in wanted if number in units]
        near = cosines(np.stack([units[number] for number in rows]), vector) if rows else ()
        return dict.fromkeys(wanted, 0.0) | {row: float(cosine) for row, cosine in zip(rows, near, strict=True)}

    async def cosines(self, vector: Vectors, texts: Sequence[str]) -> list[float]:
        """Cosine of each text with `vector`."""
        if not texts:
            return []
        units = self._near.whitening.apply(await self._embedded(texts))
        return [float(cosine) for cosine in cosines(units, vector)]
