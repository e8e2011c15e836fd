"""GRPO by TRL: the recipe as its arguments, episodes as its rollouts, evaluation and the watch as callbacks.

`rollout_func` is used and not `environment_factory`: there a policy decides by a tool call whether it goes on, its
environment answers as a tool, and the chat template must know tools. Here the comment is a turn of the conversation
that always follows, for any instruction-tuned model.

A training that is resumed ends with the same weights as one that was not disturbed. So the order of tasks depends on
the number of the epoch alone, and checkpoints are written only where all sampled trajectories have been used: the
trainer keeps those in memory.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

import torch
from datasets import Dataset
from torch.utils.data import Sampler
from transformers import PrinterCallback, TrainerCallback
from trl import GRPOConfig, GRPOTrainer
from trl.trainer.utils import RepeatSampler

from novum.core.research_context import NextIdeaRecord
from novum.errors import BadInput
from novum.training.finetuning import checkpoints
from novum.training.finetuning.events import EventWriter
from novum.training.finetuning.job import CHECKPOINTS
from novum.training.finetuning.ordering import measuring_steps
from novum.training.finetuning.stopping import StopReason, StopSignals
from novum.training.finetuning.trainer import lora_config_of
from novum.training.next_idea.grpo.job import POINTS, STEPS, NextIdeaJob, ReturnPoint, append_line, read_lines
from novum.training.next_idea.grpo.models import TrainingModels
from novum.training.next_idea.grpo.recipe import Generation
from novum.training.next_idea.grpo.rollouts import Rollout, RolloutRules, as_rollout_output, play_rollouts
from novum.training.next_idea.grpo.trajectories import ChatTokens
from novum.training.next_idea.grpo.watch import watch_point, with_judgement
from novum.training.weights.base import Base

_NOT_FINITE = (
    "The loss is not a finite number after step {step}, so training cannot continue: start in another folder with a "
    "lower grpo.learning_rate, or with precision.compute=fp32."
)
_KEY = "user"


@dataclass
class PolicyState:
    """A training in progress."""

    job: NextIdeaJob
    folder: Path
    tasks: Sequence[NextIdeaRecord]
    held_out: Sequence[NextIdeaRecord]
    models: TrainingModels
    chat: ChatTokens
    events: EventWriter
    stopping: StopSignals
    steps: int
    seconds_before: float = 0.0
    started: float = field(default_factory=time.monotonic)
    step_seconds: float = 0.0
    measuring: float = 0.0
    stopped: StopReason = ""

    @property
    def seconds(self) -> float:
        return self.seconds_before + time.monotonic() - self.started

    @property
    def by_id(self) -> dict[str, NextIdeaRecord]:
        return {each.id: each for each in self.tasks}


def planned_steps(recipe_tasks: int, job: NextIdeaJob) -> int:
    """Updates of a training on so many tasks."""
    grpo = job.recipe.grpo
    return grpo.steps or max(1, math.ceil(grpo.epochs * recipe_tasks / grpo.mini_batch))


def policy_trainer(base: Base, state: PolicyState) -> GRPOTrainer:
    """The trainer of a policy."""
    rows = [{"prompt": [{"role": _KEY, "content": each.id}]} for each in state.tasks]
    least = state.job.recipe.grpo.tasks
    if len(rows) < least:
        raise BadInput(
            f"There are {len(rows)} training tasks whose prompts fit, and one step takes {least}: set "
            "grpo.tasks and grpo.mini_batch lower, lengths.prompt higher, or build more tasks."
        )
    rollouts = _Rollouts(state)
    trainer = _PolicyTrainer(
        model=base.model,
        reward_funcs=[episode_reward],
        args=grpo_arguments(state),
        train_dataset=Dataset.from_list(rows),
        processing_class=base.tokenizer,
        peft_config=lora_config_of(state.job.recipe.lora) if state.job.recipe.lora else None,
        rollout_func=rollouts,
    )
    trainer.remove_callback(PrinterCallback)
    trainer.add_callback(_StepCallback(trainer, state, rollouts))
    return trainer


class _EpochSampler(Sampler[int]):  # type: ignore[misc]
    """The order of another sampler, drawn from its seed and the number of the epoch."""

    def __init__(self, sampler: RepeatSampler, epoch: Callable[[], int]) -> None:
        self._sampler, self._epoch = sampler, epoch

    def __iter__(self) -> Iterator[int]:
        self._sampler.generator.manual_seed((self._sampler.seed or 0) + self._epoch())
        return iter(self._sampler)

    def __len__(self) -> int:
        return len(self._sampler)


class _PolicyTrainer(GRPOTrainer):  # type: ignore[misc]
    """TRL's trainer, whose own order of tasks begins anew where a training is resumed."""

    def _get_train_sampler(self, dataset: Any = None) -> Sampler[int]:
        return _EpochSampler(super()._get_train_sampler(dataset), lambda: int(self.state.epoch or 0))


