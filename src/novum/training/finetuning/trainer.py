"""The trainer: TRL's, in our order of rows, with our measurements, stoppable after every step."""

from __future__ import annotations

import math
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig
from torch.utils.data import Sampler
from transformers import PrinterCallback, TrainerCallback
from trl import SFTConfig, SFTTrainer

from novum.core.trained import CurvePoint
from novum.errors import BadInput
from novum.training.finetuning import checkpoints
from novum.training.finetuning.curves import append_point, best_step, read_curve
from novum.training.finetuning.events import EventWriter
from novum.training.finetuning.job import CHECKPOINTS, TuningJob
from novum.training.finetuning.measuring import Evaluation
from novum.training.finetuning.ordering import Order, measuring_steps
from novum.training.finetuning.stopping import StopReason, StopSignals
from novum.training.recipes.recipe import ALL_LINEAR, Recipe
from novum.training.weights.base import Base

_NO_NUMBER = (
    "The loss is no number any more after step {step}, so nothing more can be learnt: begin in another folder with a "
    "lower optimizer.learning_rate, or with precision.compute=fp32."
)


@dataclass
class TrainingState:
    """What a training follows, and how far it has come."""

    job: TuningJob
    folder: Path
    order: Order
    lengths: list[int]
    """Tokens of each training row."""
    examination: Evaluation
    told: EventWriter
    stopping: StopSignals
    seconds_before: float = 0.0
    """Spent before the checkpoint that this goes on from."""
    began: float = 0.0
    measuring_seconds: float = 0.0
    """What the last measurement took."""
    stopped: StopReason = ""

    @property
    def seconds(self) -> float:
        return self.seconds_before + (time.monotonic() - self.began if self.began else 0.0)


class _Planned(Sampler):  # type: ignore[misc]  # torch may not be there when types are checked
    """Rows in a fixed order."""

    def __init__(self, order: Order) -> None:
        self._rows = order.rows

    def __iter__(self) -> Iterator[int]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


class JudgeTrainer(SFTTrainer):  # type: ignore[misc]
    """Follows a course."""

    def __init__(self, base: Base, rows: Any, course: TrainingState) -> None:
        self.course = course
        recipe = course.job.recipe
        if recipe.precision.attention != "sdpa":
            base.model.set_attn_implementation(recipe.precision.attention)
        super().__init__(
            model=base.model,
            args=arguments(course, packed="seq_lengths" in rows.column_names),
            train_dataset=rows,
            processing_class=base.tokenizer,
            peft_config=adapter_of(recipe),
            callbacks=[_Watch(self)],
        )
        self.remove_callback(PrinterCallback)

    def _get_train_sampler(self, train_dataset: Any = None) -> Any:
        return _Planned(self.course.order)

    def create_model_card(self, *_: Any, **__: Any) -> None:
        """None: `trained.json` and the report say more."""

    def evaluate(self, *_: Any, **__: Any) -> dict[str, float]:
        """Measures one point of the curves; where it is the best so far, the adapter is kept."""
        began = time.monotonic()
        self.model.eval()
        with self.accelerator.autocast():
            measured = self.course.examination.point(self._forward, self.processing_class, self.accelerator.device)
        self.model.train()
        self.course.measuring_seconds = time.monotonic() - began
        point = measured.model_copy(
            update={
                "step": self.state.global_step,
                "seconds": round(self.course.seconds, 3),
                "train_loss": self._loss_since_last(),
            }
        )
        self._keep(point)
        found = {f"eval_{name}": value for name, value in _numbers(point).items()}
        self.log(dict(found))
        # As the trainer's own does: else it would be measured once more where an epoch ends.
        self.callback_handler.on_evaluate(self.args, self.state, self.control, found)
        return found

    @property
    def _forward(self) -> Any:
        """Sharded weights can only be computed with by all processes together, through the wrapped model."""
        return self.model_wrapped if self.is_fsdp_enabled or self.is_deepspeed_enabled else self.model

    def _keep(self, point: CurvePoint) -> None:
        folder = self.course.folder
        earlier = [each for each in read_curve(folder, point.step) if each.step != point.step]
        if best_step([*earlier, point]) == point.step:
            self.keep_adapter(point.step)
        if self.is_world_process_zero():
            append_point(folder, point)
        self.course.told("measured", point=point.model_dump())

    def keep_adapter(self, step: int) -> None:
        """The adapter as it is now, as the one that was best so far."""
        place = checkpoints.best_adapter_folder(self.course.folder, step)
        draft = place.with_name(f".{place.name}")
        self.save_model(str(draft), _internal_call=True)
        if self.is_world_process_zero():
            shutil.rmtree(place, ignore_errors=True)
            draft.replace(place)  # the one before goes once the checkpoint of this step is whole
        self.accelerator.wait_for_everyone()

    def _loss_since_last(self) -> float | None:
        """Mean over the steps since the last point."""
        last = max((point.step for point in read_curve(self.course.folder, self.state.global_step - 1)), default=0)
        losses = [each["loss"] for each in self.state.log_history if "loss" in each and each["step"] > last]
        return sum(losses) / len(losses) if losses else None

    def agreed(self, why: StopReason) -> StopReason:
        """What all processes do: stop when one of them wants to."""
        if self.accelerator.num_processes == 1:
            return why
        kinds: tuple[StopReason, ...] = ("", "time", "signal")
        wanted = torch.tensor(kinds.index(why), device=self.accelerator.device)
        torch.distributed.all_reduce(wanted, op=torch.distributed.ReduceOp.MAX)
        return kinds[int(wanted)]


