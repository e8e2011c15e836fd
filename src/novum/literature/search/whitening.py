"""Centring and soft whitening: reduces the weight of directions that all papers of a library have in common.

Fitted on the library's own vectors, which are stored unchanged, so that it can be fitted again as the library grows.
With few papers the estimate is shrunk towards "no change": a zero mean and equal variances.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from novum.errors import LibraryError
from novum.literature.store import vector_rows
from novum.literature.store.database import Database

PAGE = 20_000
_SAMPLE = 100_000
"""Number of vectors for clustering and whitening."""


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


Vectors = NDArray[np.float32]

_STRENGTH = 0.5
"""Exponent: 0 only centres, 1 makes every direction equally important. 0.5 ranked cited papers best on real data."""
_MEAN_PRIOR = 16
"""Weight of the prior that the mean is zero, in papers."""
_TINY = 1e-30
_FLOOR = 0.05
"""Share of the mean variance added to each direction, so that noise is not amplified."""


@dataclass(frozen=True, eq=False)
class Whitening:
    """`mean` (d,) and `basis` (d, d): a vector v becomes (v - mean) @ basis, scaled to length 1."""

    mean: NDArray[np.float32]
    basis: NDArray[np.float32]

    @classmethod
    def fit(cls, sample: Vectors) -> Self:
        """Fits the transformation to raw vectors, shape (n, d); n may be 0."""
        count, dimensions = sample.shape
        if count == 0:
            return cls(np.zeros(dimensions, np.float32), np.eye(dimensions, dtype=np.float32))
        mean = sample.sum(axis=0, dtype=np.float64) / (count + _MEAN_PRIOR)
        centred = sample - mean
        variances, directions = np.linalg.eigh(centred.T @ centred / count)
        typical = max(float(variances.mean()), _TINY)
        trust = count / (count + dimensions)
        softened = np.maximum(trust * variances + (1 - trust) * typical, 0) + _FLOOR * typical
        basis = directions * (softened / typical) ** (-_STRENGTH / 2)
        return cls(mean.astype(np.float32), basis.astype(np.float32))

    def apply(self, raw: Vectors) -> Vectors:
        """Raw vectors, shape (n, d), as unit vectors; a raw zero (an empty text) stays zero. Raises LibraryError when
        they are not as long as those that it was fitted to."""
        if raw.shape[1:] != self.mean.shape:
            raise other_length(raw.shape[1], len(self.mean))
        turned = (raw - self.mean) @ self.basis
        lengths = np.linalg.norm(turned, axis=1, keepdims=True)
        silent = ~raw.any(axis=1, keepdims=True) | (lengths == 0)
        return np.where(silent, 0, turned / np.where(lengths == 0, 1, lengths)).astype(np.float32)


def other_length(given: int, held: int) -> LibraryError:
    """The failure for vectors whose length differs from that of the library's vectors."""
    return LibraryError(
        f"The embedder returned vectors of {given:,} numbers, and those of the library have {held:,}: check which "
        "model its server runs, or embed the library again under another name of the model (`novum library embed`)."
    )


def cosines(units: Vectors, vector: Vectors) -> Vectors:
    """Dot product of each row of `units`, shape (n, d), with `vector`, shape (d,).

    Not `@`: the linear-algebra library would spread so small a product over all cores, and on a busy machine wait ten
    times as long for the slowest of them as the work takes.
    """
    products: Vectors = np.vecdot(units, vector)
    return products
