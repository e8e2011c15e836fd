"""Full-text index (BM25) with tantivy, updated from the rows.

The folder holds tantivy's files and the change number up to which they are true. Losing or damaging it costs the time
to build it again. Writing a paper that is there already replaces it, so an update that was interrupted is repeated.
One process writes at a time, and others search what is there: files that they may be reading are never overwritten.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import orjson
import tantivy
from sqlalchemy import Row, func, select
from tantivy import Document, Filter, Occur, Query, Schema, SchemaBuilder, TextAnalyzer

from novum.errors import LibraryError
from novum.files.atomic import atomic_path
from novum.files.inputs import read_plain
from novum.literature.filters import field_key, venue_key
from novum.literature.search.locking import LOG, exclusive
from novum.literature.search.spelling import fold_spelling
from novum.literature.search.text_search import TextSearch, WordStems, best
from novum.literature.store.changed_rows import changed_pages, removed_since
from novum.literature.store.database import Database
from novum.literature.store.rows import text_to_index
from novum.literature.store.schema import papers

_LAYOUT = 3
"""Increased when documents or analysis change: older indexes are then rebuilt."""
_PAGE = 5000
_HEAP = 64_000_000
_PATIENCE = 30.0
"""Seconds to wait for another process that updates this index; then the existing index is searched."""
_PATIENCE_WITHOUT_INDEX = 600.0
"""The same where there is none to search. A million papers take two minutes."""
_REBUILT_UP_TO = 20_000
"""Papers up to which the index is built again, instead of replacing documents in it. That takes about a second."""
_TRIES = 3
_STATE_FILE = "state.json"
_TITLE_TERMS = 40
"""Number of words of a title in a search by title."""


@dataclass(frozen=True)
class _State:
    """What the files are: of which library, true up to which change number, with row numbers up to `number`."""

    layout: int = _LAYOUT
    library: str = ""
    change: int = -1
    number: int = 0
    files: str = ""


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
    """For folded texts: stems English words and removes accents; words of other languages are unchanged."""
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
        self._stems = WordStems(self._analyzer)
        self._names = _name_parts()
        self._state = _State()
        self._index: tantivy.Index | None = None
        self._read: TextSearch | None = None
        self._read_from = self._state

    def catch_up(self, patience: float = _PATIENCE) -> None:
        """Brings the index up to date with the rows. While another process does that, this one waits, for `patience`
        seconds where there is an index that can be searched meanwhile.

        Raises LibraryError when the index cannot be written, or when another process takes too long to build it.
        """
        if self.on_disk() == self._database.last_change():
            return
        with exclusive(self._folder, patience if self._index else _PATIENCE_WITHOUT_INDEX) as alone:
            self._open()
            if alone:
                self._update(self._database.last_change())
        if not alone:  # papers that another thread has added meanwhile are nobody's delay
            self._check_current()

    def on_disk(self) -> int:
        """The change number up to which the files are true; -1 without usable files."""
        self._open()
        return self._state.change

    def _check_current(self) -> None:
        """Reports what cannot be found yet because another process has not finished."""
        if self._index is None:
            raise LibraryError(
                f"Another process has been building the search index in {self._folder} for ten minutes: wait until it "
                "has finished, or end it, and run this again."
            )
        if missing := self._count_changed():
            LOG.warning(
                "Another process is still updating the search index: %d new or changed papers are not found by their "
                "words yet.", missing,
            )  # fmt: skip

    def _count_changed(self) -> int:
        query = select(func.count()).where(papers.c.change > self._state.change)
        with self._database.read() as connection:
            return connection.execute(query).scalar_one()

    def _open(self) -> None:
        """Opens the files as they are now. None are open afterwards when they are missing, damaged, of another library
        or of another version."""
        for _ in range(_TRIES):  # another process may replace them between reading the state and opening them
            with suppress(OSError, ValueError, KeyError, TypeError):
                state = _State(**json.loads(read_plain(self._folder / _STATE_FILE).decode("utf-8")))
                if (state.layout, state.library) != (_LAYOUT, self._database.identity):
                    break
                if self._index is None or state != self._state:
                    index = self._with_analyzers(tantivy.Index.open(str(self._folder / state.files)))
                    index.searcher().search(Query.all_query(), limit=1)
                    self._index, self._state = index, state
                return
        self._index, self._state = None, _State()

    def _with_analyzers(self, index: tantivy.Index) -> tantivy.Index:
        index.register_tokenizer("novum", self._analyzer)
        index.register_tokenizer("novum_names", self._names)
        index.config_reader("manual")  # no thread of its own that reads the files whenever they change
        index.reload()
        return index

    def _update(self, now: int) -> None:
        """Updates the files to change number `now`. The caller has the lock."""
        if self._state.change == now:
            return
        # A change number beyond `now`: the database was restored from a copy, and has lost what is indexed.
        if self._index is None or self._state.change > now or self._replaces_few():
            self._build(now)
        else:
            self._write(self._index, now, self._state.files)

    def _replaces_few(self) -> bool:
        """Whether a small index has documents to replace. tantivy counts replaced documents in its statistics, so the
        ranking would depend on the history of the index; a large one is not built again for that."""
        if self._index is None or self._index.searcher().num_docs > _REBUILT_UP_TO:
            return False
        changed = select(papers.c.number).where(papers.c.change > self._state.change)
        with self._database.read() as connection:
            replaced = connection.execute(changed.where(papers.c.number <= self._state.number).limit(1)).first()
        return replaced is not None or bool(removed_since(self._database, self._state.change))

    def _build(self, now: int) -> None:
        """Builds the index in a new folder. Other processes may still read the one before, which is then removed."""
        self._index, self._state = None, _State()
        files = Path(tempfile.mkdtemp(prefix="files-", dir=self._folder))
        index = self._with_analyzers(tantivy.Index(self._schema, str(files)))
        self._write(index, now, files.name)
        for old in self._folder.glob("files-*"):
            if old != files:
                shutil.rmtree(old, ignore_errors=True)

    def _write(self, index: tantivy.Index, now: int, files: str) -> None:
        """Adds what was written after the change number of the state, up to `now`."""
        amended = self._state.change >= 0
        number = self._state.number
        writer = index.writer(heap_size=_HEAP, num_threads=1)
        for row in chain.from_iterable(changed_pages(self._database, _COLUMNS, self._state.change, now, _PAGE)):
            if amended:
                writer.delete_documents_by_term("number", row.number)
            writer.add_document(_document(row))
            number = max(number, row.number)
        for gone in removed_since(self._database, self._state.change) if amended else ():
            writer.delete_documents_by_term("number", gone)
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        state = _State(_LAYOUT, self._database.identity, now, number, files)
        with atomic_path(self._folder / _STATE_FILE) as fresh:
            fresh.write_text(json.dumps(asdict(state)), "utf-8")
        self._index, self._state = index, state

    def reading(self) -> TextSearch:
        """The current index, for searching."""
        if self._read is None or self._read_from is not self._state:
            self._read_from = self._state
            searcher = self._index.searcher() if self._index else None
            self._read = TextSearch(self._database, self._schema, searcher, self._stems, self._names)
        return self._read

    def by_title(self, title: str, k: int) -> list[int]:
        """The `k` rows whose titles have most in common with `title`."""
        terms = list(dict.fromkeys(self._stems.of(title)))[:_TITLE_TERMS]
        if self._index is None or not terms:
            return []
        query = Query.boolean_query([(Occur.Should, Query.term_query(self._schema, "title", term)) for term in terms])
        return best(self._index.searcher(), query, k)


_COLUMNS = (
    "number", "title", "abstract", "summary", "authors", "fields", "venue", "public_by", "citation_count",
)  # fmt: skip


def _document(row: Row[Any]) -> Document:
    """A row as a document of tantivy, without creating a paper: there are millions."""
    document = Document()
    document.add_integer("number", row.number)
    title = fold_spelling(row.title)
    document.add_text("title", title)
    document.add_text("body", text_to_index(title, fold_spelling(row.abstract or row.summary)))
    document.add_text("authors", " ".join(orjson.loads(row.authors)))
    for field in orjson.loads(row.fields):
        document.add_text("field", field_key(field))
    document.add_text("venue", venue_key(row.venue))
    document.add_integer("public_by", row.public_by or 0)
    document.add_integer("citations", row.citation_count or 0)
    return document
