"""Ideas that somebody pinned or discarded: one mark for each idea, seen by every browser."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from novum.errors import BadInput
from novum.files.sqlite import use_write_ahead_log

Mark = Literal["pinned", "discarded", "none"]
_PATIENCE = 10.0
_SCHEMA = """CREATE TABLE IF NOT EXISTS marks (
    run TEXT NOT NULL, idea TEXT NOT NULL, mark TEXT NOT NULL, PRIMARY KEY (run, idea))"""


class Marks:
    """The marks of one workbench. Raises BadInput where the file is damaged or cannot be written."""

    def __init__(self, file: Path) -> None:
        self._file = file
        with self._connection() as connection:
            use_write_ahead_log(connection, _PATIENCE)
            connection.execute(_SCHEMA)
        file.chmod(0o600)

    def set(self, run_id: str, idea_id: str, mark: Mark) -> None:
        """Marks an idea; `none` removes the mark it has."""
        with self._connection() as connection:
            connection.execute("INSERT OR REPLACE INTO marks VALUES (?, ?, ?)", (run_id, idea_id, mark))

    def of_run(self, run_id: str) -> dict[str, str]:
        """The marks of the ideas of a run."""
        with self._connection() as connection:
            rows = connection.execute(
                "SELECT idea, mark FROM marks WHERE run = ? AND mark != 'none'", (run_id,)
            ).fetchall()
        return dict(rows)

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        try:
            connection = sqlite3.connect(self._file, timeout=_PATIENCE)
            try:
                with connection:
                    yield connection
            finally:
                connection.close()
        except sqlite3.DatabaseError as error:
            raise BadInput(
                f"{self._file} cannot be used ({error}). If it is damaged, move it away: it says which ideas are "
                "pinned or discarded, and nothing else."
            ) from error
