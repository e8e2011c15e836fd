"""Compare judges with people: pairs in order, rank correlation, decisions, and what a score stands for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from novum.benchmarks.judge_evaluation.report.statistics import Statistic, estimates
from novum.benchmarks.judge_validation.records import AgreementRow, JudgeOpinions, RowKind
from novum.benchmarks.judge_validation.task import JudgeValidationTask
from novum.core.arrays import Floats, Ints
from novum.judges.agreement import ScoreCurve
from novum.statistics.records import NO_ESTIMATE, Estimate
from novum.statistics.weighted import rows_by_stratum, weighted_auc, weighted_spearman, without_noise

PREDICTED, REVIEWER, PANEL = "predicted rating", "one reviewer, against the others", "panel"
FEWEST_FOR_CURVE = 40
"""Texts with a score from which a curve is fitted."""
_FOLDS = 5
_Fit = Callable[[Floats, Floats], tuple[Floats, Floats]]
"""From scores and people's ratings, both (n,), to points of a curve: scores, ascending, and ratings."""


def agreement_rows(
    task: JudgeValidationTask, opinions: Sequence[JudgeOpinions], draws: int
) -> tuple[tuple[AgreementRow, ...], ScoreCurve | None]:
    """Every row of the table with bootstrap intervals over texts, and what the panel's scores stand for."""
    people = np.array([each.people for each in task.texts])
    points = [_points(task, each) for each in opinions]
    scores = [without_noise(_scores(task, each, of)) for each, of in zip(opinions, points, strict=True)]
    rows = [
        _row(task, each.judge, "judge", of, points_of, people, draws)
        for each, of, points_of in zip(opinions, scores, points, strict=True)
    ]
    panel_scores = _mean(scores)
    if len(opinions) > 1:
        rows.append(_row(task, PANEL, "panel", panel_scores, _mean(points), people, draws))
    predicted = np.array([np.nan if each.predicted is None else each.predicted for each in task.texts])
    if np.isfinite(predicted).any():
        rows.append(_row(task, PREDICTED, "predicted", predicted, _ordered(task, predicted), people, draws))
    single, others = _one_reviewer(task)
    if np.isfinite(single).any():
        rows.append(_row(task, REVIEWER, "reviewer", single, _ordered(task, single), others, draws))
    return tuple(rows), score_curve(panel_scores, people, task.seed)


def score_curve(scores: Floats, people: Floats, seed: int = 0) -> ScoreCurve | None:
    """A line, or a curve that only rises, whichever predicts people's ratings of left-out texts better. None for too
    few texts, and where all scores are equal. `scores`: NaN without one. Both of shape (n,)."""
    known = np.isfinite(scores) & np.isfinite(people)
    x, y = scores[known], people[known]
    if len(x) < FEWEST_FOR_CURVE or np.ptp(x) == 0:
        return None
    folds = np.random.default_rng(seed).permutation(len(x)) % _FOLDS
    missed = {fit: _missed(fit, x, y, folds) for fit in (_line, _rising)}
    best = min(missed, key=lambda fit: float((missed[fit] ** 2).mean()))
    at, then = best(x, y)
    low, high = np.quantile(missed[best], [0.05, 0.95])
    return ScoreCurve(scores=tuple(at.tolist()), people=tuple(then.tolist()), low=float(low), high=float(high))


def _missed(fit: _Fit, x: Floats, y: Floats, folds: Ints) -> Floats:
    """People's ratings less those that a fit to the other folds predicts."""
    missed = np.zeros(len(x))
    for fold in range(_FOLDS):
        out = folds == fold
        at, then = fit(x[~out], y[~out])
        missed[out] = y[out] - np.interp(x[out], at, then)
    return missed


