"""Fitting on 100,000 papers: a made-up corpus in the layout of DBLP V14 (`corpus.py`) is brought in and embedded as a
user's file would be; then a process of its own learns every part from it. Time and peak memory are that process's.
"""

from __future__ import annotations

from figures import library_stages
from figures.corpus import write_corpus
from figures.row import Bench, Row, at_most

PAPERS = 100_000
_WITH_TEXT = 0.7
"""Share of the corpus that has an abstract, as in the genuine dumps: only those teach anything."""
_MINUTES, _GIB = 10, 4


def fitting(bench: Bench) -> list[Row]:
    """Minutes and memory; measured once, as it takes minutes."""
    corpus, library = bench.home / "corpus.jsonl", bench.home / "large"
    write_corpus(corpus, round(PAPERS / _WITH_TEXT))
    for stage in ("ingest", "embed"):
        print(f"  {stage}: {library_stages.measured(stage, library, corpus)['seconds']:.0f} s", flush=True)
    took = library_stages.measured("fit", library, corpus)
    beside = f"{took['papers']:,} papers with an abstract, {took['cpu']:.0f} CPU s"
    return [
        at_most("fitted, without ingest and embedding", took["seconds"] / 60, _MINUTES, beside, " min"),
        at_most("peak memory", took["peak_mib"] / 1024, _GIB, "", " GiB"),
    ]
