"""Full-text index (BM25) with tantivy, updated from the rows.

The folder holds tantivy's files and the change number up to which they are true. Losing or damaging it costs the time
to build it again. Writing a paper that is there already replaces it, so a catch-up that died half-way is just repeated.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson
import tantivy
from filelock import FileLock, Timeout
from sqlalchemy import Row, select
from tantivy import Document, Filter, Occur, Query, Schema, SchemaBuilder, TextAnalyzer

from novum.literature.filters import field_key, venue_key
from novum.literature.search.locking import creating
from novum.literature.search.text_search import TextSearch
from novum.literature.store.database import Database
from novum.literature.store.rows import text_to_index
from novum.literature.store.schema import papers, removed

_LAYOUT = 1
"""Increased when documents or analysis change: older indexes are then rebuilt."""
_PAGE = 5000
_HEAP = 64_000_000
_PATIENCE = 10.0
"""Seconds to wait for another process that writes this index; then the existing index is searched."""
_TITLE_TERMS = 40
"""Number of words of a title in a search by title."""


def _schema() -> Schema:
    builder = SchemaBuilder()
    builder.add_integer_field("number", stored=False, indexed=True, fast=True)
    builder.add_text_field("title", tokenizer_name="novum", index_option="freq")
    builder.add_text_field("body", tokenizer_name="novum", index_option="freq")
    builder.add_text_field("authors", tokenizer_name="novum_names", index_option="freq")
    builder.add_text_field("field", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("venue", tokenizer_name="raw", index_option="basic")
    builder.add_integer_field("public_by", indexed=True, fast=True)
    builder.add_integer_field("citations", indexed=True, fast=True)
    return builder.build()


def _words() -> TextAnalyzer:
    """Stems English words and removes accents; words of other languages are unchanged."""
    simple = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple()).filter(Filter.remove_long(60))
    plain = simple.filter(Filter.lowercase()).filter(Filter.ascii_fold())
    return plain.filter(Filter.stopword("english")).filter(Filter.stemmer("english")).build()


def _name_parts() -> TextAnalyzer:
    simple = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple()).filter(Filter.remove_long(60))
    return simple.filter(Filter.lowercase()).filter(Filter.ascii_fold()).build()


class TextIndex:
    """The full-text index of a library in `folder`."""

    def __init__(self, database: Database, folder: Path) -> None:
        self._database = database
        self._folder = folder
        self._schema = _schema()
        self._analyzer = _words()
        self._names = _name_parts()
        self._index: tantivy.Index | None = None
        self._read: TextSearch | None = None
        self._read_from: tuple[tantivy.Index | None, int] = (None, -1)
        self.change = -1
        """The change number up to which the index is current."""

    def catch_up(self) -> None:
        """Bring the index in step with the rows. While another process does so, go on with what there is.

        Raises LibraryError when the index cannot be written.
        """
        self._open()
        if self.change == self._database.last_change():
            return
        with creating(self._folder):
            self._folder.parent.mkdir(parents=True, exist_ok=True)
            with suppress(Timeout), FileLock(self._folder.parent / "text.lock", timeout=_PATIENCE):
                self._open()
                now = self._database.last_change()
                if self.change > now:  # the database was put back from a copy: what else is here, it never heard of
                    self._index, self.change = None, -1
                if self.change < now:
                    self._write(now)

    def on_disk(self) -> int:
        """The change number up to which the files are true; -1 without usable files."""
        self._open()
        return self.change

    def _open(self) -> None:
        """Opens the files; files that cannot be read are deleted, to be rebuilt."""
        try:
            state = json.loads((self._folder / "state.json").read_text("utf-8"))
            if state["layout"] != _LAYOUT:
                raise ValueError("older layout")
            if self._index is None or int(state["change"]) != self.change:
                self._index = self._with_analyzers(tantivy.Index.open(str(self._folder / state["files"])))
                self._index.searcher().search(Query.all_query(), limit=1)
                self.change = int(state["change"])
        except (OSError, ValueError, KeyError, TypeError):
            self._index, self.change = None, -1

    def _with_analyzers(self, index: tantivy.Index) -> tantivy.Index:
        index.register_tokenizer("novum", self._analyzer)
        index.register_tokenizer("novum_names", self._names)
        index.reload()
        return index

    def _write(self, now: int) -> None:
        """Adds what was written since `self.change`, up to `now`."""
        index, files = self._index, self._current_files()
        fresh = index is None
        if index is None:
            shutil.rmtree(self._folder, ignore_errors=True)
            files = f"files-{now}"
            (self._folder / files).mkdir(parents=True)
            index = self._with_analyzers(tantivy.Index(self._schema, str(self._folder / files)))
        writer = index.writer(heap_size=_HEAP, num_threads=1)
        for row in self._changed(now):
            if not fresh:
                writer.delete_documents_by_term("number", row.number)
            writer.add_document(_document(row))
        for number in self._removed():
            writer.delete_documents_by_term("number", number)
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        self._index, self.change = index, now
        state = self._folder / "state.json.new"
        state.write_text(json.dumps({"layout": _LAYOUT, "change": now, "files": files}), "utf-8")
        state.replace(self._folder / "state.json")

    def _current_files(self) -> str:
        if self._index is None:
            return ""
        return str(json.loads((self._folder / "state.json").read_text("utf-8"))["files"])

    def _changed(self, now: int) -> Iterator[Row[Any]]:
        """Rows written after `self.change`, a page at a time."""
        last = self.change
        while True:
            query = select(*_COLUMNS).where(papers.c.change > last, papers.c.change <= now)
            with self._database.read() as connection:
                rows = connection.execute(query.order_by(papers.c.change).limit(_PAGE)).all()
            if not rows:
                return
            yield from rows
            last = rows[-1].change

    def _removed(self) -> list[int]:
        with self._database.read() as connection:
            query = select(removed.c.number).where(removed.c.change > self.change)
            return list(connection.execute(query).scalars())

    def reading(self) -> TextSearch:
        """The current index, for searching."""
        if self._read is None or self._read_from != (self._index, self.change):
            self._read_from = self._index, self.change
            searcher = self._index.searcher() if self._index else None
            self._read = TextSearch(self._database, self._schema, searcher, self._analyzer, self._names)
        return self._read

    def by_title(self, title: str, k: int) -> list[int]:
        """The `k` rows whose titles have most in common with `title`."""
        if self._index is None:
            return []
        terms = list(dict.fromkeys(self._analyzer.analyze(title)))[:_TITLE_TERMS]
        if not terms:
            return []
        searcher = self._index.searcher()
        query = Query.boolean_query([(Occur.Should, Query.term_query(self._schema, "title", term)) for term in terms])
        addresses = [address for _, address in searcher.search(query, limit=k, count=False).hits]
        return [int(number) for number in searcher.fast_field_values("number", addresses) if number]


_COLUMNS = [
    papers.c[name]
    for name in (
        "number",
        "change",
        "title",
        "abstract",
        "summary",
        "authors",
        "fields",
        "venue",
        "public_by",
        "citation_count",
    )
]


def _document(row: Row[Any]) -> Document:
    """A row as a document of tantivy, without creating a paper: there are millions."""
    document = Document()
    document.add_integer("number", row.number)
    document.add_text("title", row.title)
    document.add_text("body", text_to_index(row.title, row.abstract or row.summary))
    document.add_text("authors", " ".join(orjson.loads(row.authors)))
    for field in orjson.loads(row.fields):
        document.add_text("field", field_key(field))
    document.add_text("venue", venue_key(row.venue))
    document.add_integer("public_by", row.public_by or 0)
    document.add_integer("citations", row.citation_count or 0)
    return document
