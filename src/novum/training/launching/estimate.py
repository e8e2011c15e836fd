"""What a training will take, before it begins: tokens, steps, memory. Rough on purpose, and said to be so."""

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
"""Bytes a parameter of NF4 with double quantisation, with the parts that stay as they are."""
_OPTIMIZER = 16
"""Bytes a parameter of the adapter: itself, its gradient, and two moments."""
_PER_LAYER = 45
"""Bytes of activations a token, layer and unit of width, kept for the way back."""
_FEWEST, _MOST = 1e5, 1e14
_RUNTIME = 1.5
"""Gigabytes of the libraries themselves."""


class TrainingEstimate(Value):
    """`gigabytes` is of one process; None where the size of the base is not known."""

    rows: int
    cut: int
    """Rows that are longer than the recipe's sequence, as the data set counts tokens."""
    tokens: int
    steps: int
    gigabytes: float | None
    parameters: int | None


@dataclass(frozen=True)
class ModelShape:
    """The size of a model: parameters, width, layers."""

    parameters: int
    width: int
    layers: int
    words: int = 50_000


def estimate(
    about: Sequence[RowFacts], rows: Sequence[int], recipe: Recipe, launch: Launch, processes: int
) -> TrainingEstimate:
    """By the token counts that the data set was built with."""
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
    """Gigabytes of one process at its busiest, about."""
    each = _FOUR_BITS if recipe.precision.quantisation == "nf4" else _BYTES[recipe.precision.compute]
    share = processes if launch in {"fsdp", "deepspeed-3"} else 1
    weights = shape.parameters * each / share
    # Two narrow matrices beside each of about seven linear layers of a block, some of them three times as wide.
    adapter = shape.layers * 7 * 2.6 * shape.width * recipe.lora.rank
    states = adapter * _OPTIMIZER / (1 if launch in {"one", "ddp"} else processes)
    tokens = recipe.batch.rows * recipe.lengths.sequence
    kept = 1 if recipe.batch.checkpointing else shape.layers
    activations = tokens * shape.width * (_PER_LAYER * kept + (2 * shape.layers if kept == 1 else 0))
    logits = min(tokens, 4096) * shape.words * 6
    return (weights + states + activations + logits) / 1e9 + _RUNTIME


def shape_of(base: str) -> ModelShape | None:
    """Of a folder by its configuration, else by what its name says (`7B`, `135m`)."""
    if found := _configured(Path(base) / "config.json"):
        return found
    name = base.removeprefix("offline:")
    title = CATALOGUE[name].title if name in CATALOGUE else name
    said = _NAMED.search(title)
    if said is None:
        return None
    parameters = round(float(said[1]) * (1e9 if said[2].lower() == "b" else 1e6))
    if not _FEWEST <= parameters <= _MOST:  # a name with a number in it that tells no size
        return None
    # Large models are some 120 times as wide as deep, small ones less; a block has 12 weights a unit of width squared.
    ratio = 120 * min(1.0, parameters / 7e9) ** 0.45
    width = (parameters * ratio / 12) ** (1 / 3)
    return ModelShape(parameters, round(width), max(1, round(width / ratio)))


def _configured(file: Path) -> ModelShape | None:
    try:
        told = orjson.loads(file.read_bytes())
        width, layers, inner, words = (
            int(told[key]) for key in ("hidden_size", "num_hidden_layers", "intermediate_size", "vocab_size")
        )
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError, ValueError):
        return None
    return ModelShape(layers * width * (3 * inner + 3 * width) + words * width, width, layers, words)
