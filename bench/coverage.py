"""How often a library is right about what it knows of a topic, and how long it takes to say so.

    python bench/coverage.py                                    topics inside and outside the starter library
    python bench/coverage.py --half check                       only those on which no limit was chosen
    python bench/coverage.py --show                             the reason of every wrong verdict
    python bench/coverage.py --papers 20000 200000              the time, in made-up libraries of these sizes
    python bench/coverage.py --data ../shared/data/papers.jsonl.gz --topics ../shared/data/topics.jsonl
                                                                verdicts on topics of a file, all inside, and the time

The topics are in `bench/data/coverage_topics.csv`. They were written before any score was seen: inside are paraphrases
of what papers of the starter library treat, outside are subjects of fields that it lacks (far) and neighbouring ones of
its own fields (near). Of each kind every second topic is for choosing limits, the others for checking them. Wrong are
`none` inside and `good` outside; topics in other languages are shown, but not counted.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from figures.corpus import write_corpus
from novum.literature import Library, import_file, install_starter
from novum.literature.coverage import Coverage, coverage_of

TOPICS = Path(__file__).parent / "data" / "coverage_topics.csv"
VERDICTS = ("good", "thin", "none")
WRONG = {"inside": "none", "outside": "good"}
_MOST_OF_A_FILE = 300


def main() -> None:
    """Builds libraries in a temporary folder, judges every topic, prints tables."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--half", choices=("choose", "check", "both"), default="both")
    options.add_argument("--show", action="store_true", help="print wrong verdicts with their reasons")
    options.add_argument("--papers", type=int, nargs="+", default=[], help="sizes of made-up libraries to be timed")
    options.add_argument("--data", type=Path, help="a file of papers to judge the topics of --topics by")
    options.add_argument("--topics", type=Path, help="a file with a JSON object a line that has a `topic`")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="novum-bench-") as folder:
        asyncio.run(_report(Path(folder), chosen, _topics_of(chosen.topics) if chosen.topics else ()))


async def _report(folder: Path, chosen: argparse.Namespace, topics: Sequence[str]) -> None:
    if chosen.data is not None:
        with Library.open(folder / "data") as library:
            import_file(library, chosen.data)
            await _of_file(library, topics)
    elif chosen.papers:
        for size in chosen.papers:
            with Library.open(folder / str(size)) as library:
                write_corpus(folder / f"{size}.jsonl", size)
                import_file(library, folder / f"{size}.jsonl")
                _print_times(library, (await _judged(library, [row["topic"] for row in _rows("both")]))[1])
    else:
        with Library.open(folder / "starter") as library:
            install_starter(library)
            await _of_starter(library, _rows(chosen.half), show=chosen.show)


def _rows(half: str) -> list[dict[str, str]]:
    with TOPICS.open(encoding="utf-8", newline="") as lines:
        return [row for row in csv.DictReader(lines) if half in {"both", row["half"]}]


async def _of_starter(library: Library, rows: Sequence[dict[str, str]], *, show: bool) -> None:
    judged, seconds = await _judged(library, [row["topic"] for row in rows])
    pairs = list(zip(rows, judged, strict=True))
    counts = Counter((row["literature"], row["kind"], found.verdict) for row, found in pairs)
    print(f"{'':24}{''.join(f'{each:>7}' for each in VERDICTS)}")
    for literature, kind in sorted({(row["literature"], row["kind"]) for row in rows}):
        print(f"{literature + ', ' + kind:24}{''.join(f'{counts[literature, kind, each]:7}' for each in VERDICTS)}")
    counted = [(row, found) for row, found in pairs if row["kind"] != "language"]
    wrong = [(row, found) for row, found in counted if found.verdict == WRONG[row["literature"]]]
    print(f"wrong: {len(wrong)} of {len(counted)} ({len(wrong) / len(counted):.1%})")
    for row, found in wrong if show else ():
        print(f"  {row['literature']}: {row['topic']}\n    {found.reason}")
    _print_times(library, seconds)


def _topics_of(file: Path) -> list[str]:
    found = [json.loads(line)["topic"] for line in file.read_text("utf-8").splitlines()]
    return found[:: max(1, len(found) // _MOST_OF_A_FILE)]


async def _of_file(library: Library, topics: Sequence[str]) -> None:
    judged, seconds = await _judged(library, topics)
    counts = Counter(one.verdict for one in judged)
    print(f"{len(topics)} topics: {', '.join(f'{each} {counts[each]}' for each in VERDICTS)}")
    _print_times(library, seconds)


async def _judged(library: Library, topics: Iterable[str]) -> tuple[list[Coverage], list[float]]:
    await coverage_of(library, "the first one builds indexes")
    judged, seconds = [], []
    for topic in topics:
        began = time.perf_counter()
        judged.append(await coverage_of(library, topic))
        seconds.append(time.perf_counter() - began)
    return judged, seconds


def _print_times(library: Library, seconds: Sequence[float]) -> None:
    middle, slow = statistics.median(seconds), statistics.quantiles(seconds, n=20)[-1]
    print(f"{library.size().papers:,} papers: {1000 * middle:.0f} ms a topic, 95% below {1000 * slow:.0f} ms")


if __name__ == "__main__":
    main()
