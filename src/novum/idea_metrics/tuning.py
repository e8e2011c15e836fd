"""Weights fitted to people's ratings, and their agreement with ratings that they were not fitted to (Table 12).

The paper says that the weights of eq. 12 are "optimized" and that the score agrees with people by 92 %, but not how.
Here weights come from non-negative least squares, and all numbers of agreement from cross-validation: no idea is
predicted by weights, a regression line, or predicted feedback that saw its rating. Percentage agreement is p_o of
eq. 29: the share of ideas that get the same grade from people and from the score, of five grades along the scale.

Correlations are computed within folds. A fold with high ratings is predicted by a line through the others, which are
lower: over all folds, that alone makes noise correlate negatively.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LinearRegression

from novum.core.arrays import Bools, Floats, Ints
from novum.core.record import Value
from novum.errors import BadInput
from novum.idea_metrics.feedback import Feedback
from novum.idea_metrics.preference_agreement import (
    GradeAgreement,
    PreferenceAgreement,
    agreement_of_grades,
    agreement_of_preferences,
    matching_differences,
    preferences,
)
from novum.idea_metrics.rated_ideas import RatedIdeas
from novum.statistics.correlation import pearson
from novum.statistics.records import Correlation

Rows = NDArray[np.intp]
FEWEST = 20
"""Rated ideas below which five weights cannot be distinguished from noise."""
FOLDS = 5
GRADES = 5
_ROUNDING = 1e-9
_KNOWN = 0.5
"""The share of ideas that must have a metric for its weight to be learned."""


class ScoreAgreement(Value):
    """Agreement of one score with people's ratings. Scores and ratings are from 0 to 1."""

    name: str
    people: float
    """Mean rating."""
    score: float
    """Mean score, on the people's scale."""
    pearson: Correlation
    """Of the held-out ideas, within folds."""
    grades: GradeAgreement
    error: float
    """Root mean squared difference."""


class TuningResult(Value):
    """Tuned weights and their agreement with people."""

    weights: dict[str, float] | None
    """They sum to 1. None when no metric correlates with the ratings."""
    before: dict[str, float]
    rated: int
    lines: tuple[ScoreAgreement, ...]
    """Overall: untuned, untuned on the people's scale, tuned, and the mean rating for every idea."""
    criteria: tuple[ScoreAgreement, ...]
    """The tuned score beside each criterion (Table 12)."""
    pairs: dict[str, PreferenceAgreement] = {}
    """Agreement of untuned and tuned preferences with people's (appendix F), where people compared pairs. As many
    differences of scores count as slight or strong as people had such preferences."""
    unlearnt: tuple[str, ...] = ()
    """Metrics that too few ideas have; they keep their weight."""

    @property
    def better(self) -> bool:
        """Whether the tuned score predicts held-out ratings better than the untuned one and the mean rating."""
        return self.weights is not None and self.lines[2].error < min(self.lines[1].error, self.lines[3].error)


@dataclass(frozen=True)
class _Fold:
    train: Rows
    test: Rows
    seen: Floats
    """Score of the training rows."""
    unseen: Floats
    """Score of the test rows."""


