"""How good the search is, on a test set made of a library itself.

    python bench/retrieval.py        ../shared/data/papers.jsonl.gz where it is, else the starter library
    python bench/retrieval.py --data papers.jsonl.gz --queries 1000 --half both
    python bench/retrieval.py --data my-library --tasks cited known
    python bench/retrieval.py --embedder static local:sentence-transformers/all-MiniLM-L6-v2

    python bench/retrieval.py --first-stage  without the sentence encoder, which is used where it is installed

Five tasks, the first three with queries whose answers the library itself gives:

- `cited`: the query is title and abstract of a paper with at least five references; relevant are its references among
  all papers published no later than itself.
- `cited-by-title`: the same, and the query is the title alone.
- `known`: the query is an abstract, the paper is in the library with its title alone, and is to be found among all.
- `topics`: 30 topics of machine learning by their names; relevant are the papers whose titles fit a pattern.
- `paraphrased`: the same topics in other words (`figures/topic_queries.py`).

A paper's queries belong to one of two halves by a hash of its id. What a search is tuned on is `--half tune`, what is
reported is `--half report`. Relevant is yes or no; the margins are standard errors over the queries.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime as dt
import tempfile
from collections.abc import Iterator
from pathlib import Path

from figures.ranked import Measured, lines, measure
from figures.retrieval_tasks import ALL_TASKS, Task, draw
from figures.ways import CITING_WAYS, WAYS, Opened
from novum.lab import Workplace, sentence_encoder
from novum.literature import Embedder, Entry, Library, Reject, read_file, starter_entries
from novum.settings import load_settings

REAL = Path("../shared/data/papers.jsonl.gz")


def main() -> None:
    """Builds the libraries in a temporary folder, asks, prints a table for each task and embedder."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, help="a file to import, or the folder of a library")
    options.add_argument("--embedder", nargs="+", default=["static"], help="as the setting `embedder` names them")
    options.add_argument("--tasks", nargs="+", choices=ALL_TASKS, default=list(ALL_TASKS))
    options.add_argument("--first-stage", action="store_true", help="do without the sentence encoder")
    options.add_argument("--queries", type=int, default=300, help="of each task, at most")
    options.add_argument("--half", choices=("tune", "report", "both"), default="report")
    options.add_argument("--seed", type=int, default=0)
    chosen = options.parse_args()
    for name in chosen.embedder:
        with tempfile.TemporaryDirectory(prefix="novum-bench-") as folder:
            asyncio.run(_report(Path(folder), name, chosen))


async def _report(folder: Path, embedder_name: str, chosen: argparse.Namespace) -> None:
    async with Workplace(load_settings({"home": str(folder / "home")})) as place:
        await _ask_all(folder, place.embedder(embedder_name), chosen)


async def _ask_all(folder: Path, embedder: Embedder, chosen: argparse.Namespace) -> None:
    reranker = None if chosen.first_stage else sentence_encoder(load_settings())
    with Library.open(folder / "whole", embedder=embedder, reranker=reranker) as library:
        library.add(_entries(chosen.data))
        second = reranker.name if reranker else "none"
        print(f"{library.stats().papers:,} papers, embedder {embedder.name}, second stage {second}")
        print(f"half: {chosen.half}, seed {chosen.seed}")
        for name in chosen.tasks:
            task = draw(name, library, chosen.queries, chosen.half, chosen.seed)
            await _ask(task, library, folder / name, embedder, reranker)


async def _ask(task: Task, library: Library, folder: Path, embedder: Embedder, reranker: Embedder | None) -> None:
    """Asks every query in every way and prints what came of it."""
    if not task.questions:
        print(f"\n{task.name}: the library gives no such queries")
        return
    ways = WAYS | CITING_WAYS if task.cited else WAYS
    with Opened(library if task.as_it_is else task.stripped(library, folder, embedder, reranker)) as opened:
        await opened.catch_up()
        rows: dict[str, Measured] = {}
        for name, way in ways.items():
            rows[name] = await measure(task.questions, lambda question, way=way: way(opened, question))
    print(f"\n{task.name}: {len(task.questions)} queries, {dt.date.today()}\n{lines(rows)}", flush=True)


def _entries(data: Path | None) -> Iterator[Entry]:
    if data is not None and data.is_dir():
        with Library.open(data) as library:
            yield from (Entry(paper=paper) for paper in library.papers())
    elif data is None and not REAL.exists():
        yield from starter_entries()
    else:
        yield from (each for each in read_file(data or REAL) if not isinstance(each, Reject))


if __name__ == "__main__":
    main()
