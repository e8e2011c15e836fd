"""What every kind of vector index can do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from novum.literature.search.catalogue import Numbers
from novum.literature.search.whitening import Vectors, Whitening


class Nearest(Protocol):
    """Whitened unit vectors by row number."""

    @property
    def whitening(self) -> Whitening:
        """What raw vectors go through."""
        ...

    def __len__(self) -> int: ...

    def nearest(self, query: Vectors, k: int, allowed: Numbers | None) -> list[int]:
        """Rows of the `k` nearest to the whitened unit vector `query`, shape (d,), nearest first; `allowed`: among
        these rows, ascending."""
        ...

    def units(self, numbers: Iterable[int]) -> dict[int, Vectors]:
        """Whitened unit vectors of those rows that have one, shape (d,) each."""
        ...
