"""All features of pairs of concepts in one table, the same whichever of the two is named first."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from novum.literature.embedding import Vectors
from novum.opportunities.features.alone import ALONE, alone
from novum.opportunities.features.company import COMPANY, Company
from novum.opportunities.features.overlap import OVERLAP, Overlap
from novum.opportunities.features.position import POSITION, Position
from novum.opportunities.snapshot import Floats, Snapshot
from novum.opportunities.tokens import Ints

COLUMNS = (
    *(f"{name}_of_{which}" for name in ALONE for which in ("lesser", "greater")),
    *COMPANY,
    *POSITION,
    *OVERLAP,
)
_AT_ONCE = 50_000


@dataclass(frozen=True, eq=False)
class Features:
    """Of one year. `fewest`: papers of a concept among which sizes are ranked; `drawn`: the map, where it was kept."""

    snapshot: Snapshot
    fewest: int
    seed: int
    drawn: tuple[Vectors, Ints] | None = None

    @cached_property
    def alone(self) -> Floats:
        """Of single concepts, shape (concepts, len(ALONE))."""
        return alone(self.snapshot, self.fewest)

    @cached_property
    def company(self) -> Company:
        """Common neighbours."""
        return Company(self.snapshot)

    @cached_property
    def position(self) -> Position:
        """The map."""
        return Position(self.snapshot, self.seed, self.drawn)

    @cached_property
    def overlap(self) -> Overlap:
        """What is shared."""
        return Overlap(self.snapshot)

    def of(self, one: Ints, other: Ints) -> Vectors:
        """Shape (pairs, len(COLUMNS)), single precision; NaN where nothing is known. Memory is bounded but for it."""
        made = np.empty((len(one), len(COLUMNS)), np.float32)
        for begin in range(0, len(one), _AT_ONCE):
            some = slice(begin, begin + _AT_ONCE)
            made[some] = self._block(one[some], other[some])
        return made

    def _block(self, one: Ints, other: Ints) -> Floats:
        mine, theirs = self.alone[one], self.alone[other]
        ends = np.stack([np.minimum(mine, theirs), np.maximum(mine, theirs)], axis=2).reshape(len(one), -1)
        parts = (part.of(one, other) for part in (self.company, self.position, self.overlap))
        return np.concatenate([ends, *parts], axis=1)
