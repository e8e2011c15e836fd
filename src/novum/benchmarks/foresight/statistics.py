"""Statistics of foresight: similarity to papers, the threshold of a hit, and gains with intervals over topics.

Similarities are cosines of unit vectors. Missing numbers are NaN and are ignored.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.stats import mannwhitneyu, norm, t  # type: ignore[attr-defined]

from novum.benchmarks.foresight.records import ThresholdCalibration
from novum.core.arrays import Floats
from novum.statistics.bootstrap import bootstrap_weights, percentile_interval
from novum.statistics.records import Estimate

MIN_PAIRS = 50
"""Random pairs that a threshold needs."""
MIN_TOPICS = 5
"""Topics that an interval needs: with fewer, even the range of the topics covers the truth too rarely (that of four
topics in seven of eight studies, that of three in three of four)."""
BINS = 50


@dataclass(frozen=True, eq=False)
class Nearness:
    """Similarity of `n` ideas to one set of papers, each of shape (n,)."""

    similarity: Floats
    """Mean cosine with the `k` nearest papers."""
    best: Floats
    """Cosine with the nearest paper."""

    def hits(self, threshold: float | None) -> Floats:
        """1 where the nearest paper reaches the threshold, else 0; NaN where it is not known."""
        if threshold is None:
            return np.full_like(self.best, np.nan)
        return np.where(np.isnan(self.best), np.nan, (self.best >= threshold).astype(float))


def nearness(cosines: Floats, k: int) -> Nearness:
    """`cosines`: shape (ideas, papers). The result is NaN for fewer than `k` papers, and for ideas with a NaN cosine.

    Raises ValueError for `k` below 1.
    """
    if k < 1:
        raise ValueError(f"k must be at least 1, not {k}")
    ideas, papers = cosines.shape
    if papers < k:
        unknown = np.full(ideas, np.nan)
        return Nearness(unknown, unknown)
    nearest = np.partition(cosines, papers - k, axis=1)[:, papers - k :]
    return Nearness(nearest.mean(axis=1), cosines.max(axis=1))


def calibrate_cosines(random: Floats, citing: Floats, false_positives: float) -> ThresholdCalibration:
    """The lowest threshold that at most the share `false_positives` of random pairs reaches.

    `random`, `citing`: cosines of pairs. With fewer than `MIN_PAIRS` random pairs there is no threshold. Raises
    ValueError for a share outside 0 to 1.
    """
    if not 0 < false_positives < 1:
        raise ValueError(f"false_positives must be between 0 and 1, not {false_positives:g}")
    edges = _edges(np.concatenate([random, citing]))
    calibration = ThresholdCalibration(
        false_positives=false_positives,
        random_pairs=len(random),
        citing_pairs=len(citing),
        edges=tuple(edges.tolist()),
        random_counts=tuple(np.histogram(random, edges)[0].tolist()),
        citing_counts=tuple(np.histogram(citing, edges)[0].tolist()),
    )
    if len(random) < MIN_PAIRS:
        return calibration
    threshold = _threshold(random, false_positives)
    return calibration.model_copy(
        update={
            "threshold": threshold,
            "passed_random": float((random >= threshold).mean()),
            "passed_citing": float((citing >= threshold).mean()) if len(citing) else None,
            "separation": separation(citing, random),
        }
    )


def _threshold(random: Floats, share: float) -> float:
    """Just above the cosine of the first pair that may not reach it."""
    descending = np.sort(random)[::-1]
    return float(np.nextafter(descending[int(share * len(descending))], np.inf))


def _edges(values: Floats) -> Floats:
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    return np.linspace(min(low, 0.0), max(high, 1.0), BINS + 1)


def separation(higher: Floats, lower: Floats) -> float | None:
    """Probability that one of `higher` is above one of `lower`, ties as half; None where either is empty."""
    if not len(higher) or not len(lower):
        return None
    return float(mannwhitneyu(higher, lower).statistic / (len(higher) * len(lower)))


def over_topics(values: Floats, *, draws: int = 1000, seed: int = 0) -> Estimate:
    """The mean of the known `values`, shape (topics, cells), with a bootstrap interval over topics.

    There is no interval for fewer than `MIN_TOPICS` topics with known values. `draws`: bootstrap samples.
    """
    known = np.isfinite(values)
    sums, counts = np.where(known, values, 0.0).sum(axis=1), known.sum(axis=1).astype(float)
    sums, counts = sums[counts > 0], counts[counts > 0]
    if not len(sums):
        return Estimate()
    point = float(sums.sum() / counts.sum())
    if len(sums) < MIN_TOPICS or not draws:
        return Estimate(value=point)
    samples = [(weights @ sums) / (weights @ counts) for weights in bootstrap_weights(len(sums), draws, seed)]
    low, high = percentile_interval(np.concatenate(samples), _expanded(0.95, len(sums)))
    return Estimate(value=point, low=low, high=high)


def _expanded(level: float, topics: int) -> float:
    """The level of quantiles at which a percentile interval of few topics has the coverage `level`.

    Bootstrap samples spread less than topics do, by (n - 1) / n, and their spread is an estimate, as in Student's t:
    the "expanded percentile interval" of Hesterberg (2015).
    """
    z = t.ppf((1 + level) / 2, topics - 1) * math.sqrt(topics / (topics - 1))
    return float(2 * norm.cdf(z) - 1)


def gain(own: Floats, other: Floats, *, draws: int = 1000, seed: int = 0) -> Estimate:
    """The mean difference of `own` and `other` over cells where both are known: paired, so differences between topics
    cancel.

    Both of shape (topics, cells). Raises ValueError for different shapes.
    """
    if own.shape != other.shape:
        raise ValueError(f"the shapes must be equal, not {own.shape} and {other.shape}")
    return over_topics(own - other, draws=draws, seed=seed)
