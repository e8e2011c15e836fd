"""Baselines that need no language model: the mean of the training papers, a regression on the text, a real reviewer."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from novum.benchmarks.judge_evaluation.data import BaselineData, EvaluationSet, JudgedPaper, ShownPaper
from novum.benchmarks.judge_evaluation.records import (
    CONSTANT,
    RATING_MODEL,
    REAL,
    RIDGE,
    BaselineTraining,
    PaperReview,
    Reviewer,
)
from novum.core import Subject
from novum.core.arrays import Floats
from novum.errors import BadInput
from novum.idea_metrics.review_rating import ReviewedText, fit_rating_model
from novum.idea_metrics.ridge import ridge
from novum.literature import StaticEmbedder
from novum.statistics.weighted import less_group_mean, rows_by_stratum


class _Predicted(NamedTuple):
    """What a regression predicts for the evaluated papers, shape (n,), from 0 to 1, and what it was fitted to."""

    name: str
    ratings: Floats
    training: BaselineTraining


async def compute_baselines(given: EvaluationSet, seed: int) -> tuple[tuple[Reviewer, ...], BaselineTraining]:
    """Constant, regression and one real reviewer on the evaluated papers, and a record of their training papers."""
    targets = np.array([each.mean for each in given.lessons.outcomes])
    shown = [each.shown for each in given.judged]
    try:
        predicted = _by_rating_model(given.lessons, targets, shown, seed)
    except BadInput:  # too few training papers
        predicted = await _by_embeddings(given.lessons, targets, shown)
    mean = float(targets.mean())
    rows = (
        Reviewer(name=CONSTANT, kind="constant", reviews=tuple(_rated(mean) for _ in given.judged)),
        Reviewer(name=predicted.name, kind="ridge", reviews=tuple(_rated(float(each)) for each in predicted.ratings)),
        Reviewer(name=REAL, kind="real", reviews=tuple(_one_of(each, seed) for each in given.judged)),
    )
    return rows, predicted.training


def _by_rating_model(lessons: BaselineData, targets: Floats, shown: Sequence[ShownPaper], seed: int) -> _Predicted:
    """By a rating model of the training papers. Its standard scores become ratings by the mean of all training papers,
    and their spread within a venue and year; a text that it cannot rate gets the mean. Raises BadInput for too few."""
    groups = [each.group for each in lessons.outcomes]
    papers = [
        ReviewedText(
            title=each.title, text=each.abstract, group=of.group, year=of.year, scores={"rating": of.mean},
            accepted=of.accepted,
        )
        for each, of in zip(lessons.shown, lessons.outcomes, strict=True)
    ]  # fmt: skip
    model = fit_rating_model(papers, RATING_MODEL, seed)
    made = model.predict([Subject(title=each.title, text=each.abstract) for each in shown])
    within = less_group_mean(targets, list(rows_by_stratum(np.array(groups))))
    scores = np.array([each.value or 0.0 for each in made])
    card = model.card.aspects["rating"]
    return _Predicted(
        RATING_MODEL,
        np.clip(targets.mean() + np.nanstd(within) * scores, 0, 1),
        BaselineTraining(papers=card.papers, mean=float(targets.mean()), spearman_left_out=card.spearman),
    )


async def _by_embeddings(lessons: BaselineData, targets: Floats, shown: Sequence[ShownPaper]) -> _Predicted:
    embedder = StaticEmbedder()
    seen = await _unit_vectors(embedder, lessons.shown)
    fitted = ridge(seen, targets, np.zeros(seen.shape[1]))
    predicted = await _unit_vectors(embedder, shown) @ fitted.weights + fitted.constant
    training = BaselineTraining(
        papers=len(targets),
        mean=float(targets.mean()),
        penalty=fitted.penalty,
        rmse_left_out=fitted.error(targets),
    )
    return _Predicted(RIDGE, np.clip(predicted, 0, 1), training)


async def _unit_vectors(embedder: StaticEmbedder, texts: Sequence[ShownPaper]) -> Floats:
    """Unit vectors of title and abstract, shape (n, d)."""
    rows = np.asarray(await embedder.embed([each.text for each in texts]), dtype=np.float64)
    sizes = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Floats = rows / np.where(sizes > 0, sizes, 1)
    return unit


def _rated(rating: float) -> PaperReview:
    return PaperReview(ratings=(rating,))


def _one_of(paper: JudgedPaper, seed: int) -> PaperReview | None:
    """One real rating, to be compared with the mean of the others; None where there are no others."""
    ratings = list(paper.outcome.ratings)
    if len(ratings) < 2:
        return None
    own = ratings.pop(random_index(paper.outcome.id, len(ratings), seed))
    return PaperReview(ratings=(own,), against=sum(ratings) / len(ratings))


def random_index(paper: str, of: int, seed: int) -> int:
    """A random index below `of` for a paper; the same for the same seed."""
    return int.from_bytes(blake2b(f"{seed} {paper}".encode(), digest_size=8).digest()) % of
