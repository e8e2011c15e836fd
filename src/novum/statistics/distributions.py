"""The tails of Student's t and Fisher's F, for p-values and intervals: both are shares of a beta distribution."""

from __future__ import annotations

import math
from functools import lru_cache

_TINY = 1e-300
_SETTLED = 1e-15
_MOST_TERMS = 100_000
"""The continued fraction needs about the square root of the larger parameter: enough for any number of ratings."""


def beta_share(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I_x(a, b), 0 to 1, for `a`, `b` > 0 (DLMF 8.17)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_share(1 - x, b, a)
    log_front = a * math.log(x) + b * math.log1p(-x) - math.log(a) + math.lgamma(a + b) - math.lgamma(a)
    return min(1.0, math.exp(log_front - math.lgamma(b)) * _fraction(x, a, b))


def t_two_sided(t: float, freedom: float) -> float:
    """Probability of a t at least as far from 0 as `t`, with `freedom` degrees of freedom."""
    return beta_share(freedom / (freedom + t * t), freedom / 2, 0.5)


def f_above(f: float, above: float, below: float) -> float:
    """Probability of an F above `f`, with `above` and `below` degrees of freedom of numerator and denominator."""
    if f <= 0:
        return 1.0
    return beta_share(below / (below + above * f), below / 2, above / 2)


@lru_cache(maxsize=256)  # the forms of one coefficient ask for the same
def f_quantile(share: float, above: float, below: float) -> float:
    """The F that the given share (0 to 1, exclusive) of the distribution lies below."""
    low, high = 0.0, 1.0
    for _ in range(64):
        middle = (low + high) / 2
        # Seen from the far end, where the floats are dense: `middle` is below / (below + above F).
        if beta_share(middle, below / 2, above / 2) > 1 - share:
            high = middle
        else:
            low = middle
    return below * (1 - low) / (above * low) if low else math.inf


def _fraction(x: float, a: float, b: float) -> float:
    """The continued fraction of DLMF 8.17.22, evaluated forwards (Lentz 1976, as modified by Thompson & Barnett)."""
    numerator, denominator = 1.0, _away_from_zero(1 - (a + b) * x / (a + 1))
    value = denominator = 1 / denominator
    for m in range(1, _MOST_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            denominator = 1 / _away_from_zero(1 + term * denominator)
            numerator = _away_from_zero(1 + term / numerator)
            value *= numerator * denominator
        if abs(numerator * denominator - 1) < _SETTLED:
            break
    return value


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
