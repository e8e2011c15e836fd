"""Sparse tables, by scipy, which says nothing of their types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from scipy import sparse

Table: TypeAlias = Any
"""A `csr_matrix`."""
csr: Callable[..., Table] = sparse.csr_matrix
"""A table from its parts, as `scipy.sparse.csr_matrix` takes them."""
diagonal: Callable[..., Table] = sparse.diags
"""A table of zeros but for its diagonal."""
