"""Reads trees from a file of XGBoost that may be damaged or hostile, without XGBoost.

XGBoost trusts its own files: a damaged one can crash the process. Here only complete, finite trees without cycles are
read, and everything else in the file is ignored.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Bools, Floats, Ints
from novum.idea_metrics.impact.trees import Trees

FILE = "trees.json"
_LARGEST, _MOST_TREES, _MOST_NODES, _DEEPEST = 64 * 2**20, 10_000, 4096, 32
_WHOLE = ("left_children", "right_children", "split_indices", "default_left")
_FRACTIONS = ("split_conditions", "sum_hessian")
_LEAF = -1


@dataclass(frozen=True)
class _Tree:
    """One tree, with nodes numbered from 0. `columns`: the arrays of the file by name; `leaf`: which nodes are
    leaves."""

    columns: Mapping[str, NDArray[Any]]
    leaf: Bools
    depth: int

    def __len__(self) -> int:
        return len(self.leaf)

    @property
    def children(self) -> Ints:
        """Left and right child of each node, shape (m, 2); both children of a leaf are the leaf itself."""
        pairs = np.column_stack([self.columns["left_children"], self.columns["right_children"]])
        return np.where(self.leaf[:, None], np.arange(len(self))[:, None], pairs)

    @property
    def value(self) -> Floats:
        """Values of leaves, and of other nodes the weighted mean of their children, shape (m,). Children have higher
        numbers than their parents, so one pass from the last node to the first is enough."""
        values, weights = self.columns["split_conditions"].astype(float), self.columns["sum_hessian"].astype(float)
        left, right = self.columns["left_children"], self.columns["right_children"]
        for node in np.flatnonzero(~self.leaf)[::-1]:
            pair = [left[node], right[node]]
            whole = weights[pair].sum()
            values[node] = weights[pair] @ values[pair] / whole if whole > 0 else values[pair].mean()
        return values


def read_trees(content: bytes, columns: int) -> Trees:
    """The trees in a JSON file of XGBoost. Raises ValueError where they are not valid trees over `columns` columns."""
    if len(content) > _LARGEST:
        raise ValueError("the file of the trees is too large")
    try:
        listed = json.loads(content)["learner"]["gradient_booster"]["model"]["trees"]
        if not isinstance(listed, list) or not 0 < len(listed) <= _MOST_TREES:
            raise ValueError("there is no list of trees")
        return _concatenated([_tree(each, number, columns) for number, each in enumerate(listed)])
    except (KeyError, TypeError, OverflowError, RecursionError) as error:
        raise ValueError("the file of the trees is damaged") from error


def _concatenated(trees: Sequence[_Tree]) -> Trees:
    roots = np.cumsum([0, *(len(tree) for tree in trees[:-1])]).astype(np.int64)
    every = {name: np.concatenate([tree.columns[name] for tree in trees]) for name in (*_WHOLE, *_FRACTIONS)}
    return Trees(
        roots=roots,
        children=np.concatenate([tree.children + root for tree, root in zip(trees, roots, strict=True)]),
        column=every["split_indices"].astype(np.int64),
        threshold=every["split_conditions"].astype(np.float32),
        missing_left=every["default_left"].astype(bool),
        value=np.concatenate([tree.value for tree in trees]),
        depth=max(tree.depth for tree in trees),
    )


def _tree(content: Mapping[str, Any], number: int, columns: int) -> _Tree:
    arrays = {name: _numbers(content[name], "i") for name in _WHOLE}
    arrays |= {name: _numbers(content[name], "fi") for name in _FRACTIONS}
    n = len(arrays["left_children"])
    if not 0 < n <= _MOST_NODES or any(len(each) != n for each in arrays.values()):
        raise ValueError(f"tree {number} is incomplete")
    if np.any(content.get("split_type", 0)):
        raise ValueError(f"tree {number} has categorical splits")
    column, directions = arrays["split_indices"], arrays["default_left"]
    if column.min() < 0 or column.max() >= columns or not np.isin(directions, (0, 1)).all():
        raise ValueError(f"tree {number} is over other columns")
    depth = _depth(arrays["left_children"].tolist(), arrays["right_children"].tolist(), number)
    return _Tree(arrays, arrays["left_children"] == _LEAF, depth)


def _numbers(content: Any, kinds: str) -> NDArray[Any]:
    if not isinstance(content, list):
        raise TypeError("not a list")
    array: NDArray[Any] = np.array(content)
    if array.ndim != 1 or array.dtype.kind not in kinds or not np.isfinite(array).all() or (abs(array) > 1e30).any():
        raise ValueError("the trees contain something else than numbers")
    return array


def _depth(left: list[int], right: list[int], number: int) -> int:
    """The depth of the deepest node. Every node except the first must be the child of exactly one earlier node, so that
    no path has a cycle or leaves the tree. Raises ValueError where this is not so."""
    depth: list[int | None] = [0, *(None for _ in left[1:])]
    for node, pair in enumerate(zip(left, right, strict=True)):
        here = depth[node]
        if here is None:
            raise ValueError(f"tree {number} is not connected")
        for child in pair if pair != (_LEAF, _LEAF) else ():
            if not node < child < len(left) or depth[child] is not None or here >= _DEEPEST:
                raise ValueError(f"tree {number} is not a tree")
            depth[child] = here + 1
    return max(each for each in depth if each is not None)
