"""The trees as a file that may have come from anywhere: read by us, never by the library that wrote it.

XGBoost takes its own files on trust: a damaged one can end the whole process, not only the reading. So only whole,
finite, non-circular trees are taken out of a file, and all else in it is left behind.
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
    """One tree, its nodes numbered from 0; the columns of the file by their names there."""

    columns: Mapping[str, NDArray[Any]]
    leaf: Bools
    depth: int

    def __len__(self) -> int:
        return len(self.leaf)

    @property
    def children(self) -> Ints:
        """Left and right; those of a leaf are itself."""
        pairs = np.column_stack([self.columns["left_children"], self.columns["right_children"]])
        return np.where(self.leaf[:, None], np.arange(len(self))[:, None], pairs)

    @property
    def value(self) -> Floats:
        """What leaves add, and elsewhere their mean, weighed by what reached them. Children stand behind their parents,
        so that one way from the end to the start meets them first."""
        values, weights = self.columns["split_conditions"].astype(float), self.columns["sum_hessian"].astype(float)
        left, right = self.columns["left_children"], self.columns["right_children"]
        for node in np.flatnonzero(~self.leaf)[::-1]:
            pair = [left[node], right[node]]
            whole = weights[pair].sum()
            values[node] = weights[pair] @ values[pair] / whole if whole > 0 else values[pair].mean()
        return values


def read_trees(content: bytes, columns: int) -> Trees:
    """The trees of a file of XGBoost's. Raises ValueError where they are no trees over so many columns."""
    if len(content) > _LARGEST:
        raise ValueError("the file of the trees is larger than it can be")
    try:
        listed = json.loads(content)["learner"]["gradient_booster"]["model"]["trees"]
        if not isinstance(listed, list) or not 0 < len(listed) <= _MOST_TREES:
            raise ValueError("there is no list of trees")
        return _joined([_tree(each, number, columns) for number, each in enumerate(listed)])
    except (KeyError, TypeError, OverflowError, RecursionError) as error:
        raise ValueError("the file of the trees is damaged") from error


def _joined(trees: Sequence[_Tree]) -> Trees:
    """One behind the other."""
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


def _tree(told: Mapping[str, Any], number: int, columns: int) -> _Tree:
    mapping = {name: _numbers(told[name], "i") for name in _WHOLE}
    mapping |= {name: _numbers(told[name], "fi") for name in _FRACTIONS}
    n = len(mapping["left_children"])
    if not 0 < n <= _MOST_NODES or any(len(each) != n for each in mapping.values()):
        raise ValueError(f"tree {number} is not whole")
    if np.any(told.get("split_type", 0)):
        raise ValueError(f"tree {number} asks for kinds and not for numbers")
    asked, ways = mapping["split_indices"], mapping["default_left"]
    if asked.min() < 0 or asked.max() >= columns or not np.isin(ways, (0, 1)).all():
        raise ValueError(f"tree {number} is over other columns")
    depth = _depth(mapping["left_children"].tolist(), mapping["right_children"].tolist(), number)
    return _Tree(mapping, mapping["left_children"] == _LEAF, depth)


def _numbers(told: Any, kinds: str) -> NDArray[Any]:
    if not isinstance(told, list):
        raise TypeError("no list")
    array: NDArray[Any] = np.array(told)
    if array.ndim != 1 or array.dtype.kind not in kinds or not np.isfinite(array).all() or (abs(array) > 1e30).any():
        raise ValueError("the trees hold something else than numbers")
    return array


def _depth(left: list[int], right: list[int], number: int) -> int:
    """Of the deepest node. Every node but the first is the child of one node before it: so no walk goes round or out of
    the tree. Raises ValueError where it is not so."""
    depth: list[int | None] = [0, *(None for _ in left[1:])]
    for node, pair in enumerate(zip(left, right, strict=True)):
        here = depth[node]
        if here is None:
            raise ValueError(f"tree {number} falls apart")
        for child in pair if pair != (_LEAF, _LEAF) else ():
            if not node < child < len(left) or depth[child] is not None or here >= _DEEPEST:
                raise ValueError(f"tree {number} is no tree")
            depth[child] = here + 1
    return max(each for each in depth if each is not None)
