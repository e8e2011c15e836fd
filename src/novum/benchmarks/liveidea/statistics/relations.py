"""Distributions of scores and correlations over ideas, with intervals that know that ideas of one keyword are alike.

Ideas are given as columns of equal length; `keyword` numbers the keyword of each. Intervals come from a bootstrap over
keywords: an interval that takes ideas as independent is too narrow.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from novum.core.arrays import Floats, Ints
from novum.core.record import Value
from novum.statistics.bootstrap import bootstrap_weights, estimate
from novum.statistics.records import Estimate


class ScoreBin(Value):
    """The share of ideas with a score from `low` to below `high`, the last bin with its upper end."""

    low: float
    high: float
    ideas: int
    share: Estimate


def score_bins(
    scores: Floats, keyword: Ints, keywords: int, edges: Sequence[float], *, draws: int = 1000, seed: int = 0
) -> tuple[ScoreBin, ...]:
    """The shares of ideas between neighbouring `edges`; scores beyond them count in the outer bins. Empty without
    ideas."""
    bins = len(edges) - 1
    if not scores.size:
        return ()
    place = np.clip(np.searchsorted(edges, scores, side="right") - 1, 0, bins - 1)
    counts = np.bincount(keyword * bins + place, minlength=keywords * bins).reshape(keywords, bins).astype(float)
    point = counts.sum(axis=0)
    samples = _resampled(counts, draws, seed)
    with np.errstate(invalid="ignore"):
        shares = samples / samples.sum(axis=1, keepdims=True)
    return tuple(
        ScoreBin(
            low=float(edges[at]),
            high=float(edges[at + 1]),
            ideas=int(point[at]),
            share=estimate(point[at] / point.sum(), shares[:, at]),
        )
        for at in range(bins)
    )


def mean_over_keywords(scores: Floats, keyword: Ints, keywords: int, *, draws: int = 1000, seed: int = 0) -> Estimate:
    """The mean over ideas; none without ideas."""
    sums = _sums(keyword, keywords, np.ones_like(scores), scores)
    samples = _resampled(sums, draws, seed)
    with np.errstate(invalid="ignore", divide="ignore"):
        point = sums[:, 1].sum() / sums[:, 0].sum()
        return estimate(point, samples[:, 1] / samples[:, 0])


def correlation_over_keywords(
    x: Floats, y: Floats, keyword: Ints, keywords: int, *, draws: int = 1000, seed: int = 0
) -> Estimate:
    """Pearson's r of two columns over ideas; none with fewer than three ideas, or where a column is constant."""
    if len(x) < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return Estimate()
    x, y = (x - x.mean()) / np.ptp(x), (y - y.mean()) / np.ptp(y)  # else sums of squares lose their last digits
    sums = _sums(keyword, keywords, np.ones_like(x), x, y, x * x, y * y, x * y)
    return estimate(float(_r(sums.sum(axis=0)[None])[0]), _r(_resampled(sums, draws, seed)))


def _sums(keyword: Ints, keywords: int, *columns: Floats) -> Floats:
    """Keywords × columns."""
    table: Floats = np.stack([np.bincount(keyword, each, minlength=keywords) for each in columns], axis=1)
    return table


def _resampled(sums: Floats, draws: int, seed: int) -> Floats:
    """Bootstrap samples × columns, of keywords that have ideas. None where there are fewer than two."""
    known = sums[sums.any(axis=1)]
    samples = [weights @ known for weights in bootstrap_weights(len(known), draws if len(known) > 1 else 0, seed)]
    return np.concatenate(samples) if samples else np.empty((0, sums.shape[1]))


def _r(sums: Floats) -> Floats:
    """Pearson's r of each row of sums: number, x, y, x², y², x·y. NaN where a column is constant."""
    n, x, y, xx, yy, xy = sums.T
    spread = (n * xx - x * x) * (n * yy - y * y)
    with np.errstate(invalid="ignore", divide="ignore"):
        r: Floats = np.where(spread > 1e-12, (n * xy - x * y) / np.sqrt(np.maximum(spread, 0)), np.nan)
    return np.clip(r, -1, 1)
