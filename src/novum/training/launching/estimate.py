"""Rough estimates of tokens, steps and memory of a training, before it starts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from novum.core.record import Value
from novum.llm.offline import CATALOGUE
from novum.training.finetuning.job import Launch
from novum.training.finetuning.ordering import order_rows
from novum.training.finetuning.review_set import RowFacts
from novum.training.recipes.recipe import Recipe

_NAMED = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)\s*([bm])(?![a-z])", re.IGNORECASE)
_BYTES = {"fp32": 4.0, "bf16": 2.0, "fp16": 2.0}
_FOUR_BITS = 0.6
"""Bytes per parameter of NF4 with double quantisation, including the parts that are not quantized."""
_OPTIMIZER = 16
"""Bytes per parameter of the adapter: the parameter, its gradient, and two moments."""
_PER_LAYER = 45
"""Bytes of activations per token, layer and unit of width, stored for the backward pass."""
_FEWEST, _MOST = 1e5, 1e14
_RUNTIME = 1.5
"""Gigabytes that the libraries take."""


class TrainingEstimate(Value):
    """The estimate. `gigabytes` is for one process; None if the size of the base is unknown."""

    rows: int
    cut: int
    """Rows longer than the recipe's sequence length, by the token counts of the data set."""
    tokens: int
    steps: int
    gigabytes: float | None
    parameters: int | None


@dataclass(frozen=True)
class ModelShape:
    """The size of a model: parameters, width, layers, and vocabulary."""

    parameters: int
    width: int
    layers: int
    words: int = 50_000


def estimate(
    about: Sequence[RowFacts], rows: Sequence[int], recipe: Recipe, launch: Launch, processes: int
) -> TrainingEstimate:
    """Estimate a training from the token counts of the data set."""
    whole = [about[row].prompt_tokens + about[row].completion_tokens for row in rows]
    lengths = [min(length, recipe.lengths.sequence) for length in whole]
    order = order_rows(lengths, recipe.batch, recipe.seed, processes)
    shape = shape_of(recipe.base)
    return TrainingEstimate(
        rows=len(rows),
        cut=sum(length > recipe.lengths.sequence for length in whole),
        tokens=order.tokens(lengths),
        steps=order.steps,
        gigabytes=round(memory(shape, recipe, launch, processes), 1) if shape else None,
        parameters=shape.parameters if shape else None,
    )


def memory(shape: ModelShape, recipe: Recipe, launch: Launch, processes: int) -> float:
    """Approximate peak memory of one process in gigabytes."""
    each = _FOUR_BITS if recipe.precision.quantisation == "nf4" else _BYTES[recipe.precision.compute]
    share = processes if launch in {"fsdp", "deepspeed-3"} else 1
    weights = shape.parameters * each / share
    # Two low-rank matrices for each of about seven linear layers of a block, some of which are three times as wide.
    adapter = shape.layers * 7 * 2.6 * shape.width * recipe.lora.rank
    states = adapter * _OPTIMIZER / (1 if launch in {"one", "ddp"} else processes)
    tokens = recipe.batch.rows * recipe.lengths.sequence
    layers_stored = 1 if recipe.batch.checkpointing else shape.layers
    activations = tokens * shape.width * (_PER_LAYER * layers_stored + (2 * shape.layers if layers_stored == 1 else 0))
    logits = min(tokens, 4096) * shape.words * 6
    return (weights + states + activations + logits) / 1e9 + _RUNTIME


def shape_of(base: str) -> ModelShape | None:
    """The shape of a base: from the configuration in its folder, else from the size in its name (`7B`, `135m`)."""
    if shape := _configured_shape(Path(base) / "config.json"):
        return shape
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
        configuration = orjson.loads(file.read_bytes())
        width, layers, inner, words = (
            int(configuration[key]) for key in ("hidden_size", "num_hidden_layers", "intermediate_size", "vocab_size")
        )
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError, ValueError):
        return None
    return ModelShape(layers * width * (3 * inner + 3 * width) + words * width, width, layers, words)
