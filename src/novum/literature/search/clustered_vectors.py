"""Nearest vectors among very many: faiss, clustered (IVF), in half precision.

The file is a copy of what the rows say, as of a change number. When it is opened, what was written since is added; when
it is missing, damaged, of another library or embedder, or far outgrown, it is built again by one process at a time.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self, cast

import faiss
import numpy as np

from novum.files.inputs import read_plain
from novum.literature.search.catalogue import Numbers
from novum.literature.search.locking import exclusive
from novum.literature.search.whitening import PAGE, Vectors, Whitening, pages, sample
from novum.literature.store import vector_rows
from novum.literature.store.changed_rows import removed_since
from novum.literature.store.database import Database

_LAYOUT = 3
"""Increased when the format changes: older files are then rebuilt."""
_PROBES, _PROBES_OF_FEW, _FEW = 128, 192, 1024
"""Number of clusters searched, of at most 2048: more are slower and find more. This many find at least 95 % of the ten
nearest of a million papers. Of 200,000 papers in 1024 clusters, 128 find 94.6 %, 192 find 95.7 %."""
_CLUSTERS_A_ROOT = 2.5
"""Most clusters for each square root of the number of vectors: 1024 for 200,000, 2048 for a million."""
_NARROW = 0.05
"""Below this share of allowed papers all clusters are searched, since a few might have none of them."""
_TRIES = 2
"""Another process may replace the files while they are read."""
_PATIENCE = 600.0
"""Seconds to wait for another process that builds the index, which takes minutes and a gigabyte of memory."""
_WORTH_SAVING = 0.01
"""Minimum share of new vectors for which the file is written again."""


@dataclass
class ClusteredVectors:
    """A faiss index of row numbers as of `change`; its clusters were computed from `trained` vectors."""

    database: Database
    embedder: str
    whitening: Whitening
    index: faiss.IndexIVF
    change: int
    trained: int
    unsaved: int = 0
    in_use: threading.Lock = field(default_factory=threading.Lock)
    """An index must not be searched while it is changed."""
    filtered: tuple[Numbers, faiss.IDSelector] | None = None
    """The allowed rows of the last search, in the form of faiss."""

    def __post_init__(self) -> None:
        kinds = cast("Any", faiss).DirectMap  # not in its stub
        self.index.set_direct_map_type(kinds.Hashtable)  # so that vectors can be read by row

    @classmethod
    def build(cls, database: Database, embedder: str, dimensions: int) -> Self:
        """Builds the index from the rows, page by page."""
        change = database.last_change()
        sampled = sample(database, embedder, dimensions)
        whitening = Whitening.fit(sampled)
        width = sampled.shape[1]  # an embedder that has not answered yet cannot tell
        index = faiss.index_factory(
            width, f"IVF{_clusters(len(sampled), _total(database, embedder))},SQfp16", faiss.METRIC_INNER_PRODUCT
        )
        index.train(whitening.apply(sampled))
        for numbers, raw in pages(database, embedder, width):
            index.add_with_ids(whitening.apply(raw), np.array(numbers, np.int64))
        total = int(index.ntotal)
        return cls(database, embedder, whitening, cast("faiss.IndexIVF", index), change, trained=total, unsaved=total)

    @classmethod
    def load(cls, folder: Path, database: Database, embedder: str) -> Self | None:
        """Reads the files; None when they are missing, damaged, or of another library or embedder."""
        for _ in range(_TRIES):
            with suppress(OSError, ValueError, KeyError, TypeError, RuntimeError, MemoryError):
                return cls._read(folder, database, embedder)
        return None

    @classmethod
    def _read(cls, folder: Path, database: Database, embedder: str) -> Self | None:
        state = json.loads(read_plain(folder / "state.json").decode("utf-8"))
        change, trained, generation = int(state["change"]), int(state["trained"]), state["generation"]
        if (state["layout"], state["library"], state["embedder"]) != (_LAYOUT, database.identity, embedder):
            return None
        index = faiss.read_index(str(folder / f"{generation}.faiss"))
        with np.load(folder / f"{generation}.npz") as arrays:
            whitening = Whitening(arrays["mean"], arrays["basis"])
        return cls(database, embedder, whitening, cast("faiss.IndexIVF", index), change, trained)

    def save(self, folder: Path) -> None:
        """Writes the files if enough is new and no other process does. A reader sees either the old or the new files.
        Raises LibraryError."""
        if self.unsaved <= _WORTH_SAVING * self.index.ntotal:
            return
        with exclusive(folder) as alone:
            if alone:
                self.write(folder)

    def write(self, folder: Path) -> None:
        """Writes the files. The caller has the lock of the folder."""
        generation = f"{self.change}-{os.getpid()}"
        faiss.write_index(self.index, str(folder / f"{generation}.faiss"))
        np.savez(folder / f"{generation}.npz", mean=self.whitening.mean, basis=self.whitening.basis)
        state = {
            "layout": _LAYOUT,
            "library": self.database.identity,
            "embedder": self.embedder,
            "generation": generation,
            "change": self.change,
            "trained": self.trained,
        }
        fresh = folder / f"{generation}.json"
        fresh.write_text(json.dumps(state), "utf-8")
        fresh.replace(folder / "state.json")
        for old in folder.iterdir():
            if old.suffix in {".faiss", ".npz", ".json"} and old.stem not in {generation, "state"}:
                old.unlink(missing_ok=True)
        self.unsaved = 0

    def __len__(self) -> int:
        return int(self.index.ntotal)

    @property
    def outgrown(self) -> bool:
        """Whether so many vectors were added that the clusters have to be recomputed."""
        return len(self) > 2 * self.trained

    def catch_up(self) -> None:
        """Adds what was written since `change`."""
        now = self.database.last_change()
        with self.database.read() as connection:
            fresh = vector_rows.changed_since(connection, self.embedder, self.change)
        deleted = [*removed_since(self.database, self.change)]
        if fresh or deleted:
            with self.in_use:
                self.index.remove_ids(faiss.IDSelectorArray(np.array(fresh + deleted, np.int64)))
        for start in range(0, len(fresh), PAGE):
            with self.database.read() as connection:
                numbers, raw = vector_rows.read(connection, self.embedder, fresh[start : start + PAGE], self.index.d)
            with self.in_use:
                self.index.add_with_ids(self.whitening.apply(raw), np.array(numbers, np.int64))
        self.change = now
        self.unsaved += len(fresh) + len(deleted)

    def nearest(self, query: Vectors, k: int, allowed: Numbers | None) -> list[int]:
        """Rows of about the `k` nearest to the whitened unit vector `query`, shape (d,), nearest first."""
        among = len(self) if allowed is None else len(allowed)
        if not among:
            return []
        selector = None if allowed is None else self._selector(allowed)
        probes = clusters_searched(self.index.nlist)
        found = [] if among < _NARROW * len(self) else self._probe(query, k, probes, selector)
        # where few clusters hold them, as with a field far from the question, all are searched
        return found if len(found) >= min(k, among) else self._probe(query, k, self.index.nlist, selector)

    def _probe(self, query: Vectors, k: int, clusters: int, selector: faiss.IDSelector | None) -> list[int]:
        parameters = faiss.SearchParametersIVF()
        parameters.nprobe = clusters
        if selector is not None:
            parameters.sel = selector
        with self.in_use:
            _, numbers = self.index.search(query[None, :], k, params=parameters)
        return [int(number) for number in numbers[0] if number >= 0]

    def _selector(self, allowed: Numbers) -> faiss.IDSelector:
        if self.filtered is None or self.filtered[0] is not allowed:
            self.filtered = allowed, _selector(allowed)
        return self.filtered[1]

    def units(self, numbers: Iterable[int]) -> dict[int, Vectors]:
        """Whitened unit vectors of those rows that have one."""
        found: dict[int, Vectors] = {}
        with self.in_use:
            for number in numbers:
                with suppress(RuntimeError):  # raised by faiss for a row that it does not have
                    found[number] = self.index.reconstruct(number)
        return found


def current_clusters(
    folder: Path, database: Database, embedder: str, dimensions: int, before: ClusteredVectors | None
) -> ClusteredVectors:
    """`before` or the index in the files, with what was written since, or a new index. Raises LibraryError when the
    files cannot be written."""
    index = _update(before or ClusteredVectors.load(folder, database, embedder))
    if index:
        index.save(folder)
        return index
    with exclusive(folder, _PATIENCE) as alone:
        index = _update(ClusteredVectors.load(folder, database, embedder))
        if index is None:
            index = ClusteredVectors.build(database, embedder, dimensions)
            if alone:
                index.write(folder)
    return index


def _update(index: ClusteredVectors | None) -> ClusteredVectors | None:
    """The index with what was written since. None when it is outgrown, or ahead of the database, which was restored
    from a copy."""
    if index is None or index.change > index.database.last_change():
        return None
    index.catch_up()
    return None if index.outgrown else index


def _selector(numbers: Numbers) -> faiss.IDSelector:
    """One bit for each row: building a set of a million numbers in faiss would take longer than the search."""
    bits = np.zeros(int(numbers[-1]) + 1, bool)
    bits[numbers] = True
    bitmap = cast("Any", faiss.IDSelectorBitmap)  # its stub knows the C++ arguments, not the array it takes
    return cast("faiss.IDSelector", bitmap(np.packbits(bits, bitorder="little")))


def clusters_searched(clusters: int) -> int:
    """The number of clusters that a search looks into, of `clusters`."""
    return _PROBES_OF_FEW if clusters <= _FEW else _PROBES


def _total(database: Database, embedder: str) -> int:
    with database.read() as connection:
        return vector_rows.count(connection, embedder)


def _clusters(sampled: int, total: int) -> int:
    """Number of clusters for a sample out of `total` vectors: at least 39 sampled ones each, as faiss requires, at most
    2048, and so few that `_PROBES` of them hold enough of a smaller library."""
    return int(2 ** np.clip(np.log2(min(sampled / 39, _CLUSTERS_A_ROOT * total**0.5)) // 1, 6, 11))
