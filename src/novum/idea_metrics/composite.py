"""Numbers weighed together: the composites of the Creativity Index and the User Satisfaction Score."""

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
"""Equation 12 names no numbers: as long as nobody's ratings say otherwise, all count the same."""


def weighted_composite(values: Mapping[str, float | None], weights: Mapping[str, float]) -> Composite:
    """The weighted mean of the values that are known, their weights made to add up to 1 (equations 5, 6 and 12).

    A part of weight 0 is not asked for. Raises KeyError for a weight without a value and ValueError for weights that
    are negative or all 0.
    """
    asked = {name: weight for name, weight in weights.items() if weight}
    if not asked or min(asked.values()) < 0:
        raise ValueError("weights are numbers of 0 and more, one of them above 0")
    known = {name: value for name in asked if (value := values[name]) is not None}
    missing = tuple(name for name in asked if name not in known)
    total = sum(asked[name] for name in known)
    if not known:
        return Composite(value=None, weights={}, missing=missing)
    shares = {name: asked[name] / total for name in known}
    return Composite(value=sum(shares[name] * known[name] for name in known), weights=shares, missing=missing)


def combined(creativity: float | None, satisfaction: float | None) -> float | None:
    """0.638 CI + 0.352 USS / 10, as in Table 5; None where one of them is missing.

    `satisfaction` is from 0 to 1 and counted from 0 to 5, the range of the paper's own tables.
    """
    if creativity is None or satisfaction is None:
        return None
    return 0.638 * creativity + 0.352 * (5 * satisfaction / 10)
