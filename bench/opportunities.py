"""Time and memory of opportunities: building the concept map of a synthetic library, and searching it.

    python bench/opportunities.py                        100,000 papers, some ten minutes with bringing them in
    python bench/opportunities.py --papers 20000         another size
    python bench/opportunities.py --papers 100000 300000 1000000      how it grows
    python bench/opportunities.py --folder DIR           keep the files there, and reuse them
    python bench/opportunities.py --library DIR          a genuine library

A made-up corpus in the layout of DBLP-Citation-network V14 (`figures/corpus.py`), with phrases that come back as
concepts do in real abstracts (`figures/phrased.py`), is brought in and embedded as a user's file would be. Then a
separate process builds the concept map, and another one searches for opportunities; time and peak memory are theirs.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
from pathlib import Path

from figures import library_stages, opportunities_stages
from figures.corpus import write_corpus
from figures.row import Row, at_most, table
from figures.surroundings import machine

_MINUTES, _GIB, _SECONDS = 10, 4, 2
"""For 100,000 papers: building, the most memory, and a question."""


def main() -> None:
    """Measures each size asked for and prints one table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papers", type=int, nargs="+", default=[100_000], help="sizes of the made-up corpus")
    parser.add_argument("--folder", type=Path, help="where to work, and what to keep; else a temporary folder")
    parser.add_argument("--library", type=Path, help="a library that is there, instead")
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = options.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="novum-bench-")))
        print(machine())
        if options.library:
            rows = _rows("its papers", options.library, 1)
        else:
            rows = [row for size in options.papers for row in _measured(folder / str(size), size)]
    print(f"\n{table(rows)}\n\n{machine()}")


def _measured(folder: Path, size: int) -> list[Row]:
    folder.mkdir(parents=True, exist_ok=True)
    corpus, library = folder / "corpus.jsonl", folder / "library"
    if not corpus.exists():
        write_corpus(corpus, size, phrased=True)
    if not library.exists():
        for stage in ("ingest", "embed"):
            took = library_stages.measured(stage, library, corpus)
            print(f"  {size:,} papers, {stage}: {took['seconds']:.0f} s, {took['cpu']:.0f} CPU s", flush=True)
    return _rows(f"{size:,} papers", library, size / 100_000)


def _rows(name: str, library: Path, share: float) -> list[Row]:
    """`share`: of the papers that the goals are set for."""
    built = opportunities_stages.measured("build", library)
    searched = opportunities_stages.measured("ask", library)
    made = f"{built['concepts']:,.0f} concepts, {built['edges']:,.0f} pairs, {built['entries']:,.0f} joint papers"
    each = 1000 * built["cpu"] / built["papers"]
    rows = [
        at_most(f"{name}: built", built["seconds"] / 60, _MINUTES * share, made, " min"),
        Row("CPU seconds of it", f"{built['cpu']:.0f}", "", True, f"{each:.2f} ms a paper"),
        at_most("peak memory", built["peak_mib"] / 1024, _GIB * max(share, 1), "", " GiB"),
        at_most("first question of a process", searched["first"], _SECONDS, f"{searched['first_cpu']:.1f} CPU s", " s"),
        at_most("a question, p50", searched["p50"], _SECONDS, f"the slowest {searched['worst']:.2f} s", " s"),
        Row("peak memory of questions", f"{searched['peak_mib']:.0f} MiB", "", True),
    ]
    print(f"\n{table(rows)}", flush=True)
    return rows


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    main()
