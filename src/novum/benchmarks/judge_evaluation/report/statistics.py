"""Statistics of reviewers as functions of the weights of papers, so that all share the same bootstrap samples.

A difference to a baseline is computed on the papers that the reviewer has, in each bootstrap sample.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novum.benchmarks.judge_evaluation.records import TextSimilarity
from novum.benchmarks.judge_evaluation.report.columns import EvaluationColumns, ReviewerColumns
from novum.benchmarks.judge_evaluation.statistics.rater_spread import RaterSpread
from novum.core.arrays import Bools, Floats
from novum.statistics.bootstrap import bootstrap_weights, estimate
from novum.statistics.calibration import brier, calibration_error, cross_fitted_probabilities
from novum.statistics.records import Estimate
from novum.statistics.weighted import (
    Rows,
    less_group_mean,
    root_mean_square,
    weighted_auc,
    weighted_mean,
    weighted_spearman,
)

MIN_PAPERS = 5
"""Papers that an interval needs."""
ERROR = "error"
"""The calibration error, whose bootstrap samples are biased upwards."""
WeightedStatistic = Callable[[Floats], Floats]
"""From the weights of papers, shape (b, n), to the statistic of each sample, shape (b,)."""


class Statistic(NamedTuple):
    """A statistic, and the number of its papers."""

    of: WeightedStatistic
    papers: int


Statistics = dict[str, Statistic]


def estimates(statistics: Mapping[str, Statistic], papers: int, draws: int, seed: int) -> dict[str, Estimate]:
    """Every statistic with its interval, from the same bootstrap samples of papers."""
    points = {name: float(each.of(np.ones((1, papers)))[0]) for name, each in statistics.items()}
    samples: dict[str, list[Floats]] = {name: [] for name in statistics}
    for times in bootstrap_weights(papers, draws, seed):
        for name, each in statistics.items():
            if each.papers >= MIN_PAPERS:
                samples[name].append(each.of(times))
    known = {name: np.concatenate(found) if found else np.zeros(0) for name, found in samples.items()}
    return {name: estimate(points[name], _centred(name, points[name], found)) for name, found in known.items()}


def _centred(name: str, point: float, draws: Floats) -> Floats:
    """Samples of a calibration error, moved to the level of the estimate: chance only ever increases the error, and
    does so again in every sample."""
    if not name.endswith(ERROR) or not len(draws):
        return draws
    return np.maximum(draws - np.nanmean(draws) + point, 0)


def rating_statistics(
    papers: EvaluationColumns, reviewer: ReviewerColumns, constant: ReviewerColumns, ridge: ReviewerColumns
) -> tuple[Rows, Statistics]:
    """The rows of rated papers, and the statistics."""
    target = np.where(np.isfinite(reviewer.against), reviewer.against, papers.means)
    rows = np.flatnonzero(np.isfinite(reviewer.rating))
    if not len(rows):
        return rows, {}
    strata, real = papers.strata(rows), target[rows]
    errors = {name: each.rating[rows] - real for name, each in (("", reviewer), ("c", constant), ("r", ridge))}

    def rank(of: ReviewerColumns) -> WeightedStatistic:
        return lambda times: weighted_spearman(of.rating[rows], real, times[:, rows], strata)

    def size(of: str) -> WeightedStatistic:
        return _size(errors[of], rows)

    def level(of: str) -> WeightedStatistic:
        return _size(less_group_mean(errors[of], strata), rows)

    found = {
        "rmse": size(""),
        "mae": lambda times: weighted_mean(np.abs(errors[""]), times[:, rows]),
        "level_rmse": level(""),
        "spearman": rank(reviewer),
    }
    if reviewer.reviewer.kind != "constant":
        found["over_constant"] = difference(size(""), size("c"))
    if reviewer.reviewer.kind not in {"constant", "ridge"}:
        found["over_ridge"] = difference(size(""), size("r"))
        found["level_over_ridge"] = difference(level(""), level("r"))
        found["spearman_over_ridge"] = difference(rank(reviewer), rank(ridge))
    return rows, _with_papers(found, len(rows))


def base_statistics(papers: EvaluationColumns, reviewer: ReviewerColumns, base: ReviewerColumns) -> Statistics:
    """The effect of training: differences to the untuned base on the papers that both have."""
    rows = np.flatnonzero(np.isfinite(reviewer.rating) & np.isfinite(base.rating))
    if not len(rows):
        return {}
    strata, real = papers.strata(rows), papers.means[rows]
    one, other = reviewer.rating[rows], base.rating[rows]

    def size(ratings: Floats) -> WeightedStatistic:
        return _size(ratings - real, rows)

    def level(ratings: Floats) -> WeightedStatistic:
        return _size(less_group_mean(ratings - real, strata), rows)

    def rank(ratings: Floats) -> WeightedStatistic:
        return lambda times: weighted_spearman(ratings, real, times[:, rows], strata)

    found = {
        "over_base": difference(size(one), size(other)),
        "level_over_base": difference(level(one), level(other)),
        "spearman_over_base": difference(rank(one), rank(other)),
    }
    return _with_papers(found, len(rows))


class DecisionStatistics:
    """Statistics of decisions, on papers that were accepted or rejected and that the reviewer has rated."""

    def __init__(self, papers: EvaluationColumns, reviewer: ReviewerColumns, ridge: ReviewerColumns) -> None:
        scores = reviewer.utility if reviewer.decides else reviewer.rating
        self.rows: Rows = np.flatnonzero(np.isfinite(papers.accepted) & np.isfinite(scores))
        self.came: NDArray[np.bool_] = papers.accepted[self.rows] > 0
        self.own = reviewer.decides
        own_scores = scores[self.rows]
        self.probabilities = (
            own_scores if reviewer.decides else cross_fitted_probabilities(own_scores, self.came, seed=papers.run.seed)
        )
        self.accepts = (
            reviewer.accept[self.rows] if reviewer.decides else (self.probabilities >= 0.5).astype(np.float64)
        )
        self._scores, self._ridge = own_scores, ridge.rating[self.rows]
        self._is_baseline = reviewer.reviewer.kind in {"constant", "ridge"}
        self._strata = papers.strata(self.rows)

    @property
    def usable(self) -> bool:
        """Whether there are accepted and rejected papers, all with a probability."""
        return self._both and bool(np.isfinite(self.probabilities).all())

    @property
    def _both(self) -> bool:
        return bool(len(self.rows)) and 0 < self.came.mean() < 1

    def statistics(self) -> Statistics:
        """The statistics. AUC needs no probabilities, so that it exists for too few papers to calibrate ratings."""
        if not self._both:
            return {}

        def area(scores: Floats) -> WeightedStatistic:
            return lambda times: weighted_auc(scores, self.came, times[:, self.rows], self._strata)

        found = {"auc": area(self._scores)}
        if not self._is_baseline:
            found["auc_over_ridge"] = difference(area(self._scores), area(self._ridge))
        if self.usable:
            right = (self.accepts == self.came).astype(np.float64)
            found |= {
                "accuracy": lambda times: weighted_mean(right, times[:, self.rows]),
                "brier": lambda times: brier(self.probabilities, self.came, times[:, self.rows]),
                ERROR: lambda times: calibration_error(self.probabilities, self.came, times[:, self.rows]),
            }
        return _with_papers(found, len(self.rows))


def spread_statistics(papers: EvaluationColumns, reviewer: ReviewerColumns) -> tuple[int, Statistics]:
    """The number of papers with two ratings or more, and the statistics; for a real reviewer those of all real ones."""
    if reviewer.reviewer.kind == "real":
        ratings = [list(each.ratings) for each in papers.run.papers]
    else:
        reports = (each.ratings if each else () for each in reviewer.reviews)
        ratings = [[rating for rating in each if rating is not None] for each in reports]
    spread = RaterSpread.of(ratings, papers.strata(np.arange(len(ratings))))
    several = int((spread.raters > 1).sum())
    found = {"icc": spread.icc, "difference": spread.difference, "noise": spread.noise} if several else {}
    return several, _with_papers(found, several)


def group_statistics(papers: EvaluationColumns, reviewer: ReviewerColumns, among: Bools) -> tuple[int, Statistics]:
    """The number of rated papers `among` those of all, and how far the reviewer orders them rightly within each venue
    and year; for a real reviewer also how far all of them agree."""
    target = np.where(np.isfinite(reviewer.against), reviewer.against, papers.means)
    rows = np.flatnonzero(np.isfinite(reviewer.rating) & among)
    if not len(rows):
        return 0, {}
    ratings, real, strata = reviewer.rating[rows], target[rows], papers.strata(rows)
    found: dict[str, WeightedStatistic] = {
        "spearman": lambda times: weighted_spearman(ratings, real, times[:, rows], strata)
    }
    if reviewer.reviewer.kind == "real":
        kept = np.flatnonzero(among)
        spread = RaterSpread.of([papers.run.papers[row].ratings for row in kept.tolist()], papers.strata(kept))
        if (spread.raters > 1).any():
            found["icc"] = lambda times: spread.icc(times[:, kept])
    return len(rows), _with_papers(found, len(rows))


def text_statistics(reviewer: ReviewerColumns) -> tuple[int, Statistics]:
    """The number of papers with texts, and the statistics."""
    found: Statistics = {}
    for name, similarities in (("same", [each.same if each else None for each in reviewer.reviews]),
                       ("other", [each.other if each else None for each in reviewer.reviews])):  # fmt: skip
        for part in ("precision", "recall", "f"):
            found |= _mean_of(f"{name}_{part}", [_part(each, part) for each in similarities])
    ranks = [np.array(each.ranks, dtype=np.float64) if each and each.ranks else None for each in reviewer.reviews]
    found |= _mean_of("nearest", [None if each is None else float((each == 1).mean()) for each in ranks])
    found |= _mean_of("reciprocal_rank", [None if each is None else float((1 / each).mean()) for each in ranks])
    return sum(each is not None for each in ranks), found


def preference_statistics(reviewer: ReviewerColumns) -> Statistics:
    """The share of comparisons that preferred the reviewer's report, on papers with an answer in both orders: one alone
    would include the judge's position bias."""
    shares: list[float | None] = []
    for each in reviewer.reviews:
        both = each.preferred if each else ()
        known = [points for points in both if points is not None]
        shares.append(sum(known) / len(known) if known and len(known) == len(both) else None)
    return _mean_of("preferred", shares)


def difference(one: WeightedStatistic, other: WeightedStatistic) -> WeightedStatistic:
    """The difference in each bootstrap sample."""
    return lambda times: one(times) - other(times)


def _mean_of(name: str, values: list[float | None]) -> Statistics:
    rows = np.array([place for place, each in enumerate(values) if each is not None], dtype=np.intp)
    known = np.array([each for each in values if each is not None], dtype=np.float64)
    return _with_papers({name: lambda times: weighted_mean(known, times[:, rows])} if len(rows) else {}, len(rows))


def _with_papers(found: Mapping[str, WeightedStatistic], papers: int) -> Statistics:
    return {name: Statistic(of, papers) for name, of in found.items()}


def _size(errors: Floats, rows: Rows) -> WeightedStatistic:
    """Root mean square of the known errors of these papers."""
    known = np.isfinite(errors)
    return lambda times: root_mean_square(errors[known], times[:, rows[known]])


def _part(of: TextSimilarity | None, name: str) -> float | None:
    return None if of is None else float(getattr(of, name))
