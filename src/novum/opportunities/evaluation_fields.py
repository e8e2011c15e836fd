"""Evaluation of forecasts within fields, where papers have fields."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Bools, Floats, Ints
from novum.opportunities.evaluation_records import MODEL, FieldEvaluation
from novum.opportunities.year_trial import YearTrial
from novum.statistics.bootstrap import estimate
from novum.statistics.ranking import RankedLinks
from novum.statistics.records import Estimate

_FEWEST_LINKED = 20


def thin_fields(tried: Sequence[YearTrial]) -> dict[str, int]:
    """Fields with too few newly linked pairs, and the number of these over all years, the largest first."""
    linked = {name: _linked_pairs(tried, name) for name in _names(tried)}
    few = {name: count for name, count in linked.items() if count < _FEWEST_LINKED}
    return dict(sorted(few.items(), key=lambda each: -each[1]))


def _names(tried: Sequence[YearTrial]) -> list[str]:
    return list(dict.fromkeys(name for each in tried for name in each.fields.names))


def _linked_pairs(tried: Sequence[YearTrial], name: str) -> int:
    return sum(int(each.linked[_inside(each, name)].sum()) for each in tried)


def by_field(
    tried: Sequence[YearTrial], ends: Sequence[tuple[Ints, Ints]], weights: Floats, best: str
) -> tuple[FieldEvaluation, ...]:
    """Evaluations within the fields with enough newly linked pairs, the largest field first. `best`: the simple score
    to compare with. `weights`: counts of concepts, shape (samples, concepts)."""
    names = (name for name in _names(tried) if _linked_pairs(tried, name) >= _FEWEST_LINKED)
    result = (_one_field(name, tried, ends, weights, best) for name in names)
    return tuple(sorted((each for each in result if each), key=lambda each: -each.pairs))


def _one_field(
    name: str, tried: Sequence[YearTrial], ends: Sequence[tuple[Ints, Ints]], weights: Floats, best: str
) -> FieldEvaluation | None:
    inside = [_inside(each, name) for each in tried]
    if not any(_both_kinds(each.linked[rows]) for each, rows in zip(tried, inside, strict=True)):
        return None
    measured = {score: _measures(score, tried, ends, inside, weights) for score in (MODEL, best)}
    return FieldEvaluation(
        field=name,
        best=best,
        pairs=sum(map(len, inside)),
        joined=_linked_pairs(tried, name),
        auc=measured[MODEL][0],
        average_precision=measured[MODEL][1],
        best_auc=measured[best][0],
        best_average_precision=measured[best][1],
    )


def _both_kinds(linked: Bools) -> bool:
    return bool(linked.any() and not linked.all())


def _inside(tried: YearTrial, name: str) -> NDArray[np.intp]:
    """The indices of the pairs whose concepts both belong to the field."""
    if name not in tried.fields.names:
        return np.zeros(0, np.intp)
    field = tried.fields.field == tried.fields.names.index(name)
    return np.flatnonzero(field[tried.one] & field[tried.other])


def _measures(
    score: str,
    tried: Sequence[YearTrial],
    ends: Sequence[tuple[Ints, Ints]],
    inside: Sequence[NDArray[np.intp]],
    weights: Floats,
) -> tuple[Estimate, Estimate]:
    """Area under the curve and average precision: means over the years with linked and unlinked pairs in the field."""
    points, samples = [], []
    for each, (one, other), rows in zip(tried, ends, inside, strict=True):
        if _both_kinds(each.linked[rows]):
            ranked = RankedLinks.of(each.scores[score][rows], each.linked[rows], one[rows], other[rows])
            points.append(ranked.measured(1)[:2])
            samples.append([ranked.measured(1, row)[:2] for row in weights])
    mean, means = np.mean(points, axis=0), np.mean(samples, axis=0).reshape(len(weights), 2)
    return estimate(mean[0], means[:, 0]), estimate(mean[1], means[:, 1])
