"""The LiveIdeaBench leaderboard: five dimensions and their average for each model, with 95 % intervals.

An idea's score is the mean of its judges, a model's the mean over its ideas. Flexibility is the 30th percentile over
keywords of the mean of the four judged dimensions. Intervals come from a bootstrap over keywords, the same keywords
for all models, so models can be compared within a draw. Judgements without a score count for nothing and are counted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novum.benchmarks.liveidea.statistics.judgements import FLUENCY, JUDGED, Judgements
from novum.benchmarks.liveidea.statistics.severity import JudgeTotals, over_keywords
from novum.core.arrays import Floats
from novum.core.record import Value
from novum.statistics.bootstrap import bootstrap_weights, estimate
from novum.statistics.records import NO_ESTIMATE, Estimate
from novum.statistics.weighted import weighted_quantile

FLOOR = 0.3
"""Flexibility is the score that this share of keywords stays below."""
SCORED = (*JUDGED, "flexibility", "flexibility_by_rows", "average")


class Counted(Value):
    """How many requested scores were given, and how many are missing."""

    given: int
    missing: int


class ModelScores(Value):
    """One line of the leaderboard."""

    model: str
    originality: Estimate
    feasibility: Estimate
    clarity: Estimate
    fluency: Estimate
    flexibility: Estimate
    flexibility_by_rows: Estimate
    """As in the released code: over single judgements, of originality, feasibility and clarity; not averaged in."""
    average: Estimate
    """Of the five dimensions; none where one of them has none."""
    behind: Estimate = NO_ESTIMATE
    """Average minus the highest average of all models, in the same bootstrap samples; empty for that model itself."""
    judgements: dict[str, Counted]
    """By judged dimension."""
    keywords: int
    """Keywords with all four judged dimensions: those that flexibility rests on."""


def score_models(
    judgements: Judgements, *, draws: int = 1000, seed: int = 0, without_severity: bool = False
) -> tuple[ModelScores, ...]:
    """The leaderboard, in the order of `judgements.models`.

    `without_severity` subtracts each judge's effect (see `severity`), fitted again in every bootstrap sample: an
    estimate of the scores if the whole panel had judged all ideas. There is no row-wise flexibility then.
    """
    tables = _Tables.of(judgements, without_severity=without_severity)
    keywords = len(judgements.keywords)
    point = tables.scores(np.ones((1, keywords)))[0]
    samples = [tables.scores(weights) for weights in bootstrap_weights(keywords, draws if keywords > 1 else 0, seed)]
    sample = np.concatenate(samples) if samples else np.empty((0, *point.shape))
    whole = np.isfinite(tables.means()).all(axis=0).sum(axis=0)
    return tuple(
        ModelScores(
            model=name,
            **{each: estimate(point[place, at], sample[:, place, at]) for place, each in enumerate(SCORED)},
            behind=_behind(point[SCORED.index("average")], sample[:, SCORED.index("average")], at),
            judgements=_counted(judgements, at),
            keywords=int(whole[at]),
        )
        for at, name in enumerate(judgements.models)
    )


def keyword_means(judgements: Judgements) -> Floats:
    """Mean score of each judged dimension, keyword and model, in this order; NaN where there is none."""
    return _Tables.of(judgements, without_severity=False).means()


def _behind(averages: Floats, samples: Floats, model: int) -> Estimate:
    """The difference of one model's average to the highest one. `averages`: of models; `samples`: draws × models."""
    if not np.isfinite(averages).any() or (highest := int(np.nanargmax(averages))) == model:
        return NO_ESTIMATE
    return estimate(averages[model] - averages[highest], samples[:, model] - samples[:, highest])


def _counted(judgements: Judgements, model: int) -> dict[str, Counted]:
    its = judgements.model == model
    counts = {}
    for place, name in enumerate(JUDGED):
        given = judgements.given[its & (judgements.dimension == place)]
        counts[name] = Counted(given=int(given.sum()), missing=int((~given).sum()))
    return counts


