"""Are probabilities true? Brier's score, the calibration error over bins, and the table behind it.

Bins hold about equally many cases each, equal probabilities staying together: with bins of equal width nearly all cases
of an even-tempered forecaster would lie in one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from novum.core.record import Value
from novum.statistics.prediction_error import weighted_mean
from novum.statistics.weighted_ranks import Floats, Rows

BINS = 10
_STEPS, _PENALTY = 50, 1e-3


class ReliabilityBin(Value):
    """Cases that were given about the same probability, and the share of them in which it came true."""

    cases: int
    foretold: float
    """Mean probability."""
    came: float


def bins_of(probabilities: Floats, most: int = BINS) -> list[Rows]:
    """Places of the cases of each bin, the least probable first; at most `most` bins."""
    if not len(probabilities):
        return []
    edges = np.unique(np.quantile(probabilities, np.linspace(0, 1, most + 1)[1:-1]))
    number = np.searchsorted(edges, probabilities, side="right")
    return [np.flatnonzero(number == each) for each in np.unique(number)]


def reliability_table(probabilities: Floats, came: NDArray[np.bool_]) -> tuple[ReliabilityBin, ...]:
    """Bin by bin."""
    return tuple(
        ReliabilityBin(cases=len(rows), foretold=float(probabilities[rows].mean()), came=float(came[rows].mean()))
        for rows in bins_of(probabilities)
    )


def brier(probabilities: Floats, came: NDArray[np.bool_], times: Floats) -> Floats:
    """Mean square of probability less outcome, 0 the best, in samples of so many `times` (b, n): shape (b,)."""
    return weighted_mean((probabilities - came) ** 2, times)


def calibration_error(probabilities: Floats, came: NDArray[np.bool_], times: Floats) -> Floats:
    """Mean distance of a bin's probability from its share of outcomes, bins weighed by their cases: shape (b,). Never
    quite 0 by chance: the fewer cases, the higher."""
    total = times.sum(axis=1)
    apart = sum(np.abs(times[:, rows] @ (probabilities[rows] - came[rows])) for rows in bins_of(probabilities))
    with np.errstate(invalid="ignore", divide="ignore"):
        error: Floats = np.asarray(apart) / np.where(total > 0, total, np.nan)
    return error


def cross_fitted(scores: Floats, came: NDArray[np.bool_], folds: int = 5, seed: int = 0) -> Floats:
    """Scores as probabilities: a logistic regression for each fold, fitted to all other folds, so that no case says
    its own outcome. NaN for all where the others are all of one kind, or there are fewer cases than folds."""
    n = len(scores)
    if n < folds:
        return np.full(n, np.nan)
    fold = _even_folds(came, folds, seed)
    spread = float(scores.std()) or 1.0
    standard = (scores - scores.mean()) / spread
    told = np.full(n, np.nan)
    for each in range(folds):
        own = fold == each
        if came[~own].all() or not came[~own].any():
            return np.full(n, np.nan)
        level, slope = _logistic(standard[~own], came[~own].astype(np.float64))
        told[own] = 1 / (1 + np.exp(-(level + slope * standard[own])))
    return told


def _even_folds(came: NDArray[np.bool_], folds: int, seed: int) -> Rows:
    """A fold for each case. All have the same share of outcomes, as nearly as can be: else the folds' shares would run
    against those of the others, and a score that says nothing would seem to point the wrong way."""
    rng = np.random.default_rng(seed)
    order = np.concatenate([rng.permutation(np.flatnonzero(came == kind)) for kind in (False, True)])
    fold = np.empty(len(came), dtype=np.intp)
    fold[order] = np.arange(len(came)) % folds
    return fold


def _logistic(x: Floats, y: Floats) -> tuple[float, float]:
    """Level and slope, by Newton's steps; a little shrunk, so that scores in perfect order do not run away."""
    design = np.column_stack([np.ones_like(x), x])
    shrink = np.diag([1e-9, _PENALTY * len(x)])
    told = np.zeros(2)
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-np.clip(design @ told, -30, 30)))
        slope = design.T @ (y - p) - shrink @ told
        bend = (design * (p * (1 - p))[:, None]).T @ design + shrink
        step = np.linalg.solve(bend, slope)
        told = told + np.clip(step, -5, 5)
        if np.abs(step).max() < 1e-10:
            break
    return float(told[0]), float(told[1])
