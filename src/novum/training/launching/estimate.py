"""Rough estimates of tokens, steps, memory, time and energy of a training, before it starts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from novum.core.record import Value
from novum.errors import BadInput
from novum.files.inputs import read_plain
from novum.llm.offline import CATALOGUE
from novum.training.finetuning.job import Launch, TuningJob
from novum.training.finetuning.ordering import order_rows
from novum.training.launching.devices import DeviceSpeed, device_of
from novum.training.launching.fitting import Machine
from novum.training.recipes.recipe import Recipe
from novum.training.weights.trained_folder import is_trained, read_trained

_NAMED = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)\s*([bm])(?![a-z])", re.IGNORECASE)
_BYTES = {"fp32": 4.0, "bf16": 2.0, "fp16": 2.0}
_FOUR_BITS = 0.6
"""Bytes per parameter of NF4 with double quantisation, including the parts that are not quantized."""
_OPTIMIZER = 16
"""Bytes per parameter of the adapter: the parameter, its gradient, and two moments."""
_PER_LAYER = 45
"""Bytes of activations per token, layer and unit of width, stored for the backward pass."""
_FEWEST, _MOST = 1e5, 1e14
_MARGIN = 1.1
"""A training is refused when it needs so many times the memory that there is: estimates are rough."""
_USED = 0.35
"""Share of the largest number of operations that training usually reaches."""
_RUNTIME = 1.5
"""Gigabytes that the libraries take."""


class TrainingEstimate(Value):
    """The estimate. None: unknown, since the size of the base is, or the speed of the device."""

    rows: int
    cut: int
    """Rows longer than the recipe's sequence length, by the token counts of the data set."""
    tokens: int
    steps: int
    gigabytes: float | None
    """Peak memory of one process."""
    parameters: int | None
    """Of the base."""
    trained: int | None = None
    """Parameters that are trained."""
    hours: float | None = None
    kilowatt_hours: float | None = None
    device: str = ""
    """The device that the estimate is for."""
    device_gigabytes: float | None = None
    fits: bool | None = None
    """Whether the process fits into the memory of the device."""


@dataclass(frozen=True)
class ModelShape:
    """The size of a model: parameters, width, layers, and vocabulary."""

    parameters: int
    width: int
    layers: int
    words: int = 50_000


def estimate(lengths: Sequence[int], job: TuningJob, machine: Machine) -> TrainingEstimate:
    """Estimate a training from the tokens of its rows, which are not cut yet. The device is that of the recipe, else
    that of this machine."""
    recipe = job.recipe
    cut = [min(length, recipe.lengths.sequence * _candidates(job)) for length in lengths]
    order = order_rows(cut, recipe.batch, recipe.seed, job.processes)
    tokens, shape, device = order.tokens(cut), shape_of(recipe.base), device_of(recipe, machine)
    need = round(memory(shape, recipe, job.launch, job.processes, _candidates(job)), 1) if shape else None
    hours = _hours(shape, recipe, tokens, device, job) if shape else None
    known = need is not None and device.gigabytes is not None
    return TrainingEstimate(
        rows=len(lengths),
        cut=sum(length > recipe.lengths.sequence * _candidates(job) for length in lengths),
        tokens=tokens,
        steps=order.steps,
        gigabytes=need,
        parameters=shape.parameters if shape else None,
        trained=round(trained_parameters(shape, recipe)) if shape else None,
        hours=hours,
        kilowatt_hours=hours * device.watts * job.processes / 1000 if hours and device.watts else None,
        device=device.name,
        device_gigabytes=device.gigabytes,
        fits=(need or 0) <= (device.gigabytes or 0) if known else None,
    )


def check_memory(job: TuningJob, machine: Machine) -> None:
    """Raises BadInput, before anything is loaded, if a process needs more memory than a device of this machine has."""
    shape, here = shape_of(job.recipe.base), _memory_of(machine)
    if shape is None or here is None:
        return
    need = memory(shape, job.recipe, job.launch, job.processes, _candidates(job))
    if machine.cards is False:
        need *= job.processes
    if need > here * _MARGIN:
        raise BadInput(
            f"This training needs about {need:.0f} GB, and {_device_name(machine)} has "
            f"{here:.0f}: choose a smaller base, --option batch.rows=1 (with more batch.accumulation), --option "
            "batch.checkpointing=true, shorter lengths.sequence, tuning=lora, or precision.quantisation=nf4."
        )


