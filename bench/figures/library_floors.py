"""The engines alone on the same data, with nothing of ours around them: what cannot be beaten with these engines.

Run as a program by `measured`, as the stages are: each floor in a process of its own.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import faiss
import numpy as np
import orjson
import tantivy
from numpy.typing import NDArray

from novum.literature.search import text_index as ours

_BATCH = 5000
_DIMENSIONS = 256
_CLUSTERS, _SAMPLE = 2048, 100_000
_HEAP = 64_000_000


def measured(floor: str, folder: Path, corpus: Path) -> float:
    """Seconds that a floor of `FLOORS` takes in a process of its own."""
    command = [sys.executable, __file__, floor, str(folder), str(corpus)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return float(json.loads(done.stdout.splitlines()[-1]))


def rows(_folder: Path, corpus: Path) -> float:
    """orjson and `sqlite3.executemany`: a table of papers with indexes on key, DOI and title, and one of citations with
    indexes both ways. Papers are not recognised, references not resolved."""
    with tempfile.TemporaryDirectory(dir=corpus.parent) as place:
        began = time.perf_counter()
        database = sqlite3.connect(Path(place) / "floor.db")
        database.executescript(_TABLES)
        with corpus.open("rb") as file:
            papers: list[tuple[object, ...]] = []
            for number, line in enumerate(file):
                papers.append((number, orjson.loads(line)))
                if len(papers) == _BATCH:
                    _put(database, papers)
                    papers.clear()
            _put(database, papers)
        database.close()
        return time.perf_counter() - began


_TABLES = """
PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-131072;
CREATE TABLE papers (number INTEGER PRIMARY KEY, key TEXT UNIQUE, title TEXT, authors TEXT, year INT, venue TEXT,
                     doi TEXT, abstract TEXT, fields TEXT, cited INT);
CREATE INDEX papers_doi ON papers (doi);
CREATE INDEX papers_title ON papers (title);
CREATE TABLE citations (citing TEXT, cited TEXT, PRIMARY KEY (citing, cited)) WITHOUT ROWID;
CREATE INDEX citations_of ON citations (cited, citing);
"""


def _put(database: sqlite3.Connection, papers: list[tuple[int, dict[str, object]]]) -> None:
    with database:
        database.executemany("INSERT INTO papers VALUES (?,?,?,?,?,?,?,?,?,?)", [_row(*paper) for paper in papers])
        links = [(paper["id"], cited) for _, paper in papers for cited in paper.get("references", ())]
        database.executemany("INSERT OR IGNORE INTO citations VALUES (?,?)", links)


def _row(number: int, paper: dict[str, object]) -> tuple[object, ...]:
    return (
        number,
        paper["id"],
        paper["title"],
        orjson.dumps([author["name"] for author in paper["authors"]]).decode(),
        paper["year"],
        paper["venue"]["raw"],
        paper["doi"],
        paper["abstract"],
        orjson.dumps(paper["keywords"]).decode(),
        paper["n_citation"],
    )


def text(folder: Path, _corpus: Path) -> float:
    """tantivy alone: the same fields of the same papers, held in memory before the clock starts."""
    database = sqlite3.connect(folder / "library.db")
    query = "SELECT number, title, abstract, authors, fields, venue, public_by, citation_count FROM papers"
    held = [(*row[:3], orjson.loads(row[3]), orjson.loads(row[4]), *row[5:]) for row in database.execute(query)]
    with tempfile.TemporaryDirectory(dir=folder) as place:
        began = time.perf_counter()
        index = tantivy.Index(ours._schema(), place)
        index.register_tokenizer("novum", ours._words())
        index.register_tokenizer("novum_names", ours._name_parts())
        writer = index.writer(heap_size=_HEAP, num_threads=1)
        for number, title, abstract, authors, fields, venue, day, cited in held:
            document = tantivy.Document()
            document.add_integer("number", number)
            document.add_text("title", title)
            document.add_text("body", f"{title}. {abstract}")
            document.add_text("authors", " ".join(authors))
            for field in fields:
                document.add_text("field", field)
            document.add_text("venue", venue)
            document.add_integer("public_by", day or 0)
            document.add_integer("citations", cited or 0)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        return time.perf_counter() - began


def vectors(folder: Path, _corpus: Path) -> float:
    """faiss alone: the same kind of index over the same vectors, held in memory before the clock starts."""
    held = stored_vectors(folder / "library.db")
    held /= np.maximum(np.linalg.norm(held, axis=1, keepdims=True), 1e-9)
    began = time.perf_counter()
    clusters = int(2 ** np.clip(np.log2(min(len(held), _SAMPLE) / 39) // 1, 6, 11))
    built = faiss.index_factory(_DIMENSIONS, f"IVF{clusters},SQfp16", faiss.METRIC_INNER_PRODUCT)
    built.train(held[:: max(1, len(held) // _SAMPLE)])
    for start in range(0, len(held), 20_000):
        built.add(held[start : start + 20_000])
    return time.perf_counter() - began


def stored_vectors(file: Path) -> NDArray[np.float32]:
    """All vectors of a library as they are stored, shape (n, 256), in order of row number."""
    database = sqlite3.connect(file)

    def pages() -> Iterator[NDArray[np.float32]]:
        cursor = database.execute("SELECT vector FROM vectors ORDER BY embedder, number")
        while page := cursor.fetchmany(20_000):
            yield np.frombuffer(b"".join(blob for (blob,) in page), "<f2").reshape(-1, _DIMENSIONS).astype(np.float32)

    return np.concatenate(list(pages()))


FLOORS: Mapping[str, Callable[[Path, Path], float]] = {"rows": rows, "text": text, "vectors": vectors}


if __name__ == "__main__":
    print(json.dumps(FLOORS[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))))
