"""Which papers a model has seen, by hashes of their titles: what it learnt from tells nothing of how good it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from novum.core import normal_title
from novum.core.arrays import Ints
from novum.idea_metrics.publication_history import hashed

_TITLES = "titles"


@dataclass(frozen=True, eq=False)
class KnownTitles:
    """`hashes`: eight bytes for each title without case, accents and punctuation, ascending. Of a million titles one in
    ten million million others is taken for known."""

    hashes: Ints

    @classmethod
    def of(cls, titles: Iterable[str]) -> Self:
        """A title without letters or digits is none."""
        return cls(np.unique(hashed(normal for title in titles if (normal := normal_title(title)))))

    def __len__(self) -> int:
        return len(self.hashes)

    def __contains__(self, title: str) -> bool:
        wanted = hashed([normal_title(title)])[0]
        place = int(np.searchsorted(self.hashes, wanted))
        return bool(normal_title(title)) and place < len(self.hashes) and bool(self.hashes[place] == wanted)

    def arrays(self) -> dict[str, Ints]:
        """As it is kept."""
        return {_TITLES: self.hashes}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> Self:
        """Back from `arrays`. Raises KeyError or ValueError where they are damaged."""
        hashes = arrays[_TITLES].astype(np.int64)
        if hashes.ndim != 1 or (hashes[1:] <= hashes[:-1]).any():
            raise ValueError("hashes of titles are damaged")
        return cls(hashes)
