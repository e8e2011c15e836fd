"""Nearest vectors among very many: faiss, clustered (IVF) and in eight bits a number (SQ8).

The file is a copy of what the rows say, as of a change number. On opening it catches up; when it is missing, damaged,
of another embedder or far outgrown, it is built anew.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Self

import faiss
import numpy as np
from sqlalchemy import select

from novum.literature.index.catalogue import Numbers
from novum.literature.index.whitening import Vectors, Whitening
from novum.literature.store import vector_rows
from novum.literature.store.database import Database
from novum.literature.store.schema import removed

_PAGE = 20_000
_SAMPLE = 100_000
"""Vectors looked at for clustering and whitening."""
_PROBES = 32
"""Clusters searched: recall 0.98 at a million."""
_NARROW = 0.05
"""Below this share of papers allowed, a few clusters might hold none of them, so all are searched."""
_WORTH_SAVING = 0.01
"""Share of new vectors from which the file is written again."""


class ClusteredVectors:
    """A faiss index over row numbers, true as of `change`."""

    def __init__(
        self, index: faiss.Index, whitening: Whitening, database: Database, embedder: str, change: int, trained: int
    ) -> None:
        self._index = index
        self.whitening = whitening
        self._database = database
        self._embedder = embedder
        self.change = change
        self._trained = trained
        self._unsaved = index.ntotal
        self._in_use = threading.Lock()

    @classmethod
    def build(cls, database: Database, embedder: str, dimensions: int) -> Self:
        """From the rows, a page at a time."""
        change = database.last_change()
        sample = _sample(database, embedder, dimensions)
        whitening = Whitening.fit(sample)
        clusters = max(64, 2 ** int(np.log2(2 * np.sqrt(len(sample) * 10))))
        index = faiss.index_factory(dimensions, f"IVF{min(clusters, len(sample) // 39)},SQ8", faiss.METRIC_INNER_PRODUCT)
        index.train(whitening.apply(sample))
        made = cls(index, whitening, database, embedder, change, len(sample))
        last, trained = 0, 0
        while True:
            with database.read() as connection:
                numbers, raw = vector_rows.page_after(connection, embedder, last, _PAGE, dimensions)
            if not numbers:
                break
            index.add_with_ids(whitening.apply(raw), np.array(numbers, np.int64))
            last, trained = numbers[-1], trained + len(numbers)
        made._trained, made._unsaved = trained, trained
        return made

    @classmethod
    def load(cls, folder: Path, database: Database, embedder: str) -> Self | None:
        """From its files; None when they are missing, damaged or not of this embedder."""
        try:
            state = json.loads((folder / "state.json").read_text("utf-8"))
            if state["embedder"] != embedder:
                return None
            index = faiss.read_index(str(folder / f"{state['generation']}.faiss"))
            with np.load(folder / f"{state['generation']}.npz") as arrays:
                whitening = Whitening(arrays["mean"], arrays["basis"])
            made = cls(index, whitening, database, embedder, int(state["change"]), int(state["trained"]))
        except (OSError, ValueError, KeyError, TypeError, RuntimeError, MemoryError):
            return None
        made._unsaved = 0
        return made

    def save(self, folder: Path) -> None:
        """Write the files if enough is new; a reader sees the old ones or the new ones, never a mixture."""
        if self._unsaved <= _WORTH_SAVING * self._index.ntotal:
            return
        folder.mkdir(parents=True, exist_ok=True)
        generation = f"{self.change}-{os.getpid()}"
        faiss.write_index(self._index, str(folder / f"{generation}.faiss"))
        np.savez(folder / f"{generation}.npz", mean=self.whitening.mean, basis=self.whitening.basis)
        state = {
            "embedder": self._embedder,
            "generation": generation,
            "change": self.change,
            "trained": self._trained,
        }
        fresh = folder / f"{generation}.json"
        fresh.write_text(json.dumps(state), "utf-8")
        fresh.replace(folder / "state.json")
        for old in folder.iterdir():
            if old.suffix in {".faiss", ".npz"} and old.stem != generation:
                old.unlink(missing_ok=True)
        self._unsaved = 0

    def __len__(self) -> int:
        return int(self._index.ntotal)

    @property
    def outgrown(self) -> bool:
        """So much has come since that its clusters no longer fit."""
        return len(self) > 2 * self._trained

    def catch_up(self) -> None:
        """Take in what was written since `change`."""
        now = self._database.last_change()
        with self._database.read() as connection:
            fresh = vector_rows.changed_since(connection, self._embedder, self.change)
            gone = list(connection.execute(select(removed.c.number).where(removed.c.change > self.change)).scalars())
        if fresh or gone:
            with self._in_use:
                self._index.remove_ids(faiss.IDSelectorBatch(np.array(fresh + gone, np.int64)))
        for start in range(0, len(fresh), _PAGE):
            with self._database.read() as connection:
                numbers, raw = vector_rows.read(
                    connection, self._embedder, fresh[start : start + _PAGE], self._index.d
                )
            with self._in_use:
                self._index.add_with_ids(self.whitening.apply(raw), np.array(numbers, np.int64))
        self.change = now
        self._unsaved += len(fresh) + len(gone)

    def nearest(self, query: Vectors, k: int, allowed: Numbers | None) -> list[int]:
        """Rows of about the `k` nearest to the whitened unit vector `query`, shape (d,), nearest first."""
        parameters = faiss.SearchParametersIVF(nprobe=_PROBES)
        if allowed is not None:
            if not len(allowed):
                return []
            narrow = len(allowed) < _NARROW * len(self)
            parameters = faiss.SearchParametersIVF(
                nprobe=self._index.nlist if narrow else _PROBES, sel=faiss.IDSelectorBatch(allowed)
            )
        with self._in_use:
            _, numbers = self._index.search(query[None, :], k, params=parameters)
        return [int(number) for number in numbers[0] if number >= 0]

    def units(self, numbers: Iterable[int]) -> dict[int, Vectors]:
        """Whitened unit vectors of those rows that have one, from the rows: the index itself only approximates them."""
        with self._database.read() as connection:
            found, raw = vector_rows.read(connection, self._embedder, numbers, self._index.d)
        return dict(zip(found, self.whitening.apply(raw), strict=True))


def _sample(database: Database, embedder: str, dimensions: int) -> Vectors:
    """Raw vectors spread evenly over the library, at most about `_SAMPLE`."""
    with database.read() as connection:
        total = vector_rows.count(connection, embedder)
    step = max(1, total // _SAMPLE)
    kept: list[Vectors] = []
    last = 0
    while True:
        with database.read() as connection:
            numbers, raw = vector_rows.page_after(connection, embedder, last, _PAGE, dimensions)
        if not numbers:
            return np.concatenate(kept)
        kept.append(raw[::step])
        last = numbers[-1]
