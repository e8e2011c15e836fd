"""A complete training: read the job, cut the rows, train, evaluate, and write the trained model."""

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
from novum.training.finetuning.trimming import Fitter, RowCuts
from novum.training.weights.base import Base, load_base

_LIBRARIES = ("torch", "transformers", "trl", "peft", "accelerate", "datasets", "novum")
_DTYPES = {"fp32": "float32", "bf16": "bfloat16", "fp16": "float16"}


def train(folder: Path, stopping: StopSignals, events: EventWriter) -> TrainedModel:
    """Train, or resume training, by `job.json` in `folder`. It runs in every process of a launch.

    Raises BadInput for a job that cannot be carried out, OSError when the disk is full.
    """
    job = read_job(folder)
    if job is None:
        raise BadInput(f"There is no training in {folder}.")
    recipe = job.recipe
    PartialState(cpu=not torch.cuda.is_available())  # each process selects its GPU before anything is loaded
    sharding = _sharding_arguments(job)
    set_seed(recipe.seed)
    events("phase", what="loading the base")
    base = load_base(
        recipe.base,
        Path(job.models_folder),
        four_bit=recipe.precision.quantisation == "nf4",
        dtype=_DTYPES[recipe.precision.compute],
    )
    reviews = open_set(Path(job.data))
    fitter = fitter_for(base.tokenizer, recipe.lengths)
    trainer = _trainer(job, folder, base, reviews, fitter, stopping, events)
    del sharding
    _train_steps(trainer)
    return _finish(trainer, reviews)


def _sharding_arguments(job: TuningJob) -> Any:
    """Under ZeRO-3, the object that makes transformers load a base in shards while it exists; else None."""
    if job.launch != "deepspeed-3":
        return None
    return SFTConfig(output_dir=".", bf16=job.recipe.precision.compute == "bf16", report_to=[])


def _trainer(
    job: TuningJob, folder: Path, base: Base, reviews: ReviewSet, fitter: Fitter, stopping: StopSignals,
    events: EventWriter,
) -> JudgeTrainer:  # fmt: skip
    recipe = job.recipe
    selected = select_training_rows(reviews, recipe)
    events("phase", what="cutting rows to length")
    rows = _rows(reviews, selected.training, fitter, folder)
    events("cuts", **_cuts(folder).model_dump())
    if recipe.lengths.packing:
        rows = pack_dataset(rows, recipe.lengths.sequence, "bfd")
    lengths = [len(tokens) for tokens in rows["input_ids"]]
    evaluation = prepare_evaluation(reviews, selected, recipe.held_out.split, fitter, recipe.held_out.batch)
    order = order_rows(lengths, recipe.batch, recipe.seed, PartialState().num_processes)
    return JudgeTrainer(base, rows, TrainingState(job, folder, order, lengths, evaluation, events, stopping))


def _rows(reviews: ReviewSet, selected: Sequence[int], fitter: Fitter, folder: Path) -> Any:
    """The training rows as tokens, made once by the first process."""
    place = folder / TOKENS
    with PartialState().main_process_first():
        if PartialState().is_main_process and not (place.exists() and (folder / CUTS).exists()):
            cuts = write_tokens(reviews, selected, fitter, place)
            (folder / CUTS).write_text(cuts.model_dump_json(), encoding="utf-8")
        return read_tokens(place)


def _cuts(folder: Path) -> RowCuts:
    return RowCuts.model_validate_json((folder / CUTS).read_bytes())


def _train_steps(trainer: JudgeTrainer) -> None:
    """Train from the newest complete checkpoint, or from the start."""
    tuning = trainer.tuning
    last = checkpoints.last_checkpoint(tuning.folder)
    first_step = last.step if last else 0
    if PartialState().is_main_process:
        (tuning.folder / CHECKPOINTS).mkdir(exist_ok=True)
        checkpoints.remove_other_checkpoints(tuning.folder, last.place if last else None)
        write_curve(tuning.folder, read_curve(tuning.folder, first_step))
    PartialState().wait_for_everyone()
    tuning.seconds_before = last.seconds if last else 0.0
    tuning.events("begins", step=first_step, of=tuning.order.steps, tokens=tuning.order.tokens(tuning.lengths))
    trainer.train(resume_from_checkpoint=str(last.place) if last else None)


def _finish(trainer: JudgeTrainer, reviews: ReviewSet) -> TrainedModel:
    """Save the best adapter and write the description of the model."""
    tuning = trainer.tuning
    points = read_curve(tuning.folder)
    step = best_step(points)
    if step is None:
        step = trainer.state.global_step
        trainer.save_best_adapter(step)
    recipe = tuning.job.recipe
    model = TrainedModel(
        name=tuning.job.name,
        purpose="judge",
        base=recipe.base,
        data=reviews.digest,
        tasks=tuple(task for task, share in recipe.rows.tasks.items() if share),
        rating_at=reviews.rating_at,
        recipe=recipe.model_dump(mode="json"),
        steps=trainer.state.global_step,
        seconds=round(tuning.seconds, 3),
        tokens=tuning.order.tokens(tuning.lengths, trainer.state.global_step),
        finished=not tuning.stopped,
        curve=points,
        versions={name: importlib.metadata.version(name) for name in _LIBRARIES},
    )
    if PartialState().is_main_process:
        checkpoints.save_adapter(tuning.folder, checkpoints.best_adapter_folder(tuning.folder, step))
        write_atomic(tuning.folder / TRAINED_FILE, model.model_dump_json(indent=1))
    PartialState().wait_for_everyone()
    return model
