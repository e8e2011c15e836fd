"""Weights that agree with people: fitted to ratings, and judged by ratings that they were not fitted to (Table 12).

The paper says that the weights of eq. 12 are "optimized" and that the score agrees with people by 92 %, not how either
was done. Here weights come from non-negative least squares, and all numbers of agreement from cross-validation: no idea
is foretold by weights, a straight line, or predicted feedback that saw its rating. Percentage agreement is p_o of
eq. 29: the share of ideas that get the same grade from people and from the score, of five grades along the scale.

Correlations are those inside the parts that were left out together. A part whose ratings are high is foretold by a line
through the others, which are lower: over all parts that alone makes noise correlate, and the wrong way round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novum.core.record import Value
from novum.idea_metrics.feedback import Feedback
from novum.idea_metrics.preference_agreement import (
    GradeAgreement,
    PreferenceAgreement,
    agreement_of_grades,
    agreement_of_preferences,
    matching_differences,
    preferences,
)
from novum.idea_metrics.rated_columns import Teaching
from novum.statistics.correlation import Correlation, pearson
from novum.statistics.nonnegative import folds, nonnegative_fit

Floats = NDArray[np.float64]
FEWEST = 20
"""Rated ideas without which five weights cannot be told from noise."""
FOLDS = 5
GRADES = 5
_ROUNDING = 1e-9
_KNOWN = 0.5
"""The share of ideas of which a part must be known for its weight to be learnt."""


class ScoreAgreement(Value):
    """What one way of scoring has to do with what people said. Scores and ratings are from 0 to 1."""

    name: str
    people: float
    """Mean rating."""
    score: float
    """Mean score, on the people's scale."""
    pearson: Correlation
    """Of what was left out, inside the parts that were left out together."""
    grades: GradeAgreement
    error: float
    """Root mean squared difference."""


class Tuned(Value):
    """What came of it."""

    weights: dict[str, float] | None
    """Adding up to 1. None where no part goes with the ratings: there is nothing to weigh them by."""
    before: dict[str, float]
    rated: int
    lines: tuple[ScoreAgreement, ...]
    """Overall: as it was, as it was on the people's scale, tuned, and the same mean for every idea."""
    criteria: tuple[ScoreAgreement, ...]
    """The tuned score beside each criterion (Table 12)."""
    pairs: dict[str, PreferenceAgreement] = {}
    """Untuned and tuned preferences beside people's (appendix F), where people compared pairs. Differences of scores
    are called slight or strong as often as people called theirs."""
    unlearnt: tuple[str, ...] = ()
    """Parts that too few ideas have; they keep their share."""

    @property
    def better(self) -> bool:
        """Whether what was tuned foretells ratings that it did not see better than what was there before."""
        return self.weights is not None and self.lines[2].error < min(self.lines[1].error, self.lines[3].error)


@dataclass(frozen=True)
class _Fold:
    kept: NDArray[np.intp]
    held: NDArray[np.intp]
    seen: Floats
    """Tuned score of the rows kept."""
    unseen: Floats
    """And of those held."""


def tune(teaching: Teaching, *, number: int = FOLDS, seed: int = 0) -> Tuned:
    """Weights from all ratings, and their agreement with people from cross-validation.

    Raises ValueError for fewer than 20 ideas, ratings that are not known, or too few groups of ideas.
    """
    if len(teaching) < FEWEST or not np.isfinite(teaching.ratings).all():
        raise ValueError(f"{len(teaching)} ideas with a known rating each are wanted, {FEWEST} at least")
    parts = list(_folds(teaching, number, seed))
    before = composite(teaching.parts, np.array(list(teaching.weights.values())))
    old = [_Fold(each.kept, each.held, before[each.kept], before[each.held]) for each in parts]
    ratings = teaching.ratings
    names = ("untuned", "untuned, people's scale", "tuned", "mean rating")
    mean = np.full(len(ratings), ratings.mean())
    scores = (before, foretold(old, ratings), foretold(parts, ratings), mean)
    left_out = _left_out_together(parts, len(teaching))
    rows = np.arange(len(teaching))
    return Tuned(
        weights=tuned_weights(teaching, *_all(teaching, rows)),
        before=dict(teaching.weights),
        rated=len(teaching),
        lines=tuple(agreement(name, ratings, score, left_out) for name, score in zip(names, scores, strict=True)),
        criteria=tuple(
            agreement(name, said, foretold(parts, said), left_out) for name, said in teaching.criteria.items()
        ),
        pairs=_pairs(teaching, {"untuned": old, "tuned": parts}),
        unlearnt=tuple(name for name, known in zip(teaching.names, _learnable(teaching), strict=True) if not known),
    )


def tuned_weights(teaching: Teaching, columns: Floats, ratings: Floats) -> dict[str, float] | None:
    """Non-negative least squares; what is not known of an idea is taken to be as of the average one."""
    before = np.array([max(weight, 0.0) for weight in teaching.weights.values()])
    before = before / before.sum()
    can = _learnable(teaching)
    if not can.any():
        return None
    fitted = nonnegative_fit(_filled(columns[:, can]), ratings).weights
    if not fitted.sum() > 0:
        return None
    weights = before.copy()
    weights[can] = fitted / fitted.sum() * before[can].sum() if before[can].any() else 0.0
    return {name: float(weight) for name, weight in zip(teaching.names, weights / weights.sum(), strict=True)}


