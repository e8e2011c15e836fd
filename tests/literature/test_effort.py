"""What a step costs does not grow with the library: no statement reads a whole table, by SQLite's own account."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from novum.core import Identifiers
from novum.literature import Entry, Library, Reference
from novum.literature.store import vector_rows
from novum.literature.store.database import open_database
from tests.literature.conftest import ATTENTION, BERT, COOKING, FOLDING, MOLECULES, entry, paper

Plans = dict[str, list[str]]

_WHOLE = re.compile(r"SCAN (?!json_each|library_counters|sqlite_master)|vectors USING PRIMARY KEY \(embedder=\?\)$")
"""All of a table, or all vectors of an embedder."""


@contextmanager
def plans(folder: Path) -> Iterator[Plans]:
    """How SQLite goes about each statement that is made inside."""
    made: dict[str, object] = {}

    def note(_0: object, _1: object, statement: str, given: object, _2: object, many: bool) -> None:
        made.setdefault(statement, given[0] if many and isinstance(given, list) else given)

    found: Plans = {}
    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    with closing(sqlite3.connect(folder / "library.db")) as database:
        for statement, given in made.items():
            if statement.startswith(("SELECT", "DELETE", "UPDATE", "INSERT")):
                rows = database.execute(f"EXPLAIN QUERY PLAN {statement}", given)  # type: ignore[arg-type]
                found[statement] = [row[3] for row in rows]


def add(library: Library) -> None:
    """New papers, one enriched, two that are one, links, references that wait and that wait no more."""
    cites = (Reference("title", "Slow Cooking of Root Vegetables"), Reference("title", "Of Things Unwritten"))
    library.add([Entry(FOLDING, references=cites), entry(MOLECULES, "never"), entry(COOKING.but(abstract="Slow."))])
    both = Identifiers(arxiv=ATTENTION.ids.arxiv, doi="10.1/draft")
    report = library.add([entry(ATTENTION.but(ids=both)), entry(paper("Of Things Unwritten"), "", "never")])
    assert (report.added, report.merged, report.links) == (1, 1, 2)


def catch_up(library: Library) -> None:
    """The part of it that reads what has changed."""
    database = open_database(library.folder, None)
    with database.read() as connection:
        assert vector_rows.changed_since(connection, "wordllama-256", 0) == [1, 2, 3, 4]
        assert vector_rows.changed_since(connection, "wordllama-256", 10**6) == []
    assert vector_rows.without_vector(database, "wordllama-256", 10**6, 10) == []
    database.close()


def walk(library: Library) -> None:
    """From paper to paper."""
    assert [one.id for one in library.citing(ATTENTION.id)] == [BERT.id]
    assert library.get(BERT.id) in library.citing(ATTENTION.id)
    assert library.waiting() == 1


@pytest.mark.parametrize("step", [add, catch_up, walk])
def test_no_statement_reads_a_whole_table(tmp_path: Path, step: Callable[[Library], None]) -> None:
    draft = paper("A Draft on Attention", 2016, *ATTENTION.authors, ids=Identifiers(doi="10.1/draft"))
    with Library.open(tmp_path) as library:
        library.add([entry(ATTENTION, "attention"), entry(BERT, "bert", "attention", "never"), entry(COOKING)])
        library.add([entry(draft)])
        asyncio.run(library.index())
        with plans(tmp_path) as found:
            step(library)
    assert found
    assert {one: plan for one, plan in found.items() if any(map(_WHOLE.search, plan))} == {}
