"""Fitting a rating model: ridge regressions on words and on style, weighted by how well each predicts the others.

Targets are standard scores within a venue and year: scales of ratings differ between venues, and so do their papers.
For the rating, the decision counts half as much again in groups where at least a tenth was rejected: it holds what the
discussion added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from novum.core.arrays import Bools, Floats, Ints
from novum.errors import BadInput
from novum.idea_metrics.review_rating.features import STYLE, WORD_FEATURES, style_features, word_features
from novum.idea_metrics.review_rating.model import (
    ASPECTS,
    FEWEST_WORDS,
    Aspect,
    AspectCard,
    AspectModel,
    RatingCard,
    RatingModel,
    ReviewedText,
    known_share,
)
from novum.statistics.correlation import spearman
from novum.statistics.quantile_table import QuantileTable
from novum.statistics.weighted import has_both

if TYPE_CHECKING:
    from scipy.sparse import csr_array

FEWEST_PAPERS = 200
"""Papers with a rating that a model needs."""
_SMALLEST_GROUP = 10
"""Papers of a venue and year; smaller groups have no standard scores."""
_WORD_PENALTY, _STYLE_PENALTY = 6.0, 100.0
_DECISION = 0.5
_REJECTED = 0.1
"""Share of rejected, and of accepted, papers from which a decision says something."""
_FOLDS = 5
_FEWEST_WITH_WORD = 2
_KNOWN_FROM = 0.003
"""Share of papers with a word or pair of words from which it is known."""
_UNLIKE, _MARGIN = 0.001, 0.95
"""Share of the fitted papers that count as unlike the others, and a margin: new papers have fewer of the words."""


@dataclass(frozen=True)
class _Table:
    """Everything that is fitted: features of n papers, and their standard scores."""

    words: csr_array
    style: Floats
    groups: Sequence[str]
    folds: Ints


@dataclass(frozen=True)
class _Linear:
    words: Floats
    style: Floats

    def parts(self, table: _Table, rows: Ints) -> Floats:
        """What words and style predict for rows of the table, shape (n, 2)."""
        return np.column_stack([table.words[rows] @ self.words, table.style[rows] @ self.style])


def fit_rating_model(papers: Sequence[ReviewedText], name: str = "default", seed: int = 0) -> RatingModel:
    """The model of the ratings of these papers, and of each further aspect with enough scores.

    Raises BadInput for fewer than `FEWEST_PAPERS` papers with a rating in a venue and year of at least ten.
    """
    papers = [each for each in papers if len(each.whole.split()) >= FEWEST_WORDS]
    groups = [each.group for each in papers]
    scores = {aspect: standard_scores(_numbers(papers, aspect), groups) for aspect in ASPECTS}
    rated = int(np.isfinite(scores["rating"]).sum())
    if rated < FEWEST_PAPERS:
        raise BadInput(
            f"{rated:,} papers have a rating, an abstract, and {_SMALLEST_GROUP} papers of their venue and year; a "
            f"rating model needs {FEWEST_PAPERS}. Add files of reviewed papers."
        )
    style = style_features([each.title for each in papers], [each.whole for each in papers])
    style_range = np.stack([style.mean(axis=0), style.std(axis=0) + 1e-9])
    words = word_features([each.whole for each in papers])
    folds = np.random.default_rng(seed).integers(0, _FOLDS, len(papers))
    table = _Table(words, np.clip((style - style_range[0]) / style_range[1], -3, 3), groups, folds)
    fitted = {
        aspect: _fit_aspect(table, scores[aspect], _with_decision(scores[aspect], papers, aspect))
        for aspect in ASPECTS
        if np.isfinite(scores[aspect]).sum() >= FEWEST_PAPERS
    }
    known = (_occurrences(words) >= max(2.0, _KNOWN_FROM * len(papers))).astype(float)
    rated_groups = Counter(group for group, z in zip(groups, scores["rating"], strict=True) if np.isfinite(z))
    card = RatingCard(
        name=name,
        groups=dict(sorted(rated_groups.items())),
        aspects={aspect: card for aspect, (_, card) in fitted.items()},
        least_known=round(_MARGIN * float(np.quantile(known_share(words, known), _UNLIKE)), 4),
    )
    return RatingModel(card, {aspect: model for aspect, (model, _) in fitted.items()}, style_range, known)


def standard_scores(values: Floats, groups: Sequence[str]) -> Floats:
    """Each value in standard deviations from the mean of its group, shape (n,); NaN where it is unknown, in a group of
    fewer than ten, and where all of a group are equal."""
    found = np.full(len(values), np.nan)
    names = np.asarray(groups)
    for group in set(groups):
        rows = np.flatnonzero((names == group) & np.isfinite(values))
        if len(rows) >= _SMALLEST_GROUP and values[rows].std() > 0:
            found[rows] = (values[rows] - values[rows].mean()) / values[rows].std()
    return found


def mean_correlation(predicted: Floats, scores: Floats, groups: Sequence[str]) -> float:
    """Spearman's correlation within each group of at least ten, weighted by size; NaN without any."""
    names, sums, weights = np.asarray(groups), 0.0, 0
    for group in sorted(set(groups)):
        rows = np.flatnonzero((names == group) & np.isfinite(scores) & np.isfinite(predicted))
        rho = spearman(predicted[rows], scores[rows]).r if len(rows) >= _SMALLEST_GROUP else None
        if rho is not None:
            sums, weights = sums + rho * len(rows), weights + len(rows)
    return sums / weights if weights else float("nan")


