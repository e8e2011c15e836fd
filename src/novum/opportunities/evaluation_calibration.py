"""What probabilities and expected attention were worth, over all years together."""

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
"""Joined pairs with a known standing below which nothing is said of them."""


def evaluate_calibration(
    tried: Sequence[YearTrial], ends: Sequence[PairEnds], weights: Floats
) -> CalibrationEvaluation:
    """Predicted and actual shares, in bins with equally many predicted links: with equally many pairs, nearly all bins
    would hold hopeless ones. `weights`: counts of concepts, (draws, concepts)."""
    values = np.concatenate([each.probability for each in tried])
    came = np.concatenate([each.joined for each in tried]).astype(float)
    one, other = (np.concatenate([pair[side] for pair in ends]) for side in (0, 1))
    which = _bins(values)
    told_of, came_of, counts = _sums(which, values, came, np.ones(len(values)))
    drawn = np.zeros((len(weights), 3, _BINS))
    for draw, row in enumerate(weights):
        drawn[draw] = _sums(which, values, came, row[one] * row[other])
    ratios = _over(drawn[:, 0].sum(axis=1), drawn[:, 1].sum(axis=1))
    rates = _over(drawn[:, 1], drawn[:, 2])
    bins = (
        ProbabilityBin(
            pairs=int(counts[at]),
            told=float(told_of[at] / counts[at]),
            came=estimate(float(came_of[at] / counts[at]), rates[:, at]),
        )
        for at in np.flatnonzero(counts).tolist()
    )
    error = float(np.abs(told_of - came_of).sum() / counts.sum())
    return CalibrationEvaluation(
        ratio=estimate(float(values.sum() / came.sum()), ratios), error=error, bins=tuple(bins)
    )


def _bins(said: Floats) -> Ints:
    order = np.argsort(said, kind="stable")
    upto = np.cumsum(said[order])
    which = np.empty(len(said), np.int64)
    which[order] = np.minimum((upto / max(float(upto[-1]), 1e-12) * _BINS).astype(np.int64), _BINS - 1)
    return which


def _sums(which: Ints, said: Floats, came: Floats, weight: Floats) -> Floats:
    """Told, came, and how many, by bin; shape (3, bins)."""
    return np.stack([np.bincount(which, values * weight, _BINS) for values in (said, came, np.ones(len(said)))])


def _over(above: Floats, below: Floats) -> Floats:
    values: Floats = np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)
    return values


def evaluate_attention(
    tried: Sequence[YearTrial], ends: Sequence[PairEnds], weights: Floats
) -> AttentionEvaluation | None:
    """Spearman's correlation over all years; None where too few first joint papers have counts."""
    parts = [_known(each, pair) for each, pair in zip(tried, ends, strict=True) if each.expected is not None]
    if not parts:
        return None
    expected, simple, became, one, other = np.concatenate(parts, axis=1)
    if len(became) < _FEWEST:
        return None
    times = [row[one.astype(int)] * row[other.astype(int)] for row in weights]
    ranks = [np.asarray(mean_ranks(values), float) for values in (expected, simple, became)]

    def with_interval(of: Floats) -> Estimate:
        drawn = np.array([_correlation(of, ranks[2], each) for each in times], float)
        return estimate(_correlation(of, ranks[2], np.ones(len(of))), drawn)

    return AttentionEvaluation(pairs=len(became), model=with_interval(ranks[0]), attachment=with_interval(ranks[1]))


def _known(tried: YearTrial, ends: PairEnds) -> Floats:
    """Of pairs whose standing is known: expected, preferential attachment, what it became, and the two ends."""
    rows = np.flatnonzero(np.isfinite(tried.standing))
    expected = np.zeros(len(tried.joined)) if tried.expected is None else tried.expected
    columns = (expected, tried.scores["preferential attachment"], tried.standing, *ends)
    return np.stack([column[rows].astype(float) for column in columns])


def _correlation(one: Floats, other: Floats, weights: Floats) -> float:
    if weights.sum() <= 0:
        return float("nan")
    mine, theirs = (each - np.average(each, weights=weights) for each in (one, other))
    both, *own = (float(np.average(each, weights=weights)) for each in (mine * theirs, mine**2, theirs**2))
    return both / float(np.sqrt(own[0] * own[1])) if own[0] > 0 and own[1] > 0 else float("nan")
