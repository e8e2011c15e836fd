"""All vectors of a library, or a fair sample of them, read a page at a time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from novum.literature.search.whitening import Vectors
from novum.literature.store import vector_rows
from novum.literature.store.database import Database

PAGE = 20_000
_SAMPLE = 100_000
"""Vectors looked at for clustering and whitening."""


def pages(database: Database, embedder: str, dimensions: int) -> Iterator[tuple[list[int], Vectors]]:
    """All raw vectors with their row numbers, in order of these."""
    last = 0
    while True:
        with database.read() as connection:
            numbers, raw = vector_rows.page_after(connection, embedder, last, PAGE, dimensions)
        if not numbers:
            return
        yield numbers, raw
        last = numbers[-1]


def sample(database: Database, embedder: str, dimensions: int) -> Vectors:
    """Raw vectors spread evenly over the library, shape (n, d), n about 100,000 at most."""
    with database.read() as connection:
        total = vector_rows.count(connection, embedder)
    step = max(1, total // _SAMPLE)
    spread = [raw[::step] for _, raw in pages(database, embedder, dimensions)]
    return np.concatenate([np.zeros((0, spread[0].shape[1] if spread else dimensions), np.float32), *spread])