def tune(ideas: RatedIdeas, *, number: int = FOLDS, seed: int = 0) -> TuningResult:
    """Weights from all ratings, and their agreement with people from cross-validation.

    Raises ValueError for fewer than 20 ideas, ratings that are not known, or too few groups of ideas.
    """
    if len(ideas) < FEWEST or not np.isfinite(ideas.ratings).all():
        known = int(np.isfinite(ideas.ratings).sum())
        raise ValueError(f"tuning needs at least {FEWEST} ideas with a known rating each; {known} have one")
    folds = list(_folds(ideas, number, seed))
    before = composite(ideas.columns, np.array(list(ideas.weights.values())))
    old = [_Fold(each.train, each.test, before[each.train], before[each.test]) for each in folds]
    ratings = ideas.ratings
    names = ("untuned", "untuned, people's scale", "tuned", "mean rating")
    mean = np.full(len(ratings), ratings.mean())
    scores = (before, predictions(old, ratings), predictions(folds, ratings), mean)
    fold_numbers = _fold_numbers(folds, len(ideas))
    rows = np.arange(len(ideas))
    return TuningResult(
        weights=tuned_weights(ideas, *_all(ideas, rows)),
        before=dict(ideas.weights),
        rated=len(ideas),
        lines=tuple(agreement(name, ratings, score, fold_numbers) for name, score in zip(names, scores, strict=True)),
        criteria=tuple(
            agreement(name, rated, predictions(folds, rated), fold_numbers) for name, rated in ideas.criteria.items()
        ),
        pairs=_pairs(ideas, {"untuned": old, "tuned": folds}),
        unlearnt=tuple(name for name, known in zip(ideas.names, _learnable(ideas), strict=True) if not known),
    )


def tuned_weights(ideas: RatedIdeas, columns: Floats, ratings: Floats) -> dict[str, float] | None:
    """Weights by non-negative least squares that sum to 1; a missing value is replaced by the mean of its column."""
    before = np.array([max(weight, 0.0) for weight in ideas.weights.values()])
    before = before / before.sum()
    can = _learnable(ideas)
    if not can.any():
        return None
    fitted = _non_negative_fit(_filled(columns[:, can]), ratings).coef_
    if not fitted.sum() > 0:
        return None
    weights = before.copy()
    weights[can] = fitted / fitted.sum() * before[can].sum() if before[can].any() else 0.0
    return {name: float(weight) for name, weight in zip(ideas.names, weights / weights.sum(), strict=True)}


def composite(columns: Floats, weights: Floats) -> Floats:
    """Weighted mean of the known metrics of each idea, shape (n,); NaN for an idea without any of weight above 0."""
    share = np.isfinite(columns) * weights
    total = share.sum(axis=1)
    weighted = (np.nan_to_num(columns) * share).sum(axis=1)
    score: Floats = np.divide(weighted, total, out=np.full(len(columns), np.nan), where=total > 0)
    return score


def agreement(name: str, people: Floats, score: Floats, folds: Rows) -> ScoreAgreement:
    """Agreement on the ideas for which both are known. `folds`: number of the fold of each idea, shape (n,).

    Raises BadInput where both are known nowhere.
    """
    known = np.isfinite(people) & np.isfinite(score)
    if not known.any():
        raise BadInput(
            f"No idea has both a rating and a score ({name}): ideas of fewer than 25 words get no score. Give longer "
            "texts."
        )
    rated, scored = people[known], np.clip(score[known], 0, 1)
    return ScoreAgreement(
        name=name,
        people=float(rated.mean()),
        score=float(scored.mean()),
        pearson=pearson(_within_fold(rated, folds[known]), _within_fold(scored, folds[known])),
        grades=agreement_of_grades(grade(rated), grade(scored)),
        error=float(np.sqrt(np.mean((rated - scored) ** 2))),
    )


def grade(values: Floats) -> Ints:
    """Grades 1 to 5: the nearest of five points that divide the scale from 0 to 1 into four equal steps."""
    grades: Ints = 1 + np.floor(np.clip(values, 0, 1) * (GRADES - 1) + 0.5).astype(np.int64)
    return grades


def predictions(folds: Sequence[_Fold], ratings: Floats) -> Floats:
    """Held-out scores on the people's scale, by a non-decreasing line fitted to the training rows, shape (n,)."""
    score = np.full(len(ratings), np.nan)
    for fold in folds:
        known = np.isfinite(fold.seen) & np.isfinite(ratings[fold.train])
        if known.any():
            line = _non_negative_fit(fold.seen[known, None], ratings[fold.train][known])
            score[fold.test] = line.predict(np.nan_to_num(fold.unseen, nan=fold.seen[known].mean())[:, None])  # type: ignore[no-untyped-call]
    return score


