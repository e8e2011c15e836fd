"""Foresight in numbers: nearness to papers, the threshold of a hit, and gains with intervals over topics.

All similarities are cosines of unit vectors. Missing numbers are NaN and count for nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from novum.benchmarks.foresight.records import Calibration
from novum.statistics.bootstrap import interval, resampled
from novum.statistics.estimate import Estimate

Floats = NDArray[np.float64]

FEWEST_PAIRS = 50
"""Random pairs below which no threshold is set."""
FEWEST_TOPICS = 5
"""Below it there are no intervals: no drawing of so few anew goes far enough (the ends of four topics hold the truth in
seven of eight studies, those of three in three of four)."""
BINS = 50


@dataclass(frozen=True, eq=False)
class Nearness:
    """Of `n` ideas to one set of papers, each of shape (n,)."""

    similarity: Floats
    """Mean cosine with the nearest `k`."""
    best: Floats
    """Cosine with the nearest one."""

    def hits(self, threshold: float | None) -> Floats:
        """1 where the nearest paper reaches the threshold, else 0; NaN where there is nothing to say."""
        if threshold is None:
            return np.full_like(self.best, np.nan)
        return np.where(np.isnan(self.best), np.nan, (self.best >= threshold).astype(float))


def nearness(cosines: Floats, k: int) -> Nearness:
    """`cosines`: shape (ideas, papers). With fewer than `k` papers, or a NaN among an idea's cosines, it is NaN.

    Raises ValueError for `k` below 1.
    """
    if k < 1:
        raise ValueError(f"nearness is the mean over at least one paper, not {k}")
    ideas, papers = cosines.shape
    if papers < k:
        nothing = np.full(ideas, np.nan)
        return Nearness(nothing, nothing)
    nearest = np.partition(cosines, papers - k, axis=1)[:, papers - k :]
    return Nearness(nearest.mean(axis=1), cosines.max(axis=1))


def calibrate(random: Floats, citing: Floats, false_positives: float) -> Calibration:
    """The least threshold that at most this share of random pairs reaches, and the share of citing pairs that do.

    `random`, `citing`: cosines of pairs. Without enough random pairs there is no threshold. Raises ValueError for a
    share outside 0 to 1.
    """
    if not 0 < false_positives < 1:
        raise ValueError(f"a share of false positives lies between 0 and 1, not at {false_positives:g}")
    edges = _edges(np.concatenate([random, citing]))
    found = Calibration(
        false_positives=false_positives,
        random_pairs=len(random),
        citing_pairs=len(citing),
        edges=tuple(edges.tolist()),
        random_counts=tuple(np.histogram(random, edges)[0].tolist()),
        citing_counts=tuple(np.histogram(citing, edges)[0].tolist()),
    )
    if len(random) < FEWEST_PAIRS:
        return found
    threshold = _threshold(random, false_positives)
    return found.model_copy(
        update={
            "threshold": threshold,
            "passed_random": float((random >= threshold).mean()),
            "passed_citing": float((citing >= threshold).mean()) if len(citing) else None,
            "separation": separation(citing, random),
        }
    )


def _threshold(random: Floats, share: float) -> float:
    """Just above the similarity of the first pair that may no longer pass."""
    falling = np.sort(random)[::-1]
    return float(np.nextafter(falling[int(share * len(falling))], np.inf))


def _edges(values: Floats) -> Floats:
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    return np.linspace(min(low, 0.0), max(high, 1.0), BINS + 1)


def separation(higher: Floats, lower: Floats) -> float | None:
    """Chance that one of `higher` is above one of `lower`, ties as half; None where either is empty."""
    if not len(higher) or not len(lower):
        return None
    ordered = np.sort(lower)
    below, up_to = (np.searchsorted(ordered, higher, side).sum() for side in ("left", "right"))
    return float((below + up_to) / 2 / (len(higher) * len(lower)))


def over_topics(values: Floats, *, draws: int = 1000, seed: int = 0) -> Estimate:
    """The mean of all that is known in `values`, shape (topics, cells), with an interval by drawing topics anew.

    Fewer than `FEWEST_TOPICS` with anything known have no interval.
    """
    known = np.isfinite(values)
    sums, counts = np.where(known, values, 0.0).sum(axis=1), known.sum(axis=1).astype(float)
    kept = counts > 0
    sums, counts = sums[kept], counts[kept]
    if not len(sums):
        return Estimate()
    point = float(sums.sum() / counts.sum())
    if len(sums) < FEWEST_TOPICS or not draws:
        return Estimate(value=point)
    drawn = np.concatenate([(weights @ sums) / (weights @ counts) for weights in resampled(len(sums), draws, seed)])
    low, high = interval(drawn, _widened(0.95, len(sums)))
    return Estimate(value=point, low=low, high=high)


def _widened(level: float, topics: int) -> float:
    """The level at which the quantiles of draws hold the truth as often as `level` says: few topics drawn anew spread
    less than topics do, by (n - 1) / n, and their spread is itself a guess, as in Student's t ("expanded percentile
    interval")."""
    z, free = NormalDist().inv_cdf((1 + level) / 2), topics - 1
    t = (  # its quantile, as a series in 1 / degrees of freedom: within 0.01 from four on
        z
        + (z**3 + z) / (4 * free)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * free**3)
    )
    return 2 * NormalDist().cdf(t * math.sqrt(topics / free)) - 1


def gain(own: Floats, other: Floats, *, draws: int = 1000, seed: int = 0) -> Estimate:
    """How much higher `own` is, cell by cell, where both are known: paired, so what topics differ by drops out.

    Both of shape (topics, cells). Raises ValueError for different shapes.
    """
    if own.shape != other.shape:
        raise ValueError(f"cells are paired one by one, not {own.shape} with {other.shape}")
    return over_topics(own - other, draws=draws, seed=seed)
