"""Ideas on topics that the library lacks: chains, seconds, dollars and requests, from services that play the real ones.

    python bench/literature.py                            everything, an hour
    python bench/literature.py --only chains --runs 3     how many chains are linked, on the first three topics
    python bench/literature.py --only pace                at the real services' pace without keys, twenty topics

The services are those of `tests/scripted_internet`: OpenAlex, Crossref, Europe PMC and arXiv answer from one invented
citation graph of 50,000 papers, with their paging, limits, prices and pace. `--runs` is the number of topics, of the
twenty. What each figure means stands at the head of `figures/literature_figures.py`.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from figures.driver import measure
from figures.literature_figures import FIGURES
from figures.row import Bench
from figures.surroundings import prepare_library


def _library(bench: Bench) -> str:
    return f"library: {asyncio.run(prepare_library(bench.home))}"


if __name__ == "__main__":
    measure(__doc__, FIGURES, runs=20, prepare=_library)
