"""The kinds of training, one row each: the data set that a kind reads, its plan, its trainer, and its report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from novum.core.trained import Kind, Purpose
from novum.training.finetuning.conversations import ConversationSet, open_ideas, open_set
from novum.training.finetuning.finishing import report_on_conversations, report_on_preferences
from novum.training.finetuning.job import TuningJob
from novum.training.finetuning.preferences.data_set import PreferenceSet, open_preferences
from novum.training.finetuning.selection import select_training_rows
from novum.training.recipes.recipe import Recipe
from novum.training.report.records import TrainingReport
from novum.training.reviews.settings import RatingAt


class TrainingData(Protocol):
    """A data set to train on."""

    @property
    def digest(self) -> str:
        """Digest of its card."""

    @property
    def rating_at(self) -> RatingAt:
        """Where its completions have a rating; `none` for all but reviews."""


@dataclass(frozen=True)
class PlannedRows:
    """Tokens of each training row as counted in the data set, not cut, and what the data lack."""

    lengths: Sequence[int]
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class TrainingKind:
    """One kind of training."""

    name: Kind
    purpose: Purpose
    title: str
    """What it makes, as in the title of its report."""
    open: Callable[[Path], Any]
    """Opens the data set in a folder. Raises BadInput if there is none."""
    plan: Callable[[Any, Recipe], PlannedRows]
    """Raises BadInput if there is nothing to train on, or a row is damaged or has an empty answer."""
    report: Callable[[Path, Any, TuningJob], TrainingReport]
    trainer_module: str
    """Has `make_trainer(context, data)`; imported in the training process only, since it needs torch."""


def plan_conversations(data: ConversationSet, recipe: Recipe) -> PlannedRows:
    """The rows of a supervised training."""
    rows = select_training_rows(data, recipe)
    data.check("train", rows.training)
    data.check(recipe.held_out.split, rows.held_out)
    data.check("validation", rows.choosing)
    about = data.about("train")
    notes = []
    if rows.left_tasks:
        notes.append(f"The data have no rows for these tasks, which are skipped: {', '.join(rows.left_tasks)}.")
    if recipe.held_out.rows and not rows.held_out:
        notes.append(f"There are no {recipe.held_out.split} rows, so nothing is evaluated during training.")
    if recipe.held_out.choosing_rows and not rows.choosing:
        notes.append("There are no validation rows, so the last adapter is used, not the best.")
    if recipe.held_out.papers and not rows.rated and data.builder.endswith("judge"):
        notes.append(_no_ratings(data))
    return PlannedRows([about[row].prompt_tokens + about[row].completion_tokens for row in rows.training], notes)


def plan_preferences(data: PreferenceSet, recipe: Recipe) -> PlannedRows:
    """The rows of a training on preferences: one for each chosen idea, with all of its rejected ones."""
    rows = data.select(recipe)
    notes = []
    if recipe.held_out.rows and not rows.held_out:
        notes.append(f"There are no {recipe.held_out.split} pairs, so nothing is evaluated during training.")
    if recipe.held_out.choosing_rows and not rows.choosing:
        notes.append("There are no validation pairs, so the last adapter is used, not the best.")
    if recipe.preference.objective == "softmax" and all(len(row.rejected) == 1 for row in rows.training):
        notes.append("No chosen idea has several rejected ones: softmax is the same as pairwise on these data.")
    return PlannedRows([row.tokens for row in rows.training], notes)


def _no_ratings(reviews: ConversationSet) -> str:
    if reviews.rating_at == "start":
        return "No held-out paper has a rating, so there is no curve of expected ratings."
    return (
        "These reviews do not begin with the rating, so there is no curve of expected ratings: for one, build the data "
        "with `novum data build judge … --rating start`."
    )


_HERE = "novum.training.finetuning"
KINDS: Mapping[Kind, TrainingKind] = {
    kind.name: kind
    for kind in (
        TrainingKind(
            "judge", "judge", "a trained reviewer", open_set, plan_conversations, report_on_conversations,
            f"{_HERE}.supervised",
        ),
        TrainingKind(
            "sft", "ideas", "an idea model, fine-tuned on papers", open_ideas, plan_conversations,
            report_on_conversations, f"{_HERE}.supervised",
        ),
        TrainingKind(
            "dpo", "ideas", "an idea model, trained on preferences", open_preferences, plan_preferences,
            report_on_preferences, f"{_HERE}.preferences.trainer",
        ),
    )
}  # fmt: skip