def episode_reward(episode_reward: Sequence[float | None], **_: Any) -> list[float | None]:
    """The rewards that the rollouts brought along; None is left out of its group by the trainer."""
    return list(episode_reward)


def grpo_arguments(state: PolicyState) -> GRPOConfig:
    """The recipe as arguments of TRL's trainer (equation 2: one mean for each trajectory, then over trajectories)."""
    recipe, job = state.job.recipe, state.job
    grpo, engine = recipe.grpo, recipe.generation
    rows = grpo.rows * job.processes
    return GRPOConfig(
        output_dir=str(state.folder / CHECKPOINTS), per_device_train_batch_size=grpo.rows,
        gradient_accumulation_steps=max(1, grpo.mini_batch * grpo.generations // rows),
        steps_per_generation=max(1, grpo.tasks * grpo.generations // rows),
        num_generations=grpo.generations, max_steps=state.steps, learning_rate=grpo.learning_rate,
        lr_scheduler_type=grpo.schedule, warmup_steps=round(grpo.warmup * state.steps),
        weight_decay=grpo.weight_decay, max_grad_norm=grpo.clip, beta=grpo.kl, epsilon=grpo.clip_ratio,
        loss_type="grpo", scale_rewards="group", temperature=grpo.temperature,
        max_completion_length=recipe.lengths.response, bf16=recipe.precision.compute == "bf16",
        fp16=recipe.precision.compute == "fp16", use_cpu=not torch.cuda.is_available(),
        gradient_checkpointing=grpo.checkpointing,
        gradient_checkpointing_kwargs={"use_reentrant": False} if grpo.checkpointing else None,
        seed=recipe.seed, data_seed=recipe.seed, logging_steps=1, logging_nan_inf_filter=False,
        eval_strategy="no", save_strategy="no", save_total_limit=2, run_name=job.name, disable_tqdm=True,
        report_to=[] if recipe.keeping.tracker == "none" else recipe.keeping.tracker.split(","),
        dataloader_pin_memory=torch.cuda.is_available(), **_sampling(engine),
    )  # fmt: skip


def _sampling(generation: Generation) -> dict[str, Any]:
    """Arguments for vLLM; none for transformers."""
    if generation.engine == "transformers":
        return {}
    mode = generation.engine.removeprefix("vllm-")
    server = {"vllm_server_base_url": generation.server} if generation.server else {}
    return {"use_vllm": True, "vllm_mode": mode, "vllm_gpu_memory_utilization": generation.memory} | server


class _Rollouts:
    """Plays the episodes of one step, and records the watch."""

    def __init__(self, state: PolicyState) -> None:
        self._state = state
        recipe = state.job.recipe
        self._rules = RolloutRules(recipe.episode.copies, recipe.episode.loss_on, recipe.shaping)

    def __call__(self, prompts: list[Any], trainer: Any) -> dict[str, Any]:
        """The trajectories for `prompts`, each of which names a task."""
        tasks = [self._state.by_id[prompt[-1]["content"]] for prompt in prompts]
        played = self.play(trainer, tasks, self._rules)
        if trainer.accelerator.is_main_process:
            self._watch(trainer, played)
        output = as_rollout_output(played, self._rules.loss_on)
        if self._state.job.recipe.roles.reward == "shuffled":
            seed = f"{self._state.job.recipe.seed} {trainer.state.global_step}"
            random.Random(seed).shuffle(output["episode_reward"])  # noqa: S311  not for secrets
        return output

    def play(self, trainer: Any, tasks: Sequence[NextIdeaRecord], rules: RolloutRules) -> list[Rollout]:
        """Episodes with the policy as it is now."""

        def sample(rows: list[list[int]]) -> tuple[list[list[int]], list[list[float]] | None]:
            responses, logprobs = trainer._generate_single_turn(rows, None, {}, 1)
            return [list(map(int, each)) for each in responses], logprobs

        models = self._state.models
        return play_rollouts(tasks, models.environment, rules, self._state.chat, sample, models.run)

    def _watch(self, trainer: Any, played: Sequence[Rollout]) -> None:
        state, roles = self._state, self._state.job.recipe.roles
        step = trainer.state.global_step + 1
        point = watch_point(
            step, [each.result for each in played], [each.reward for each in played],
            state.job.recipe.grpo.generations,
        )  # fmt: skip
        if roles.watch_model and (step - 1) % roles.watch_every == 0:
            whole = [each.result for each in played if len(each.result.ideas) > 1 and each.result.value is not None]
            judged = whole[: roles.watch_pairs]
            point = with_judgement(point, [each.value or 0.0 for each in judged], state.models.judge_gains(judged))
        append_line(state.folder / STEPS, point)
        for name, value in point.model_dump(exclude={"step", "trajectories"}).items():
            if value is not None:
                trainer._metrics["train"][f"watch/{name}"].append(float(value))


class _StepCallback(TrainerCallback):  # type: ignore[misc]
    """Evaluates, saves and stops at the right steps, and reports every step."""

    def __init__(self, trainer: Any, state: PolicyState, rollouts: _Rollouts) -> None:
        self._trainer, self._state, self._rollouts = trainer, state, rollouts
        self._evaluation_steps = frozenset(measuring_steps(state.steps, state.job.recipe.held_out.times))
        grpo = state.job.recipe.grpo
        self._updates = grpo.tasks // grpo.mini_batch
        """Updates from one set of trajectories."""
        self._every = math.ceil(state.job.recipe.keeping.every / self._updates) * self._updates
        self._began = 0.0

    def on_train_begin(self, _: Any, state: Any, control: Any, **__: Any) -> Any:
        self._state.started = time.monotonic()
        self._state.stopping.begin_loop()
        if state.global_step == 0 and not read_lines(self._state.folder / POINTS, ReturnPoint):
            self._state.events("phase", what="evaluating the base")
            self._evaluate(0)
        return control

    def on_step_begin(self, *_: Any, **__: Any) -> None:
        self._began = time.monotonic()

    def on_step_end(self, _: Any, state: Any, control: Any, **__: Any) -> Any:
        own, step = self._state, state.global_step
        own.step_seconds = max(own.step_seconds, time.monotonic() - self._began)
        if own.events.closed.is_set():
            own.stopping.request_stop()
        last, used_up = step >= own.steps, step % self._updates == 0
        why = own.stopping.wanted(self._updates * own.step_seconds + 2 * own.measuring)
        if why and used_up and not last:
            own.stopped, control.should_training_stop = why, True
        if step in self._evaluation_steps or last or own.stopped == "time":
            self._evaluate(step)
        control.should_save = bool(last or own.stopped or step % self._every == 0)
        return control

    def on_log(self, _: Any, state: Any, __: Any, logs: Any = None, **___: Any) -> None:
        if logs and "loss" in logs:
            if not math.isfinite(logs["loss"]):
                raise BadInput(_NOT_FINITE.format(step=state.global_step))
            own = self._state
            own.events(
                "step", step=state.global_step, of=own.steps, loss=logs["loss"], reward=logs.get("reward"),
                returns=logs.get("watch/returns"), seconds=round(own.seconds, 3), measuring=round(own.measuring, 3),
                tokens=int(logs.get("num_tokens", 0)),
            )  # fmt: skip

    def on_save(self, _: Any, state: Any, __: Any, **___: Any) -> None:
        if state.is_world_process_zero:
            checkpoints.finish_checkpoint(self._state.folder, state.global_step, self._state.seconds)

    def _evaluate(self, step: int) -> None:
        """Episodes of the held-out tasks, by random numbers that training does not notice."""
        own, held_out = self._state, self._state.held_out
        if not held_out:
            return
        began = time.monotonic()
        samples = own.job.recipe.held_out.samples
        training = self._trainer.model.training
        self._trainer.model.eval()
        with torch.random.fork_rng():
            torch.manual_seed(own.job.recipe.seed + 7919)
            played = self._rollouts.play(
                self._trainer, [each for each in held_out for _ in range(samples)], RolloutRules()
            )
        self._trainer.model.train(training)
        own.measuring = time.monotonic() - began
        point = return_point(step, own.seconds, [each.result for each in played], own.measuring)
        if self._trainer.accelerator.is_main_process:
            append_line(own.folder / POINTS, point)
        own.events("measured", point=point.model_dump(exclude={"by_task"}))


def return_point(step: int, seconds: float, results: Sequence[Any], measuring: float = 0.0) -> ReturnPoint:
    """The mean return of episodes, first within each task."""
    values: dict[str, list[float]] = {}
    for each in results:
        if each.value is not None:
            values.setdefault(each.task_id, []).append(each.value)
    by_task = {task: fmean(found) for task, found in values.items()}
    scores = {
        name: [getattr(each, name) for each in results if getattr(each, name) is not None]
        for name in ("first_score", "last_score")
    }
    formed = [float(mark) for each in results for mark in each.well_formed]
    return ReturnPoint(
        step=step,
        seconds=round(seconds, 3),
        mean_return=fmean(by_task.values()) if by_task else None,
        by_task=by_task,
        first_score=fmean(scores["first_score"]) if scores["first_score"] else None,
        last_score=fmean(scores["last_score"]) if scores["last_score"] else None,
        well_formed=fmean(formed) if formed else None,
        measuring=round(measuring, 3),
    )
