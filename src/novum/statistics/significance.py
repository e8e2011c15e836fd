"""Tests of hypotheses: many at once, and one that assumes no distribution."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import false_discovery_control, permutation_test  # type: ignore[attr-defined]

from novum.core.arrays import Floats

_FLIPS = 9_999


def benjamini_hochberg(p: ArrayLike) -> Floats:
    """P-values adjusted for the false discovery rate (Benjamini & Hochberg 1995), in the given order.

    Of the tests with an adjusted p of at most 0.05, one in twenty is expected to be a false discovery. NaN, a test
    without a result, stays NaN and is not counted.
    """
    values = np.asarray(p, dtype=float)
    known = np.isfinite(values)
    adjusted = np.full(values.shape, np.nan)
    if known.any():
        adjusted[known] = false_discovery_control(values[known])
    return adjusted


def sign_flip_test(numbers: ArrayLike, seed: int = 0) -> float | None:
    """Two-sided p-value of the hypothesis that each of `numbers` could as well have the other sign.

    The statistic is their sum. `numbers` are independent: dependent values (verdicts on one topic) are summed first.
    Exact for up to 13 numbers, else from 9,999 random sign changes. None when all numbers are 0.
    """
    values = np.asarray(numbers, dtype=float)
    values = values[values != 0]
    if values.size < 2:
        return 1.0 if values.size else None
    test = permutation_test(
        (values,),
        lambda sample, axis: np.abs(sample.sum(axis=axis)),
        permutation_type="samples",
        alternative="greater",
        vectorized=True,
        n_resamples=_FLIPS,
        batch=1_000,
        rng=seed,
    )
    return float(test.pvalue)
