"""What a library of a million papers costs: bringing it in, embedding, indexing, asking.

    python bench/library.py                              1,000,000 papers, about half an hour with the engines beside
    python bench/library.py --papers 100000 300000       other sizes, one after the other
    python bench/library.py --file dblp_v14.jsonl.gz     a real dump
    python bench/library.py --folder DIR                 keep what is made there, and go on from it

A made-up corpus in the layout of DBLP-Citation-network V14 (`figures/corpus.py`) goes the whole road that a user's file
goes. Every stage is a process of its own, whose peak memory is told with its time; beside each stands what the engines
take alone on the same data in the same run (`figures/library_floors.py`).
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from figures import library_floors, library_queries, library_stages
from figures.corpus import write_corpus
from figures.row import Row, at_most, table
from figures.surroundings import machine

_MINUTES, _GIB = 20, 4
"""For a million papers: all stages together, and the most memory that any may take."""


def main() -> None:
    """Measures each size asked for and prints one table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papers", type=int, nargs="+", default=[1_000_000], help="sizes of the made-up corpus")
    parser.add_argument("--file", type=Path, help="a dump to bring in instead")
    parser.add_argument("--folder", type=Path, help="where to work, and what to keep; else a temporary folder")
    options = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parent))
    with contextlib.ExitStack() as stack:
        folder = options.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="novum-bench-")))
        print(machine())
        rows: list[Row] = []
        for size in options.papers if options.file is None else [0]:
            rows += _measure(folder / str(size or options.file.name), size, options.file)
    print(f"\n{table(rows)}\n\n{machine()}")


def _measure(folder: Path, size: int, file: Path | None) -> list[Row]:
    folder.mkdir(parents=True, exist_ok=True)
    corpus = file or folder / "corpus.jsonl"
    if not corpus.exists():
        print(f"\n{size:,} papers: writing the corpus …", flush=True)
        write_corpus(corpus, size)
    library = folder / "library"
    stages = {}
    for stage in library_stages.STAGES:
        stages[stage] = library_stages.measured(stage, library, corpus)
        print(f"  {stage}: {_told(stages[stage])}", flush=True)
    floors = {}
    for floor in library_floors.FLOORS:
        floors[floor] = library_floors.measured(floor, library, corpus)
        print(f"  {floor} alone: {floors[floor]:.1f} s", flush=True)
    asked = library_queries.measured(library)
    print(f"  questions: {_told(asked)}", flush=True)
    return _rows(f"{int(stages['ingest']['papers']):,} papers", stages, floors, asked)


def _rows(
    size: str, stages: Mapping[str, Mapping[str, float]], floors: Mapping[str, float], asked: Mapping[str, float]
) -> list[Row]:
    total = sum(stage["seconds"] for stage in stages.values()) / 60
    peak = max(stage["peak_mib"] for stage in stages.values()) / 1024
    ingest, index = stages["ingest"]["seconds"], stages["index"]["seconds"]
    engines = floors["text"] + floors["vectors"]
    return [
        at_most(f"{size}: rows, embedded, indexed", total, _MINUTES, _by_stage(stages), " min"),
        at_most("peak memory of any stage", peak, _GIB, _by_stage(stages, "peak_mib", "MiB"), " GiB"),
        Row("memory while rows come in", f"{stages['ingest']['peak_mib']:.0f} MiB", "", True),
        at_most("rows / plain orjson and executemany", ingest / floors["rows"], 3, f"{floors['rows']:.0f} s"),
        at_most("index / tantivy and faiss alone", index / engines, 1.5, f"{engines:.0f} s"),
        at_most("hybrid query before a date, p50", asked["hybrid_p50"], 10, _ms(asked, "engines_p50"), " ms"),
        at_most("hybrid query before a date, p95", asked["hybrid_p95"], 40, _ms(asked, "engines_p95"), " ms"),
        at_most("hybrid query / engines alone, p50", asked["hybrid_p50"] / asked["engines_p50"], 3),
        Row("recall@10 of the vectors", f"{asked['recall']:.3f}", ">= 0.95", asked["recall"] >= 0.95, "exact: 1"),
        at_most("who cites a paper, p50", asked["citations_p50"], 2, f"p95 {asked['citations_p95']:.2f} ms", " ms"),
        Row("opening it and the first query", f"{asked['open_s']:.1f} s", "", True),
    ]


def _by_stage(stages: Mapping[str, Mapping[str, float]], figure: str = "seconds", unit: str = "s") -> str:
    return ", ".join(f"{name} {values[figure]:.0f} {unit}" for name, values in stages.items())


def _ms(asked: Mapping[str, float], name: str) -> str:
    return f"engines alone {asked[name]:.2f} ms"


def _told(figures: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:,.2f}".removesuffix(".00") for name, value in figures.items())


if __name__ == "__main__":
    main()
