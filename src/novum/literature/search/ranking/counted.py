"""Citation counts as evidence: on a logarithmic scale, and against a paper's age."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]

_DAYS = 365.25
_GRACE = 1.0
"""Years added to every age: a month-old paper with one citation is not twelve times as cited as one a year old."""


def as_scores(values: Iterable[float]) -> Scores:
    """An array, shape (n,)."""
    return np.fromiter(values, dtype=np.float64)


def cited_for_its_age(counts: Scores, days: Scores) -> Scores:
    """log(1 + citations a year) of each paper, shape (n,). `days`: since it was public, nan where that is unknown;
    such a paper is taken to be as old as the oldest of these."""
    oldest = np.nanmax(days, initial=0.0)
    years = np.maximum(np.nan_to_num(days, nan=oldest), 0) / _DAYS + _GRACE
    rated: Scores = np.log1p(counts / years)
    return rated
