"""What was written since a change number: the rows that derived data must read again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Column, Row, select

from novum.literature.store.database import Database
from novum.literature.store.schema import papers, removed


def changed_pages(
    database: Database, columns: Sequence[str], since: int, to: int, size: int
) -> Iterator[Sequence[Row[Any]]]:
    """These columns of the papers written after change `since` up to `to`, in order of change, in pages of at most
    `size` rows. Raises LibraryError."""
    wanted: list[Column[Any]] = [papers.c[name] for name in ("change", *columns)]
    while True:
        query = select(*wanted).where(papers.c.change > since, papers.c.change <= to)
        with database.read() as connection:
            page = connection.execute(query.order_by(papers.c.change).limit(size)).all()
        if not page:
            return
        yield page
        since = page[-1].change


def removed_since(database: Database, since: int) -> Sequence[int]:
    """Numbers of the rows that were merged into others after change `since`. Raises LibraryError."""
    with database.read() as connection:
        return connection.execute(select(removed.c.number).where(removed.c.change > since)).scalars().all()
