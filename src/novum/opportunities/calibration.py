"""Calibration of log odds: isotonic regression (Zadrozny & Elkan 2002), fitted to held-out pairs and interpolated
linearly, so that pairs with different odds keep different probabilities."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from novum.core.arrays import Floats

_FEWEST = 20
"""Pairs of each kind that an isotonic regression needs; with fewer, the probabilities are scaled to the observed
rate."""
_STEP = 50
"""Smallest number of pairs in a step, so that a few linked pairs at the top do not make a probability of 1."""
_PRIOR = 1.0
"""Weight, in pairs, of the prior of each step, whose mean is one half (Jeffreys)."""
_MAX_SHIFT = 4.0
"""Largest shift of log odds: a larger one would mean that the expected share is wrong."""
_TOLERANCE = 1e-4


@dataclass(frozen=True, eq=False)
class LogOddsCalibration:
    """`at`: log odds, ascending, shape (m,); `chance`: the probability at each, not decreasing, shape (m,)."""

    at: Floats
    chance: Floats

    @classmethod
    def fit(cls, scores: Floats, happened: ArrayLike) -> Self:
        """Fits to `scores` (log odds) and outcomes of pairs, both of shape (n,), linked as often as future pairs will
        be."""
        from sklearn.isotonic import IsotonicRegression  # noqa: PLC0415  takes seconds

        truth = np.asarray(happened, float)
        if min(truth.sum(), len(truth) - truth.sum()) < _FEWEST:
            return cls._scaled(scores, float(truth.mean()) if len(truth) else 0.0)
        order = np.argsort(scores, kind="stable")
        steps = IsotonicRegression(y_min=0, y_max=1).fit_transform(scores[order], truth[order])  # type: ignore[no-untyped-call]
        begins = _merge_small_steps(np.flatnonzero(np.diff(steps, prepend=-1.0)), len(steps))
        ends = np.append(begins[1:], len(steps))
        linked = np.add.reduceat(truth[order], begins)
        middle = (scores[order][begins] + scores[order][ends - 1]) / 2
        at, first = np.unique(middle, return_index=True)
        chance = (linked + _PRIOR / 2) / (ends - begins + _PRIOR)
        return cls(at, np.maximum.accumulate(chance[first]))

    @classmethod
    def _scaled(cls, scores: Floats, rate: float) -> Self:
        """The logistic function, scaled so that the mean probability of `scores` is `rate`."""
        ratio = rate / max(float((1 / (1 + np.exp(-scores))).mean()), 1e-9) if len(scores) else 1.0
        at = np.linspace(-12, 6, 37)
        chance = np.clip(ratio / (1 + np.exp(-at)), 1e-6, 1 - 1e-6)
        return cls(at, np.maximum.accumulate(chance))

    @classmethod
    def from_stored(cls, at: Floats, chance: Floats) -> Self:
        """The calibration from its stored arrays. Raises ValueError where they are damaged."""
        result = cls(np.asarray(at, float), np.asarray(chance, float))
        is_valid = result.at.ndim == 1 and result.at.shape == result.chance.shape and len(result.at) > 0
        if not is_valid or not np.isfinite(result.at).all() or (np.diff(result.at) <= 0).any():
            raise ValueError("the calibration is damaged")
        if (np.diff(result.chance) < 0).any() or result.chance[0] < 0 or result.chance[-1] > 1:
            raise ValueError("the calibration holds no probabilities")
        return result

    def probability(self, scores: Floats) -> Floats:
        """Probabilities of `scores`, both of shape (n,)."""
        values: Floats = np.interp(scores, self.at, self.chance)
        return values

    def shifted(self, by: float) -> Self:
        """The calibration with all log odds shifted by `by`; the order of pairs does not change."""
        return replace(self, chance=shift_odds(self.chance, by))

    def shift_to(self, share: float, scores: Floats) -> float:
        """The shift of log odds by which the mean probability of `scores` becomes `share`, by bisection."""
        low, high = -_MAX_SHIFT, _MAX_SHIFT
        while high - low > _TOLERANCE:
            middle = (low + high) / 2
            above = float(self.shifted(middle).probability(scores).mean()) > share
            low, high = (low, middle) if above else (middle, high)
        return (low + high) / 2


def shift_odds(chance: Floats, by: float) -> Floats:
    """Probabilities after a shift of their log odds; 0 and 1 do not change."""
    times = np.exp(by)
    result: Floats = chance * times / (1 - chance + chance * times)
    return result


def _merge_small_steps(begins: NDArray[np.intp], n: int) -> NDArray[np.intp]:
    """The beginnings of steps after merging steps of fewer than `_STEP` of the `n` pairs with the previous one."""
    selected = [0]
    for begin in begins[1:].tolist():
        if begin - selected[-1] >= _STEP and n - begin >= _STEP:
            selected.append(begin)
    return np.array(selected, np.intp)
