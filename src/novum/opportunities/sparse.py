"""Names for the sparse tables of SciPy, which has no types for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from scipy import sparse

Table: TypeAlias = Any
"""A `csr_matrix`."""
csr: Callable[..., Table] = sparse.csr_matrix
"""Makes a table, as `scipy.sparse.csr_matrix`."""
diagonal: Callable[..., Table] = sparse.diags
"""Makes a diagonal table, as `scipy.sparse.diags`."""
