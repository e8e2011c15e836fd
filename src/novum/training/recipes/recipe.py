"""What a training of a reviewer model is told. Each setting is described here and nowhere else."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from novum.core.record import Value
from novum.core.scorecard import Share
from novum.training.reviews.settings import Task

Compute = Literal["fp32", "bf16", "fp16"]
Quantisation = Literal["none", "nf4"]
Schedule = Literal["constant", "constant_with_warmup", "linear", "cosine"]
Attention = Literal["sdpa", "eager", "flash_attention_2", "kernels-community/flash-attn2"]
Natural = Annotated[int, Field(ge=1, le=1_000_000_000)]
Count = Annotated[int, Field(ge=0, le=1_000_000_000)]
Length = Annotated[int, Field(ge=64, le=131_072)]
FLASH = frozenset[Attention]({"flash_attention_2", "kernels-community/flash-attn2"})
ALL_LINEAR = "all-linear"


class Lora(Value):
    """The adapter: low-rank changes of some weights."""

    rank: Annotated[int, Field(ge=1, le=1024)] = 16
    alpha: Annotated[float, Field(gt=0, le=4096)] = 32
    """Changes are scaled by alpha / rank."""
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.0
    targets: Annotated[tuple[str, ...], Field(min_length=1)] = (ALL_LINEAR,)
    """Names of linear layers, such as `q_proj`, or `all-linear` for all but the output layer."""


class Lengths(Value):
    """Tokens of a row. What is longer is cut, the quoted text of the prompt first."""

    sequence: Length = 2048
    prompt: Length = 1024
    """A longer prompt loses the end of the text that it quotes; where the completion is short, it may take its room."""
    packing: bool = False
    """Fill sequences with several rows, kept apart by flash attention."""

    @model_validator(mode="after")
    def _completions_have_room(self) -> Self:
        if self.sequence - self.prompt < 32:
            raise ValueError("sequence must be at least 32 tokens longer than prompt, for the completion")
        return self


class Optimizer(Value):
    """AdamW, and how its learning rate goes."""

    learning_rate: Annotated[float, Field(gt=0, le=0.1)] = 2e-4
    schedule: Schedule = "cosine"
    warmup: Share = 0.03
    """Share of the steps in which the rate rises from 0."""
    weight_decay: Annotated[float, Field(ge=0, le=1)] = 0.0
    clip: Annotated[float, Field(gt=0, le=1_000_000)] = 1.0
    """Longest gradient."""


class Batch(Value):
    """How many rows a step takes: rows x accumulation x processes."""

    rows: Natural = 8
    """At once in one process."""
    accumulation: Natural = 1
    epochs: Annotated[float, Field(gt=0, le=100)] = 1
    by_length: bool = True
    """Rows of like length together, so that little is padding; the batches come in random order."""
    checkpointing: bool = False
    """Compute activations twice instead of keeping them: a third slower, and a fraction of the memory."""


class Precision(Value):
    """In which numbers it is computed."""

    compute: Compute = "bf16"
    quantisation: Quantisation = "none"
    """`nf4`: the base in 4 bits (QLoRA)."""
    attention: Attention = "sdpa"


class Rows(Value):
    """What is learnt from."""

    tasks: Annotated[dict[Task, Annotated[float, Field(ge=0, le=1_000_000)]], Field(min_length=1)] = {
        "original-review": 1,
        "idea-review": 1,
        "original-abstract": 1,
        "idea-abstract": 1,
    }
    """Each task's share; shares are made to add up to 1. Tasks that the data do not have leave theirs to the others."""
    papers: Natural | None = None
    """At most, drawn by seed."""
    most: Natural | None = None
    """Rows at most, of all tasks. Where one task runs out the others do not fill up."""

    @model_validator(mode="after")
    def _something_is_learnt(self) -> Self:
        if not any(self.tasks.values()):
            raise ValueError("tasks must give at least one task a share above 0")
        return self


class HeldOut(Value):
    """What is measured along the way, on papers that are not learnt from."""

    split: Literal["test", "validation"] = "test"
    """`test`: papers of the cut-off or later."""
    rows: Count = 200
    """Rows for the loss, shared among the tasks as in training."""
    papers: Count = 200
    """Papers for the expected rating."""
    choosing_rows: Count = 100
    """Rows of the validation split by which the best adapter is chosen; 0: the last one is kept."""
    times: Annotated[int, Field(ge=1, le=1000)] = 8
    """Measurements along the way, evenly spread, beside the one before the first step."""
    batch: Natural = 8
    """Rows at once."""


class Keeping(Value):
    """Checkpoints, and who is told of progress."""

    every: Natural = 50
    """Steps between two checkpoints."""
    tracker: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*(,[a-z][a-z0-9_]*)*$")] = "none"
    """`none`, or trackers as the trainer knows them: `tensorboard`, `wandb`, `mlflow`, `trackio`."""
    merge: bool = True
    """At the end, write the adapter into the base's weights, for servers and small runtimes."""


class Recipe(Value):
    """One training, except for the data."""

    about: str = ""
    """What it is for, in a line."""
    base: Annotated[str, Field(min_length=1, max_length=1000)]
    """`offline:NAME`, a folder with a model, or its name on the hub."""
    seed: Annotated[int, Field(ge=0, lt=2**31)] = 0
    lora: Lora = Lora()
    lengths: Lengths = Lengths()
    optimizer: Optimizer = Optimizer()
    batch: Batch = Batch()
    precision: Precision = Precision()
    rows: Rows = Rows()
    held_out: HeldOut = HeldOut()
    keeping: Keeping = Keeping()

    @model_validator(mode="after")
    def _settings_go_together(self) -> Self:
        if self.lengths.packing and self.precision.attention not in FLASH:
            raise ValueError("lengths.packing needs precision.attention = 'flash_attention_2', which keeps rows apart")
        if self.precision.quantisation == "nf4" and self.precision.compute == "fp32":
            raise ValueError("precision.quantisation = 'nf4' computes in bf16 or fp16, not in fp32")
        return self
