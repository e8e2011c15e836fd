"""Finding rows by name, title or number, many at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TypeVar

from sqlalchemy import Connection, select

from novum.core import Paper
from novum.literature.identity import squeezed, title_key
from novum.literature.store.rows import PAPER_COLUMNS, paper_of
from novum.literature.store.schema import citations, full_texts, names, papers

Name = tuple[str, str]
"""(scheme, value): one of the things that a paper is called."""

T = TypeVar("T")

_AT_ONCE = 5000
"""Values in one statement: databases limit them to some ten thousand."""


def chunks(values: Iterable[T]) -> Iterator[list[T]]:
    """`values` without repetition, in lists short enough for one statement."""
    distinct = list(dict.fromkeys(values))
    for start in range(0, len(distinct), _AT_ONCE):
        yield distinct[start : start + _AT_ONCE]


def numbers_by_name(connection: Connection, wanted: Iterable[Name]) -> dict[Name, int]:
    """Row numbers of the names that are known."""
    by_scheme: dict[str, list[str]] = defaultdict(list)
    for scheme, value in wanted:
        by_scheme[scheme].append(value)
    found: dict[Name, int] = {}
    for scheme, values in by_scheme.items():
        for some in chunks(values):
            query = select(names.c.value, names.c.number).where(names.c.scheme == scheme, names.c.value.in_(some))
            found |= {(scheme, value): number for value, number in connection.execute(query)}
    return found


def numbers_by_title(connection: Connection, titles: Iterable[str]) -> dict[str, list[int]]:
    """Row numbers for each squeezed title that is known, in order."""
    wanted = {title_key(title): squeezed(title) for title in titles}
    found: dict[str, list[int]] = defaultdict(list)
    for some in chunks(wanted):
        query = select(papers.c.title_key, papers.c.number).where(papers.c.title_key.in_(some))
        for key, number in connection.execute(query.order_by(papers.c.number)):
            found[wanted[key]].append(number)
    return dict(found)


def papers_by_number(connection: Connection, numbers: Iterable[int]) -> dict[int, Paper]:
    """The papers of these rows, without their references."""
    found: dict[int, Paper] = {}
    for some in chunks(numbers):
        query = select(*PAPER_COLUMNS).where(papers.c.number.in_(some))
        found |= {row.number: paper_of(row) for row in connection.execute(query)}
    return found


def references_of(connection: Connection, numbers: Iterable[int]) -> dict[int, list[str]]:
    """Ids of the papers that each of these rows cites, oldest row first."""
    found: dict[int, list[str]] = defaultdict(list)
    for some in chunks(numbers):
        query = (
            select(citations.c.citing, papers.c.paper_id)
            .join(papers, papers.c.number == citations.c.cited)
            .where(citations.c.citing.in_(some))
            .order_by(citations.c.citing, citations.c.cited)
        )
        for citing, paper_id in connection.execute(query):
            found[citing].append(paper_id)
    return dict(found)


def with_full_text(connection: Connection, numbers: Iterable[int]) -> set[int]:
    """Those of the rows whose full text is held."""
    found: set[int] = set()
    for some in chunks(numbers):
        query = select(full_texts.c.number).where(full_texts.c.number.in_(some))
        found |= set(connection.execute(query).scalars())
    return found