def composite(parts: Floats, weights: Floats) -> Floats:
    """Weighted mean of what is known of each idea, shape (n,); NaN where nothing of any weight is."""
    share = np.isfinite(parts) * weights
    total = share.sum(axis=1)
    brought = (np.nan_to_num(parts) * share).sum(axis=1)
    score: Floats = np.divide(brought, total, out=np.full(len(parts), np.nan), where=total > 0)
    return score


def agreement(name: str, people: Floats, score: Floats, left_out: NDArray[np.intp]) -> ScoreAgreement:
    """Where both are known. `left_out`: the number of the part that each idea was left out with, shape (n,).

    Raises ValueError where both are known nowhere.
    """
    known = np.isfinite(people) & np.isfinite(score)
    if not known.any():
        raise ValueError(f"no idea has both a rating and a score ({name})")
    said, made = people[known], np.clip(score[known], 0, 1)
    return ScoreAgreement(
        name=name,
        people=float(said.mean()),
        score=float(made.mean()),
        pearson=pearson(_inside(said, left_out[known]), _inside(made, left_out[known])),
        grades=agreement_of_grades(grade(said), grade(made)),
        error=float(np.sqrt(np.mean((said - made) ** 2))),
    )


def grade(values: Floats) -> NDArray[np.int64]:
    """1 to 5, the nearest of five points that cut the scale from 0 to 1 into four equal steps."""
    grades: NDArray[np.int64] = 1 + np.floor(np.clip(values, 0, 1) * (GRADES - 1) + 0.5).astype(np.int64)
    return grades


def foretold(parts: Sequence[_Fold], said: Floats) -> Floats:
    """The scores left out, on the people's scale: by the straight line of the scores kept, never a falling one."""
    score = np.full(len(said), np.nan)
    for fold in parts:
        known = np.isfinite(fold.seen) & np.isfinite(said[fold.kept])
        if known.any():
            line = nonnegative_fit(fold.seen[known, None], said[fold.kept][known])
            score[fold.held] = line.predict(np.nan_to_num(fold.unseen, nan=fold.seen[known].mean())[:, None])
    return score


def _folds(teaching: Teaching, number: int, seed: int) -> Iterator[_Fold]:
    for kept, held in folds(len(teaching), number, seed, teaching.groups):
        seen, unseen = teaching.split(kept, held)
        weights = tuned_weights(teaching, seen, teaching.ratings[kept])
        if weights is None:  # no part goes with the ratings: all ideas are foretold the same
            yield _Fold(kept, held, np.zeros(len(kept)), np.zeros(len(held)))
            continue
        by = np.array(list(weights.values()))
        yield _Fold(kept, held, composite(seen, by), composite(unseen, by))


def _all(teaching: Teaching, rows: NDArray[np.intp]) -> tuple[Floats, Floats]:
    return teaching.split(rows, rows[:0])[0], teaching.ratings


def _left_out_together(parts: Sequence[_Fold], n: int) -> NDArray[np.intp]:
    number = np.zeros(n, dtype=np.intp)
    for at, fold in enumerate(parts):
        number[fold.held] = at
    return number


def _inside(values: Floats, part: NDArray[np.intp]) -> Floats:
    """How values differ from the mean of their part, in its own spread, so that every part counts by its size alone;
    0 where they differ by no more than rounding."""
    number = np.maximum(np.bincount(part), 1)
    apart = values - (np.bincount(part, values) / number)[part]
    spread = np.sqrt(np.bincount(part, apart**2) / number)[part]
    inside: Floats = np.divide(apart, spread, out=np.zeros_like(apart), where=spread > _ROUNDING)
    return inside


def _pairs(teaching: Teaching, ways: Mapping[str, Sequence[_Fold]]) -> dict[str, PreferenceAgreement]:
    """The ideas of a pair are left out together, so that one fold has scored them both."""
    found: dict[str, PreferenceAgreement] = {}
    said = np.array([pair.preference for pair in teaching.pairs])
    for name, parts in ways.items():
        score = np.empty(len(teaching))
        for fold in parts:
            score[fold.held] = fold.unseen
        first, second = (
            np.array([getattr(pair, side) for pair in teaching.pairs], int) for side in ("first", "second")
        )
        known = np.isfinite(score[first]) & np.isfinite(score[second])
        if known.any():
            x, y = score[first[known]], score[second[known]]
            slight, strong = matching_differences(said[known], x - y)
            found[name] = agreement_of_preferences(said[known], preferences(x, y, slight=slight, strong=strong))
    return found


def _learnable(teaching: Teaching) -> NDArray[np.bool_]:
    """Predicted feedback is known of every idea once it is learnt."""
    known = np.isfinite(teaching.parts).mean(axis=0) >= _KNOWN
    if teaching.feedback is not None and Feedback.name in teaching.names:
        known[teaching.names.index(Feedback.name)] = True
    return np.asarray(known)


def _filled(columns: Floats) -> Floats:
    known = np.isfinite(columns)
    mean = np.divide(
        np.where(known, columns, 0).sum(axis=0), known.sum(axis=0), out=np.full(columns.shape[1], 0.5),
        where=known.any(axis=0),
    )  # fmt: skip
    return np.where(known, columns, mean)
