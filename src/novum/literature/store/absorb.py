"""Two rows that are one paper become one row; everything that belonged to the second now belongs to the first."""

from __future__ import annotations

from sqlalchemy import Column, Connection, Table, insert, select, update

from novum.literature.store import vector_rows
from novum.literature.store.database import Writing
from novum.literature.store.schema import citations, full_texts, names, papers, removed, waiting


def absorb(writing: Writing, kept: int, gone: int) -> None:
    """Move names, links, waiting references and full text from row `gone` to row `kept`, and remove `gone`.

    A note of the removal stays, so that indexes drop it too. The merged description itself is the caller's to write.
    """
    connection = writing.connection
    connection.execute(update(names).where(names.c.number == gone).values(number=kept))
    _move(connection, citations, citations.c.citing, gone, kept)
    _move(connection, citations, citations.c.cited, gone, kept)
    writing.count_waiting(-_move(connection, waiting, waiting.c.citing, gone, kept))
    _move(connection, full_texts, full_texts.c.number, gone, kept)
    connection.execute(citations.delete().where(citations.c.citing == kept, citations.c.cited == kept))
    vector_rows.forget(connection, [gone])
    connection.execute(papers.delete().where(papers.c.number == gone))
    connection.execute(insert(removed).values(number=gone, change=writing.next_change()))


def _move(connection: Connection, table: Table, column: Column[int], gone: int, kept: int) -> int:
    """Give the rows of `gone` to `kept`, leaving out those that `kept` has already; returns how many these were."""
    keys = [key.name for key in table.primary_key]
    rows_of_gone = connection.execute(select(table).where(column == gone)).mappings()
    moved = [dict(row) | {column.name: kept} for row in rows_of_gone]
    held = {tuple(row) for row in connection.execute(select(*table.primary_key).where(column == kept))}
    connection.execute(table.delete().where(column == gone))
    fresh = {tuple(row[key] for key in keys): row for row in moved}
    rows = [row for key, row in fresh.items() if key not in held]
    if rows:
        connection.execute(insert(table), rows)
    return len(moved) - len(rows)
