"""Citations as they were known on a day: only those by papers that were certainly public before it."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from sqlalchemy import ColumnElement, Connection, func, select

from novum.literature.store.bulk import among
from novum.literature.store.schema import citations, papers

Link = tuple[int, int]
"""Row numbers: citing, cited."""


def cited_by(connection: Connection, citing: Iterable[int], day: dt.date | None) -> list[Link]:
    """The references of these rows, of those among them that were public before `day`; None: of all."""
    query = select(citations.c.citing, citations.c.cited).where(among(connection, citations.c.citing, citing))
    if day is not None:
        query = query.join(papers, papers.c.number == citations.c.citing).where(*_public_before(day))
    return [(row.citing, row.cited) for row in connection.execute(query)]


def counts(
    connection: Connection, cited: Iterable[int], day: dt.date | None, without: Sequence[int] = ()
) -> Counter[int]:
    """How often each of these rows is cited by papers of the library public before `day`. `without`: citing rows that
    do not count."""
    query = select(citations.c.cited, func.count()).where(among(connection, citations.c.cited, cited))
    if day is not None:
        query = query.join(papers, papers.c.number == citations.c.citing).where(*_public_before(day))
    counted = Counter({row: count for row, count in connection.execute(query.group_by(citations.c.cited))})  # noqa: C416
    if without:
        counted.subtract(target for _, target in cited_by(connection, without, day) if target in counted)
    return counted


def references(connection: Connection, citing: Iterable[int], day: dt.date | None) -> dict[int, frozenset[int]]:
    """The rows that each of these rows cites; rows without references are left out."""
    found: dict[int, set[int]] = defaultdict(set)
    for source, target in cited_by(connection, citing, day):
        found[source].add(target)
    return {source: frozenset(targets) for source, targets in found.items()}


def days(connection: Connection, numbers: Iterable[int]) -> dict[int, int]:
    """The ordinal day by which each row was certainly public, of those where one is known."""
    query = select(papers.c.number, papers.c.public_by).where(
        among(connection, papers.c.number, numbers), papers.c.public_by.is_not(None)
    )
    return {row.number: row.public_by for row in connection.execute(query)}


def _public_before(day: dt.date) -> list[ColumnElement[bool]]:
    return [papers.c.public_by < day.toordinal()]
