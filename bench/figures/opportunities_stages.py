"""Building opportunities and asking them, each in a process of its own, so that time and peak memory are its own."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from novum.literature import Library
from novum.opportunities.building import build
from novum.opportunities.concept_map import ConceptMap
from novum.opportunities.settings import OpportunitySettings

_CONCEPTS, _EACH = 8, 50
"""Concepts of a question, and candidates of each."""


def measured(stage: str, folder: Path) -> Mapping[str, float]:
    """What `build` or `ask` prints in a process of its own: seconds, peak memory in MiB, and more."""
    done = subprocess.run([sys.executable, __file__, stage, str(folder)], check=True, stdout=subprocess.PIPE, text=True)
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def _build(folder: Path) -> dict[str, float]:
    began = time.perf_counter()

    def told(step: str, done: int) -> None:
        if not done:
            print(f"    {time.perf_counter() - began:.0f} s: {step}", file=sys.stderr, flush=True)

    with Library.open(folder) as library:
        card = asyncio.run(build(library, OpportunitySettings(), told, anew=True))
    return {"concepts": card.concepts, "edges": card.edges, "entries": card.entries}


def _ask(folder: Path) -> dict[str, float]:
    """Concepts in the middle of the alphabet with their openings; the library's own search is not measured here."""
    with Library.open(folder) as library:
        found = ConceptMap.open(library)
        middle = len(found.names) // 2
        pairs = found.candidates(found.names[middle : middle + _CONCEPTS], _EACH)
        return {"pairs": len(found.forecast(pairs))}


def _peak_mib() -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


if __name__ == "__main__":
    began, before = time.perf_counter(), time.process_time()
    found = {"build": _build, "ask": _ask}[sys.argv[1]](Path(sys.argv[2]))
    found |= {"seconds": time.perf_counter() - began, "cpu": time.process_time() - before, "peak_mib": _peak_mib()}
    print(json.dumps(found))
