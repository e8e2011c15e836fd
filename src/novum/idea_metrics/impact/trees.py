"""Boosted trees as plain arrays, walked by all subjects through all trees at once.

XGBoost grows them; to walk them it is not needed, and loading it takes longer than scoring thousands of ideas. What is
said is the same: a column below the threshold of a node, or a missing one where the node says so, goes to the left.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Bools, Floats, Ints, Vectors

_CELLS = 2**18
"""Subjects × trees that are on their way together."""


@dataclass(frozen=True)
class Trees:
    """The `m` nodes of all trees in one row; a node's children stand behind it, those of a leaf are itself."""

    roots: Ints
    """Of each tree, shape (t,)."""
    children: Ints
    """Left and right, shape (m, 2)."""
    column: Ints
    """That a node asks for, shape (m,)."""
    threshold: NDArray[np.float32]
    missing_left: Bools
    value: Floats
    """What a leaf adds; of another node the mean of its leaves, by how much of the training reached each."""
    depth: int

    def predict(self, matrix: Vectors) -> Floats:
        """The sum over trees, shape (n,). `matrix`: single precision, as trees compare in it, shape (n, p)."""
        sums = np.zeros(len(matrix))
        for rows in self._blocks(matrix):
            node = self._start(matrix[rows])
            for _ in range(self.depth):
                node = self._next(matrix[rows], node)
            sums[rows] = self.value[node].sum(axis=1)
        return sums

    def shares(self, matrix: Vectors) -> Floats:
        """What each column adds, shape (n, p): by how much the mean moves at each node that asks for it. They and the
        mean of all roots make the prediction."""
        n, p = matrix.shape
        added = np.zeros((n, p))
        for rows in self._blocks(matrix):
            block = matrix[rows]
            base, node = np.arange(len(block))[:, None] * p, self._start(block)
            for _ in range(self.depth):
                after = self._next(block, node)
                moved = self.value[after] - self.value[node]
                where = (base + self.column[node]).ravel()
                added[rows] += np.bincount(where, moved.ravel(), len(block) * p).reshape(len(block), p)
                node = after
        return added

    def _blocks(self, matrix: Vectors) -> Iterator[slice]:
        step = max(1, _CELLS // len(self.roots))
        return (slice(begin, begin + step) for begin in range(0, len(matrix), step))

    def _start(self, block: Vectors) -> Ints:
        return np.broadcast_to(self.roots, (len(block), len(self.roots)))

    def _next(self, block: Vectors, node: Ints) -> Ints:
        """One step of each subject in each tree; whoever stands on a leaf stays there."""
        seen = np.take_along_axis(block, self.column[node], axis=1)
        left = (seen < self.threshold[node]) | (np.isnan(seen) & self.missing_left[node])
        onward: Ints = self.children.ravel()[2 * node + ~left]
        return onward