def _line(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    at = np.array([x.min(), x.max()])
    if np.ptp(x) == 0:
        return at, np.full(2, y.mean())
    slope, constant = np.polyfit(x, y, 1)
    return at, slope * at + constant


def _rising(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    from sklearn.isotonic import IsotonicRegression  # noqa: PLC0415  takes seconds

    fitted = IsotonicRegression(out_of_bounds="clip").fit(x, y)  # type: ignore[no-untyped-call]
    at = np.unique(x)
    return at, np.asarray(fitted.predict(at))


def _row(
    task: JudgeValidationTask, name: str, kind: RowKind, scores: Floats, points: Floats, people: Floats, draws: int
) -> AgreementRow:
    first, second = _sides(task)
    truth = np.sign(people[first] - people[second])
    pairs = np.flatnonzero(np.isfinite(points) & np.isfinite(truth) & (truth != 0))
    right = (1 + np.sign(points[pairs] - 0.5) * truth[pairs]) / 2
    first, second = first[pairs], second[pairs]
    known = np.flatnonzero(np.isfinite(scores) & np.isfinite(people))
    accepted = np.array([np.nan if each.accepted is None else float(each.accepted) for each in task.texts])
    decided = np.flatnonzero(np.isfinite(scores) & np.isfinite(accepted))
    statistics: dict[str, Statistic] = {}
    if len(pairs):
        statistics["right"] = Statistic(
            lambda times: _weighted_share(right, times[:, first] * times[:, second]), len(pairs)
        )
    if len(known):
        strata = _strata(task, known)
        statistics["spearman"] = Statistic(
            lambda times: weighted_spearman(scores[known], people[known], times[:, known], strata), len(known)
        )
    if len(decided) and 0 < accepted[decided].mean() < 1:
        groups = _strata(task, decided)
        statistics["auc"] = Statistic(
            lambda times: weighted_auc(scores[decided], accepted[decided] > 0.5, times[:, decided], groups),
            len(decided),
        )
    found = {
        each: _without_empty_interval(of)
        for each, of in estimates(statistics, len(task.texts), draws, task.seed).items()
    }
    return AgreementRow(
        name=name, kind=kind, pairs=len(pairs), texts=len(known), decided=len(decided),
        **{each: found.get(each, NO_ESTIMATE) for each in ("right", "spearman", "auc")},
    )  # fmt: skip


def _without_empty_interval(of: Estimate) -> Estimate:
    """Where all samples give the same, as with ties alone, an interval would look like certainty."""
    return Estimate(value=of.value, level=of.level) if of.low == of.high else of


def _weighted_share(right: Floats, weights: Floats) -> Floats:
    total = weights.sum(axis=1)
    share: Floats = np.divide(weights @ right, total, out=np.full(len(total), np.nan), where=total > 0)
    return share


def _points(task: JudgeValidationTask, of: JudgeOpinions) -> Floats:
    """For each pair the points of its first text, NaN without an answer, shape (p,)."""
    return _numbers(of.points) if task.is_pairwise else _ordered(task, _numbers(of.scores))


def _scores(task: JudgeValidationTask, of: JudgeOpinions, points: Floats) -> Floats:
    """The score of each text, shape (n,); of a pairwise judge its mean points, NaN without a pair."""
    if not task.is_pairwise:
        return _numbers(of.scores)
    found: list[list[float]] = [[] for _ in task.texts]
    for (first, second), each in zip(task.pairs, points.tolist(), strict=True):
        if np.isfinite(each):
            found[first].append(each)
            found[second].append(1 - each)
    return np.array([sum(each) / len(each) if each else np.nan for each in found])


def _ordered(task: JudgeValidationTask, scores: Floats) -> Floats:
    """For each pair 1 where the first text has the higher score, 0.5 where they are equal, else 0; shape (p,)."""
    first, second = _sides(task)
    clean = without_noise(scores)
    return np.asarray((1 + np.sign(clean[first] - clean[second])) / 2)


def _sides(task: JudgeValidationTask) -> tuple[Ints, Ints]:
    pairs = np.array(task.pairs, dtype=np.intp).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def _one_reviewer(task: JudgeValidationTask) -> tuple[Floats, Floats]:
    """A random reviewer's rating of each text, and the mean of the others; NaN where there are no others."""
    rng = np.random.default_rng(task.seed)
    single, others = np.array(list(_one_of(task, rng))).T
    return single, others


def _one_of(task: JudgeValidationTask, rng: np.random.Generator) -> Iterator[tuple[float, float]]:
    for each in task.texts:
        ratings = list(each.ratings)
        if len(ratings) < 2:
            yield np.nan, np.nan
            continue
        own = ratings.pop(int(rng.integers(len(ratings))))
        yield own, sum(ratings) / len(ratings)


def _strata(task: JudgeValidationTask, rows: Ints) -> list[Ints]:
    return list(rows_by_stratum([task.texts[row].group for row in rows.tolist()]))


def _mean(columns: Sequence[Floats]) -> Floats:
    """The mean of those that are known, shape (n,); NaN where none is."""
    table = np.stack(columns)
    known = np.isfinite(table)
    total = np.where(known, table, 0).sum(axis=0)
    mean: Floats = np.divide(total, known.sum(axis=0), out=np.full(table.shape[1], np.nan), where=known.any(axis=0))
    return without_noise(mean)


def _numbers(values: Sequence[float | None]) -> Floats:
    return np.array([np.nan if each is None else each for each in values], dtype=float)
