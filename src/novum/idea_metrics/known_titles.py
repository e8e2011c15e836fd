"""The titles of the training papers of a model as hashes, so that evaluations can leave these papers out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from novum.core import normal_title
from novum.core.arrays import Ints, positions_in
from novum.idea_metrics.publication_history import hashed

_TITLES = "titles"


@dataclass(frozen=True, eq=False)
class KnownTitles:
    """Hashes of eight bytes of normalised titles, ascending. With a million titles, one of 10¹³ other titles is taken
    for known."""

    hashes: Ints

    @classmethod
    def of(cls, titles: Iterable[str]) -> Self:
        """The hashes of titles; a title without letters or digits is ignored."""
        return cls(np.unique(hashed(normal for title in titles if (normal := normal_title(title)))))

    def __len__(self) -> int:
        return len(self.hashes)

    def __contains__(self, title: str) -> bool:
        normal = normal_title(title)
        return bool(normal) and bool(positions_in(self.hashes, hashed([normal]))[0] >= 0)

    def arrays(self) -> dict[str, Ints]:
        """The arrays to store."""
        return {_TITLES: self.hashes}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> Self:
        """The titles from stored arrays. Raises KeyError or ValueError where these are damaged."""
        hashes = arrays[_TITLES].astype(np.int64)
        if hashes.ndim != 1 or (hashes[1:] <= hashes[:-1]).any():
            raise ValueError("hashes of titles are damaged")
        return cls(hashes)
