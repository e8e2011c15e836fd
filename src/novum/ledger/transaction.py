"""One transaction of the group commit, with the statements in the placeholder style of the database's driver."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError


@dataclass(frozen=True)
class Transaction:
    """A connection inside a transaction that holds the right to write."""

    connection: Connection

    @property
    def is_sqlite(self) -> bool:
        """Whether the ledger is a file."""
        return self.connection.dialect.name == "sqlite"

    def run(self, statement: str, values: Sequence[object] = ()) -> Any:
        """The result of a statement in which `?` stands for a value."""
        text = statement if self.is_sqlite else statement.replace("?", "%s")
        return self.connection.exec_driver_sql(text, tuple(values))

    def now(self) -> float:
        """Seconds since the epoch on the one clock that all processes of this ledger share."""
        if self.is_sqlite:
            return time.time()
        return float(self.run("SELECT extract(epoch FROM clock_timestamp())").scalar_one())


def repeated(statement: str, count: int, item: str = "?") -> str:
    """The statement with `...` replaced by so many items: a list of values, or of rows."""
    return statement.replace("...", ", ".join([item] * count))


@contextmanager
def transaction(connection: Connection) -> Iterator[Transaction]:
    """A transaction on a connection in autocommit mode. In SQLite it takes the write lock at once: what is read in it
    stays true until it is committed."""
    is_sqlite = connection.dialect.name == "sqlite"
    connection.exec_driver_sql("BEGIN IMMEDIATE" if is_sqlite else "BEGIN")
    try:
        yield Transaction(connection)
        connection.exec_driver_sql("COMMIT")
    except BaseException:
        with suppress(SQLAlchemyError):
            connection.exec_driver_sql("ROLLBACK")
        raise
