"""Adding papers: one batch is one transaction, in which known papers are merged, references are linked, and references
to papers that are not there are stored.

Only one writer writes at a time (`Database.write`), so what was looked up stays true until the commit, and plain SQL
that every database understands is enough.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from sqlalchemy import Column, Connection, Table, insert, select, update

from novum.core import Paper
from novum.literature.entry import Entry, ImportReport, Reject
from novum.literature.identity import key_of_squeezed, same_by_identifier, same_by_title, share_an_author, squeezed
from novum.literature.merging import merge
from novum.literature.store import links, lookup, vector_rows
from novum.literature.store.bulk import put
from novum.literature.store.database import Database, Writing
from novum.literature.store.lookup import Name
from novum.literature.store.rows import indexed_text, row_of
from novum.literature.store.schema import citations, full_texts, names, papers, removed, waiting
from novum.literature.store.storable import storable_entry


def absorb_paper(writing: Writing, target: int, duplicate: int) -> None:
    """Moves names, links, waiting references and full text from the row `duplicate` to the row `target`, and removes
    `duplicate`.

    The removal is recorded, so that indexes remove it too. The caller writes the merged description.
    """
    connection = writing.connection
    connection.execute(update(names).where(names.c.number == duplicate).values(number=target))
    _move(connection, citations, citations.c.citing, duplicate, target)
    _move(connection, citations, citations.c.cited, duplicate, target)
    writing.count_waiting(-_move(connection, waiting, waiting.c.citing, duplicate, target))
    _move(connection, full_texts, full_texts.c.number, duplicate, target)
    connection.execute(citations.delete().where(citations.c.citing == target, citations.c.cited == target))
    vector_rows.forget(connection, [duplicate])
    connection.execute(papers.delete().where(papers.c.number == duplicate))
    connection.execute(insert(removed).values(number=duplicate, change=writing.next_change()))


def _move(connection: Connection, table: Table, column: Column[int], duplicate: int, target: int) -> int:
    """Moves the rows of `duplicate` to `target`, without those that `target` has already. Returns the number of
    these."""
    keys = [key.name for key in table.primary_key]
    found = connection.execute(select(table).where(column == duplicate)).mappings()
    moved = [dict(row) | {column.name: target} for row in found]
    existing = {tuple(row) for row in connection.execute(select(*table.primary_key).where(column == target))}
    connection.execute(table.delete().where(column == duplicate))
    fresh = {tuple(row[key] for key in keys): row for row in moved}
    rows = [row for key, row in fresh.items() if key not in existing]
    if rows:
        connection.execute(insert(table), rows)
    return len(moved) - len(rows)


BATCH = 5000
_LONGEST_NAME = 512
_USUAL_REFERENCES, _USUAL_CHARACTERS = 100, 20_000
"""Characters that count as much as one paper in the size of a batch."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """An entry with the identifiers by which it is recognised, computed once."""

    entry: Entry
    names: tuple[Name, ...]
    """All names of its paper, its own id first."""
    squeezed: str
    title_key: int

    @classmethod
    def of(cls, entry: Entry) -> Self:
        entry = storable_entry(entry)
        paper = entry.paper
        keys = [("key", key) for key in (entry.key, *entry.other_keys) if key]
        own = [("paper", paper.id), *paper.ids.items(), *keys]
        plain = squeezed(paper.title)
        return cls(entry, tuple(name for name in own if len(name[1]) <= _LONGEST_NAME), plain, key_of_squeezed(plain))


def batches(entries: Iterable[Entry], size: int = BATCH) -> Iterator[list[Entry]]:
    """`entries` in lists of at most `size`, fewer where they are long, so that memory is bounded."""
    batch: list[Entry] = []
    weight = 0.0
    for entry in entries:
        batch.append(entry)
        weight += 1 + len(entry.references) / _USUAL_REFERENCES + _characters(entry) / _USUAL_CHARACTERS
        if weight >= size:
            yield batch
            batch, weight = [], 0.0
    if batch:
        yield batch


def _characters(entry: Entry) -> int:
    """Characters of the fields that can be long."""
    paper = entry.paper
    lists = sum(map(len, paper.authors)) + sum(map(len, paper.fields))
    return lists + len(paper.abstract) + len(paper.summary) + len(paper.venue) + len(entry.full_text or "")


def add_batch(database: Database, entries: Sequence[Entry], source: str) -> ImportReport:
    """Adds `entries` in one transaction. Raises LibraryError, after which none was added."""
    arrivals = [Arrival.of(entry) for entry in entries]
    with database.write() as writing:
        return _Batch(writing, arrivals, source).run()


class _Batch:
    """The state of one batch: what is known from the database and from the entries before."""

    def __init__(self, writing: Writing, arrivals: Sequence[Arrival], source: str) -> None:
        self.writing = writing
        self.connection = writing.connection
        self.arrivals = arrivals
        self.source = source
        self.number_of = lookup.numbers_by_name(self.connection, (name for one in arrivals for name in one.names))
        titles = {one.title_key: one.squeezed for one in arrivals}
        self.by_title = lookup.numbers_by_title_key(self.connection, titles)
        known = {*self.number_of.values(), *(n for numbers in self.by_title.values() for n in numbers)}
        self.papers = lookup.papers_by_number(self.connection, known)
        self.number_of |= {("paper", paper.id): number for number, paper in self.papers.items()}
        self.before = dict(self.papers)
        self.new_names: dict[Name, int] = {}
        self.arrived: dict[int, Arrival] = {}
        """The new papers by row number."""
        self.titles: dict[int, str] = {}
        """Squeezed titles by key that now belong to more or fewer papers than before."""
        self.citing: list[tuple[int, Entry]] = []
        self.count: Counter[str] = Counter()
        self.rejects: list[Reject] = []

    def run(self) -> ImportReport:
        for arrival in self.arrivals:
            self._take(arrival)
        self._write_papers()
        self._write_full_texts()
        made = links.link(self.writing, self.citing, self.new_names, self.titles)
        if made:
            self.writing.next_change()  # cached papers have other references now
        refused = ImportReport.of_rejects(self.source, self.rejects)
        return refused.model_copy(update={"links": made, **self.count})

    def _take(self, arrival: Arrival) -> None:
        held = len(self.papers)
        paper = arrival.entry.paper
        number = self._known_as(arrival)
        if number is not None:
            self._merge(number, paper, joined=len(self.papers) < held)
        elif reason := self._objection(arrival):
            self.rejects.append(Reject(file=self.source, line=arrival.entry.line, reason=reason))
            return
        else:
            number = self._new(arrival)
        own = self.papers[number]
        for name in arrival.names if own is paper else (*arrival.names, ("paper", own.id)):
            if name not in self.number_of:
                self.number_of[name] = self.new_names[name] = number
        self.citing.append((number, arrival.entry))

    def _objection(self, arrival: Arrival) -> str | None:
        """Why a new paper cannot be added; empty if it can."""
        paper = arrival.entry.paper
        if not arrival.squeezed:
            return f"the title {paper.title[:40]!r} has no letters"
        if (number := self.number_of.get(("paper", paper.id))) is not None:
            other = self.papers[number].short_authors
            return f"{paper.title[:80]!r}: another paper of the same title and year, by {other}, is in the library"
        return None

    def _new(self, arrival: Arrival) -> int:
        number = self.writing.next_number()
        paper = arrival.entry.paper
        self.papers[number] = paper.but(references=()) if paper.references else paper
        self.by_title.setdefault(arrival.squeezed, []).append(number)
        self.arrived[number] = arrival
        self.titles[arrival.title_key] = arrival.squeezed
        self.count["added"] += 1
        return number

    def _merge(self, number: int, news: Paper, *, joined: bool) -> None:
        """Merges `news` into the known paper; `joined`: it has just united two papers."""
        known = self.papers[number]
        self._enrich(number, news)
        self.count["unchanged" if self.papers[number] == known and not joined else "merged"] += 1

    def _enrich(self, number: int, news: Paper) -> None:
        """Merges `news`, except a year that would give the paper the id of another one."""
        known = self.papers[number]
        merged = merge(known, news)
        if merged.id != known.id and self._row_named(("paper", merged.id)) not in {None, number}:
            merged = merged.but(year=known.year)
        self.papers[number] = merged

    def _row_named(self, name: Name) -> int | None:
        """The row of this name."""
        number = self.number_of.get(name)
        return lookup.numbers_by_name(self.connection, [name]).get(name) if number is None else number

    def _known_as(self, arrival: Arrival) -> int | None:
        """The row of the entry's paper, if there is one. When its names lead to two rows, these are merged."""
        paper = arrival.entry.paper
        rows = {self.number_of[name] for name in arrival.names if name in self.number_of}
        by_name = sorted(number for number in rows if self._agrees(number, paper))
        for other in by_name[1:]:
            if same_by_identifier(self.papers[by_name[0]], self.papers[other]):
                self._absorb(by_name[0], other)
        if by_name:
            return by_name[0]
        alike = self.by_title.get(arrival.squeezed, ())
        return next((number for number in alike if same_by_title(self.papers[number], paper)), None)

    def _agrees(self, number: int, paper: Paper) -> bool:
        """Whether a row with a name of `paper` is that paper."""
        known = self.papers[number]
        if self.number_of.get(("paper", paper.id)) == number:  # it has, or once had, this very title and year
            return share_an_author(known, paper) is not False
        return same_by_identifier(known, paper)

    def _absorb(self, target: int, duplicate: int) -> None:
        """Merges two rows that are the same paper."""
        absorbed = self.papers.pop(duplicate)
        self.citing = [(target if number == duplicate else number, entry) for number, entry in self.citing]
        for known in (self.number_of, self.new_names):
            known.update({name: target for name, number in known.items() if number == duplicate})
        for numbers in self.by_title.values():
            if duplicate in numbers:
                numbers.remove(duplicate)
        if self.before.pop(duplicate, None) is not None:
            absorb_paper(self.writing, target, duplicate)
        self._enrich(target, absorbed)
        plain = squeezed(absorbed.title)
        self.titles[key_of_squeezed(plain)] = plain

    def _write_papers(self) -> None:
        changed = [n for n, paper in self.before.items() if self.papers[n] != paper]
        for number in changed:
            row = row_of(self.papers[number], number, self.writing.next_change())
            values = dict(zip(papers.c.keys(), row, strict=True))
            self.connection.execute(update(papers).where(papers.c.number == number).values(values))
        if stale := [n for n in changed if indexed_text(self.papers[n]) != indexed_text(self.before[n])]:
            vector_rows.forget(self.connection, stale)
        new = [number for number in self.papers if number not in self.before]
        change = self.writing.next_change
        put(self.connection, papers, [row_of(self.papers[n], n, change(), self.arrived[n].title_key) for n in new])
        put(self.connection, names, sorted((*name, number) for name, number in self.new_names.items()))

    def _write_full_texts(self) -> None:
        texts = {number: entry.full_text for number, entry in self.citing if entry.full_text}
        put(self.connection, full_texts, list(texts.items()))
