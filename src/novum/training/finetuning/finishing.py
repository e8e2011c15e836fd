"""Steps after a training: build its report and remove intermediate files."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from pydantic import ValidationError

from novum.files.inputs import read_plain
from novum.training.finetuning import checkpoints
from novum.training.finetuning.conversations import ConversationSet
from novum.training.finetuning.curves import best_step
from novum.training.finetuning.job import CUTS, TOKENS, TuningJob
from novum.training.finetuning.preferences.data_set import PreferenceSet
from novum.training.finetuning.selection import select_training_rows
from novum.training.finetuning.trimming import RowCuts
from novum.training.report.records import TrainingReport
from novum.training.weights.trained_folder import read_trained


def report_on_conversations(folder: Path, reviews: ConversationSet, job: TuningJob) -> TrainingReport:
    """Build the report of the trained model in `folder`. Raises BadInput if there is none."""
    model = read_trained(folder)
    selected = select_training_rows(reviews, job.recipe)
    ratings = [paper.rating for paper in selected.rated]
    about = reviews.about("train")
    training_ratings = [about[row].rating for row in selected.training]
    cuts = _cuts(folder)
    return TrainingReport(
        model=model,
        best_step=best_step(model.curve),
        rows=len(selected.training),
        held_out_rows=len(selected.held_out),
        rated_papers=len(ratings),
        choosing_rows=len(selected.choosing),
        held_out_split=job.recipe.held_out.split,
        constant_rmse=_constant(ratings, [rating for rating in training_ratings if rating is not None]),
        constant_rmse_centred=_constant(ratings, ratings),
        left_tasks=selected.left_tasks,
        prompts_cut=cuts.prompts if cuts else None,
        completions_cut=cuts.completions if cuts else None,
        left_out=cuts.left_out if cuts else None,
    )


def report_on_preferences(folder: Path, data: PreferenceSet, job: TuningJob) -> TrainingReport:
    """Build the report of a model that was trained on preferences. Raises BadInput if there is none."""
    model = read_trained(folder)
    selected = data.select(job.recipe)
    cuts = _cuts(folder)
    return TrainingReport(
        model=model,
        best_step=best_step(model.curve),
        rows=len(selected.training),
        held_out_rows=len(selected.held_out),
        rated_papers=0,
        choosing_rows=len(selected.choosing),
        held_out_split=job.recipe.held_out.split,
        constant_rmse=None,
        constant_rmse_centred=None,
        prompts_cut=cuts.prompts if cuts else None,
        completions_cut=cuts.completions if cuts else None,
        left_out=cuts.left_out if cuts else None,
    )


def remove_intermediate_files(folder: Path) -> None:
    """Remove the files that are only needed to resume the training."""
    checkpoints.remove_checkpoints(folder)
    shutil.rmtree(folder / TOKENS, ignore_errors=True)


def _cuts(folder: Path) -> RowCuts | None:
    try:
        return RowCuts.model_validate_json(read_plain(folder / CUTS))
    except (OSError, ValidationError):
        return None


def _constant(ratings: Sequence[float], learnt: Sequence[float]) -> float | None:
    """RMSE of predicting the mean of `learnt` for each of `ratings`; None if either is empty."""
    if not ratings or not learnt:
        return None
    prediction = fmean(learnt)
    return float(fmean((rating - prediction) ** 2 for rating in ratings) ** 0.5)
