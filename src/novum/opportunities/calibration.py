"""From log odds to probabilities: isotonic regression (Zadrozny & Elkan 2002), fitted to held-out years and
interpolated linearly, so that pairs with different odds keep different probabilities."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from novum.core.arrays import Floats

_FEWEST = 20
"""Of a kind below which steps would be chance: the trees' own odds are then shifted to the rate that was seen."""


_STEP = 50
"""Pairs that a step rests on at least: a few at the top that all came true are no certainty."""
_PRIOR = 1.0
"""Pairs' worth of doubt in each step, half of them true (Jeffreys)."""
_FARTHEST = 4.0
"""Log odds are moved no farther: beyond, it is the forecast of the whole that is wrong."""
_NEAR_ENOUGH = 1e-4


@dataclass(frozen=True, eq=False)
class LogOddsCalibration:
    """`at`: log odds, ascending; `chance`: the probability there, not falling."""

    at: Floats
    chance: Floats

    @classmethod
    def fit(cls, scores: Floats, happened: ArrayLike) -> Self:
        """Of pairs of the base rate that forecasts will meet."""
        from sklearn.isotonic import IsotonicRegression  # noqa: PLC0415  seconds to load

        truth = np.asarray(happened, float)
        if min(truth.sum(), len(truth) - truth.sum()) < _FEWEST:
            return cls._shifted(scores, float(truth.mean()) if len(truth) else 0.0)
        order = np.argsort(scores, kind="stable")
        steps = IsotonicRegression(y_min=0, y_max=1).fit_transform(scores[order], truth[order])  # type: ignore[no-untyped-call]
        begins = _wide_enough(np.flatnonzero(np.diff(steps, prepend=-1.0)), len(steps))
        ends = np.append(begins[1:], len(steps))
        happened_in = np.diff(np.concatenate([[0.0], np.cumsum(truth[order])])[np.append(begins, len(steps))])
        middle = (scores[order][begins] + scores[order][ends - 1]) / 2
        at, first = np.unique(middle, return_index=True)
        chance = (happened_in + _PRIOR / 2) / (ends - begins + _PRIOR)
        return cls(at, np.maximum.accumulate(chance[first]))

    @classmethod
    def _shifted(cls, scores: Floats, rate: float) -> Self:
        result = 1 / (1 + np.exp(-scores))
        ratio = rate / max(float(result.mean()), 1e-9) if len(scores) else 1.0
        at = np.linspace(-12, 6, 37)
        chance = np.clip(ratio / (1 + np.exp(-at)), 1e-6, 1 - 1e-6)
        return cls(at, np.maximum.accumulate(chance))

    @classmethod
    def from_stored(cls, at: Floats, chance: Floats) -> Self:
        """Back from arrays. Raises ValueError where these are damaged."""
        result = cls(np.asarray(at, float), np.asarray(chance, float))
        fine = result.at.ndim == 1 and result.at.shape == result.chance.shape and len(result.at) > 0
        if not fine or not np.isfinite(result.at).all() or (np.diff(result.at) <= 0).any():
            raise ValueError("the calibration is damaged")
        if (np.diff(result.chance) < 0).any() or result.chance[0] < 0 or result.chance[-1] > 1:
            raise ValueError("the calibration holds no probabilities")
        return result

    def probability(self, scores: Floats) -> Floats:
        """Shape (n,), 0 to 1."""
        values: Floats = np.interp(scores, self.at, self.chance)
        return values

    def moved(self, by: float) -> Self:
        """With all log odds moved by as much: the order of pairs stays."""
        return replace(self, chance=odds_moved(self.chance, by))

    def distance_to(self, share: float, scores: Floats) -> float:
        """By how much log odds must move so that pairs of these scores come true in this share."""
        low, high = -_FARTHEST, _FARTHEST
        while high - low > _NEAR_ENOUGH:
            middle = (low + high) / 2
            over = float(self.moved(middle).probability(scores).mean()) > share
            low, high = (low, middle) if over else (middle, high)
        return (low + high) / 2


def odds_moved(chance: Floats, by: float) -> Floats:
    """Probabilities whose log odds are moved; 0 and 1 stay."""
    times = np.exp(by)
    result: Floats = chance * times / (1 - chance + chance * times)
    return result


def _wide_enough(begins: NDArray[np.intp], whole: int) -> NDArray[np.intp]:
    """Steps joined with those before them until each holds enough."""
    selected = [0]
    for begin in begins[1:].tolist():
        if begin - selected[-1] >= _STEP and whole - begin >= _STEP:
            selected.append(begin)
    return np.array(selected, np.intp)
