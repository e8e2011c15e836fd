"""What all trainers share: a fixed order of rows, evaluation during training, and a stop after every step."""

from __future__ import annotations

import math
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import torch
from peft import LoraConfig, PeftConfig, PrefixTuningConfig
from torch.utils.data import Sampler
from transformers import PrinterCallback, Trainer, TrainerCallback

from novum.core.trained import CurvePoint
from novum.errors import BadInput
from novum.training.finetuning import checkpoints
from novum.training.finetuning.curves import append_point, best_step, read_curve
from novum.training.finetuning.events import EventWriter
from novum.training.finetuning.job import CHECKPOINTS, TuningJob
from novum.training.finetuning.losses import Forward
from novum.training.finetuning.ordering import Order, measuring_steps
from novum.training.finetuning.stopping import OutOfTimeError, StopReason, StopSignals
from novum.training.recipes.recipe import ALL_LINEAR, Lora, Recipe
from novum.training.weights.base import Base

_NOT_FINITE = (
    "The loss is not a finite number after step {step}, so training cannot continue: start in another folder with a "
    "lower optimizer.learning_rate, or with precision.compute=fp32."
)


class Evaluation(Protocol):
    """What the points of the learning curves are computed from."""

    def point(self, forward: Forward, tokenizer: Any, device: Any) -> CurvePoint:
        """Evaluate the model behind `forward`. The caller fills in step, seconds and training loss."""
        ...


@dataclass
class TrainingState:
    """The plan of a training and its progress."""

    job: TuningJob
    folder: Path
    order: Order
    lengths: list[int]
    """Tokens of each training row."""
    evaluation: Evaluation
    events: EventWriter
    stopping: StopSignals
    seconds_before: float = 0.0
    """Training time before the checkpoint that it resumed from."""
    started: float = 0.0
    measuring_seconds: float = 0.0
    """Duration of the last evaluation; 0 before the first."""
    step_seconds: float = 0.0
    """Duration of the longest step."""
    stopped: StopReason = ""

    def reserve(self, *, evaluating: bool) -> float:
        """Seconds that are needed if one more step is done: the step, and the evaluation after it. `evaluating`: also
        one before it."""
        return self.step_seconds + self.measuring_seconds * (1 + evaluating)

    @property
    def seconds(self) -> float:
        return self.seconds_before + (time.monotonic() - self.started if self.started else 0.0)


class _FixedOrder(Sampler):  # type: ignore[misc]  # torch may not be installed when types are checked
    """Samples rows in a fixed order."""

    def __init__(self, order: Order) -> None:
        self._rows = order.rows

    def __iter__(self) -> Iterator[int]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


