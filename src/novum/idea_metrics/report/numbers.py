"""The numbers of the report on scored ideas: order, means and intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from novum.core.scorecard import RATING, Scorecard
from novum.idea_metrics.report.records import WHOLES, MeasureInfo, ScoredIdea, ScoringReport
from novum.statistics.bootstrap import bootstrap_weights, estimate
from novum.statistics.records import NO_ESTIMATE, Estimate

DRAWS = 1_000
MOST_RESAMPLED = 500
"""Number of ideas up to which intervals are bootstrapped; with more, the normal approximation is the same."""
_SPREAD = 1.96


def scoring_report(
    measure: MeasureInfo, ideas: Sequence[ScoredIdea], *, sort: str = "", left_out: Sequence[str] = ()
) -> ScoringReport:
    """The report on `ideas`. `sort`: name of a part or composite, best first, unknown values last; empty: the given
    order."""
    ordered = in_order(ideas, sort) if sort else list(ideas)
    names = (*WHOLES, *dict.fromkeys(name for each in ideas for name in each.card.parts))
    means = {name: mean(standing(each.card, name) for each in ideas) for name in names}
    return ScoringReport(measure=measure, ideas=tuple(ordered), means=means, sorted_by=sort, left_out=tuple(left_out))


def standing(card: Scorecard, name: str) -> float | None:
    """The value of a composite, the scaled value of a part, or the share of reviewed papers with a lower predicted
    rating; None where it is missing. Higher is better."""
    if name == RATING:
        return card.rating.share if card.rating else None
    if name in WHOLES:
        return card.of(name)
    part = card.parts.get(name)
    return part.scaled if part else None


def in_order(ideas: Sequence[ScoredIdea], name: str) -> list[ScoredIdea]:
    """The ideas by this score, best first, unknown values last, equal ones in the given order."""

    def key(idea: ScoredIdea) -> tuple[bool, float]:
        value = standing(idea.card, name)
        return (value is None, -(value or 0.0))

    return sorted(ideas, key=key)


def mean(values: Iterable[float | None], seed: int = 0) -> Estimate:
    """The mean of the known values, with a 95 % bootstrap interval where there are at least two."""
    known = np.array([value for value in values if value is not None])
    if not known.size:
        return NO_ESTIMATE
    point = float(known.mean())
    if known.size == 1:
        return Estimate(value=point)
    if known.size > MOST_RESAMPLED:
        margin = _SPREAD * float(known.std(ddof=1)) / known.size**0.5
        return Estimate(value=point, low=point - margin, high=point + margin)
    draws = [block @ known / known.size for block in bootstrap_weights(known.size, DRAWS, seed)]
    return estimate(point, np.concatenate(draws))
