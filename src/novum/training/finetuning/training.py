"""A complete training: read the job, cut the rows, train, evaluate, and write the trained model."""

from __future__ import annotations

import importlib
import importlib.metadata
from pathlib import Path
from typing import Any

import torch
from accelerate import PartialState
from transformers import set_seed
from trl import SFTConfig

from novum.core.trained import TRAINED_FILE, TrainedModel
from novum.errors import BadInput
from novum.files.atomic import write_atomic
from novum.training.finetuning import checkpoints
from novum.training.finetuning.context import TrainingContext
from novum.training.finetuning.curves import best_step, read_curve, write_curve
from novum.training.finetuning.events import EventWriter
from novum.training.finetuning.job import ADAPTER, CHECKPOINTS, MERGED, TuningJob, read_job
from novum.training.finetuning.kinds import KINDS, TrainingData
from novum.training.finetuning.stopping import StopSignals
from novum.training.finetuning.trainer import ControlledTraining
from novum.training.recipes.recipe import Recipe
from novum.training.weights.base import load_base

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
    _check_device(recipe)
    sharding = _sharding_arguments(job)
    set_seed(recipe.seed)
    base = load_base(
        recipe.base,
        Path(job.models_folder),
        four_bit=recipe.precision.quantisation == "nf4",
        # Small steps of all weights would be lost in 16 bits.
        dtype=_DTYPES["fp32" if recipe.tuning == "full" else recipe.precision.compute],
    )
    kind = KINDS[job.kind]
    data = kind.open(Path(job.data))
    module = importlib.import_module(kind.trainer_module)
    trainer: ControlledTraining = module.make_trainer(TrainingContext(job, folder, base, stopping, events), data)
    del sharding
    _train_steps(trainer)
    return _finish(trainer, data)


def _check_device(recipe: Recipe) -> None:
    if recipe.device.kind == "gpu" and not torch.cuda.is_available():
        raise BadInput(
            "This recipe is for a GPU, and PyTorch finds none that it can use: check the driver, CUDA_VISIBLE_DEVICES "
            "and `python -c 'import torch; print(torch.version.cuda)'`; or choose --recipe cpu."
        )


def _sharding_arguments(job: TuningJob) -> Any:
    """Under ZeRO-3, the object that makes transformers load a base in shards while it exists; else None."""
    if job.launch != "deepspeed-3":
        return None
    return SFTConfig(output_dir=".", bf16=job.recipe.precision.compute == "bf16", report_to=[])


def _train_steps(trainer: ControlledTraining) -> None:
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


def _finish(trainer: ControlledTraining, data: TrainingData) -> TrainedModel:
    """Save the best adapter and write the description of the model."""
    tuning = trainer.tuning
    points = read_curve(tuning.folder)
    step = best_step(points)
    # After a checkpoint that was cut off, the best adapter may be one that is not made again yet.
    if step is None or not checkpoints.best_adapter_folder(tuning.folder, step).is_dir():
        step = trainer.state.global_step
        trainer.save_best_adapter(step)
    recipe = tuning.job.recipe
    model = TrainedModel(
        name=tuning.job.name,
        purpose=KINDS[tuning.job.kind].purpose,
        kind=tuning.job.kind,
        base=recipe.base,
        data=data.digest,
        tasks=() if tuning.job.kind == "dpo" else tuple(task for task, share in recipe.rows.tasks.items() if share),
        rating_at=data.rating_at,
        recipe=recipe.model_dump(mode="json"),
        steps=trainer.state.global_step,
        seconds=round(tuning.seconds, 3),
        tokens=tuning.order.tokens(tuning.lengths, trainer.state.global_step),
        finished=not tuning.stopped,
        curve=points,
        versions={name: importlib.metadata.version(name) for name in _LIBRARIES},
        adapter="" if recipe.tuning == "full" else ADAPTER,
        merged=MERGED if recipe.tuning == "full" else "",
    )
    if PartialState().is_main_process:
        best = checkpoints.best_adapter_folder(tuning.folder, step)
        checkpoints.save_result(best, tuning.folder / (model.adapter or model.merged))
        write_atomic(tuning.folder / TRAINED_FILE, model.model_dump_json(indent=1))
    PartialState().wait_for_everyone()
    return model
