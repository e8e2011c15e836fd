"""The settings of a training of a reviewer model. Each setting is described here only."""

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
    """The adapter: low-rank changes of some weights (LoRA)."""

    rank: Annotated[int, Field(ge=1, le=1024)] = 16
    alpha: Annotated[float, Field(gt=0, le=4096)] = 32
    """Changes are scaled by alpha / rank."""
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.0
    targets: Annotated[tuple[str, ...], Field(min_length=1)] = (ALL_LINEAR,)
    """Names of linear layers, such as `q_proj`, or `all-linear` for all but the output layer."""


class Lengths(Value):
    """Lengths in tokens. Longer rows are cut, the quoted text of the prompt first."""

    sequence: Length = 2048
    prompt: Length = 1024
    """Longest prompt. Quoted text is cut at its end; a prompt may be longer if the completion is short."""
    packing: bool = False
    """Fill sequences with several rows, which flash attention keeps separate."""

    @model_validator(mode="after")
    def _completions_fit(self) -> Self:
        if self.sequence - self.prompt < 32:
            raise ValueError("sequence must be at least 32 tokens longer than prompt, for the completion")
        return self


class Optimizer(Value):
    """Settings of AdamW and its learning rate."""

    learning_rate: Annotated[float, Field(gt=0, le=0.1)] = 2e-4
    schedule: Schedule = "cosine"
    warmup: Share = 0.03
    """Share of the steps in which the learning rate rises from 0."""
    weight_decay: Annotated[float, Field(ge=0, le=1)] = 0.0
    clip: Annotated[float, Field(gt=0, le=1_000_000)] = 1.0
    """Largest norm of the gradient."""


class Batch(Value):
    """Batches. A step takes rows x accumulation x processes rows."""

    rows: Natural = 8
    """Rows per forward pass in one process."""
    accumulation: Natural = 1
    epochs: Annotated[float, Field(gt=0, le=100)] = 1
    by_length: bool = True
    """Put rows of similar length in one batch to reduce padding; the batches are in random order."""
    checkpointing: bool = False
    """Recompute activations instead of storing them: a third slower, with a fraction of the memory."""


class Precision(Value):
    """Data types and attention."""

    compute: Compute = "bf16"
    quantisation: Quantisation = "none"
    """`nf4`: load the base in 4 bits (QLoRA)."""
    attention: Attention = "sdpa"


class Rows(Value):
    """The rows to train on."""

    tasks: Annotated[dict[Task, Annotated[float, Field(ge=0, le=1_000_000)]], Field(min_length=1)] = {
        "original-review": 1,
        "idea-review": 1,
        "original-abstract": 1,
        "idea-abstract": 1,
    }
    """Share of each task; shares are normalised to 1. Tasks without rows in the data give theirs to the others."""
    papers: Natural | None = None
    """Largest number of papers, sampled by the seed."""
    most: Natural | None = None
    """Largest number of rows in total. If one task has too few rows, the others do not replace them."""

    @model_validator(mode="after")
    def _at_least_one_task(self) -> Self:
        if not any(self.tasks.values()):
            raise ValueError("tasks must give at least one task a share above 0")
        return self


class HeldOut(Value):
    """Evaluation during training, on papers that are not trained on."""

    split: Literal["test", "validation"] = "test"
    """`test`: papers from the cut-off date on."""
    rows: Count = 200
    """Rows for the loss, with the shares of the tasks as in training."""
    papers: Count = 200
    """Papers for the error of expected ratings."""
    choosing_rows: Count = 100
    """Rows of the validation split that select the best adapter; 0: the last adapter is used."""
    times: Annotated[int, Field(ge=1, le=1000)] = 8
    """Evaluations during training, evenly spaced, besides the one before the first step."""
    batch: Natural = 8
    """Rows per forward pass."""


class Keeping(Value):
    """Checkpoints, tracking, and export."""

    every: Natural = 50
    """Steps between two checkpoints."""
    tracker: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*(,[a-z][a-z0-9_]*)*$")] = "none"
    """`none`, or trackers of transformers: `tensorboard`, `wandb`, `mlflow`, `trackio`."""
    merge: bool = True
    """Merge the adapter into its base at the end, to serve and run it."""


class Recipe(Value):
    """All settings of a training except the data set."""

    about: str = ""
    """Purpose of the recipe, in one line."""
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
    def _settings_are_compatible(self) -> Self:
        if self.lengths.packing and self.precision.attention not in FLASH:
            raise ValueError("lengths.packing needs precision.attention = 'flash_attention_2', which keeps rows apart")
        if self.precision.quantisation == "nf4" and self.precision.compute == "fp32":
            raise ValueError("precision.quantisation = 'nf4' computes in bf16 or fp16, not in fp32")
        return self
