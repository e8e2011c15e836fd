"""Which recipes and ways to launch go together; what cannot work is refused before anything is loaded."""

from __future__ import annotations

import importlib.util
import os
import shutil
from dataclasses import dataclass

from novum.errors import BadInput
from novum.extras import missing_extra
from novum.training.finetuning.job import Launch
from novum.training.recipes.recipe import Recipe

LAUNCHES: tuple[Launch, ...] = ("one", "ddp", "fsdp", "deepspeed-2", "deepspeed-3")
_DEEPSPEED = frozenset[Launch]({"deepspeed-2", "deepspeed-3"})
_SHARDED = frozenset[Launch]({"fsdp", "deepspeed-3"})
"""The base's weights are shared out among the processes."""
_MOST_PROCESSES = 4096
_LIBRARIES = ("torch", "transformers", "trl", "peft", "accelerate", "datasets", "gguf")


@dataclass(frozen=True)
class Machine:
    """What this machine offers to a training."""

    cards: bool
    """Whether there is a GPU."""
    cores: int
    libraries: frozenset[str]
    """Those of interest that are installed."""


def this_machine() -> Machine:
    """As it looks without loading anything heavy."""
    wanted = (*_LIBRARIES, "deepspeed", "bitsandbytes", "flash_attn")
    there = frozenset(name for name in wanted if importlib.util.find_spec(name) is not None)
    cards = any(shutil.which(tool) for tool in ("nvidia-smi", "rocm-smi"))
    return Machine(cards, _cores(), there)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_together(recipe: Recipe, launch: Launch, processes: int) -> None:
    """Raises BadInput where recipe and launch cannot go together on any machine."""
    if not 1 <= processes <= _MOST_PROCESSES:
        raise BadInput(f"--processes {processes} is not a number from 1 to {_MOST_PROCESSES}.")
    if launch == "one" and processes > 1:
        raise BadInput(f"--launch one is one process, not {processes}: choose ddp, fsdp, deepspeed-2 or deepspeed-3.")
    if launch != "one" and processes < 2:
        raise BadInput(f"--launch {launch} shares the work among processes: name how many, such as --processes 2.")
    if recipe.precision.quantisation == "nf4" and launch in _SHARDED:
        raise BadInput(
            f"Weights of 4 bits cannot be shared out by {launch}, whose pieces have one type of number: choose "
            "--launch ddp, or --option precision.quantisation=none."
        )
    if recipe.precision.compute == "fp16" and launch == "fsdp":
        raise BadInput("fp16 loses its scale of gradients under fsdp: choose --option precision.compute=bf16.")


def check_machine(recipe: Recipe, launch: Launch, machine: Machine) -> None:
    """Raises BadInput where this machine has not got what recipe and launch need."""
    missing = [name for name in _LIBRARIES if name not in machine.libraries]
    if missing:
        raise BadInput(missing_extra("train", *missing, what="Training"))
    if launch in _DEEPSPEED and "deepspeed" not in machine.libraries:
        raise BadInput(f"--launch {launch} needs DeepSpeed: `pip install deepspeed`, or choose --launch fsdp.")
    if launch not in {"one", "ddp"} and not machine.cards:
        raise BadInput(f"--launch {launch} needs GPUs, and none is seen here: choose --launch ddp or one.")
    if recipe.precision.quantisation == "nf4" and "bitsandbytes" not in machine.libraries:
        raise BadInput("Weights of 4 bits need bitsandbytes: `pip install bitsandbytes`, or choose another recipe.")
    if recipe.precision.attention == "flash_attention_2" and "flash_attn" not in machine.libraries:
        raise BadInput(
            "flash_attention_2 needs `pip install flash-attn`: or choose --option "
            "precision.attention=kernels-community/flash-attn2 or sdpa."
        )
    if recipe.precision.compute == "fp16" and not machine.cards:
        raise BadInput("fp16 is for GPUs, and none is seen here: choose --option precision.compute=bf16 or fp32.")
