"""Questions to a large library: hybrid search with a date filter, citations of a paper, and how near the approximate
vectors come to exact ones. Run as a program, in a process of its own, which prints one line of JSON.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import faiss
import numpy as np
import tantivy

from figures.library_floors import stored_vectors
from figures.library_stages import peak_mib
from novum.literature import Filters, Library, StaticEmbedder
from novum.literature.search import text_index as ours
from novum.literature.search.clustered_vectors import ClusteredVectors, clusters_searched
from novum.literature.store.database import open_database

BEFORE = dt.date(2018, 1, 1)
_WARMING, _MEASURED, _RECALLED = 100, 500, 200
_POOL = 40
"""Candidates of each kind, as the library asks of its engines."""


def measured(folder: Path) -> Mapping[str, float]:
    """All figures of this file for the library in `folder`, milliseconds but for the recall."""
    command = [sys.executable, "-m", "figures.library_queries", str(folder)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parent.parent)
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


async def figures_of(folder: Path) -> dict[str, float]:
    """Opens the library as a user's program would, and asks."""
    database = sqlite3.connect(folder / "library.db")
    questions, papers = _questions(database), _papers(database)
    began = time.perf_counter()
    with Library.open(folder) as library:
        await library.search("anything at all", 10)
        opened = time.perf_counter() - began
        filters = Filters(before=BEFORE)
        hybrid = await _timed([lambda q=q: library.search(q, 10, filters) for q in questions])
        lookups = await _timed([lambda p=p: _neighbours(library, p) for p in papers])
    engines = _engines(folder, questions)
    return {
        "open_s": opened,
        **_quantiles("hybrid", hybrid),
        **_quantiles("citations", lookups),
        **_quantiles("engines", engines),
        "recall": _recall(folder),
        "peak_mib": peak_mib(),
    }


def _questions(database: sqlite3.Connection) -> list[str]:
    """Three to twelve words in a row from abstracts, drawn by a fixed seed; no two alike."""
    rng = random.Random(0)
    top = database.execute("SELECT max(number) FROM papers").fetchone()[0]
    made: dict[str, None] = {}
    while len(made) < _WARMING + _MEASURED:
        row = database.execute("SELECT abstract FROM papers WHERE number = ?", (rng.randint(1, top),)).fetchone()
        words = row[0].split() if row else []
        if len(words) > 20:
            begin = rng.randrange(len(words) - 12)
            made[" ".join(words[begin : begin + rng.randint(3, 12)])] = None
    return list(made)


def _papers(database: sqlite3.Connection) -> list[str]:
    """Ids of papers with citations, drawn by a fixed seed."""
    rng = random.Random(1)
    cited = [number for (number,) in database.execute("SELECT DISTINCT cited FROM citations LIMIT 50000")]
    drawn = rng.sample(cited, min(len(cited), _WARMING + _MEASURED))
    return [database.execute("SELECT paper_id FROM papers WHERE number = ?", (one,)).fetchone()[0] for one in drawn]


async def _neighbours(library: Library, paper_id: str) -> None:
    library.citing(paper_id)


async def _timed(jobs: Sequence[Callable[[], Awaitable[Any]]]) -> list[float]:
    """Seconds of each job after the first ones, which warm the caches."""
    seconds = []
    for job in jobs:
        began = time.perf_counter()
        await job()
        seconds.append(time.perf_counter() - began)
    return seconds[_WARMING:]


def _engines(folder: Path, questions: Sequence[str]) -> list[float]:
    """tantivy and faiss alone: the same questions and date, as many candidates; no embedding, no rows, no blending."""
    state = json.loads((folder / "index" / "text" / "state.json").read_text())
    index = tantivy.Index.open(str(folder / "index" / "text" / state["files"]))
    index.register_tokenizer("novum", ours._words())
    index.register_tokenizer("novum_names", ours._name_parts())
    searcher = index.searcher()
    range_query = tantivy.Query.range_query(
        index.schema, "public_by", tantivy.FieldType.Integer, 1, BEFORE.toordinal(), include_upper=False
    )
    near = _clustered(folder)
    units = near.whitening.apply(StaticEmbedder()._pool(questions))
    parameters = faiss.SearchParametersIVF()
    parameters.nprobe = clusters_searched(near.index.nlist)
    parameters.sel = faiss.IDSelectorBitmap(_bits(folder))
    seconds = []
    for question, unit in zip(questions, units, strict=True):
        began = time.perf_counter()
        worded = index.parse_query(question, ["title", "body"])
        both = tantivy.Query.boolean_query([(tantivy.Occur.Must, worded), (tantivy.Occur.Must, range_query)])
        searcher.search(both, limit=_POOL)
        near.index.search(unit[None, :], _POOL, params=parameters)
        seconds.append(time.perf_counter() - began)
    return seconds[_WARMING:]


def _clustered(folder: Path) -> ClusteredVectors:
    near = ClusteredVectors.load(folder / "index" / "vectors", open_database(folder, None), "wordllama-256")
    assert near is not None, "the library was indexed, and holds more papers than are compared one by one"
    return near


def _bits(folder: Path) -> np.ndarray:
    """Which rows were public before the date, a bit each."""
    database = sqlite3.connect(folder / "library.db")
    passing = np.array(
        database.execute("SELECT number FROM papers WHERE public_by < ?", (BEFORE.toordinal(),)).fetchall()
    )
    bits = np.zeros(int(passing.max()) + 1, bool)
    bits[passing.ravel()] = True
    return np.packbits(bits, bitorder="little")


def _recall(folder: Path) -> float:
    """Share of the ten truly nearest papers that the approximate index finds, over random papers' vectors."""
    near = _clustered(folder)
    held = near.whitening.apply(stored_vectors(folder / "library.db"))
    numbers = np.array(
        sqlite3.connect(folder / "library.db").execute("SELECT number FROM vectors ORDER BY number").fetchall()
    )
    drawn = np.random.default_rng(2).choice(len(held), _RECALLED, replace=False)
    exact = faiss.IndexFlatIP(held.shape[1])
    exact.add(held)
    _, truly = exact.search(held[drawn], 10)
    found = [set(near.nearest(held[place], 10, None)) for place in drawn]
    wanted = [{int(number) for number in numbers[row].ravel()} for row in truly]
    return sum(len(one & other) for one, other in zip(found, wanted, strict=True)) / (10 * _RECALLED)


def _quantiles(name: str, seconds: Sequence[float]) -> dict[str, float]:
    return {
        f"{name}_p50": 1000 * float(np.quantile(seconds, 0.5)),
        f"{name}_p95": 1000 * float(np.quantile(seconds, 0.95)),
    }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(figures_of(Path(sys.argv[1])))))
