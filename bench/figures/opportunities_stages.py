"""Building opportunities and asking them, each in a process of its own, so that time and peak memory are its own."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import median

from novum.literature import Library
from novum.opportunities.building import build_concept_map
from novum.opportunities.concept_map import ConceptMap
from novum.opportunities.search.find import find_opportunities
from novum.opportunities.settings import OpportunitySettings

_QUESTIONS = 20


def measured(stage: str, folder: Path) -> Mapping[str, float]:
    """What `build` or `ask` prints in a process of its own: seconds, peak memory in MiB, and more."""
    done = subprocess.run([sys.executable, __file__, stage, str(folder)], check=True, stdout=subprocess.PIPE, text=True)
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def _build(folder: Path) -> dict[str, float]:
    began, used = time.perf_counter(), time.process_time()

    def told(step: str, done: int) -> None:
        if not done:
            wall, cpu = time.perf_counter() - began, time.process_time() - used
            print(f"    {wall:.0f} s, {cpu:.0f} CPU s, {_peak_mib():.0f} MiB: {step}", file=sys.stderr, flush=True)

    with Library.open(folder) as library:
        card = asyncio.run(build_concept_map(library, OpportunitySettings(), told, fresh=True))
    return {"papers": card.papers, "concepts": card.concepts, "edges": card.edges, "entries": card.entries}


def _ask(folder: Path) -> dict[str, float]:
    """`first`: from the start of this process to the openings of a topic; `p50`: of other topics after it."""
    with Library.open(folder) as library:
        names = ConceptMap.open(library).names
        topics = [names[len(names) * place // (_QUESTIONS + 1)] for place in range(1, _QUESTIONS + 1)]
        shown = len(asyncio.run(find_opportunities(library, topics[0])).openings)
        first, first_cpu = _age(), time.process_time()
        took = []
        for topic in topics[1:]:
            began = time.perf_counter()
            shown += len(asyncio.run(find_opportunities(library, topic)).openings)
            took.append(time.perf_counter() - began)
    return {"first": first, "first_cpu": first_cpu, "p50": median(took), "worst": max(took), "openings": shown}


def _age() -> float:
    """Seconds since this process began, its imports included."""
    ticks = int(Path("/proc/self/stat").read_text().rsplit(")", 1)[1].split()[19])
    return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")


def _peak_mib() -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


if __name__ == "__main__":
    began, before = time.perf_counter(), time.process_time()
    found = {"build": _build, "ask": _ask}[sys.argv[1]](Path(sys.argv[2]))
    found |= {"seconds": time.perf_counter() - began, "cpu": time.process_time() - before, "peak_mib": _peak_mib()}
    print(json.dumps(found))
