"""Time spent, and the topics that time is spent on."""

from __future__ import annotations

import gc
import hashlib
import time
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from figures.surroundings import open_library


@dataclass(frozen=True)
class Spent:
    """What a stretch of work took, seconds."""

    wall: float
    cpu: float
    """Of this process, all its threads."""


async def spent_on(job: Awaitable[object]) -> Spent:
    """Wall and CPU time until `job` is done; what earlier measurements left behind is not cleared away in it."""
    gc.collect()
    wall, cpu = time.perf_counter(), time.process_time()
    await job
    return Spent(time.perf_counter() - wall, time.process_time() - cpu)


def middle(spent: Sequence[Spent]) -> Spent:
    """Medians of several measurements."""
    return Spent(median(each.wall for each in spent), median(each.cpu for each in spent))


@dataclass(frozen=True)
class Ratio:
    """Ours over the bare client's."""

    wall: float
    cpu: float


def ratio_of(ours: Sequence[Spent], bare: Sequence[Spent]) -> Ratio:
    """Medians over pairs that were measured one after the other, so that they had the machine in the same state."""
    pairs = list(zip(ours, bare, strict=True))
    return Ratio(median(we.wall / they.wall for we, they in pairs), median(we.cpu / they.cpu for we, they in pairs))


def seconds_of(spent: Sequence[Spent]) -> str:
    """All measurements, so that their spread can be seen."""
    walls, cpus = (
        [f"{value:.2f}" for value in sorted(values)] for values in zip(*((s.wall, s.cpu) for s in spent), strict=True)
    )
    return f"wall {', '.join(walls)} s, CPU {', '.join(cpus)} s"


def topics(home: Path, count: int) -> list[str]:
    """Titles of papers from all over the library, in an order without pattern that is always the same."""
    with open_library(home) as library:
        found = {paper.title for paper in library.papers()}
    return sorted(found, key=lambda title: hashlib.blake2b(title.encode(), digest_size=8).digest())[:count]