class ControlledTraining(Trainer):  # type: ignore[misc]
    """A trainer of transformers that follows the job and the order of a `TrainingState`: what all kinds of training
    share. It is mixed into a trainer of TRL: `class X(ControlledTraining, SFTTrainer)`."""

    tuning: TrainingState

    def __init__(self, base: Base, rows: Any, tuning: TrainingState, arguments: Any, **more: Any) -> None:
        """`arguments`: the configuration of the trainer of TRL; `more`: further arguments of it."""
        self.tuning = tuning
        recipe = tuning.job.recipe
        if recipe.precision.attention != "sdpa":
            base.model.set_attn_implementation(recipe.precision.attention)
        super().__init__(
            model=base.model,
            args=arguments,
            train_dataset=rows,
            processing_class=base.tokenizer,
            peft_config=adapter_config(recipe),
            callbacks=[_StepCallback(self)],
            **more,
        )
        self.remove_callback(PrinterCallback)

    def _get_train_sampler(self, train_dataset: Any = None) -> Any:
        return _FixedOrder(self.tuning.order)

    def create_model_card(self, *_: Any, **__: Any) -> None:
        """Write no card: `trained.json` and the report contain more."""

    def evaluate(self, *_: Any, **__: Any) -> dict[str, float]:
        """Evaluate the model, and save its adapter if it is the best so far. The first evaluation, whose duration is
        not known before, ends at the time limit without a result."""
        started = time.monotonic()
        self.model.eval()
        forward = self._forward if self.tuning.measuring_seconds else self._forward_in_time
        try:
            with self.accelerator.autocast():
                measured = self.tuning.evaluation.point(forward, self.processing_class, self.accelerator.device)
        except OutOfTimeError:
            self.tuning.stopped = "time"
            self.control.should_training_stop = True
            self.tuning.events("phase", what="stopped while measuring: the time is up")
            return {}
        finally:
            self.model.train()
        self.tuning.measuring_seconds = time.monotonic() - started
        taken = {
            "step": self.state.global_step,
            "seconds": round(self.tuning.seconds, 3),
            "train_loss": self._loss_since_last(),
            "measuring": round(self.tuning.measuring_seconds, 3),
        }
        point = measured.model_copy(update=taken)
        self._record(point)
        metrics = {f"eval_{name}": value for name, value in _numbers(point).items()}
        self.log(dict(metrics))
        # As the base class does; otherwise the model would be evaluated again at the end of an epoch.
        self.callback_handler.on_evaluate(self.args, self.state, self.control, metrics)
        return metrics

    @property
    def _forward(self) -> Any:
        """Sharded weights can only be used by all processes together, through the wrapped model."""
        return self.model_wrapped if self.is_fsdp_enabled or self.is_deepspeed_enabled else self.model

    def _forward_in_time(self, *arguments: Any, **named: Any) -> Any:
        """As `_forward`, for an evaluation whose duration is not known yet. Raises OutOfTimeError at the time limit."""
        if self.agreed_stop(self.tuning.stopping.wanted(0)) == "time":
            raise OutOfTimeError
        return self._forward(*arguments, **named)

    def _record(self, point: CurvePoint) -> None:
        folder = self.tuning.folder
        earlier = [each for each in read_curve(folder, point.step) if each.step != point.step]
        if best_step([*earlier, point]) == point.step:
            self.save_best_adapter(point.step)
        if self.is_world_process_zero():
            append_point(folder, point)
        self.tuning.events("measured", point=point.model_dump())

    def save_best_adapter(self, step: int) -> None:
        """Save the adapter after `step` as the best so far."""
        place = checkpoints.best_adapter_folder(self.tuning.folder, step)
        draft = place.with_name(f".{place.name}")
        self.save_model(str(draft), _internal_call=True)
        if self.is_world_process_zero():
            shutil.rmtree(place, ignore_errors=True)
            draft.replace(place)  # the previous one is removed when the checkpoint of this step is complete
        self.accelerator.wait_for_everyone()

    def _loss_since_last(self) -> float | None:
        """Mean training loss of the steps since the last evaluation."""
        last = max((point.step for point in read_curve(self.tuning.folder, self.state.global_step - 1)), default=0)
        losses = [each["loss"] for each in self.state.log_history if "loss" in each and each["step"] > last]
        return sum(losses) / len(losses) if losses else None

    def agreed_stop(self, why: StopReason) -> StopReason:
        """The decision of all processes: they stop when one of them has a reason."""
        if self.accelerator.num_processes == 1:
            return why
        kinds: tuple[StopReason, ...] = ("", "time", "signal")
        wanted = torch.tensor(kinds.index(why), device=self.accelerator.device)
        torch.distributed.all_reduce(wanted, op=torch.distributed.ReduceOp.MAX)
        return kinds[int(wanted)]