def _numbers(papers: Sequence[ReviewedText], aspect: Aspect) -> Floats:
    return np.array([each.scores.get(aspect, np.nan) for each in papers], dtype=float)


def _with_decision(scores: Floats, papers: Sequence[ReviewedText], aspect: Aspect) -> Floats:
    """The scores, with half of the decision's where that says something; of standard deviation 1."""
    if aspect != "rating":
        return scores
    groups = [each.group for each in papers]
    accepted = np.array([np.nan if each.accepted is None else float(each.accepted) for each in papers])
    accepted[~has_both(accepted, groups, _REJECTED)] = np.nan
    decisions = standard_scores(accepted, groups)
    mixed = scores + _DECISION * np.where(np.isfinite(decisions), decisions, scores)
    return np.asarray(mixed / np.nanstd(mixed))


def _fit_aspect(table: _Table, scores: Floats, targets: Floats) -> tuple[AspectModel, AspectCard]:
    from scipy.optimize import nnls  # type: ignore[attr-defined]  # noqa: PLC0415  takes a second

    rows = np.flatnonzero(np.isfinite(scores))
    parts = np.zeros((len(rows), 2))
    for fold in range(_FOLDS):
        left_out = table.folds[rows] == fold
        if left_out.any() and not left_out.all():
            parts[left_out] = _fit_linear(table, rows[~left_out], targets).parts(table, rows[left_out])
    shares, _ = nnls(parts - parts.mean(axis=0), scores[rows])
    predicted = parts @ shares
    whole = _fit_linear(table, rows, targets)
    constant = float(scores[rows].mean() - predicted.mean())
    model = AspectModel(
        words=shares[0] * whole.words,
        style=shares[1] * whole.style,
        constant=constant,
        predictions=QuantileTable.of(predicted + constant) or QuantileTable(np.zeros(1)),
    )
    card = AspectCard(
        papers=len(rows),
        spearman=round(mean_correlation(predicted, scores[rows], [table.groups[row] for row in rows.tolist()]), 3),
        spread=round(float((scores[rows] - predicted - constant).std()), 3),
    )
    return model, card


def _fit_linear(table: _Table, rows: Ints, targets: Floats) -> _Linear:
    """Two ridge regressions on the same targets. Words are scaled so that a paper's have length 1 on average."""
    from sklearn.linear_model import Ridge  # noqa: PLC0415  takes seconds

    words, style, wanted = table.words[rows], table.style[rows], targets[rows]
    kept = _frequent(words)
    chosen = words[:, kept]
    scale = 1 / np.sqrt(max(chosen.sum() / len(rows), 1))
    by_word = Ridge(alpha=_WORD_PENALTY, solver="sparse_cg", tol=1e-3)  # type: ignore[no-untyped-call]
    by_style = Ridge(alpha=_STYLE_PENALTY)  # type: ignore[no-untyped-call]
    by_word.fit(chosen * scale, wanted)
    by_style.fit(style, wanted)
    weights = np.zeros(WORD_FEATURES)
    weights[kept] = by_word.coef_ * scale
    return _Linear(weights, np.asarray(by_style.coef_).reshape(len(STYLE)))


def _frequent(words: csr_array) -> Bools:
    return _occurrences(words) >= _FEWEST_WITH_WORD


def _occurrences(words: csr_array) -> Floats:
    """In how many papers each word or pair of words occurs, shape (WORD_FEATURES,)."""
    return np.asarray((words > 0).sum(axis=0), dtype=float).ravel()
