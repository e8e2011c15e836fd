"""The trees as a file that may have come from anywhere: read by us, and written anew, before XGBoost sees it.

XGBoost takes its own files on trust: a damaged one can end the whole process, not only the reading. So only whole,
finite, non-circular trees are taken out of a file, and all else in it is left behind.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

FILE = "trees.json"
_LARGEST, _MOST_TREES, _MOST_NODES, _DEEPEST = 64 * 2**20, 10_000, 4096, 32
_WHOLE = ("left_children", "right_children", "split_indices", "default_left")
_FRACTIONS = ("split_conditions", "base_weights", "loss_changes", "sum_hessian")
_NO_PARENT = 2**31 - 1
_LAYOUT = [3, 2, 0]
"""The version of XGBoost whose layout is written here; later ones read it too."""


def rewritten(content: bytes, columns: int) -> bytes:
    """The same trees in a file of our own writing. Raises ValueError where they are no trees over so many columns."""
    if len(content) > _LARGEST:
        raise ValueError("the file of the trees is larger than it can be")
    try:
        told = json.loads(content)
        listed = told["learner"]["gradient_booster"]["model"]["trees"]
        if not isinstance(listed, list) or not 0 < len(listed) <= _MOST_TREES:
            raise ValueError("there is no list of trees")
        trees = [_tree(each, number, columns) for number, each in enumerate(listed)]
    except (KeyError, TypeError, OverflowError, RecursionError) as error:
        raise ValueError("the file of the trees is damaged") from error
    return json.dumps({"learner": _learner(trees, columns), "version": _LAYOUT}).encode()


def _tree(told: Mapping[str, Any], number: int, columns: int) -> dict[str, Any]:
    whole = {name: _numbers(told[name], "i") for name in _WHOLE}
    fractions = {name: _numbers(told[name], "fi") for name in _FRACTIONS}
    n = len(whole["left_children"])
    if not 0 < n <= _MOST_NODES or any(len(each) != n for each in (*whole.values(), *fractions.values())):
        raise ValueError(f"tree {number} is not whole")
    none: list[int] = []
    return (
        {name: array.tolist() for name, array in {**whole, **fractions}.items()}
        | {"parents": _parents(whole["left_children"], whole["right_children"], number)}
        | {"id": number, "split_type": [0] * n, "categories": none, "categories_nodes": none}
        | {"categories_segments": none, "categories_sizes": none}
        | {"tree_param": _tree_param(whole, n, columns, number)}
    )


def _numbers(told: Any, kinds: str) -> NDArray[np.generic]:
    if not isinstance(told, list):
        raise TypeError("no list")
    array: NDArray[Any] = np.array(told)
    if array.ndim != 1 or array.dtype.kind not in kinds or not np.isfinite(array).all() or (abs(array) > 1e30).any():
        raise ValueError("the trees hold something else than numbers")
    return array


def _parents(left: NDArray[Any], right: NDArray[Any], number: int) -> list[int]:
    """Every node but the first is the child of one node before it: so no walk goes round or out of the tree."""
    parents, depth = [_NO_PARENT] * len(left), [0] * len(left)
    for node, pair in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
        for child in pair if pair != (-1, -1) else ():
            if not node < child < len(left) or parents[child] != _NO_PARENT or depth[node] >= _DEEPEST:
                raise ValueError(f"tree {number} is no tree")
            parents[child], depth[child] = node, depth[node] + 1
    if _NO_PARENT in parents[1:]:
        raise ValueError(f"tree {number} falls apart")
    return parents


def _tree_param(whole: Mapping[str, NDArray[Any]], n: int, columns: int, number: int) -> dict[str, str]:
    asked, ways = whole["split_indices"], whole["default_left"]
    if asked.min() < 0 or asked.max() >= columns or not np.isin(ways, (0, 1)).all():
        raise ValueError(f"tree {number} is over other columns")
    return {"num_deleted": "0", "num_feature": str(columns), "num_nodes": str(n), "size_leaf_vector": "1"}


def _learner(trees: list[dict[str, Any]], columns: int) -> dict[str, Any]:
    many = len(trees)
    model = {
        "cats": {"enc": [], "feature_segments": [], "sorted_idx": []},
        "gbtree_model_param": {"num_parallel_tree": "1", "num_trees": str(many)},
        "iteration_indptr": list(range(many + 1)),
        "tree_info": [0] * many,
        "trees": trees,
    }
    shape = {"boost_from_average": "0", "num_class": "0", "num_feature": str(columns), "num_target": "1"}
    return {
        "attributes": {},
        "feature_names": [],
        "feature_types": [],
        "gradient_booster": {"model": model, "name": "gbtree"},
        "learner_model_param": {"base_score": "[0E0]", **shape},
        "objective": {"name": "reg:squarederror", "reg_loss_param": {"scale_pos_weight": "1"}},
    }
