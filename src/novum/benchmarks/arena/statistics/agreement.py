"""Agreement of judges with people and with each other, on single matches (Chain of Ideas, Table 1) and on ratings.

Agreement on a match means the same winner. The paper does not define ties, so there are two shares: `same` counts a tie
as an outcome, and `same_winner` is among the matches in which both judges name a winner. Intervals are from a bootstrap
over topics.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np

from novum.benchmarks.arena.statistics.comparisons import PairOutcomes, pair_outcomes
from novum.core.arrays import Floats
from novum.core.comparison import ComparisonKind, JudgedPair
from novum.core.record import Value
from novum.statistics.bootstrap import bootstrap_weights, estimate
from novum.statistics.correlation import pearson, spearman
from novum.statistics.games import AVERAGE
from novum.statistics.records import Correlation, Estimate

_OUTCOMES = 3
"""Lost, tied, won: places in the tables of two judges."""


class MatchAgreement(Value):
    """Two judges on one criterion, or on the average of the criteria."""

    criterion: str
    matches: int
    """Pairs on a topic that both judged."""
    decided: int
    """Those in which both named a winner."""
    same: Estimate
    same_winner: Estimate
    kappa: Estimate
    """Cohen's, a tie being an outcome of its own: 1 is perfect, 0 is chance."""
    weighted_kappa: Estimate
    """With quadratic weights: a tie is half way between the two winners."""


class JudgePair(Value):
    """Two judges on all criteria."""

    first: str
    second: str
    criteria: tuple[MatchAgreement, ...]
    average: MatchAgreement
    """Means over the criteria, as in the last line of Table 1; matches are summed up."""


def agreement_of_judges(
    judged_pairs: Iterable[JudgedPair], kind: ComparisonKind = "idea", *, draws: int = 1000, seed: int = 0
) -> tuple[JudgePair, ...]:
    """Every two judges, in order of appearance; people are judges too, under any name."""
    outcomes = pair_outcomes(judged_pairs, kind)
    return tuple(
        _judge_pair(outcomes, first, second, draws, seed)
        for first, second in combinations(range(len(outcomes.judges)), 2)
    )


def _judge_pair(outcomes: PairOutcomes, first: int, second: int, draws: int, seed: int) -> JudgePair:
    tables = _tables(outcomes, first, second)
    topics = tables.shape[1]
    once = np.ones((1, topics))
    weights = [once, *(bootstrap_weights(topics, draws, seed) if topics > 1 else ())]
    sample = np.concatenate([_statistics(np.einsum("bt,ctij->bcij", each, tables)) for each in weights])
    count = tables.sum(axis=1)
    decided = count[:, ::2, ::2].sum(axis=(1, 2))
    matches = count.sum(axis=(1, 2))
    return JudgePair(
        first=outcomes.judges[first],
        second=outcomes.judges[second],
        criteria=tuple(
            _agreement(name, matches[place], decided[place], sample[:, place])
            for place, name in enumerate(outcomes.criteria)
        ),
        average=_agreement(AVERAGE, matches.sum(), decided.sum(), _mean(sample)),
    )


def _tables(outcomes: PairOutcomes, first: int, second: int) -> Floats:
    """Counts of the two judges' outcomes by shared criterion and topic: criteria × topics × 3 × 3."""
    one, other = (outcomes.where(outcomes.judge == judge) for judge in (first, second))
    _, here, there = np.intersect1d(one.item, other.item, assume_unique=True, return_indices=True)
    topics, topic = np.unique(one.topic[here], return_inverse=True)
    positions = [np.rint(2 * points).astype(np.int64) for points in (one.points[here], other.points[there])]
    shape = (len(outcomes.criteria), len(topics), _OUTCOMES, _OUTCOMES)
    cell = ((one.criterion[here] * len(topics) + topic) * _OUTCOMES + positions[0]) * _OUTCOMES + positions[1]
    return np.bincount(cell, minlength=int(np.prod(shape))).reshape(shape).astype(float)


def _statistics(tables: Floats) -> Floats:
    """... × 3 × 3 → ... × (same, same winner, kappa, weighted kappa); NaN without data."""
    ends = tables[..., ::2, ::2]
    nominal = 1 - np.eye(_OUTCOMES)
    squared = np.subtract.outer(np.arange(_OUTCOMES), np.arange(_OUTCOMES)) ** 2.0
    with np.errstate(invalid="ignore", divide="ignore"):
        same = np.trace(tables, axis1=-2, axis2=-1) / tables.sum(axis=(-2, -1))
        winner = np.trace(ends, axis1=-2, axis2=-1) / ends.sum(axis=(-2, -1))
    return np.stack([same, winner, _kappa(tables, nominal), _kappa(tables, squared)], axis=-1)


def _kappa(tables: Floats, apart: Floats) -> Floats:
    """1 - disagreement seen / disagreement by chance, `apart` saying how far two outcomes are apart."""
    chance = tables.sum(axis=-1)[..., :, None] * tables.sum(axis=-2)[..., None, :]
    seen, expected = ((each * apart).sum(axis=(-2, -1)) for each in (tables, chance))
    with np.errstate(invalid="ignore", divide="ignore"):
        kappa = 1 - seen * tables.sum(axis=(-2, -1)) / expected
    # Both always give the same outcome: agreement by chance is 1, and kappa is undefined.
    return np.where(expected > 0, kappa, np.nan)


def _mean(sample: Floats) -> Floats:
    """Over the criteria (second axis) that have a number; NaN where none has."""
    known = np.isfinite(sample)
    with np.errstate(invalid="ignore"):
        mean: Floats = np.where(known, sample, 0).sum(axis=1) / known.sum(axis=1)
    return mean


def _agreement(criterion: str, matches: float, decided: float, sample: Floats) -> MatchAgreement:
    same, winner, kappa, weighted = (estimate(float(each[0]), each[1:]) for each in sample.T)
    return MatchAgreement(
        criterion=criterion,
        matches=int(matches),
        decided=int(decided),
        same=same,
        same_winner=winner,
        kappa=kappa,
        weighted_kappa=weighted,
    )


class RatingAgreement(Value):
    """Two judges' ratings of the same players, criterion by criterion (Chain of Ideas, Figures 6 and 7)."""

    pearson: dict[str, Correlation]
    spearman: dict[str, Correlation]
    mean_pearson: float | None
    """Mean of r over the criteria that have one."""
    mean_spearman: float | None


def agreement_of_ratings(
    first: Mapping[str, Sequence[float]], second: Mapping[str, Sequence[float]]
) -> RatingAgreement:
    """Of two judges, ratings of the same players in the same order, by criterion; criteria of only one are left out.

    Raises ValueError where the judges rated different numbers of players.
    """
    shared = [name for name in first if name in second]
    by_value = {name: pearson(first[name], second[name]) for name in shared}
    by_rank = {name: spearman(first[name], second[name]) for name in shared}
    return RatingAgreement(
        pearson=by_value, spearman=by_rank, mean_pearson=_mean_r(by_value), mean_spearman=_mean_r(by_rank)
    )


def _mean_r(correlations: Mapping[str, Correlation]) -> float | None:
    known = [each.r for each in correlations.values() if each.r is not None]
    return float(np.mean(known)) if known else None
