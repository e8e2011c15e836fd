"""Weighted composites: the Creativity Index, the User Satisfaction Score, and their combination."""

from __future__ import annotations

from collections.abc import Mapping

from novum.core import Composite

CREATIVITY_WEIGHTS: Mapping[str, float] = {"originality": 0.3, "feasibility": 0.2, "impact": 0.4, "reliability": 0.1}
"""Equation 6."""
CONFIDENCE_WEIGHT = 0.7
"""α of equation 5."""
SATISFACTION_WEIGHTS: Mapping[str, float] = {
    "keyword_relevance": 0.2, "readability": 0.2, "coherence": 0.2, "diversity": 0.2, "feedback": 0.2,
}  # fmt: skip
"""Equation 12 names no numbers: all weights are equal until they are tuned to ratings."""


def weighted_composite(values: Mapping[str, float | None], weights: Mapping[str, float]) -> Composite:
    """The weighted mean of the known values, with their weights normalised to a sum of 1 (equations 5, 6 and 12).

    Parts of weight 0 are ignored. Raises KeyError for a weight without a value, and ValueError for weights that are
    negative or all 0.
    """
    used = {name: weight for name, weight in weights.items() if weight}
    if not used or min(used.values()) < 0:
        raise ValueError("weights must not be negative, and one of them must be above 0")
    known = {name: value for name in used if (value := values[name]) is not None}
    missing = tuple(name for name in used if name not in known)
    total = sum(used[name] for name in known)
    if not known:
        return Composite(value=None, weights={}, missing=missing)
    shares = {name: used[name] / total for name in known}
    return Composite(value=sum(shares[name] * known[name] for name in known), weights=shares, missing=missing)


def combined(creativity: float | None, satisfaction: float | None) -> float | None:
    """0.638 CI + 0.352 USS / 10, as in Table 5; None where one of the two is missing. `satisfaction`, 0 to 1, is
    converted to the range of the paper's tables, 0 to 5."""
    if creativity is None or satisfaction is None:
        return None
    return 0.638 * creativity + 0.352 * (5 * satisfaction / 10)