class _Watch(TrainerCallback):  # type: ignore[misc]
    """Measures, saves and stops at the right steps, and tells of every step."""

    def __init__(self, trainer: JudgeTrainer) -> None:
        self._trainer = trainer
        course = trainer.course
        times = course.job.recipe.held_out.times
        self._measured_at = frozenset(measuring_steps(course.order.steps, times))

    def on_train_begin(self, _: Any, state: Any, control: Any, **__: Any) -> Any:
        control.should_evaluate = control.should_save = False  # a checkpoint remembers what was wanted when it was made
        course = self._trainer.course
        course.began = time.monotonic()
        course.stopping.begin_loop()
        if state.global_step == 0 and not read_curve(course.folder):
            course.told("phase", what="measuring the base")
            self._trainer.evaluate()
        return control

    def on_step_end(self, _: Any, state: Any, control: Any, **__: Any) -> Any:
        course, step = self._trainer.course, state.global_step
        if course.told.deaf.is_set():
            course.stopping.ask()
        why = self._trainer.agreed(course.stopping.wanted(course.measuring_seconds))
        last = step >= course.order.steps
        if why and not last:
            course.stopped = why
            control.should_training_stop = True
        control.should_evaluate = step in self._measured_at or course.stopped == "time"
        control.should_save = bool(
            control.should_evaluate or course.stopped or last or step % course.job.recipe.keeping.every == 0
        )
        return control

    def on_log(self, _: Any, state: Any, control: Any, logs: Any = None, **__: Any) -> None:
        if logs and "loss" in logs:
            course, step = self._trainer.course, state.global_step
            if not math.isfinite(logs["loss"]):
                raise BadInput(_NO_NUMBER.format(step=step))
            tokens = course.order.tokens(course.lengths, step)
            course.told("step", step=step, of=course.order.steps, loss=logs["loss"], tokens=tokens,
                        seconds=round(course.seconds, 3), measuring=round(course.measuring_seconds, 3))  # fmt: skip

    def on_save(self, _: Any, state: Any, control: Any, **__: Any) -> None:
        course, step = self._trainer.course, state.global_step
        if state.is_world_process_zero:
            checkpoints.finish_checkpoint(course.folder, step, course.seconds)
            checkpoints.keep_only_best(course.folder, best_step(read_curve(course.folder, step)))


def arguments(course: TrainingState, *, packed: bool = False) -> Any:
    """The recipe in the words of the trainer."""
    recipe = course.job.recipe
    batch, optimizer, compute = recipe.batch, recipe.optimizer, recipe.precision.compute
    return SFTConfig(
        output_dir=str(course.folder / CHECKPOINTS),
        per_device_train_batch_size=batch.rows, gradient_accumulation_steps=batch.accumulation,
        max_steps=course.order.steps, learning_rate=optimizer.learning_rate, lr_scheduler_type=optimizer.schedule,
        warmup_steps=round(optimizer.warmup * course.order.steps), weight_decay=optimizer.weight_decay,
        max_grad_norm=optimizer.clip, bf16=compute == "bf16", fp16=compute == "fp16",
        use_cpu=not torch.cuda.is_available(), gradient_checkpointing=batch.checkpointing,
        gradient_checkpointing_kwargs={"use_reentrant": False} if batch.checkpointing else None,
        seed=recipe.seed, data_seed=recipe.seed, logging_steps=1, logging_nan_inf_filter=False,
        eval_strategy="no", save_strategy="no", save_total_limit=2,
        report_to=[] if recipe.keeping.tracker == "none" else recipe.keeping.tracker.split(","),
        run_name=course.job.name, disable_tqdm=True, dataloader_pin_memory=torch.cuda.is_available(),
        max_length=None, padding_free=packed, dataset_kwargs={"skip_prepare_dataset": True},
        ddp_find_unused_parameters=False,
    )  # fmt: skip


def adapter_of(recipe: Recipe) -> LoraConfig:
    """The recipe's adapter in the words of PEFT."""
    targets = recipe.lora.targets
    return LoraConfig(
        r=recipe.lora.rank,
        lora_alpha=recipe.lora.alpha,
        lora_dropout=recipe.lora.dropout,
        target_modules=ALL_LINEAR if ALL_LINEAR in targets else list(targets),
        task_type="CAUSAL_LM",
    )


def _numbers(point: CurvePoint) -> dict[str, float]:
    told: dict[str, float | None] = {
        "held_out_loss": point.held_out_loss,
        "rating_rmse": point.rating_rmse,
        "rating_rmse_centred": point.rating_rmse_centred,
        "choosing_loss": point.choosing_loss,
        **{f"loss_{task}": loss for task, loss in point.by_task.items()},
    }
    return {name: value for name, value in told.items() if value is not None}