def check_loading(model: str, machine: Machine) -> None:
    """Raises BadInput, before it is loaded, if the weights of a model need more memory than this machine has."""
    shape, here = shape_of(model), _memory_of(machine)
    need = shape.parameters * _BYTES["bf16" if machine.cards else "fp32"] / 1e9 if shape else None
    if need and here and need > here * _MARGIN:
        raise BadInput(
            f"{model} needs about {need:.0f} GB to be loaded, and {_device_name(machine)} has {here:.0f}: have it "
            "served elsewhere (--server server:NAME@URL), or choose a smaller model."
        )


def _memory_of(machine: Machine) -> float | None:
    return machine.gpu_gigabytes if machine.cards else machine.memory_gigabytes


def _device_name(machine: Machine) -> str:
    return "a GPU" if machine.cards else "this machine"


def _candidates(job: TuningJob) -> int:
    """Sequences of one row: a row of preferences has several answers."""
    if job.kind != "dpo":
        return 1
    preference = job.recipe.preference
    return preference.candidates if preference.objective == "softmax" else 2


def _hours(shape: ModelShape, recipe: Recipe, tokens: int, device: DeviceSpeed, job: TuningJob) -> float | None:
    """Two operations per parameter and token forward, as many for the gradient of the activations, and for that of all
    weights where these are trained; with checkpointing the forward pass is done twice; `dpo` reads its reference."""
    if not device.teraflops:
        return None
    passes = 2 + (recipe.tuning == "full") + recipe.batch.checkpointing
    passes += job.kind == "dpo" and recipe.preference.objective == "dpo"
    operations = 2.0 * shape.parameters * tokens * passes
    return operations / (device.teraflops * 1e12 * _USED * job.processes) / 3600


def trained_parameters(shape: ModelShape, recipe: Recipe) -> float:
    """Number of trained parameters."""
    if recipe.tuning == "full":
        return shape.parameters
    if recipe.tuning == "prefix":
        return 2.0 * shape.layers * shape.width * recipe.prefix.tokens
    # Two low-rank matrices for each of about seven linear layers of a block, some of which are three times as wide.
    return shape.layers * 7 * 2.6 * shape.width * recipe.lora.rank


def memory(shape: ModelShape, recipe: Recipe, launch: Launch, processes: int, candidates: int = 1) -> float:
    """Approximate peak memory of one process in gigabytes. `candidates`: sequences of one row."""
    full = recipe.tuning == "full"
    each = _FOUR_BITS if recipe.precision.quantisation == "nf4" else 4.0 if full else _BYTES[recipe.precision.compute]
    share = processes if launch in {"fsdp", "deepspeed-3"} else 1
    weights = shape.parameters * each / share
    states = trained_parameters(shape, recipe) * (_OPTIMIZER - (4 if full else 0))
    states /= 1 if launch in {"one", "ddp"} else processes
    tokens = recipe.batch.rows * recipe.lengths.sequence * candidates
    layers_stored = 1 if recipe.batch.checkpointing else shape.layers
    activations = tokens * shape.width * (_PER_LAYER * layers_stored + (2 * shape.layers if layers_stored == 1 else 0))
    logits = min(tokens, 4096) * shape.words * 6
    return (weights + states + activations + logits) / 1e9 + _RUNTIME


def shape_of(base: str) -> ModelShape | None:
    """The shape of a base: from the configuration in its folder, else from the size in its name (`7B`, `135m`)."""
    folder = Path(base).expanduser()
    if shape := _configured_shape(folder / "config.json") or _configured_shape(folder / "merged" / "config.json"):
        return shape
    if is_trained(folder):
        return shape_of(read_trained(folder).base)
    name = base.removeprefix("offline:")
    title = CATALOGUE[name].title if name in CATALOGUE else name
    size = _NAMED.search(title)
    if size is None:
        return None
    parameters = round(float(size[1]) * (1e9 if size[2].lower() == "b" else 1e6))
    if not _FEWEST <= parameters <= _MOST:  # the number in the name is not a size
        return None
    # Large models are about 120 times as wide as deep, small ones less; a block has 12 * width**2 weights.
    ratio = 120 * min(1.0, parameters / 7e9) ** 0.45
    width = (parameters * ratio / 12) ** (1 / 3)
    return ModelShape(parameters, round(width), max(1, round(width / ratio)))


def _configured_shape(file: Path) -> ModelShape | None:
    try:
        configuration = orjson.loads(read_plain(file))
        width, layers, inner, words = (
            int(configuration[key]) for key in ("hidden_size", "num_hidden_layers", "intermediate_size", "vocab_size")
        )
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError, ValueError):
        return None
    return ModelShape(layers * width * (3 * inner + 3 * width) + words * width, width, layers, words)
