"""Counts of a library."""

from __future__ import annotations

from collections import Counter

import orjson
from sqlalchemy import Connection, func, select

from novum.core import Value
from novum.literature.store.schema import citations, facts, full_texts, papers, vectors, waiting


class LibraryStats(Value):
    """Counts. `fields` and `years` map to numbers of papers; a paper of two fields counts in both."""

    papers: int
    links: int
    """Citations between papers of the library."""
    waiting: int
    """References to papers that are not in the library."""
    abstracts: int
    summaries: int
    full_texts: int
    fields: dict[str, int]
    years: dict[int, int]
    embedder: str | None
    """Name of the embedder of its vectors; None before the first."""
    vectors: int
    """Papers with a vector."""
    changes: int
    """Number of the last change to the rows."""
    indexed_to: int
    """Last change in the full-text index of this machine; if less than `changes`, the next search updates it."""

    @property
    def indexes_current(self) -> bool:
        """Whether the next search can start at once."""
        return self.indexed_to >= self.changes and self.vectors >= self.papers


class LibrarySize(Value):
    """The number of papers, and of papers with full text."""

    papers: int
    full_texts: int


def library_size(connection: Connection) -> LibrarySize:
    """Counts papers and full texts only, which is quick."""
    counts = (
        connection.execute(select(func.count()).select_from(table)).scalar_one() for table in (papers, full_texts)
    )
    return LibrarySize(papers=next(counts), full_texts=next(counts))


def library_stats(connection: Connection, changes: int, indexed_to: int) -> LibraryStats:
    """Counts everything, in the database."""

    def number(query: object) -> int:
        return int(connection.execute(query).scalar_one())  # type: ignore[call-overload]

    embedder = connection.execute(select(facts.c.value).where(facts.c.name == "embedder")).scalar()
    years = connection.execute(select(papers.c.year, func.count()).group_by(papers.c.year).order_by(papers.c.year))
    return LibraryStats(
        papers=number(select(func.count()).select_from(papers)),
        links=number(select(func.count()).select_from(citations)),
        waiting=number(select(func.count()).select_from(waiting)),
        abstracts=number(select(func.count()).where(papers.c.abstract != "")),
        summaries=number(select(func.count()).where(papers.c.summary != "")),
        full_texts=number(select(func.count()).select_from(full_texts)),
        fields=_fields(connection),
        years={year: count for year, count in years if year is not None},
        embedder=embedder,
        vectors=number(select(func.count()).where(vectors.c.embedder == (embedder or ""))),
        changes=changes,
        indexed_to=indexed_to,
    )


def _fields(connection: Connection) -> dict[str, int]:
    """Most frequent first."""
    counted: Counter[str] = Counter()
    for fields, count in connection.execute(select(papers.c.fields, func.count()).group_by(papers.c.fields)):
        for field in orjson.loads(fields):
            counted[field] += count
    return dict(sorted(counted.items(), key=lambda one: (-one[1], one[0])))
