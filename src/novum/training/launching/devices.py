"""The speed, memory and power of the device of a training: as the recipe states them, else as this machine has them."""

from __future__ import annotations

import time
from functools import cache
from typing import NamedTuple

import numpy as np

from novum.training.launching.fitting import Machine
from novum.training.recipes.recipe import Recipe

_TERAFLOPS = {
    "B200": 2250.0, "H200": 989.0, "H100": 989.0, "A100": 312.0, "L40S": 362.0, "L40": 181.0, "A40": 150.0,
    "A10": 125.0, "L4": 121.0, "V100": 125.0, "T4": 65.0, "5090": 419.0, "4090": 165.0, "3090": 71.0,
}  # fmt: skip
"""Largest numbers of dense 16-bit operations per second, in units of 10^12, as their makers state them."""
_WATTS_PER_CORE = 8.0
"""Power of a processor core under load, roughly."""


class DeviceSpeed(NamedTuple):
    """One device. None: unknown."""

    name: str
    gigabytes: float | None
    teraflops: float | None
    watts: float | None


def device_of(recipe: Recipe, machine: Machine) -> DeviceSpeed:
    """The device that an estimate is for."""
    wanted = recipe.device
    if wanted.kind == "gpu" and wanted.gigabytes:
        return DeviceSpeed(f"a {wanted.gigabytes:g} GB GPU", wanted.gigabytes, wanted.teraflops, wanted.watts)
    if machine.cards:
        speed = next((value for key, value in _TERAFLOPS.items() if key in machine.gpu), None)
        return DeviceSpeed(machine.gpu or "a GPU", machine.gpu_gigabytes, speed, machine.gpu_watts)
    return DeviceSpeed(
        f"{machine.cores} processor cores", machine.memory_gigabytes, processor_teraflops(),
        _WATTS_PER_CORE * machine.cores,
    )  # fmt: skip


@cache
def processor_teraflops() -> float:
    """Operations per second of this processor in single precision, in units of 10^12, by multiplying two matrices."""
    matrix = np.ones((1024, 1024), dtype=np.float32)
    matrix @ matrix
    began = time.perf_counter()
    for _ in range(4):
        matrix @ matrix
    return float(4 * 2 * 1024**3 / max(1e-9, time.perf_counter() - began) / 1e12)
