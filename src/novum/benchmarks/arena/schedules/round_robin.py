"""Round robin: every pair on every topic, shuffled, so that a stopped arena is a random sample of it. Or only the pairs
of one entrant, where the others are variants of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from novum.benchmarks.arena.schedules.schedule import PairingBatch
from novum.core.arrays import Bools, Floats


@dataclass(frozen=True, eq=False)
class RoundRobin:
    """One batch of all pairings; the state is whether it was chosen."""

    present: Bools
    """Entrants × topics."""
    seed: int = 0
    reference: int | None = None
    """The entrant that all others are compared with, and not with each other; None: all pairs."""
    takes_any: ClassVar[bool] = False

    def start(self) -> bool:
        return False

    def choose(self, state: bool) -> PairingBatch:
        if state:
            return np.empty((0, 3), dtype=np.int64)
        first, second = np.triu_indices(len(self.present), 1)
        if self.reference is not None:
            its = (first == self.reference) | (second == self.reference)
            first, second = first[its], second[its]
        pair, topic = np.nonzero(self.present[first] & self.present[second])
        batch = np.column_stack([topic, first[pair], second[pair]])
        return np.random.default_rng(self.seed).permutation(batch)

    def learn(self, state: bool, batch: PairingBatch, scores: Floats) -> bool:
        return True

    def enough(self, state: bool) -> str:
        if self.reference is not None:
            return "every entrant was compared with the first one on every topic:"
        return "every pair was judged on every topic:"
