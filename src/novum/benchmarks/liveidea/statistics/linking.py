"""Two panels on one scale: both scored the same anchor ideas, so scores of one can be converted to points of the other.

Mean and standard-deviation linking: the line that gives the anchors the same mean and spread in both panels. It
corrects for severity and for the range of the scale that a panel uses, not for panels that prefer different ideas,
which `r` and `misfit` show.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from novum.core.arrays import Floats
from novum.core.record import Value
from novum.statistics.bootstrap import bootstrap_weights, estimate, percentile_interval
from novum.statistics.correlation import pearson
from novum.statistics.records import NO_ESTIMATE, Correlation, Estimate

_SAME = 1e-6
"""Points: a standard deviation below it is rounding."""


class PanelLink(Value):
    """How the other panel's points become points of the reference: `slope` · points + `intercept`."""

    slope: float
    intercept: float
    shift: Estimate
    """Points that the other panel scores above the reference, on average, before linking."""
    spread_ratio: float
    """Standard deviation of the other panel's scores over that of the reference: above 1, it uses more of the scale."""
    r: Correlation
    """Correlation of the two panels' scores of the anchors."""
    misfit: float
    """Root mean square distance of an anchor's linked score from its reference score, in points."""

    def linked(self, points: float) -> float:
        """A score of the other panel, in points of the reference."""
        return self.slope * points + self.intercept


@dataclass(frozen=True, eq=False)
class PanelLinking:
    """A link with its bootstrap distribution over anchors: one slope and one intercept per sample."""

    link: PanelLink
    slopes: Floats
    intercepts: Floats

    @classmethod
    def of(cls, reference: ArrayLike, other: ArrayLike, *, draws: int = 1000, seed: int = 0) -> PanelLinking | None:
        """As `link_panels`."""
        r = pearson(reference, other)
        if r.r is None:
            return None
        here, there = np.asarray(reference, dtype=float), np.asarray(other, dtype=float)
        both = np.isfinite(here) & np.isfinite(there)
        here, there = here[both], there[both]
        slope = float(here.std() / there.std())
        intercept = float(here.mean() - slope * there.mean())
        samples = [_link_samples(here, there, weights) for weights in bootstrap_weights(len(here), draws, seed)]
        slopes, intercepts, shifts = np.concatenate(samples, axis=1) if samples else np.empty((3, 0))
        link = PanelLink(
            slope=slope,
            intercept=intercept,
            shift=estimate(float((there - here).mean()), shifts),
            spread_ratio=1 / slope,
            r=r,
            misfit=float(np.sqrt(((slope * there + intercept - here) ** 2).mean())),
        )
        return cls(link, slopes, intercepts)

    def carried(self, score: Estimate) -> Estimate:
        """A score of the other panel in points of the reference, as uncertain as the score and the link together.

        The two come from different draws, of keywords and of anchors: their reaches to each side add up as squares.
        """
        if score.value is None:
            return NO_ESTIMATE
        value = self.link.linked(score.value)
        low, high = percentile_interval(self.slopes * score.value + self.intercepts, score.level)
        if low is None or high is None or score.low is None or score.high is None:
            return Estimate(value=value, level=score.level)
        below = math.hypot(self.link.slope * (score.value - score.low), value - low)
        above = math.hypot(self.link.slope * (score.high - score.value), high - value)
        return Estimate(value=value, low=value - below, high=value + above, level=score.level)


def link_panels(reference: ArrayLike, other: ArrayLike, *, draws: int = 1000, seed: int = 0) -> PanelLink | None:
    """The link from mean scores of the same anchors by both panels, in the same order; NaN: not judged by that panel.

    None where fewer than three anchors were judged by both, or one panel gave them all the same. Raises ValueError for
    sequences of different lengths.
    """
    found = PanelLinking.of(reference, other, draws=draws, seed=seed)
    return None if found is None else found.link


def severity_on_anchors(scores: ArrayLike, *, draws: int = 1000, seed: int = 0) -> tuple[Estimate, ...]:
    """Points that each judge scores below the mean of all, over the anchors that it judged.

    `scores` is anchors × judges, NaN where there is none. Intervals by a bootstrap over anchors. Raises ValueError for
    anything but a table.
    """
    table = np.asarray(scores, dtype=float)
    if table.ndim != 2:
        raise ValueError(f"anchors × judges are wanted, not {table.shape}")
    given = np.isfinite(table)
    with np.errstate(invalid="ignore"):
        panel = np.where(given, table, 0).sum(axis=1) / given.sum(axis=1)
    below, count = np.where(given, panel[:, None] - table, 0), given.astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        point = below.sum(axis=0) / count.sum(axis=0)
        samples = [(weights @ below) / (weights @ count) for weights in bootstrap_weights(len(table), draws, seed)]
    sample = np.concatenate(samples) if samples else np.empty((0, table.shape[1]))
    return tuple(estimate(float(point[at]), sample[:, at]) for at in range(table.shape[1]))


def _link_samples(here: Floats, there: Floats, weights: Floats) -> Floats:
    """Slope, intercept and shift for each row of `weights` (draws × anchors); a draw without spread has no slope."""
    n = weights.sum(axis=1)
    means = np.stack([weights @ here / n, weights @ there / n])
    squares = np.stack([weights @ here**2 / n, weights @ there**2 / n])
    spread = np.sqrt(np.maximum(squares - means**2, 0))
    slope = np.divide(spread[0], spread[1], out=np.full_like(n, np.nan), where=spread[1] > _SAME)
    samples: Floats = np.stack([slope, means[0] - slope * means[1], means[1] - means[0]])
    return samples
