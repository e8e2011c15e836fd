"""Statements of the ledger on one connection, and transactions of them.

Each answer of a model takes several small statements, so those for a ledger in a file go to its driver directly.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

Rows = list[tuple[Any, ...]]


class Statements:
    """Runs statements on a connection."""

    def __init__(self, connection: Connection) -> None:
        self.is_sqlite = connection.dialect.name == "sqlite"
        """Whether the ledger is a file."""
        self._connection = connection
        self._driver: Any = connection.connection.dbapi_connection if self.is_sqlite else None

    def run(self, statement: str, values: Sequence[object] = ()) -> Rows:
        """The rows that come of a statement in which `?` stands for a value. Raises SQLAlchemyError."""
        if not self.is_sqlite:
            result = self._connection.exec_driver_sql(statement.replace("?", "%s"), tuple(values))
            return [tuple(row) for row in result] if result.returns_rows else []
        try:
            rows: Rows = self._driver.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise DBAPIError.instance(statement, None, error, sqlite3.Error, hide_parameters=True) from error
        return rows

    def now(self) -> float:
        """Seconds since the epoch on the one clock that all processes of this ledger share."""
        if self.is_sqlite:
            return time.time()
        return float(self.run("SELECT extract(epoch FROM clock_timestamp())")[0][0])


def repeated(statement: str, count: int, item: str = "?") -> str:
    """The statement with `...` replaced by so many items: a list of values, or of rows."""
    return statement.replace("...", ", ".join([item] * count))


@contextmanager
def transaction(connection: Connection) -> Iterator[Statements]:
    """A transaction on a connection in autocommit mode. In SQLite it takes the write lock at once: what is read in it
    stays true until it is committed."""
    statements = Statements(connection)
    statements.run("BEGIN IMMEDIATE" if statements.is_sqlite else "BEGIN")
    with ExitStack() as undo:
        undo.callback(_roll_back, statements)
        yield statements
        statements.run("COMMIT")
        undo.pop_all()


def _roll_back(statements: Statements) -> None:
    with suppress(SQLAlchemyError):  # the connection may be what failed; its server rolls back then
        statements.run("ROLLBACK")