class _StepCallback(TrainerCallback):  # type: ignore[misc]
    """Evaluates, saves and stops at the right steps, and reports every step."""

    def __init__(self, trainer: Any) -> None:
        self._trainer = trainer
        tuning = trainer.tuning
        times = tuning.job.recipe.held_out.times
        self._evaluation_steps = frozenset(measuring_steps(tuning.order.steps, times))
        self._step_began = 0.0

    def on_train_begin(self, _: Any, state: Any, control: Any, **__: Any) -> Any:
        control.should_evaluate = control.should_save = False  # a checkpoint may have stored other values
        tuning = self._trainer.tuning
        tuning.started = time.monotonic()
        tuning.stopping.begin_loop()
        points = read_curve(tuning.folder)
        tuning.measuring_seconds = max((each.measuring or 0.0 for each in points), default=0.0)
        if state.global_step == 0 and not points:
            tuning.events("phase", what="measuring the base")
            self._trainer.evaluate()
        return control

    def on_step_begin(self, _: Any, state: Any, control: Any, **__: Any) -> None:
        self._step_began = time.monotonic()

    def on_step_end(self, _: Any, state: Any, control: Any, **__: Any) -> Any:
        tuning, step = self._trainer.tuning, state.global_step
        if tuning.events.closed.is_set():
            tuning.stopping.request_stop()
        tuning.step_seconds = max(tuning.step_seconds, time.monotonic() - self._step_began)
        evaluating = step in self._evaluation_steps
        why = self._trainer.agreed_stop(tuning.stopping.wanted(tuning.reserve(evaluating=evaluating)))
        last = step >= tuning.order.steps
        if why and not last:
            tuning.stopped = why
            control.should_training_stop = True
        is_late = tuning.stopped == "time"
        # Without an earlier evaluation there was no time for one, and so there is none now.
        control.should_evaluate = tuning.measuring_seconds > 0 if is_late else evaluating
        control.should_save = bool(
            control.should_evaluate or tuning.stopped or last or step % tuning.job.recipe.keeping.every == 0
        )
        return control

    def on_log(self, _: Any, state: Any, control: Any, logs: Any = None, **__: Any) -> None:
        if logs and "loss" in logs:
            tuning, step = self._trainer.tuning, state.global_step
            if not math.isfinite(logs["loss"]):
                raise BadInput(_NOT_FINITE.format(step=step))
            tokens = tuning.order.tokens(tuning.lengths, step)
            tuning.events("step", step=step, of=tuning.order.steps, loss=logs["loss"], tokens=tokens,
                        seconds=round(tuning.seconds, 3), measuring=round(tuning.measuring_seconds, 3))  # fmt: skip

    def on_save(self, _: Any, state: Any, control: Any, **__: Any) -> None:
        tuning, step = self._trainer.tuning, state.global_step
        if state.is_world_process_zero:
            checkpoints.finish_checkpoint(tuning.folder, step, tuning.seconds)
            checkpoints.keep_only_best(tuning.folder, best_step(read_curve(tuning.folder, step)))


def common_arguments(tuning: TrainingState) -> dict[str, Any]:
    """The recipe as arguments that all trainers of TRL have."""
    recipe = tuning.job.recipe
    batch, optimizer, compute = recipe.batch, recipe.optimizer, recipe.precision.compute
    return {
        "output_dir": str(tuning.folder / CHECKPOINTS),
        "per_device_train_batch_size": batch.rows, "gradient_accumulation_steps": batch.accumulation,
        "max_steps": tuning.order.steps, "learning_rate": optimizer.learning_rate,
        "lr_scheduler_type": optimizer.schedule, "warmup_steps": round(optimizer.warmup * tuning.order.steps),
        "weight_decay": optimizer.weight_decay, "max_grad_norm": optimizer.clip,
        "bf16": compute == "bf16", "fp16": compute == "fp16", "use_cpu": not torch.cuda.is_available(),
        "gradient_checkpointing": batch.checkpointing,
        "gradient_checkpointing_kwargs": {"use_reentrant": False} if batch.checkpointing else None,
        "seed": recipe.seed, "data_seed": recipe.seed, "logging_steps": 1, "logging_nan_inf_filter": False,
        "eval_strategy": "no", "save_strategy": "no", "save_total_limit": 2,
        "report_to": [] if recipe.keeping.tracker == "none" else recipe.keeping.tracker.split(","),
        "run_name": tuning.job.name, "disable_tqdm": True, "dataloader_pin_memory": torch.cuda.is_available(),
        "max_length": None, "ddp_find_unused_parameters": False,
    }  # fmt: skip


def adapter_config(recipe: Recipe) -> PeftConfig | None:
    """The adapter of the recipe as a configuration of PEFT; None where all weights are trained."""
    if recipe.tuning == "full":
        return None
    if recipe.tuning == "prefix":
        return PrefixTuningConfig(
            task_type="CAUSAL_LM",
            num_virtual_tokens=recipe.prefix.tokens,
            prefix_projection=recipe.prefix.projection,
        )
    return lora_config_of(recipe.lora)


def lora_config_of(lora: Lora) -> LoraConfig:
    """The settings of an adapter as a configuration of PEFT."""
    targets = lora.targets
    return LoraConfig(
        r=lora.rank,
        lora_alpha=lora.alpha,
        lora_dropout=lora.dropout,
        target_modules=ALL_LINEAR if ALL_LINEAR in targets else list(targets),
        task_type="CAUSAL_LM",
    )


def _numbers(point: CurvePoint) -> dict[str, float]:
    losses = {f"loss_{task}": loss for task, loss in point.by_task.items()} | point.measures
    values = point.model_dump(include={"held_out_loss", "rating_rmse", "rating_rmse_centred", "choosing_loss"}) | losses
    return {name: value for name, value in values.items() if value is not None}
