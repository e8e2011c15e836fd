"""Names for the array types that the numerical packages share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Vectors = NDArray[np.float32]
"""Embeddings, one row each: n × d, single precision."""