def _folds(ideas: RatedIdeas, number: int, seed: int) -> Iterator[_Fold]:
    for train, test in grouped_folds(ideas.groups, number, seed):
        seen, unseen = ideas.split(train, test)
        weights = tuned_weights(ideas, seen, ideas.ratings[train])
        if weights is None:  # no metric correlates with the ratings: all predictions are equal
            yield _Fold(train, test, np.zeros(len(train)), np.zeros(len(test)))
            continue
        by = np.array(list(weights.values()))
        yield _Fold(train, test, composite(seen, by), composite(unseen, by))


def _non_negative_fit(x: Floats, y: Floats) -> LinearRegression:
    return LinearRegression(positive=True).fit(x, y)  # type: ignore[no-untyped-call, no-any-return]


def grouped_folds(groups: Rows, number: int, seed: int) -> Iterator[tuple[Rows, Rows]]:
    """(training rows, test rows) of `number` random folds of about equal size; rows of one group are in one fold.

    Unlike scikit-learn's `GroupKFold`, groups are assigned at random, not by size. Raises ValueError for fewer than two
    folds or more folds than groups.
    """
    names = np.unique(groups)
    if not 2 <= number <= len(names):
        raise ValueError(f"{len(names)} groups cannot be divided into {number} folds")
    for test in np.array_split(np.random.default_rng(seed).permutation(names), number):
        is_test = np.isin(groups, test)
        yield np.flatnonzero(~is_test), np.flatnonzero(is_test)


def _all(ideas: RatedIdeas, rows: Rows) -> tuple[Floats, Floats]:
    return ideas.split(rows, rows[:0])[0], ideas.ratings


def _fold_numbers(folds: Sequence[_Fold], n: int) -> Rows:
    number = np.zeros(n, dtype=np.intp)
    for at, fold in enumerate(folds):
        number[fold.test] = at
    return number


def _within_fold(values: Floats, fold: Rows) -> Floats:
    """Values standardised within their fold, so that every fold counts by its size alone; 0 where they differ by no
    more than rounding."""
    number = np.maximum(np.bincount(fold), 1)
    apart = values - (np.bincount(fold, values) / number)[fold]
    spread = np.sqrt(np.bincount(fold, apart**2) / number)[fold]
    inside: Floats = np.divide(apart, spread, out=np.zeros_like(apart), where=spread > _ROUNDING)
    return inside


def _pairs(ideas: RatedIdeas, scores: Mapping[str, Sequence[_Fold]]) -> dict[str, PreferenceAgreement]:
    """Agreement of preferences; the ideas of a pair are in one fold, which has scored both."""
    agreements: dict[str, PreferenceAgreement] = {}
    preferred = np.array([pair.preference for pair in ideas.pairs])
    for name, folds in scores.items():
        score = np.empty(len(ideas))
        for fold in folds:
            score[fold.test] = fold.unseen
        first, second = (np.array([getattr(pair, side) for pair in ideas.pairs], int) for side in ("first", "second"))
        known = np.isfinite(score[first]) & np.isfinite(score[second])
        if known.any():
            x, y = score[first[known]], score[second[known]]
            slight, strong = matching_differences(preferred[known], x - y)
            agreements[name] = agreement_of_preferences(
                preferred[known], preferences(x, y, slight=slight, strong=strong)
            )
    return agreements


def _learnable(ideas: RatedIdeas) -> Bools:
    """Which metrics enough ideas have; predicted feedback, once learned, is known for every idea."""
    known = np.isfinite(ideas.columns).mean(axis=0) >= _KNOWN
    if ideas.feedback is not None and Feedback.name in ideas.names:
        known[ideas.names.index(Feedback.name)] = True
    return np.asarray(known)


def _filled(columns: Floats) -> Floats:
    known = np.isfinite(columns)
    mean = np.divide(
        np.where(known, columns, 0).sum(axis=0), known.sum(axis=0), out=np.full(columns.shape[1], 0.5),
        where=known.any(axis=0),
    )  # fmt: skip
    return np.where(known, columns, mean)
