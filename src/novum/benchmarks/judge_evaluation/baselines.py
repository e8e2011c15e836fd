"""Baselines without a model: the mean of the training papers, a ridge regression on embeddings, a real reviewer."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from novum.benchmarks.judge_evaluation.data import EvaluationSet, JudgedPaper, ShownPaper
from novum.benchmarks.judge_evaluation.records import CONSTANT, REAL, RIDGE, BaselineTraining, PaperReview, Reviewer
from novum.core.arrays import Floats
from novum.idea_metrics.ridge import ridge
from novum.literature import StaticEmbedder


async def compute_baselines(given: EvaluationSet, seed: int) -> tuple[tuple[Reviewer, ...], BaselineTraining]:
    """Constant, ridge and one real reviewer on the evaluated papers, and a record of their training papers."""
    embedder = StaticEmbedder()
    lessons, targets = given.lessons, np.array(given.lessons.ratings)
    seen = await _unit_vectors(embedder, lessons.shown)
    fitted = ridge(seen, targets, np.zeros(seen.shape[1]))
    predicted = await _unit_vectors(embedder, [each.shown for each in given.judged]) @ fitted.weights + fitted.constant
    mean = float(targets.mean())
    training = BaselineTraining(
        papers=len(targets), mean=mean, penalty=fitted.penalty, rmse_left_out=fitted.error(targets)
    )
    rows = (
        Reviewer(name=CONSTANT, kind="constant", reviews=tuple(_rated(mean) for _ in given.judged)),
        Reviewer(name=RIDGE, kind="ridge", reviews=tuple(_rated(float(each)) for each in np.clip(predicted, 0, 1))),
        Reviewer(name=REAL, kind="real", reviews=tuple(_one_of(each, seed) for each in given.judged)),
    )
    return rows, training


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
