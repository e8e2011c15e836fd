"""Boosted trees as plain arrays, evaluated for all subjects and trees at once.

XGBoost trains them; it is not needed to evaluate them, and loading it takes longer than scoring thousands of ideas. The
results are the same: a subject goes to the left child if its value is below the threshold of the node, or if its value
is missing and the node sends missing values to the left.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Bools, Floats, Ints, Vectors

_CELLS = 2**18
"""Subjects × trees that are evaluated together."""


@dataclass(frozen=True)
class Trees:
    """The `m` nodes of all trees, concatenated. Children have higher numbers than their parent; both children of a leaf
    are the leaf itself."""

    roots: Ints
    """Number of the root of each tree, shape (t,)."""
    children: Ints
    """Left and right child of each node, shape (m, 2)."""
    column: Ints
    """The column that each node tests, shape (m,)."""
    threshold: NDArray[np.float32]
    missing_left: Bools
    value: Floats
    """The value of a leaf; for another node the mean of its leaves, weighted by the training data that reached each."""
    depth: int

    def predict(self, matrix: Vectors) -> Floats:
        """The sum over all trees, shape (n,). `matrix`: shape (n, p), in single precision, in which trees compare."""
        sums = np.zeros(len(matrix))
        for rows in self._blocks(matrix):
            node = self._start(matrix[rows])
            for _ in range(self.depth):
                node = self._next(matrix[rows], node)
            sums[rows] = self.value[node].sum(axis=1)
        return sums

    def shares(self, matrix: Vectors) -> Floats:
        """Contributions of the columns, shape (n, p): the changes of the mean at the nodes that test each column. Their
        sum and the values of all roots are the prediction."""
        n, p = matrix.shape
        added = np.zeros((n, p))
        for rows in self._blocks(matrix):
            block = matrix[rows]
            base, node = np.arange(len(block))[:, None] * p, self._start(block)
            for _ in range(self.depth):
                after = self._next(block, node)
                change = self.value[after] - self.value[node]
                where = (base + self.column[node]).ravel()
                added[rows] += np.bincount(where, change.ravel(), len(block) * p).reshape(len(block), p)
                node = after
        return added

    def _blocks(self, matrix: Vectors) -> Iterator[slice]:
        step = max(1, _CELLS // len(self.roots))
        return (slice(begin, begin + step) for begin in range(0, len(matrix), step))

    def _start(self, block: Vectors) -> Ints:
        return np.broadcast_to(self.roots, (len(block), len(self.roots)))

    def _next(self, block: Vectors, node: Ints) -> Ints:
        """The next node of each subject in each tree; a leaf is its own next node."""
        values = np.take_along_axis(block, self.column[node], axis=1)
        left = (values < self.threshold[node]) | (np.isnan(values) & self.missing_left[node])
        following: Ints = self.children.ravel()[2 * node + ~left]
        return following
