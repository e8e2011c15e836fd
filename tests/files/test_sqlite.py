"""A new SQLite file that another process is changing."""

from __future__ import annotations

import sqlite3

import pytest

from novum.files import sqlite as files_sqlite
from novum.files.sqlite import use_write_ahead_log


@pytest.fixture
def held(tmp_path):
    """A file with a rollback journal, and a connection that has locked it."""
    holder = sqlite3.connect(tmp_path / "new.db", isolation_level=None)
    holder.execute("CREATE TABLE t (x)")
    holder.execute("BEGIN EXCLUSIVE")
    yield tmp_path / "new.db", holder
    holder.close()


def mode_of(connection):
    return connection.execute("PRAGMA journal_mode").fetchone()[0]


def test_it_waits_until_the_other_process_is_done(held, monkeypatch):
    file, holder = held
    waits = []

    def wait(seconds):
        waits.append(seconds)
        if len(waits) == 3:
            holder.execute("COMMIT")

    monkeypatch.setattr(files_sqlite.time, "sleep", wait)
    connection = sqlite3.connect(file, timeout=0)
    use_write_ahead_log(connection, patience=60)
    assert mode_of(connection) == "wal"
    assert len(waits) == 3
    connection.close()


def test_its_patience_ends(held):
    connection = sqlite3.connect(held[0], timeout=0)
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        use_write_ahead_log(connection, patience=0)
    connection.close()


def test_another_error_is_raised_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr(files_sqlite.time, "sleep", pytest.fail)
    (tmp_path / "no.db").write_bytes(b"no database at all" * 100)
    connection = sqlite3.connect(tmp_path / "no.db")
    with pytest.raises(sqlite3.DatabaseError, match="not a database"):
        use_write_ahead_log(connection, patience=60)
    connection.close()
