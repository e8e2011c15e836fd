"""How different the ideas of one group are, without a judge: the mean cosine distance of their embeddings."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from novum.core.arrays import Floats


def distinctness(vectors: ArrayLike, groups: ArrayLike, count: int | None = None) -> Floats:
    """Mean pairwise cosine distance (0 the same, 1 unrelated, 2 opposite) of the vectors of each group.

    `vectors` is ideas × dimensions; `groups[i]` from 0 says whose idea `i` is, one group for each model and keyword;
    `count` is the number of groups. NaN for a group with fewer than two vectors; a vector of zeros or with a NaN says
    nothing and is left out. Raises ValueError when there is not one group for each vector.
    """
    matrix, group = np.asarray(vectors, dtype=float), np.asarray(groups, dtype=np.int64)
    if matrix.ndim != 2 or group.shape != (len(matrix),):
        raise ValueError(f"one group for each vector is wanted, not {group.shape} beside {matrix.shape}")
    size = int(group.max(initial=-1)) + 1 if count is None else count
    length = np.linalg.norm(matrix, axis=1)
    usable = np.isfinite(length) & (length > 0)
    unit, group = matrix[usable] / length[usable, None], group[usable]
    n = np.bincount(group, minlength=size).astype(float)
    sums = np.zeros((size, matrix.shape[1]))
    np.add.at(sums, group, unit)
    # The square of a sum of unit vectors is n, plus twice the cosine of every pair.
    with np.errstate(invalid="ignore", divide="ignore"):
        cosine = ((sums**2).sum(axis=1) - n) / (n * (n - 1))
    apart: Floats = np.where(n > 1, np.clip(1 - cosine, 0, 2), np.nan)
    return apart
