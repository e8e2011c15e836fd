"""The settings of a training, of any kind. Each setting is described here only."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from novum.core.record import Value
from novum.core.scorecard import Share
from novum.training.reviews.settings import Task

RowTask = Task | Literal["idea", "merged-idea"]
"""The task of a row: one of those of reviews; `idea`, an idea on a topic; `merged-idea`, one made of several ideas."""
Tuning = Literal["lora", "full", "prefix"]
Objective = Literal["softmax", "pairwise", "dpo"]
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


class Prefix(Value):
    """Prefix tuning: trained keys and values before the prompt, in every layer."""

    tokens: Annotated[int, Field(ge=1, le=1024)] = 16
    projection: bool = False
    """Compute them by a small network while training, as its authors did."""


class Preference(Value):
    """The objective of a training on preferences."""

    objective: Objective = "pairwise"
    """`pairwise`: each rejected idea against the chosen one, by the model's own scores (DBLP study, equations 24 and
    25). `softmax`: the chosen idea among all candidates of its prompt (equations 14 to 16, and 19). `dpo`: Direct
    Preference Optimization of Rafailov et al. (2023), whose scores are relative to a reference model."""
    beta: Annotated[float, Field(gt=0, le=100)] = 0.1
    """Factor of the scores. For `dpo`, the strength of the pull to the reference model; for the others, the inverse
    temperature, which the study leaves out (1)."""
    score: Literal["sum", "mean"] = "sum"
    """The score of an idea: the sum of the log-probabilities of its tokens (equation 27), or their mean, which does not
    prefer short ideas. `dpo` uses the sum."""
    candidates: Annotated[int, Field(ge=2, le=64)] = 4
    """Largest number of ideas on one prompt with `softmax`, the chosen one included."""


class DeviceKind(Value):
    """The kind of device that a recipe is meant for."""

    kind: Literal["any", "cpu", "gpu"] = "any"
    """`gpu`: a machine without one is refused."""


class Device(DeviceKind):
    """The device that the recipe is meant for, and how it is launched there."""

    gigabytes: Annotated[float, Field(gt=0, le=10_000)] | None = None
    """Memory of one device, for estimates on another machine."""
    teraflops: Annotated[float, Field(gt=0, le=100_000)] | None = None
    """Its largest number of 16-bit operations per second, in units of 10^12."""
    watts: Annotated[float, Field(gt=0, le=100_000)] | None = None
    """Its power under load."""
    launch: Literal["one", "ddp", "fsdp", "deepspeed-2", "deepspeed-3"] = "one"
    processes: Annotated[int, Field(ge=1, le=4096)] = 1
    """How it is launched where the command says nothing."""


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

    tasks: Annotated[dict[RowTask, Annotated[float, Field(ge=0, le=1_000_000)]], Field(min_length=1)] = {
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
    tuning: Tuning = "lora"
    """What is trained: an adapter of low rank, all weights, or a prefix."""
    lora: Lora = Lora()
    prefix: Prefix = Prefix()
    preference: Preference = Preference()
    lengths: Lengths = Lengths()
    optimizer: Optimizer = Optimizer()
    batch: Batch = Batch()
    precision: Precision = Precision()
    rows: Rows = Rows()
    held_out: HeldOut = HeldOut()
    keeping: Keeping = Keeping()
    device: Device = Device()

    @model_validator(mode="after")
    def _settings_are_compatible(self) -> Self:
        if self.lengths.packing and self.precision.attention not in FLASH:
            raise ValueError("lengths.packing needs precision.attention = 'flash_attention_2', which keeps rows apart")
        if self.precision.quantisation == "nf4" and self.precision.compute == "fp32":
            raise ValueError("precision.quantisation = 'nf4' computes in bf16 or fp16, not in fp32")
        if self.tuning == "full" and self.precision.quantisation != "none":
            raise ValueError("tuning = 'full' cannot train 4-bit weights: use tuning = 'lora'")
        if self.tuning == "prefix" and (self.batch.checkpointing or self.lengths.packing):
            raise ValueError("tuning = 'prefix' needs batch.checkpointing = false and lengths.packing = false")
        if self.preference.objective == "dpo" and self.preference.score == "mean":
            raise ValueError("preference.objective = 'dpo' uses preference.score = 'sum'")
        return self
