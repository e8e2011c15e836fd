"""Calibration of probabilities: Brier score, calibration error over bins, the table of bins, and Platt scaling.

Bins hold about equally many cases each, equal probabilities staying together: with bins of equal width nearly all cases
of a cautious forecaster would be in one. Brier score and calibration error take samples as counts (see `weighted`).
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from novum.core.arrays import Bools, Floats
from novum.core.record import Value
from novum.statistics.weighted import Rows, weighted_mean

BINS = 10
_STEPS, _PENALTY = 50, 1e-3


class ReliabilityBin(Value):
    """Cases with about the same predicted probability."""

    cases: int
    foretold: float
    """Mean predicted probability."""
    came: float
    """Share of the cases in which the event happened."""


def probability_bins(probabilities: Floats, most: int = BINS) -> list[Rows]:
    """Indices of the cases of each bin, the least probable first; at most `most` bins."""
    if not len(probabilities):
        return []
    edges = np.unique(np.quantile(probabilities, np.linspace(0, 1, most + 1)[1:-1]))
    number = np.searchsorted(edges, probabilities, side="right")
    return [np.flatnonzero(number == each) for each in np.unique(number)]


def reliability_table(probabilities: Floats, happened: Bools) -> tuple[ReliabilityBin, ...]:
    """Mean predicted probability and share of events, bin by bin."""
    return tuple(
        ReliabilityBin(cases=len(rows), foretold=float(probabilities[rows].mean()), came=float(happened[rows].mean()))
        for rows in probability_bins(probabilities)
    )


def brier(probabilities: Floats, happened: Bools, times: Floats) -> Floats:
    """Brier score of each sample, shape (b,): mean squared difference of probability and outcome; 0 is best."""
    return weighted_mean((probabilities - happened) ** 2, times)


def calibration_error(probabilities: Floats, happened: Bools, times: Floats) -> Floats:
    """Expected calibration error of each sample, shape (b,): mean absolute difference of a bin's probability and its
    share of events, weighted by cases. Above 0 by chance alone, more so with fewer cases."""
    total = times.sum(axis=1)
    apart = sum(
        np.abs(times[:, rows] @ (probabilities[rows] - happened[rows])) for rows in probability_bins(probabilities)
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        error: Floats = np.asarray(apart) / np.where(total > 0, total, np.nan)
    return error


def cross_fitted_probabilities(scores: Floats, happened: Bools, folds: int = 5, seed: int = 0) -> Floats:
    """Scores as probabilities, shape (n,): a logistic regression for each fold, fitted to the other folds (Platt
    scaling), so that no case informs its own probability. All NaN with fewer cases than folds, or when the cases to
    learn from are all of one kind."""
    n = len(scores)
    if n < folds:
        return np.full(n, np.nan)
    fold = _stratified_folds(happened, folds, seed)
    standard = (scores - scores.mean()) / (float(scores.std()) or 1.0)
    probabilities = np.full(n, np.nan)
    for each in range(folds):
        own = fold == each
        if happened[~own].all() or not happened[~own].any():
            return np.full(n, np.nan)
        level, slope = _logistic_regression(standard[~own], happened[~own].astype(np.float64))
        probabilities[own] = expit(level + slope * standard[own])
    return probabilities


def _stratified_folds(happened: Bools, folds: int, seed: int) -> Rows:
    """A fold for each case, with the same share of events as nearly as possible: otherwise the share of a fold would
    run against that of the others, and an uninformative score would seem to point the wrong way."""
    rng = np.random.default_rng(seed)
    order = np.concatenate([rng.permutation(np.flatnonzero(happened == kind)) for kind in (False, True)])
    fold = np.empty(len(happened), dtype=np.intp)
    fold[order] = np.arange(len(happened)) % folds
    return fold


def _logistic_regression(x: Floats, y: Floats) -> tuple[float, float]:
    """Intercept and slope by Newton's method, with a weak L2 penalty so that separable scores have finite ones.

    Not scikit-learn's: its import would take longer than everything else in the report of an evaluation.
    """
    design = np.column_stack([np.ones_like(x), x])
    penalty = np.diag([1e-9, _PENALTY * len(x)])
    coefficients = np.zeros(2)
    for _ in range(_STEPS):
        p = expit(np.clip(design @ coefficients, -30, 30))
        gradient = design.T @ (y - p) - penalty @ coefficients
        curvature = (design * (p * (1 - p))[:, None]).T @ design + penalty
        step = np.linalg.solve(curvature, gradient)
        coefficients = coefficients + np.clip(step, -5, 5)
        if np.abs(step).max() < 1e-10:
            break
    return float(coefficients[0]), float(coefficients[1])
