"""Maximum matching of any graph: as many disjoint pairs as possible (blossom algorithm, Edmonds 1965).

SciPy matches bipartite graphs only.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from novum.core.arrays import Bools

UNMATCHED = -1


def largest_matching(edges: ArrayLike, start: Sequence[int] = ()) -> list[int]:
    """The partner of each of n nodes, or `UNMATCHED`.

    `edges` is n × n, true where two may be paired, symmetric. `start`: a matching to start from; nodes that it pairs
    stay paired with some node. The same graph and start give the same matching.
    """
    neighbours = _neighbours(np.asarray(edges, dtype=bool))
    mate = list(start) or [UNMATCHED] * len(neighbours)
    for node, others in enumerate(neighbours):
        free = (other for other in others if mate[other] == UNMATCHED)
        if mate[node] == UNMATCHED and (partner := next(free, UNMATCHED)) != UNMATCHED:
            mate[node], mate[partner] = partner, node
    for node in range(len(neighbours)):
        if mate[node] == UNMATCHED and neighbours[node]:
            _Search(neighbours, mate, node).improve()
    return mate


def _neighbours(edges: Bools) -> list[list[int]]:
    nodes, others = np.nonzero(edges)
    ends = np.searchsorted(nodes, np.arange(len(edges) + 1)).tolist()
    listed: list[int] = others.tolist()
    return [listed[start:end] for start, end in pairwise(ends)]


class _Search:
    """One search for an augmenting path: from an unmatched node to another, every second edge of it a pair."""

    def __init__(self, neighbours: Sequence[Sequence[int]], mate: list[int], root: int) -> None:
        self.neighbours, self.mate, self.root = neighbours, mate, root
        self.parent = [UNMATCHED] * len(mate)
        self.base = list(range(len(mate)))
        """Nodes of one blossom, an odd cycle shrunk to a point, have the same base."""
        self.reached = [node == root for node in range(len(mate))]
        self.queue = deque([root])

    def improve(self) -> None:
        """Adds one pair to the matching, if possible."""
        while self.queue:
            node = self.queue.popleft()
            for other in self.neighbours[node]:
                if self.base[node] == self.base[other] or self.mate[node] == other:
                    continue
                if self._is_outer(other):
                    self._shrink(node, other)
                elif self.parent[other] == UNMATCHED:
                    self.parent[other] = node
                    if self.mate[other] == UNMATCHED:
                        self._flip(other)
                        return
                    self._reach(self.mate[other])

    def _is_outer(self, node: int) -> bool:
        partner = self.mate[node]
        return node == self.root or (partner != UNMATCHED and self.parent[partner] != UNMATCHED)

    def _reach(self, node: int) -> None:
        if not self.reached[node]:
            self.reached[node] = True
            self.queue.append(node)

    def _flip(self, node: int) -> None:
        """Exchanges matched and unmatched edges along the path."""
        while node != UNMATCHED:
            before = self.parent[node]
            after = self.mate[before]
            self.mate[node], self.mate[before] = before, node
            node = after

    def _shrink(self, one: int, other: int) -> None:
        """Shrinks the odd cycle that two neighbouring outer nodes close: all its nodes become reachable."""
        stem = self._common_base(one, other)
        inside = self._down_to(stem, one, other) | self._down_to(stem, other, one)
        for node, base in enumerate(self.base):
            if base in inside:
                self.base[node] = stem
                self._reach(node)

    def _common_base(self, one: int, other: int) -> int:
        seen = set()
        node = self.base[one]
        seen.add(node)
        while self.mate[node] != UNMATCHED:
            node = self.base[self.parent[self.mate[node]]]
            seen.add(node)
        node = self.base[other]
        while node not in seen:
            node = self.base[self.parent[self.mate[node]]]
        return node

    def _down_to(self, stem: int, node: int, child: int) -> set[int]:
        """Bases between a node and the stem; each gets the parent that leads around the cycle."""
        bases = set()
        while self.base[node] != stem:
            partner = self.mate[node]
            bases |= {self.base[node], self.base[partner]}
            self.parent[node] = child
            child, node = partner, self.parent[partner]
        return bases
