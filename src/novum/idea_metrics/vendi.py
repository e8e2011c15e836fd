"""Effective number of ideas: how many wholly different ones would be as diverse as these.

The Vendi score (Friedman & Dieng 2023): the exponential of the entropy of the eigenvalues of K/n, where K holds the
cosine of each idea with each. Ideas that are all the same count as one, n that have nothing in common as n. Its order q
says how much rare kinds count: 0 all alike, 1 by how common they are, infinity only the most common.

It cannot exceed the number of dimensions of the embeddings.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from novum.core.arrays import Floats

_TINY = 1e-10
"""Eigenvalues below are rounding: K/n has a trace of 1."""


def vendi(vectors: ArrayLike, q: float = 1.0) -> float:
    """`vectors`: ideas × dimensions, of any length; rows of zeros or with a NaN say nothing and are left out. NaN where
    none is left. Raises ValueError for a negative `q`."""
    if math.isnan(q) or q < 0:
        raise ValueError(f"the order of an entropy is 0 or more, not {q}")
    matrix = np.asarray(vectors, dtype=float)
    length = np.linalg.norm(matrix, axis=1)
    usable = np.isfinite(length) & (length > 0)
    unit = matrix[usable] / length[usable, None]
    return effective_number(shares(unit), q) if len(unit) else math.nan


def shares(unit: Floats) -> Floats:
    """The eigenvalues above zero of K/n, K = X Xᵗ for rows X of unit length, adding up to 1.

    X Xᵗ (n × n) and Xᵗ X (d × d) have the same ones: the smaller matrix is taken apart.
    """
    n, d = unit.shape
    gram = unit @ unit.T if n <= d else unit.T @ unit
    values = np.linalg.eigvalsh(gram / n)
    above: Floats = values[values > _TINY]
    return np.asarray(above / above.sum())


def effective_number(shares: Floats, q: float = 1.0) -> float:
    """Hill number of order q of shares above zero that add up to 1."""
    if q == 1:
        return float(np.exp(-(shares * np.log(shares)).sum()))
    if math.isinf(q):
        return float(1 / shares.max())
    # Of the largest share first: high powers of small ones leave the range of floats.
    largest = shares.max()
    return float(np.exp((q * np.log(largest) + np.log(((shares / largest) ** q).sum())) / (1 - q)))
