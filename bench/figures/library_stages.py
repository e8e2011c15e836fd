"""The road of a corpus into a library, each stage in a process of its own, so that time and peak memory are its own.

Run as a program by `measured`: it does one stage and prints what it took as one line of JSON.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from novum.idea_metrics.fit import fit_metrics
from novum.literature import Library, import_file


def measured(stage: str, folder: Path, corpus: Path) -> Mapping[str, float]:
    """What a stage of `STAGES`, or `fit`, prints in a process of its own: seconds, peak memory in MiB, and more."""
    command = [sys.executable, __file__, stage, str(folder), str(corpus)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def ingest(folder: Path, corpus: Path) -> dict[str, float]:
    """The file into rows: papers, names and citations."""
    with Library.open(folder) as library:
        report = import_file(library, corpus)
    return {"papers": report.added, "links": report.links, "waiting": report.waiting, "rejected": report.rejected}


def embed(folder: Path, _corpus: Path) -> dict[str, float]:
    """A vector for every paper, by the default embedder."""
    with Library.open(folder) as library:
        asyncio.run(library.embed())
    return {}


def index(folder: Path, _corpus: Path) -> dict[str, float]:
    """Full text, vectors and filters from the rows."""
    with Library.open(folder) as library:
        asyncio.run(library.index())
    return {}


def peak_mib() -> float:
    """The most memory that this process has held. Linux counts `ru_maxrss` on from the parent, but not this."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def fit(folder: Path, _corpus: Path) -> dict[str, float]:
    """What its papers teach: every part of the metrics, kept in a folder beside."""
    with Library.open(folder) as library:
        model = asyncio.run(
            fit_metrics(library, progress=lambda step: print(f"    {step}", file=sys.stderr, flush=True))
        )
        model.save(folder.with_name("metrics"))
    return {"papers": model.card.learnt_from.papers}


STAGES: Mapping[str, Callable[[Path, Path], dict[str, float]]] = {"ingest": ingest, "embed": embed, "index": index}
"""The road of a file."""
_ALL = {**STAGES, "fit": fit}


def _main(stage: str, folder: Path, corpus: Path) -> None:
    began, before = time.perf_counter(), time.process_time()
    figures = _ALL[stage](folder, corpus)
    figures |= {"seconds": time.perf_counter() - began, "cpu": time.process_time() - before}
    figures["peak_mib"] = peak_mib()
    print(json.dumps(figures))


if __name__ == "__main__":
    _main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
