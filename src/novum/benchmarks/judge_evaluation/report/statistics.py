"""Each figure on a reviewer as a function of how often every paper counts, so that all are drawn together.

A difference to a baseline is taken on the papers that the reviewer has, draw by draw.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novum.benchmarks.judge_evaluation.records import Likeness
from novum.benchmarks.judge_evaluation.report.columns import Papers, Said
from novum.benchmarks.judge_evaluation.statistics.rater_spread import RaterSpread
from novum.statistics.bootstrap import estimate, resampled
from novum.statistics.calibration import brier, calibration_error, cross_fitted
from novum.statistics.estimate import Estimate
from novum.statistics.prediction_error import root_mean_square, weighted_mean, with_level_set_right
from novum.statistics.weighted_ranks import Floats, Rows, weighted_auc, weighted_spearman

FEWEST = 5
"""Papers below which nobody can tell how far chance goes: a figure that rests on fewer has no interval."""
ERROR = "error"
"""The figure whose draws lie above it."""
Drawing = Callable[[Floats], Floats]
"""From how often each paper counts (b, n) to (b,)."""


class Statistic(NamedTuple):
    """A figure, and how many papers it rests on."""

    of: Drawing
    papers: int


Statistics = dict[str, Statistic]


def estimates(statistics: Mapping[str, Statistic], papers: int, draws: int, seed: int) -> dict[str, Estimate]:
    """Every figure with its interval over papers, by the same draws."""
    points = {name: float(each.of(np.ones((1, papers)))[0]) for name, each in statistics.items()}
    drawn: dict[str, list[Floats]] = {name: [] for name in statistics}
    for times in resampled(papers, draws, seed):
        for name, each in statistics.items():
            if each.papers >= FEWEST:
                drawn[name].append(each.of(times))
    known = {name: np.concatenate(found) if found else np.zeros(0) for name, found in drawn.items()}
    return {name: estimate(points[name], _at_level(name, points[name], found)) for name, found in known.items()}


def _at_level(name: str, point: float, draws: Floats) -> Floats:
    """Draws of a calibration error, set back to the level of the point: chance only ever adds to it, and does so once
    more in every draw."""
    if not name.endswith(ERROR) or not len(draws):
        return draws
    return np.maximum(draws - np.nanmean(draws) + point, 0)


def on_ratings(papers: Papers, said: Said, constant: Said, ridge: Said) -> tuple[Rows, Statistics]:
    """The papers that count, and the figures."""
    target = np.where(np.isfinite(said.against), said.against, papers.means)
    rows = np.flatnonzero(np.isfinite(said.rating))
    if not len(rows):
        return rows, {}
    strata, real = papers.strata(rows), target[rows]
    errors = {name: each.rating[rows] - real for name, each in (("", said), ("c", constant), ("r", ridge))}

    def rank(of: Said) -> Drawing:
        return lambda times: weighted_spearman(of.rating[rows], real, times[:, rows], strata)

    def size(of: str) -> Drawing:
        return _size(errors[of], rows)

    def level(of: str) -> Drawing:
        return _size(with_level_set_right(errors[of], strata), rows)

    found = {
        "rmse": size(""),
        "mae": lambda times: weighted_mean(np.abs(errors[""]), times[:, rows]),
        "level_rmse": level(""),
        "spearman": rank(said),
    }
    if said.reviewer.kind != "constant":
        found["over_constant"] = less(size(""), size("c"))
    if said.reviewer.kind not in {"constant", "ridge"}:
        found["over_ridge"] = less(size(""), size("r"))
        found["level_over_ridge"] = less(level(""), level("r"))
        found["spearman_over_ridge"] = less(rank(said), rank(ridge))
    return rows, _resting(found, len(rows))


def on_base(papers: Papers, said: Said, base: Said) -> Statistics:
    """What training brought: figures less those of the untuned base, on the papers that both have."""
    rows = np.flatnonzero(np.isfinite(said.rating) & np.isfinite(base.rating))
    if not len(rows):
        return {}
    strata, real = papers.strata(rows), papers.means[rows]
    one, other = said.rating[rows], base.rating[rows]

    def size(told: Floats) -> Drawing:
        return _size(told - real, rows)

    def level(told: Floats) -> Drawing:
        return _size(with_level_set_right(told - real, strata), rows)

    def rank(told: Floats) -> Drawing:
        return lambda times: weighted_spearman(told, real, times[:, rows], strata)

    found = {
        "over_base": less(size(one), size(other)),
        "level_over_base": less(level(one), level(other)),
        "spearman_over_base": less(rank(one), rank(other)),
    }
    return _resting(found, len(rows))


class Decisions:
    """Of the papers that were accepted or rejected and of which a reviewer says something."""

    def __init__(self, papers: Papers, said: Said, ridge: Said) -> None:
        scores = said.utility if said.decides else said.rating
        self.rows: Rows = np.flatnonzero(np.isfinite(papers.accepted) & np.isfinite(scores))
        self.came: NDArray[np.bool_] = papers.accepted[self.rows] > 0
        self.own = said.decides
        told = scores[self.rows]
        self.probabilities = told if said.decides else cross_fitted(told, self.came, seed=papers.run.seed)
        self.said = said.accept[self.rows] if said.decides else (self.probabilities >= 0.5).astype(np.float64)
        self._scores, self._ridge = told, ridge.rating[self.rows]
        self._is_baseline = said.reviewer.kind in {"constant", "ridge"}
        self._strata = papers.strata(self.rows)

    @property
    def usable(self) -> bool:
        """Both kinds of papers are there, and each was given a probability."""
        return self._both and bool(np.isfinite(self.probabilities).all())

    @property
    def _both(self) -> bool:
        return bool(len(self.rows)) and 0 < self.came.mean() < 1

    def statistics(self) -> Statistics:
        """The figures. An order needs no probabilities: papers that are too few to make these of ratings have it."""
        if not self._both:
            return {}

        def area(scores: Floats) -> Drawing:
            return lambda times: weighted_auc(scores, self.came, times[:, self.rows], self._strata)

        found = {"auc": area(self._scores)}
        if not self._is_baseline:
            found["auc_over_ridge"] = less(area(self._scores), area(self._ridge))
        if self.usable:
            right = (self.said == self.came).astype(np.float64)
            found |= {
                "accuracy": lambda times: weighted_mean(right, times[:, self.rows]),
                "brier": lambda times: brier(self.probabilities, self.came, times[:, self.rows]),
                ERROR: lambda times: calibration_error(self.probabilities, self.came, times[:, self.rows]),
            }
        return _resting(found, len(self.rows))


def on_spread(papers: Papers, said: Said) -> tuple[int, Statistics]:
    """Papers with two ratings or more, and the figures; of a real referee those of all real referees."""
    if said.reviewer.kind == "real":
        ratings = [list(each.ratings) for each in papers.run.papers]
    else:
        told = (each.ratings if each else () for each in said.reviews)
        ratings = [[rating for rating in each if rating is not None] for each in told]
    spread = RaterSpread.of(ratings, papers.strata(np.arange(len(ratings))))
    several = int((spread.raters > 1).sum())
    found = {"icc": spread.icc, "difference": spread.difference, "noise": spread.noise} if several else {}
    return several, _resting(found, several)


def on_texts(said: Said) -> tuple[int, Statistics]:
    """Papers with texts, and the figures."""
    found: Statistics = {}
    for name, told in (("same", [each.same if each else None for each in said.reviews]),
                       ("other", [each.other if each else None for each in said.reviews])):  # fmt: skip
        for part in ("precision", "recall", "f"):
            found |= _mean_of(f"{name}_{part}", [_part(each, part) for each in told])
    ranks = [np.array(each.ranks, dtype=np.float64) if each and each.ranks else None for each in said.reviews]
    found |= _mean_of("nearest", [None if each is None else float((each == 1).mean()) for each in ranks])
    found |= _mean_of("reciprocal_rank", [None if each is None else float((1 / each).mean()) for each in ranks])
    return sum(each is not None for each in ranks), found


def on_preferences(said: Said) -> Statistics:
    """The share of comparisons that went to the reviewer's report, where both orders brought an answer: one alone would
    count whatever leaning there is to a seat."""
    shares: list[float | None] = []
    for each in said.reviews:
        both = each.preferred if each else ()
        known = [points for points in both if points is not None]
        shares.append(sum(known) / len(known) if known and len(known) == len(both) else None)
    return _mean_of("preferred", shares)


def less(one: Drawing, other: Drawing) -> Drawing:
    """The difference, draw by draw."""
    return lambda times: one(times) - other(times)


def _mean_of(name: str, values: list[float | None]) -> Statistics:
    rows = np.array([place for place, each in enumerate(values) if each is not None], dtype=np.intp)
    known = np.array([each for each in values if each is not None], dtype=np.float64)
    return _resting({name: lambda times: weighted_mean(known, times[:, rows])} if len(rows) else {}, len(rows))


def _resting(found: Mapping[str, Drawing], papers: int) -> Statistics:
    return {name: Statistic(of, papers) for name, of in found.items()}


def _size(errors: Floats, rows: Rows) -> Drawing:
    """Root mean square of the errors that are known, at these papers."""
    known = np.isfinite(errors)
    return lambda times: root_mean_square(errors[known], times[:, rows[known]])


def _part(of: Likeness | None, name: str) -> float | None:
    return None if of is None else float(getattr(of, name))