@dataclass(frozen=True, eq=False)
class _Tables:
    """The input of a bootstrap sample of keywords: sums over ideas by dimension, keyword and model, and row counts."""

    total: Floats
    """Of the ideas' scores: dimensions × keywords × models."""
    ideas: Floats
    """With a score: the same shape."""
    rows: tuple[_RowScores, ...]
    """By model; empty when judges' effects are subtracted."""
    judge_shares: Floats
    """Share of each judge in the ideas' scores: dimensions × keywords × models × judges; no judges where not needed."""
    judge_totals: JudgeTotals | None

    @classmethod
    def of(cls, judgements: Judgements, *, without_severity: bool) -> _Tables:
        parts = [_idea_sums(judgements, place, without_severity=without_severity) for place in range(len(JUDGED))]
        return cls(
            total=np.stack([part[0] for part in parts]),
            ideas=np.stack([part[1] for part in parts]),
            rows=() if without_severity else _row_scores(judgements),
            judge_shares=np.stack([part[2] for part in parts]),
            judge_totals=JudgeTotals.of(judgements) if without_severity else None,
        )

    def means(self) -> Floats:
        with np.errstate(invalid="ignore"):
            return self.total / self.ideas

    def scores(self, weights: Floats) -> Floats:
        """For each row of `weights` (draws × keywords), the scores: draws × `SCORED` × models."""
        effects = self.judge_totals.effects(weights) if self.judge_totals else None
        judged = self._judged(weights, effects)
        flexibility = self._flexibility(weights, effects)
        average = np.concatenate([judged, flexibility[:, None]], axis=1).mean(axis=1)
        rows = np.full_like(flexibility, np.nan)
        for at, each in enumerate(self.rows):
            rows[:, at] = each.floor(weights)
        return np.concatenate([judged, np.stack([flexibility, rows, average], axis=1)], axis=1)

    def _judged(self, weights: Floats, effects: Floats | None) -> Floats:
        """Draws × judged dimensions × models."""
        scores = []
        for place, (total, ideas, judge_shares) in enumerate(
            zip(self.total, self.ideas, self.judge_shares, strict=True)
        ):
            above = weights @ total
            if effects is not None:
                above -= np.einsum("bmj,bj->bm", over_keywords(judge_shares, weights), effects[:, place])
            with np.errstate(invalid="ignore"):
                scores.append(above / (weights @ ideas))
        return np.stack(scores, axis=1)

    def _flexibility(self, weights: Floats, effects: Floats | None) -> Floats:
        """Draws × models."""
        means = self.means()
        floors = []
        for model in range(means.shape[2]):
            whole = means[:, :, model].mean(axis=0)[None]
            if effects is not None:
                with np.errstate(invalid="ignore"):
                    share = self.judge_shares[:, :, model] / self.ideas[:, :, model, None]
                whole = whole - np.tensordot(effects, np.nan_to_num(share), axes=([1, 2], [0, 2])) / len(JUDGED)
            floors.append(weighted_quantile(whole, weights, FLOOR))
        return np.stack(floors, axis=1)


def _idea_sums(judgements: Judgements, place: int, *, without_severity: bool) -> tuple[Floats, Floats, Floats]:
    """Of one dimension: sum of the ideas' scores, number of ideas, and share of each judge in them."""
    rows = judgements.of(place)
    shape = (len(judgements.keywords), len(judgements.models))
    _, judges = np.unique(rows.unit, return_inverse=True)
    weight = 1 / np.bincount(judges)[judges] if judges.size else np.empty(0)
    cell = np.ravel_multi_index((rows.keyword, rows.model), shape)
    size = shape[0] * shape[1]
    total = np.bincount(cell, rows.score * weight, minlength=size).reshape(shape)
    # Whole numbers again: thirds do not add up to one.
    ideas = np.rint(np.bincount(cell, weight, minlength=size)).reshape(shape)
    panel = len(judgements.judges) if without_severity else 0
    judge_shares = np.bincount(cell * panel + rows.judge, weight, minlength=size * panel) if panel else np.empty(0)
    return total.astype(float), ideas, judge_shares.reshape(*shape, panel).astype(float)


@dataclass(frozen=True, eq=False)
class _RowScores:
    """How often each mean of three scores was given to one model, by keyword. There are few different ones."""

    values: Floats
    times: Floats
    """Keywords × values."""

    def floor(self, weights: Floats) -> Floats:
        return weighted_quantile(self.values, weights @ self.times, FLOOR)


def _row_scores(judgements: Judgements) -> tuple[_RowScores, ...]:
    """Single judgements that have all of originality, feasibility and clarity, by model."""
    rows = judgements.where(judgements.given & (judgements.dimension != FLUENCY))
    _, first, row = np.unique(rows.unit * len(rows.judges) + rows.judge, return_index=True, return_inverse=True)
    whole = np.bincount(row) == FLUENCY
    # Rounded, since sums of the same scores in another order may differ in the last bit.
    mean = np.round(np.bincount(row, rows.score) / FLUENCY, 9)[whole]
    model, keyword = rows.model[first][whole], rows.keyword[first][whole]
    return tuple(
        _histogram(mean[model == each], keyword[model == each], len(rows.keywords)) for each in range(len(rows.models))
    )


def _histogram(values: Floats, keyword: NDArray[np.int64], keywords: int) -> _RowScores:
    different, place = np.unique(values, return_inverse=True)
    cells = np.bincount(keyword * len(different) + place, minlength=keywords * len(different))
    return _RowScores(different, cells.reshape(keywords, len(different)).astype(float))
