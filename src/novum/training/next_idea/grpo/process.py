"""A complete training of a policy in one process: read the job, choose the tasks, train, and write what came of it."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from accelerate import PartialState
from transformers import set_seed

from novum.core.research_context import NextIdeaRecord
from novum.core.trained import TRAINED_FILE, TrainedModel
from novum.errors import BadInput
from novum.files.atomic import replace_folder, write_atomic
from novum.training.finetuning import checkpoints
from novum.training.finetuning.events import EventWriter
from novum.training.finetuning.job import ADAPTER, CHECKPOINTS
from novum.training.finetuning.stopping import StopSignals
from novum.training.next_idea.data.files import open_next_ideas
from novum.training.next_idea.environment.session import EpisodeSession, IdeaEnvironment
from novum.training.next_idea.grpo.job import (
    POINTS,
    STEPS,
    NextIdeaJob,
    NextIdeaTraining,
    ReturnPoint,
    cut_lines,
    read_lines,
    read_next_idea_job,
)
from novum.training.next_idea.grpo.models import training_models
from novum.training.next_idea.grpo.trainer import PolicyState, planned_steps, policy_trainer
from novum.training.next_idea.grpo.trajectories import ChatTokens
from novum.training.next_idea.grpo.watch import WatchPoint
from novum.training.weights.base import Base, load_base

_LIBRARIES = ("torch", "transformers", "trl", "peft", "accelerate", "datasets", "novum")
_DTYPES = {"fp32": "float32", "bf16": "bfloat16", "fp16": "float16"}
OUTCOME, MERGED = "training.json", "merged"


def train_policy(folder: Path, stopping: StopSignals, events: EventWriter) -> NextIdeaTraining:
    """Train, or resume training, by `job.json` in `folder`. It runs in every process of a launch.

    Raises BadInput for a job that cannot be carried out, BudgetSpent when the budget ends, OSError when the disk is
    full.
    """
    job = read_next_idea_job(folder)
    if job is None:
        raise BadInput(f"There is no training in {folder}.")
    PartialState(cpu=not torch.cuda.is_available())
    set_seed(job.recipe.seed)
    events("phase", what="loading the base")
    base = _base(job)
    data = open_next_ideas(Path(job.data))
    with training_models(job) as models:
        chat = _chat(base, job)
        fitting, overlong = fitting_tasks(data.records("train"), models.environment, chat, job.recipe.lengths.prompt)
        held_out = fitting_tasks(
            data.records(job.recipe.held_out.split), models.environment, chat, job.recipe.lengths.prompt
        )[0][: job.recipe.held_out.tasks]
        state = PolicyState(
            job, folder, fitting, held_out, models, chat, events, stopping, planned_steps(len(fitting), job)
        )
        trainer = policy_trainer(base, state)
        _train(trainer, state)
        return _finish(trainer, state, data.digest, overlong)


def _base(job: NextIdeaJob) -> Base:
    recipe = job.recipe
    four_bit = recipe.precision.quantisation == "nf4"
    return load_base(recipe.base, Path(job.models_folder), four_bit=four_bit, dtype=_DTYPES[recipe.precision.compute])


def _chat(base: Base, job: NextIdeaJob) -> ChatTokens:
    try:
        chat = ChatTokens(base.tokenizer)
        chat.between([], [{"role": "user", "content": "x"}])
    except ValueError as error:
        raise BadInput(
            f"{job.recipe.base} cannot be trained in conversations: {error}. Choose another base."
        ) from error
    return chat


def fitting_tasks(
    tasks: Sequence[NextIdeaRecord], environment: IdeaEnvironment, chat: ChatTokens, limit: int
) -> tuple[list[NextIdeaRecord], int]:
    """The tasks whose prompt has at most `limit` tokens, and the number of the others."""
    fitting = [each for each in tasks if len(chat.prompt(EpisodeSession(each, environment).messages())) <= limit]
    return fitting, len(tasks) - len(fitting)


def _train(trainer: Any, state: PolicyState) -> None:
    """From the newest complete checkpoint, or from the start."""
    last = checkpoints.last_checkpoint(state.folder)
    if PartialState().is_main_process:
        (state.folder / CHECKPOINTS).mkdir(exist_ok=True)
        checkpoints.remove_other_checkpoints(state.folder, last.place if last else None)
        cut_lines(state.folder, last.step if last else 0)
    PartialState().wait_for_everyone()
    state.seconds_before = last.seconds if last else 0.0
    state.events("begins", step=last.step if last else 0, of=state.steps, tokens=0)
    trainer.train(resume_from_checkpoint=str(last.place) if last else None)


def _finish(trainer: Any, state: PolicyState, digest: str, overlong: int) -> NextIdeaTraining:
    """Save the policy as it is after the last step, and describe it."""
    recipe, folder = state.job.recipe, state.folder
    place = folder / CHECKPOINTS / "last"
    trainer.save_model(str(place))
    model = TrainedModel(
        name=state.job.name,
        purpose="next-idea",
        kind="grpo",
        base=recipe.base,
        data=digest,
        recipe=recipe.model_dump(mode="json"),
        steps=trainer.state.global_step,
        seconds=round(state.seconds, 3),
        tokens=int(trainer.state.num_input_tokens_seen),
        finished=not state.stopped,
        versions={name: importlib.metadata.version(name) for name in _LIBRARIES},
        adapter=ADAPTER if recipe.lora else "",
        merged="" if recipe.lora else MERGED,
    )
    outcome = NextIdeaTraining(
        model=model,
        recipe=recipe,
        tasks=len(state.tasks),
        overlong=overlong,
        points=read_lines(folder / POINTS, ReturnPoint),
        steps=read_lines(folder / STEPS, WatchPoint),
    )
    if PartialState().is_main_process:
        if recipe.lora:
            checkpoints.save_result(place, folder / ADAPTER)
        else:
            replace_folder(place, folder / MERGED)
        write_atomic(folder / OUTCOME, outcome.model_dump_json(indent=1))
        write_atomic(folder / TRAINED_FILE, model.model_dump_json(indent=1))
    PartialState().wait_for_everyone()
    return outcome


__all__ = ["ADAPTER", "OUTCOME", "fitting_tasks", "train_policy"]
