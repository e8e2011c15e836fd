"""SQLite files that several processes take into use at once."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

_PAUSE = 0.02
_PRIMARY = 0xFF
"""The bits of an error code that say its kind."""


def beside(file: Path) -> list[Path]:
    """The files that SQLite keeps beside a database while it is in use; they need not exist."""
    return [file.with_name(file.name + ending) for ending in ("-wal", "-shm", "-journal")]


def use_write_ahead_log(connection: sqlite3.Connection, patience: float) -> None:
    """Sets the file to a write-ahead log, so that readers and a writer do not wait for each other.

    Where another process changes a new file at that moment, SQLite refuses at once, whatever its timeout is. So it is
    tried again for `patience` seconds. Raises sqlite3.OperationalError after that, and at once for other errors.
    """
    until = time.monotonic() + patience
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode & _PRIMARY in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
            if not busy or time.monotonic() >= until:
                raise
            time.sleep(_PAUSE)
        else:
            return
