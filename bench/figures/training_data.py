"""Training data of idea models from a large made-up library: time and peak memory, in a process of its own.

Fitting the topics takes the same time for any library, since a sample of 20,000 papers is used; the rest grows with the
number of papers.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from figures.corpus import write_corpus
from figures.library_stages import ingest, peak_mib
from figures.row import Bench, Row, at_most
from novum.lab import Workplace
from novum.settings import load_settings
from novum.training.ideas.card import IdeaDataSettings
from novum.training.ideas.data_set import IdeaDataTask, make_idea_set

_MINUTES, _GIB = 10.0, 4.0
"""For a million papers on two cores."""
PAPERS = "NOVUM_BENCH_PAPERS"


def data(bench: Bench) -> list[Row]:
    """Rows of all papers of a library of a million, or as many as NOVUM_BENCH_PAPERS says."""
    papers = int(os.environ.get(PAPERS, "1000000"))
    corpus, library = bench.home / "corpus.jsonl", bench.home / "library"
    write_corpus(corpus, papers, phrased=True)
    ingest(library, corpus)
    command = [sys.executable, "-m", "figures.training_data", str(library), str(bench.home / "ideas")]
    done = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parent.parent,
        env=os.environ | {"NOVUM_HOME": str(bench.home / "home")},
    )  # fmt: skip
    told = json.loads(done.stdout.splitlines()[-1])
    beside = f"{told['rows']:,} rows; {told['cpu'] / 60:.2f} min of processor time"
    return [
        at_most(f"ideas of {papers:,} papers", told["seconds"] / 60, _MINUTES, beside, " min"),
        at_most("  peak memory", told["mib"] / 1024, _GIB, "", " GiB"),
    ]


def _main(library: str, out: str) -> None:
    async def build() -> dict[str, float]:
        async with Workplace(load_settings({"library": library})) as workplace:
            began, before = time.perf_counter(), time.process_time()
            card = await make_idea_set(workplace, IdeaDataTask(Path(out), IdeaDataSettings(since=1950, before=2030)))
            rows = sum(split.rows for split in card.splits)
            return {"seconds": time.perf_counter() - began, "cpu": time.process_time() - before, "mib": peak_mib(),
                    "rows": rows}  # fmt: skip

    print(json.dumps(asyncio.run(build())))


if __name__ == "__main__":
    _main(*sys.argv[1:])
