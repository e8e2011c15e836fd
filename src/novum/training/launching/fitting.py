"""Check recipe, launch and machine before anything is loaded."""

from __future__ import annotations

import contextlib
import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, get_args

from novum.errors import BadInput
from novum.extras import missing_extra
from novum.training.finetuning.job import Launch
from novum.training.recipes.recipe import DeviceKind, Precision

LAUNCHES: tuple[Launch, ...] = get_args(Launch)
_DEEPSPEED = frozenset[Launch]({"deepspeed-2", "deepspeed-3"})
_SHARDED = frozenset[Launch]({"fsdp", "deepspeed-3"})
"""Launches that shard the weights of the base among the processes."""
_CONTAINER_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
_MOST_PROCESSES = 4096
_LIBRARIES = ("torch", "transformers", "trl", "peft", "accelerate", "datasets", "gguf")


class WithPrecision(Protocol):
    """A recipe, as far as machines are concerned."""

    @property
    def precision(self) -> Precision: ...

    @property
    def device(self) -> DeviceKind: ...


@dataclass(frozen=True)
class Machine:
    """Hardware and libraries of this machine."""

    cards: bool
    """Whether there is a GPU that the installed PyTorch can use."""
    cores: int
    libraries: frozenset[str]
    """Installed libraries among those that training may need."""
    memory_gigabytes: float | None = None
    gpu: str = ""
    """The name of the first GPU."""
    gpu_gigabytes: float | None = None
    gpu_watts: float | None = None
    unused_gpu: bool = False
    """Whether there is a GPU, and PyTorch was installed for processors alone."""


def this_machine() -> Machine:
    """Inspect this machine without importing heavy libraries."""
    names = (*_LIBRARIES, "deepspeed", "bitsandbytes", "flash_attn")
    installed = frozenset(name for name in names if importlib.util.find_spec(name) is not None)
    found = any(shutil.which(tool) for tool in ("nvidia-smi", "rocm-smi"))
    cards = found and not _is_for_processors_alone()
    gpu, gigabytes, watts = _first_gpu() if cards else ("", None, None)
    return Machine(cards, _cores(), installed, _memory(), gpu, gigabytes, watts, found and not cards)


def _is_for_processors_alone() -> bool:
    try:
        return importlib.metadata.version("torch").endswith("+cpu")
    except importlib.metadata.PackageNotFoundError:
        return False


def _memory() -> float | None:
    """Gigabytes of memory that processes here may use: of this machine, or of its container where that has a limit.
    None where the system does not say."""
    try:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None
    return min(whole, _container_limit() or whole) / 1e9


def _container_limit() -> int | None:
    """Bytes that the control group of this container may use; None where there is no limit."""
    for file in _CONTAINER_LIMITS:
        with contextlib.suppress(OSError, ValueError):
            return int(Path(file).read_text("ascii"))  # `max` is no number
    return None


def _first_gpu() -> tuple[str, float | None, float | None]:
    """Name, gigabytes and watts of the first GPU, as `nvidia-smi` reports them."""
    query = ["nvidia-smi", "--query-gpu=name,memory.total,power.limit", "--format=csv,noheader,nounits"]
    try:
        told = subprocess.run(query, capture_output=True, check=True, text=True, timeout=20).stdout  # noqa: S603
        name, memory, watts = (part.strip() for part in told.splitlines()[0].split(","))
        return name, float(memory) * 1.048576 / 1000, float(watts)
    except (OSError, ValueError, IndexError, subprocess.SubprocessError):
        return "", None, None


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_together(recipe: WithPrecision, launch: Launch, processes: int) -> None:
    """Raise BadInput if recipe, launch and number of processes cannot be combined on any machine."""
    if not 1 <= processes <= _MOST_PROCESSES:
        raise BadInput(f"--processes {processes} is not a number from 1 to {_MOST_PROCESSES}.")
    if launch == "one" and processes > 1:
        raise BadInput(f"--launch one is one process, not {processes}: choose ddp, fsdp, deepspeed-2 or deepspeed-3.")
    if launch != "one" and processes < 2:
        raise BadInput(f"--launch {launch} needs several processes: set their number, such as --processes 2.")
    if recipe.precision.quantisation == "nf4" and launch in _SHARDED:
        raise BadInput(
            f"{launch} cannot shard 4-bit weights, because all its shards have one data type: choose "
            "--launch ddp, or --option precision.quantisation=none."
        )
    if recipe.precision.compute == "fp16" and launch == "fsdp":
        raise BadInput(
            "fp16 does not work with fsdp, which loses the scale of gradients: choose --option precision.compute=bf16."
        )


def check_machine(recipe: WithPrecision, launch: Launch, machine: Machine) -> None:
    """Raise BadInput if this machine lacks something that recipe and launch need."""
    missing = [name for name in _LIBRARIES if name not in machine.libraries]
    if recipe.device.kind == "gpu" and not machine.cards:
        raise BadInput(
            f"This recipe is for a GPU, and {_no_gpu(machine)}: choose --recipe cpu, or --option device.kind=any to "
            "try it on the processor."
        )
    if missing:
        raise BadInput(missing_extra("train", *missing, what="Training"))
    if launch in _DEEPSPEED and "deepspeed" not in machine.libraries:
        raise BadInput(f"--launch {launch} needs DeepSpeed: `pip install deepspeed`, or choose --launch fsdp.")
    if launch not in {"one", "ddp"} and not machine.cards:
        raise BadInput(f"--launch {launch} needs GPUs, and {_no_gpu(machine)}: choose --launch ddp or one.")
    if recipe.precision.quantisation == "nf4" and "bitsandbytes" not in machine.libraries:
        raise BadInput("4-bit weights need bitsandbytes: `pip install bitsandbytes`, or choose another recipe.")
    if recipe.precision.attention == "flash_attention_2" and "flash_attn" not in machine.libraries:
        raise BadInput(
            "flash_attention_2 needs `pip install flash-attn`; or choose --option "
            "precision.attention=kernels-community/flash-attn2 or sdpa."
        )
    if recipe.precision.compute == "fp16" and not machine.cards:
        raise BadInput(f"fp16 needs a GPU, and {_no_gpu(machine)}: choose --option precision.compute=bf16 or fp32.")


def _no_gpu(machine: Machine) -> str:
    if machine.unused_gpu:
        return "the PyTorch that is installed is for processors alone (install the one for your GPU from pytorch.org)"
    return "this machine has none"
