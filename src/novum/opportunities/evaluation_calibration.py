"""Evaluation of the probabilities and of expected attention, over all years."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from novum.core.arrays import Floats, Ints
from novum.opportunities.evaluation_records import AttentionEvaluation, CalibrationEvaluation, ProbabilityBin
from novum.opportunities.year_trial import PairEnds, YearTrial
from novum.statistics.bootstrap import estimate
from novum.statistics.correlation import mean_ranks
from novum.statistics.records import Estimate

_BINS = 10
_FEWEST = 10
"""Linked pairs with a known citation rank that an evaluation of attention needs."""


def evaluate_calibration(
    tried: Sequence[YearTrial], ends: Sequence[PairEnds], weights: Floats
) -> CalibrationEvaluation:
    """Predicted and actual shares of linked pairs, in bins with equally many predicted links; with equally many pairs,
    nearly all bins would have only improbable ones. `weights`: counts of concepts, shape (samples, concepts)."""
    predicted = np.concatenate([each.probability for each in tried])
    linked = np.concatenate([each.linked for each in tried]).astype(float)
    one, other = (np.concatenate([pair[side] for pair in ends]) for side in (0, 1))
    bin_of = _bins(predicted)
    predicted_links, links, counts = _sums(bin_of, predicted, linked, np.ones(len(predicted)))
    samples = np.zeros((len(weights), 3, _BINS))
    for at, row in enumerate(weights):
        samples[at] = _sums(bin_of, predicted, linked, row[one] * row[other])
    ratios = _ratio(samples[:, 0].sum(axis=1), samples[:, 1].sum(axis=1))
    shares = _ratio(samples[:, 1], samples[:, 2])
    bins = (
        ProbabilityBin(
            pairs=int(counts[at]),
            told=float(predicted_links[at] / counts[at]),
            came=estimate(float(links[at] / counts[at]), shares[:, at]),
        )
        for at in np.flatnonzero(counts).tolist()
    )
    error = float(np.abs(predicted_links - links).sum() / counts.sum())
    ratio = estimate(float(predicted.sum() / linked.sum()), ratios)
    return CalibrationEvaluation(ratio=ratio, error=error, bins=tuple(bins))


def _bins(predicted: Floats) -> Ints:
    """The bin of each pair, so that the predicted links of all bins are about equal; shape (pairs,)."""
    order = np.argsort(predicted, kind="stable")
    upto = np.cumsum(predicted[order])
    bin_of = np.empty(len(predicted), np.int64)
    bin_of[order] = np.minimum((upto / max(float(upto[-1]), 1e-12) * _BINS).astype(np.int64), _BINS - 1)
    return bin_of


def _sums(bin_of: Ints, predicted: Floats, linked: Floats, weight: Floats) -> Floats:
    """Predicted links, actual links and pairs of each bin, shape (3, bins). `weight`: of pairs."""
    values = (predicted, linked, np.ones(len(predicted)))
    return np.stack([np.bincount(bin_of, each * weight, _BINS) for each in values])


def _ratio(above: Floats, below: Floats) -> Floats:
    values: Floats = np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)
    return values


def evaluate_attention(
    tried: Sequence[YearTrial], ends: Sequence[PairEnds], weights: Floats
) -> AttentionEvaluation | None:
    """Spearman's correlation of expected and actual citation ranks over all years; None where too few ranks are known.
    `weights`: counts of concepts, shape (samples, concepts)."""
    parts = [_known(each, pair) for each, pair in zip(tried, ends, strict=True) if each.expected is not None]
    if not parts:
        return None
    expected, simple, actual, one, other = np.concatenate(parts, axis=1)
    if len(actual) < _FEWEST:
        return None
    counts = [row[one.astype(int)] * row[other.astype(int)] for row in weights]
    ranks = [np.asarray(mean_ranks(values), float) for values in (expected, simple, actual)]

    def with_interval(of: Floats) -> Estimate:
        samples = np.array([_correlation(of, ranks[2], each) for each in counts], float)
        return estimate(_correlation(of, ranks[2], np.ones(len(of))), samples)

    return AttentionEvaluation(pairs=len(actual), model=with_interval(ranks[0]), attachment=with_interval(ranks[1]))


def _known(tried: YearTrial, ends: PairEnds) -> Floats:
    """Columns of the pairs whose citation rank is known, shape (5, pairs): expected rank, preferential attachment,
    actual rank, and the two ends."""
    rows = np.flatnonzero(np.isfinite(tried.citation_rank))
    expected = np.zeros(len(tried.linked)) if tried.expected is None else tried.expected
    columns = (expected, tried.scores["preferential attachment"], tried.citation_rank, *ends)
    return np.stack([column[rows].astype(float) for column in columns])


def _correlation(one: Floats, other: Floats, weights: Floats) -> float:
    """Pearson's correlation with weights; NaN where it is undefined."""
    if weights.sum() <= 0:
        return float("nan")
    x, y = (each - np.average(each, weights=weights) for each in (one, other))
    both, *own = (float(np.average(each, weights=weights)) for each in (x * y, x**2, y**2))
    return both / float(np.sqrt(own[0] * own[1])) if own[0] > 0 and own[1] > 0 else float("nan")
