"""Papers near a topic, by vectors stored with the concept map, so that a search does not open an index of the
library."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Ints, Vectors
from novum.literature import Library
from novum.literature.embedding import vectors_of
from novum.literature.search.whitening import Whitening, cosines
from novum.literature.store.storable import storable
from novum.opportunities.paper_columns import DatedPapers

_MOST = 200_000
"""Papers at most, spread evenly over the years, which is enough to find the concepts of a topic."""
_FITTED_ON = 20_000
_AT_ONCE = 10_000


@dataclass(frozen=True, eq=False)
class NearPapers:
    """Vectors of dated papers. `rows`: of the papers, ascending, shape (n,); `units`: their whitened vectors in half
    precision, shape (n, d)."""

    whitening: Whitening
    rows: NDArray[np.int32]
    units: NDArray[np.float16]

    @classmethod
    def of(cls, library: Library, dated: DatedPapers) -> Self:
        """The vectors of embedded papers. Raises LibraryError."""
        whitening = Whitening.fit(_raw(library, dated, _spread(len(dated), _FITTED_ON))[1])
        rows, units = [np.zeros(0, np.int32)], [np.zeros((0, len(whitening.mean)), np.float16)]
        selected = _spread(len(dated), _MOST)
        for begin in range(0, len(selected), _AT_ONCE):
            embedded, raw = _raw(library, dated, selected[begin : begin + _AT_ONCE])
            rows.append(embedded.astype(np.int32))
            units.append(whitening.apply(raw).astype(np.float16))
        return cls(whitening, np.concatenate(rows), np.concatenate(units))

    @classmethod
    def from_stored(cls, columns: Mapping[str, NDArray[np.generic]], papers: int) -> Self:
        """The vectors from stored columns. Raises ValueError where these are damaged."""
        rows, units = columns["rows"].astype(np.int32), columns["vectors"]
        mean, basis = columns["mean"].astype(np.float32), columns["basis"].astype(np.float32)
        width = len(mean)
        is_valid = units.shape == (len(rows), width) and basis.shape == (width, width) and units.dtype == np.float16
        if not is_valid or (len(rows) and (rows.min() < 0 or rows.max() >= papers)):
            raise ValueError("the vectors of its papers are damaged")
        return cls(Whitening(mean, basis), rows, units.astype(np.float16, copy=False))

    def columns(self) -> dict[str, NDArray[np.generic]]:
        """The columns to store."""
        return {
            "rows": self.rows,
            "vectors": self.units,
            "mean": self.whitening.mean,
            "basis": self.whitening.basis,
        }

    async def nearest(self, library: Library, topic: str, k: int) -> Ints:
        """Rows of the `k` papers nearest to the topic, nearest first, ties by row. Raises LibraryError where the
        embedder fails."""
        if not len(self.rows):
            return np.zeros(0, np.int64)
        raw = await vectors_of(library.embedder, [storable(topic)], queries=True)
        vector = self.whitening.apply(raw)[0]
        near = np.concatenate([self._cosines(vector, begin) for begin in range(0, len(self.rows), _AT_ONCE)])
        best = np.lexsort((self.rows, -near))[:k]
        return self.rows[best].astype(np.int64)

    def _cosines(self, vector: Vectors, begin: int) -> Vectors:
        return cosines(np.asarray(self.units[begin : begin + _AT_ONCE], np.float32), vector)


def _spread(papers: int, most: int) -> Ints:
    """The rows of all papers, or `most` rows at equal distances."""
    return np.unique(np.linspace(0, papers - 1, min(papers, most)).round().astype(np.int64))


def _raw(library: Library, dated: DatedPapers, rows: Ints) -> tuple[Ints, Vectors]:
    """The rows whose papers have a vector, and these vectors, shape (n, d)."""
    names = np.asarray(dated.tokens.paper_id)[rows].tolist()
    of_row = {name.decode(): row for name, row in zip(names, rows.tolist(), strict=True)}
    ids, raw = library.vectors(of_row)
    return np.array([of_row[name] for name in ids], np.int64), raw
