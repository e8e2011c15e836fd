"""A training from its first line to its last: read the job, cut the rows, learn, measure, write what came of it."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from accelerate import PartialState
from transformers import set_seed
from trl import SFTConfig, pack_dataset

from novum.core.trained import TRAINED_FILE, TrainedModel
from novum.errors import BadInput
from novum.files.atomic import write_atomic
from novum.training.finetuning import checkpoints
from novum.training.finetuning.curves import best_step, read_curve, write_curve
from novum.training.finetuning.events import EventWriter
from novum.training.finetuning.job import CHECKPOINTS, CUTS, TOKENS, TuningJob, read_job
from novum.training.finetuning.measuring import prepare_evaluation
from novum.training.finetuning.ordering import order_rows
from novum.training.finetuning.review_set import ReviewSet, open_set
from novum.training.finetuning.selection import select_training_rows
from novum.training.finetuning.stopping import StopSignals
from novum.training.finetuning.tokens import fitter_for, read_tokens, write_tokens
from novum.training.finetuning.trainer import JudgeTrainer, TrainingState
from novum.training.finetuning.trimming import Cuts, Fitter
from novum.training.weights.base import Base, load_base

_LIBRARIES = ("torch", "transformers", "trl", "peft", "accelerate", "datasets", "novum")
_DTYPES = {"fp32": "float32", "bf16": "bfloat16", "fp16": "float16"}


def train(folder: Path, stopping: StopSignals, told: EventWriter) -> TrainedModel:
    """Trains, or goes on training, what `job.json` in `folder` says. In every process of a launch.

    Raises BadInput for a job that cannot be carried out, OSError when the disk is full.
    """
    job = read_job(folder)
    if job is None:
        raise BadInput(f"There is no training in {folder}.")
    recipe = job.recipe
    PartialState(cpu=not torch.cuda.is_available())  # each process takes its own card before anything is loaded
    announced = _announced(job)
    set_seed(recipe.seed)
    told("phase", what="loading the base")
    base = load_base(
        recipe.base,
        Path(job.models_folder),
        four_bit=recipe.precision.quantisation == "nf4",
        dtype=_DTYPES[recipe.precision.compute],
    )
    reviews = open_set(Path(job.data))
    fitter = fitter_for(base.tokenizer, recipe.lengths)
    trainer = _trainer(job, folder, base, reviews, fitter, stopping, told)
    del announced
    _learn(trainer)
    return _finish(trainer, reviews)


def _announced(job: TuningJob) -> Any:
    """Under ZeRO-3, what makes a base be loaded in shares instead of whole in every process, while it lives."""
    if job.launch != "deepspeed-3":
        return None
    return SFTConfig(output_dir=".", bf16=job.recipe.precision.compute == "bf16", report_to=[])


def _trainer(
    job: TuningJob,
    folder: Path,
    base: Base,
    reviews: ReviewSet,
    fitter: Fitter,
    stopping: StopSignals,
    told: EventWriter,
) -> JudgeTrainer:
    recipe = job.recipe
    chosen = select_training_rows(reviews, recipe)
    told("phase", what="cutting rows to length")
    rows = _rows(reviews, chosen.training, fitter, folder)
    told("cuts", **_cuts(folder).model_dump())
    if recipe.lengths.packing:
        rows = pack_dataset(rows, recipe.lengths.sequence, "bfd")
    lengths = [len(tokens) for tokens in rows["input_ids"]]
    exam = prepare_evaluation(reviews, chosen, recipe.held_out.split, fitter, recipe.held_out.batch)
    order = order_rows(lengths, recipe.batch, recipe.seed, PartialState().num_processes)
    return JudgeTrainer(base, rows, TrainingState(job, folder, order, lengths, exam, told, stopping))


def _rows(reviews: ReviewSet, chosen: Sequence[int], fitter: Fitter, folder: Path) -> Any:
    """The rows as tokens: made once, by the first process."""
    place = folder / TOKENS
    with PartialState().main_process_first():
        if PartialState().is_main_process and not (place.exists() and (folder / CUTS).exists()):
            cuts = write_tokens(reviews, chosen, fitter, place)
            (folder / CUTS).write_text(cuts.model_dump_json(), encoding="utf-8")
        return read_tokens(place)


def _cuts(folder: Path) -> Cuts:
    return Cuts.model_validate_json((folder / CUTS).read_bytes())


def _learn(trainer: JudgeTrainer) -> None:
    """From the newest whole checkpoint, or from the start."""
    course = trainer.course
    last = checkpoints.last_checkpoint(course.folder)
    at = last.step if last else 0
    if PartialState().is_main_process:
        (course.folder / CHECKPOINTS).mkdir(exist_ok=True)
        checkpoints.remove_other_checkpoints(course.folder, last.place if last else None)
        write_curve(course.folder, read_curve(course.folder, at))
    PartialState().wait_for_everyone()
    course.seconds_before = last.seconds if last else 0.0
    course.told("begins", step=at, of=course.order.steps, tokens=course.order.tokens(course.lengths))
    trainer.train(resume_from_checkpoint=str(last.place) if last else None)


def _finish(trainer: JudgeTrainer, reviews: ReviewSet) -> TrainedModel:
    """Puts the best adapter in its place and writes what the model is."""
    course = trainer.course
    points = read_curve(course.folder)
    step = best_step(points)
    if step is None:
        step = trainer.state.global_step
        trainer.keep_adapter(step)
    recipe = course.job.recipe
    done = TrainedModel(
        name=course.job.name,
        purpose="judge",
        base=recipe.base,
        data=reviews.digest,
        tasks=tuple(task for task, share in recipe.rows.tasks.items() if share),
        rating_at=reviews.rating_at,
        recipe=recipe.model_dump(mode="json"),
        steps=trainer.state.global_step,
        seconds=round(course.seconds, 3),
        tokens=course.order.tokens(course.lengths, trainer.state.global_step),
        finished=not course.stopped,
        curve=points,
        versions={name: importlib.metadata.version(name) for name in _LIBRARIES},
    )
    if PartialState().is_main_process:
        checkpoints.save_adapter(course.folder, checkpoints.best_adapter_folder(course.folder, step))
        write_atomic(course.folder / TRAINED_FILE, done.model_dump_json(indent=1))
    PartialState().wait_for_everyone()
    return done
