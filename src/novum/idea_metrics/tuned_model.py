"""Tune a fitted model to people's ratings: new weights and predicted feedback, stored where they agree better."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from novum.core import Scorecard
from novum.errors import BadInput
from novum.idea_metrics.ablation import AblationRow, ablation
from novum.idea_metrics.composite import CREATIVITY_WEIGHTS, SATISFACTION_WEIGHTS
from novum.idea_metrics.feedback import Feedback
from novum.idea_metrics.idea_ratings import IdeaRatings
from novum.idea_metrics.metric import SubjectBatch
from novum.idea_metrics.model import FittedMetrics, batch_of
from novum.idea_metrics.rated_ideas import RatedIdeas, rated_ideas, with_pairs
from novum.idea_metrics.registered import BUILT_IN
from novum.idea_metrics.tuning import FEWEST, FOLDS, TuningResult, tune
from novum.literature import Embedder
from novum.reports.phrases import count


@dataclass(frozen=True)
class ModelTuning:
    """The result of tuning one model."""

    satisfaction: TuningResult
    creativity: TuningResult | None
    ablation: Mapping[str, Sequence[AblationRow]]
    accepted: Sequence[TuningResult]
    """Of the two, those that replace the present weights."""
    folder: Path | None
    """Where the tuned model was written; None where nothing was accepted, and for a dry run."""

    def as_json(self, ratings: IdeaRatings) -> dict[str, Any]:
        """The result as JSON values, with what it was learned from."""
        return {
            "satisfaction": self.satisfaction.model_dump(mode="json"),
            "creativity": self.creativity.model_dump(mode="json") if self.creativity else None,
            "better": self.satisfaction.better,
            "taken": {name: getattr(self, name) in self.accepted for name in ("satisfaction", "creativity")},
            "repeated": ratings.repeated,
            "ablation": {name: [row.model_dump(mode="json") for row in rows] for name, rows in self.ablation.items()},
            "ideas": len(ratings.subjects),
            "ratings": ratings.ratings,
            "raters": len(ratings.raters),
            "scale": [ratings.scale.low, ratings.scale.high],
            "left_out": ratings.left_out,
            "written": str(self.folder) if self.folder else None,
        }


async def tune_model(
    folder: Path,
    embedder: Embedder,
    ratings: IdeaRatings,
    *,
    new_folder: Path | None = None,
    new_name: str = "",
    creativity: bool = False,
    with_ablation: bool = False,
    force: bool = False,
    dry_run: bool = False,
    seed: int = 0,
) -> ModelTuning:
    """Fits the weights of the User Satisfaction Score and predicted feedback to ratings, and stores the model.

    `folder`: the fitted model. `new_folder` and `new_name`: where to store the tuned one; else it replaces the model.
    `creativity`: fit the weights of the Creativity Index too. `force`: accept weights that agree no better with people
    than the present ones. `dry_run`: store nothing. Rated ideas without words are removed from `ratings` and reported
    in its `left_out`. Raises BadInput where there are too few ratings, or where the model cannot be read or written.
    """
    stored = FittedMetrics.load(folder, embedder)
    model = _untuned(stored)
    batch = _without_empty(ratings, await batch_of(list(ratings.subjects.values()), embedder))
    _check_enough(ratings)
    cards = model.score_batch(batch, explain=False)
    rows = _ablation(model, cards, ratings) if with_ablation else {}
    satisfaction, feedback = _tune_satisfaction(model, batch, cards, ratings, seed)
    index = _tune_creativity(model, cards, ratings, seed) if creativity else None
    accepted = [each for each in (satisfaction, index) if each and each.weights and (each.better or force)]
    target = (new_folder or folder) if accepted and not dry_run else None
    if target is not None:
        _tuned(stored, satisfaction, index, feedback, accepted, new_name).save(target)
    return ModelTuning(satisfaction, index, rows, accepted, target)


def _untuned(model: FittedMetrics) -> FittedMetrics:
    """The model before any ratings: tuning twice is the same as tuning once, and the baseline has seen no ratings.
    Metrics of other packages have weight 0 before tuning."""
    feedback = _feedback(model).without_ratings()
    scale = feedback.scale
    others = dict.fromkeys(set(model.parts) - {kind.name for kind in BUILT_IN}, 0.0)
    card = model.card.model_copy(update={"satisfaction_weights": {**SATISFACTION_WEIGHTS, **others}})
    return model.but(card=card, parts={feedback.name: feedback}, scales={feedback.name: scale} if scale else None)


def _feedback(model: FittedMetrics) -> Feedback:
    feedback = model.parts[Feedback.name]
    assert isinstance(feedback, Feedback)
    return feedback


def _without_empty(ratings: IdeaRatings, batch: SubjectBatch) -> SubjectBatch:
    """The batch without ideas that hold no words, which are removed from the ratings too. Nothing is embedded again."""
    if not batch.empty.any():
        return batch
    empty = [each for each, is_empty in zip(ratings.subjects, batch.empty, strict=True) if is_empty]
    ratings.left_out += [f"the idea {ratings.subjects[each].whole[:60]!r}: there are no words in it" for each in empty]
    ratings.remove(set(empty))
    rows = np.flatnonzero(~batch.empty).tolist()
    subjects, samples = [batch.subjects[row] for row in rows], [batch.samples[row] for row in rows]
    return SubjectBatch(subjects, batch.vectors[rows], batch.interests[rows], samples)


def _check_enough(ratings: IdeaRatings) -> None:
    n = len(ratings.subjects)
    if n < FEWEST:
        raise BadInput(
            f"There {'is' if n == 1 else 'are'} {count(n, 'rated idea')}, and {FEWEST} at least are needed to tell "
            "weights from chance. Have more ideas rated; until then the weights stay as they are."
        )


def _tune_satisfaction(
    model: FittedMetrics, batch: SubjectBatch, cards: Sequence[Scorecard], ratings: IdeaRatings, seed: int
) -> tuple[TuningResult, Feedback | None]:
    ideas = rated_ideas(cards, model.card.satisfaction_weights, ratings.overall)
    ideas = replace(with_pairs(ideas, ratings.preference_pairs()), vectors=batch.vectors, feedback=_feedback(model))
    return _tune(ideas, ratings, seed), ideas.relearned_feedback()


def _tune_creativity(model: FittedMetrics, cards: Sequence[Scorecard], ratings: IdeaRatings, seed: int) -> TuningResult:
    corrected = model.card.settings.originality == "corrected"
    ideas = rated_ideas(cards, CREATIVITY_WEIGHTS, ratings.overall, corrected=corrected)
    return _tune(with_pairs(ideas, ratings.preference_pairs()), ratings, seed)


def _tune(ideas: RatedIdeas, ratings: IdeaRatings, seed: int) -> TuningResult:
    groups = len(set(ideas.groups.tolist()))
    if groups < FOLDS:
        raise BadInput(
            f"Comparisons and ideas with the same text connect all ideas to {count(groups, 'group')}, and {FOLDS} are "
            "needed to predict one from the others. Have other ideas compared, or some rated on their own."
        )
    return tune(replace(ideas, criteria=ratings.criteria), seed=seed)


def _tuned(
    model: FittedMetrics, satisfaction: TuningResult, index: TuningResult | None, feedback: Feedback | None,
    accepted: Sequence[TuningResult], name: str,
) -> FittedMetrics:  # fmt: skip
    """The model with the accepted weights. Predicted feedback belongs to the satisfaction score it was learned for."""
    card = model.card
    changed: dict[str, Any] = {"made": dt.datetime.now(dt.UTC).replace(microsecond=0)}
    quality = dict(card.quality)
    if satisfaction in accepted:
        changed["satisfaction_weights"] = satisfaction.weights
        quality |= {"User Satisfaction Score, tuned": _quality(satisfaction)} | (
            {feedback.name: feedback.quality} if feedback else {}
        )
    else:
        feedback = None
    if index and index in accepted:
        changed["creativity_weights"] = index.weights
        quality["Creativity Index, tuned"] = _quality(index)
    changed["quality"] = quality
    if name:
        changed["settings"] = card.settings.model_copy(update={"name": name})
    scale = feedback.scale if feedback else None
    return model.but(
        card=card.model_copy(update=changed),
        parts={feedback.name: feedback} if feedback else None,
        scales={feedback.name: scale} if feedback and scale else None,
    )


def _quality(result: TuningResult) -> dict[str, Any]:
    """For the model's card: agreement with people on held-out ratings, before and after tuning."""
    facts: dict[str, Any] = {"rated_ideas": result.rated}
    for line in result.lines[1:]:
        agreement = {"pearson": line.pearson.r, "kappa": line.grades.kappa, "same_grade": line.grades.observed}
        facts[line.name] = agreement | {"error": line.error}
    return facts


def _ablation(
    model: FittedMetrics, cards: Sequence[Scorecard], ratings: IdeaRatings
) -> dict[str, Sequence[AblationRow]]:
    corrected = model.card.settings.originality == "corrected"
    rows: dict[str, Sequence[AblationRow]] = {}
    for name, weights in (
        ("creativity", model.card.creativity_weights),
        ("satisfaction", model.card.satisfaction_weights),
    ):
        columns = rated_ideas(cards, weights, ratings.overall, corrected=corrected).columns.T.tolist()
        rows[name] = ablation(dict(zip(weights, columns, strict=True)), weights, ratings.overall.tolist())
    return rows
