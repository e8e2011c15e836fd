"""Full-text search (BM25) with tantivy, kept in step with the rows.

The folder holds tantivy's files and the change number up to which they are true. Losing or damaging it costs the time
to build it again. Writing a paper that is there already replaces it, so a catch-up that died half-way is just repeated.
"""

from __future__ import annotations

import json
import math
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import tantivy
from filelock import FileLock, Timeout
from sqlalchemy import select
from tantivy import Document, FieldType, Filter, Occur, Query, Schema, SchemaBuilder, TextAnalyzer

from novum.core import Paper
from novum.errors import LibraryError
from novum.literature.filters import Filters, field_key, venue_key
from novum.literature.store.database import Database
from novum.literature.store.rows import PAPER_COLUMNS, indexed_text, paper_of
from novum.literature.store.schema import papers, removed

_LAYOUT = 1
"""Raised when documents or analysis change: older indexes are then built anew."""
_PAGE = 5000
_HEAP = 64_000_000
_PATIENCE = 10.0
"""Seconds to wait for another process that is writing this index; after that, search what there is."""
_MOST_TERMS = 40
"""Words of a query that count: the most telling ones. More cost time and found no more cited papers on real data."""
_AUTHOR_TERMS = 8
"""Queries of up to this many words are also looked for among the authors' names."""
_REPEAT = 1.2
"""BM25's k1, here for the words of the query: a word said twice counts more, but not twice."""


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
    """English words by their stems, without accents; other languages by their words."""
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
        self.change = -1
        """The rows up to this change number are in the index."""

    def catch_up(self) -> None:
        """Bring the index in step with the rows. While another process does so, go on with what there is.

        Raises LibraryError when the index cannot be written.
        """
        now = self._database.last_change()
        self._open()
        if self.change >= now:
            return
        try:
            self._folder.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(self._folder.parent / "text.lock", timeout=_PATIENCE):
                self._open()
                if self.change < now:
                    self._write(now)
        except Timeout:
            return
        except (OSError, ValueError) as error:
            raise LibraryError(
                f"The search index in {self._folder} cannot be written ({error}): check that the disk has space "
                "and is writable, then run this again. It is derived from the library and can be deleted."
            ) from error

    def on_disk(self) -> int:
        """The change number up to which the files are true; -1 without usable files."""
        self._open()
        return self.change

    def _open(self) -> None:
        """See what is on disk; what cannot be read is thrown away, to be built anew."""
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
        """Add what was written since `self.change`, up to `now`."""
        index, files = self._index, self._current_files()
        fresh = index is None
        if index is None:
            shutil.rmtree(self._folder, ignore_errors=True)
            files = f"files-{now}"
            (self._folder / files).mkdir(parents=True)
            index = self._with_analyzers(tantivy.Index(self._schema, str(self._folder / files)))
        writer = index.writer(heap_size=_HEAP, num_threads=1)
        for paper, number in self._changed(now):
            if not fresh:
                writer.delete_documents_by_term("number", number)
            writer.add_document(self._document(number, paper))
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

    def _changed(self, now: int) -> Iterator[tuple[Paper, int]]:
        """Papers written after `self.change`, a page at a time."""
        last = self.change
        while True:
            query = select(*PAPER_COLUMNS).where(papers.c.change > last, papers.c.change <= now)
            with self._database.read() as connection:
                rows = connection.execute(query.order_by(papers.c.change).limit(_PAGE)).all()
            if not rows:
                return
            yield from ((paper_of(row), row.number) for row in rows)
            last = rows[-1].change

    def _removed(self) -> list[int]:
        with self._database.read() as connection:
            query = select(removed.c.number).where(removed.c.change > self.change)
            return list(connection.execute(query).scalars())

    def _document(self, number: int, paper: Paper) -> Document:
        document = Document()
        document.add_integer("number", number)
        document.add_text("title", paper.title)
        document.add_text("body", indexed_text(paper))
        document.add_text("authors", " ".join(paper.authors))
        for field in paper.fields:
            document.add_text("field", field_key(field))
        document.add_text("venue", venue_key(paper.venue))
        document.add_integer("public_by", paper.public_by.toordinal() if paper.public_by else 0)
        document.add_integer("citations", paper.citation_count or 0)
        return document

    def search(self, text: str, k: int, filters: Filters, excluded: Sequence[int] = ()) -> dict[int, float]:
        """The best `k` rows with their BM25 scores, best first. `excluded`: rows for the filters' `exclude_ids`.

        `text` is only ever a list of words: nothing in it is read as query syntax.
        """
        if self._index is None:
            return {}
        searcher = self._index.searcher()
        wanted = self._wanted(searcher, text)
        if not wanted:
            return {}
        query = Query.boolean_query([(Occur.Must, Query.boolean_query(wanted)), *self._conditions(filters, excluded)])
        hits = searcher.search(query, limit=k, count=False).hits
        numbers = searcher.fast_field_values("number", [address for _, address in hits])
        return {int(number): float(score) for number, (score, _) in zip(numbers, hits, strict=True) if number}

    def by_title(self, title: str, k: int) -> list[int]:
        """The `k` rows whose titles share most with `title`."""
        if self._index is None:
            return []
        terms = list(dict.fromkeys(self._analyzer.analyze(title)))[:_MOST_TERMS]
        if not terms:
            return []
        searcher = self._index.searcher()
        query = Query.boolean_query([(Occur.Should, Query.term_query(self._schema, "title", term)) for term in terms])
        addresses = [address for _, address in searcher.search(query, limit=k, count=False).hits]
        return [int(number) for number in searcher.fast_field_values("number", addresses) if number]

    def _wanted(self, searcher: tantivy.Searcher, text: str) -> list[tuple[Occur, Query]]:
        """The most telling words of `text`, in title and body; in the names too when they are few."""
        said = Counter(self._analyzer.analyze(text))
        parts: list[tuple[Occur, Query]] = []
        for term, weight in _telling(said, searcher):
            for place in ("title", "body"):
                query = Query.term_query(self._schema, place, term, index_option="freq")
                parts.append((Occur.Should, Query.boost_query(query, weight)))
        names = self._names.analyze(text)
        if len(names) <= _AUTHOR_TERMS:
            terms = (Query.term_query(self._schema, "authors", name, index_option="freq") for name in names)
            parts += [(Occur.Should, query) for query in terms]
        return parts

    def _conditions(self, filters: Filters, excluded: Sequence[int]) -> list[tuple[Occur, Query]]:
        made: list[tuple[Occur, Query]] = []
        if filters.before is not None:
            made.append((Occur.Must, self._between("public_by", 1, filters.before.toordinal() - 1)))
        if filters.since is not None:
            made.append((Occur.Must, self._between("public_by", filters.since.toordinal(), None)))
        if filters.min_citations is not None:
            made.append((Occur.Must, self._between("citations", filters.min_citations, None)))
        for place, keys in (("field", filters.field_keys), ("venue", filters.venue_keys)):
            if keys:
                made.append((Occur.Must, _silently(Query.term_set_query(self._schema, place, sorted(keys)))))
        if excluded:
            made.append((Occur.MustNot, Query.term_set_query(self._schema, "number", list(excluded))))
        return made

    def _between(self, place: str, low: int, high: int | None) -> Query:
        return _silently(Query.range_query(self._schema, place, FieldType.Integer, low, high))


def _silently(query: Query) -> Query:
    """A condition that adds nothing to the score."""
    return Query.const_score_query(query, 0.0)


def _telling(said: Counter[str], searcher: tantivy.Searcher) -> list[tuple[str, float]]:
    """The words that tell most by BM25's own measure, with their weights in the query."""
    total = searcher.num_docs
    measured: list[tuple[float, str, float]] = []
    for term, count in said.items():
        if holders := searcher.doc_freq("body", term):
            rarity = math.log(1 + (total - holders + 0.5) / (holders + 0.5))
            weight = count * (1 + _REPEAT) / (count + _REPEAT)
            measured.append((weight * rarity, term, weight))
    measured.sort(key=lambda one: (-one[0], one[1]))
    return [(term, weight) for _, term, weight in measured[:_MOST_TERMS]]
