"""Two panels on one scale: both judged the same anchor ideas, so scores of the one can be said in points of the other.

Mean and standard-deviation linking: the line that gives the anchors the same mean and the same spread on both sides.
It can make up for a panel being more severe or using more of the scale; it cannot make up for two panels that like
different ideas, which `r` and `misfit` show.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from novum.core.record import Value
from novum.metrics.bootstrap import estimate, resampled
from novum.metrics.correlation import Correlation, pearson
from novum.metrics.estimate import Estimate


class Link(Value):
    """How the other panel's points become points of the reference: `slope` · points + `intercept`."""

    slope: float
    intercept: float
    shift: Estimate
    """Points that the other panel scores above the reference, on average, before linking."""
    spread_ratio: float
    """Standard deviation of the other panel's scores over that of the reference: above 1, it uses more of the scale."""
    r: Correlation
    """Do the panels like the same anchors?"""
    misfit: float
    """Root mean square distance of an anchor's linked score from its reference score, in points."""

    def linked(self, points: float) -> float:
        """A score of the other panel, in points of the reference."""
        return self.slope * points + self.intercept


def link_panels(reference: ArrayLike, other: ArrayLike, *, draws: int = 1000, seed: int = 0) -> Link | None:
    """The link from mean scores of the same anchors by both panels, in the same order; NaN: not judged by that panel.

    None where fewer than three anchors were judged by both, or one panel gave them all the same. Raises ValueError for
    sequences of different lengths.
    """
    r = pearson(reference, other)
    if r.r is None:
        return None
    here, there = np.asarray(reference, dtype=float), np.asarray(other, dtype=float)
    both = np.isfinite(here) & np.isfinite(there)
    here, there = here[both], there[both]
    slope = float(here.std() / there.std())
    intercept = float(here.mean() - slope * there.mean())
    apart = there - here
    moved = [weights @ apart / len(apart) for weights in resampled(len(apart), draws, seed)]
    return Link(
        slope=slope,
        intercept=intercept,
        shift=estimate(float(apart.mean()), np.concatenate(moved) if moved else np.empty(0)),
        spread_ratio=1 / slope,
        r=r,
        misfit=float(np.sqrt(((slope * there + intercept - here) ** 2).mean())),
    )
