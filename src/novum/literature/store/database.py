"""The database of a library: opens or creates it, checks that it is one, and runs its transactions."""

from __future__ import annotations

import os
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from threading import Lock

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    bindparam,
    create_engine,
    delete,
    event,
    func,
    insert,
    inspect,
    select,
    update,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from novum.credentials.redaction import redact
from novum.errors import LibraryError
from novum.extras import missing_extra
from novum.files.private import make_private_file, make_private_folder
from novum.files.sqlite import use_write_ahead_log
from novum.literature.store import postgres
from novum.literature.store.errors import database_errors
from novum.literature.store.schema import SCHEMA_VERSION, counters, facts, metadata, waiting

DATABASE_FILE = "library.db"
_FORMAT = "novum-library"
_OURS = frozenset(
    {DATABASE_FILE, f"{DATABASE_FILE}-wal", f"{DATABASE_FILE}-shm", f"{DATABASE_FILE}-journal", "index", "rejects"}
)
_PRAGMAS = (
    "synchronous=NORMAL",
    "temp_store=MEMORY",
    "cache_size=-131072",  # KiB; names and citations arrive in no order, and pages are best changed in memory
    "wal_autocheckpoint=16384",  # pages: a page that several batches change is copied back once
    "journal_size_limit=67108864",
)
_PATIENCE = 60
"""Seconds to wait for another process that is writing."""


class Database:
    """Reading and writing transactions. `place`: the name of the library in messages."""

    def __init__(self, engine: Engine, place: str, *, server_vectors: bool = False, read_only: bool = False) -> None:
        self.place = place
        self.read_only = read_only
        """Whether the file or its folder cannot be written: then it can only be read."""
        self.server_vectors = server_vectors
        """Whether the server searches vectors."""
        self._engine = engine
        self._reading = engine.execution_options(isolation_level="AUTOCOMMIT")
        # SQLite's transactions see one state as they are; others must be asked to.
        frozen = {} if engine.name == "sqlite" else {"isolation_level": "REPEATABLE READ"}
        self._frozen = engine.execution_options(**frozen)
        self._counting: Connection | None = None
        self._one_counts = Lock()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection for single statements, each of which sees the current state."""
        with database_errors(self.place), self._reading.connect() as connection:
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """A connection for several statements that see the same state."""
        with database_errors(self.place), self._frozen.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self) -> Iterator[Writing]:
        """A transaction for which other writers wait. It is committed at the end, or rolled back when the block
        fails."""
        with database_errors(self.place), self._engine.connect() as connection:
            connection.execution_options(novum_writes=True)
            with connection.begin():
                rows = connection.execute(_COUNTERS)
                writing = Writing(connection, {row.name: row.value for row in rows})
                yield writing
                writing.keep_counters()

    @contextmanager
    def derive(self) -> Iterator[Connection]:
        """A transaction that writes data derived from the rows; writers do not wait for it."""
        with database_errors(self.place), self._engine.connect() as connection, connection.begin():
            yield connection

    def last_change(self) -> int:
        """The number of the last change."""
        return self._counter("change")

    def waiting(self) -> int:
        """The number of references to papers that are not in the library; counted as they change, since there are
        millions."""
        return self._counter("waiting")

    def _counter(self, name: str) -> int:
        """For SQLite through a connection that stays open: every search reads a counter, and taking a connection from
        the pool costs more than the look-up. A server may be restarted, which only the pool can handle."""
        if self._engine.name != "sqlite":
            with self.read() as connection:
                return _value_of(connection, name)
        with database_errors(self.place), self._one_counts:
            counting, self._counting = self._counting or self._reading.connect(), None
            try:
                value = _value_of(counting, name)
            except BaseException:  # Ctrl-C too: a connection that was cut off is not used again
                counting.close()
                raise
            self._counting = counting
            return value

    @cached_property
    def identity(self) -> str:
        """The id that the library got when it was created: indexes of another one are not used."""
        return self.fact("library") or ""

    def fact(self, name: str) -> str | None:
        """The value stored under this name, if any."""
        with self.read() as connection:
            return connection.execute(select(facts.c.value).where(facts.c.name == name)).scalar()

    def facts(self, prefix: str) -> dict[str, str]:
        """All values whose names begin with `prefix`, by name."""
        query = select(facts.c.name, facts.c.value).where(facts.c.name.startswith(prefix, autoescape=True))
        with self.read() as connection:
            return dict(sorted((row.name, row.value) for row in connection.execute(query)))

    def close(self) -> None:
        """Closes all connections."""
        with self._one_counts:
            if self._counting is not None:
                self._counting.close()
            self._counting = None
        self._engine.dispose()


def _value_of(connection: Connection, name: str) -> int:
    return int(connection.execute(_COUNTER, {"name": name}).scalar_one())


_COUNTER = select(counters.c.value).where(counters.c.name == bindparam("name"))
_COUNTERS = select(counters.c.name, counters.c.value).order_by(counters.c.name).with_for_update()
"""Locked in this order by every writer: in different orders, two writers would wait for each other."""


class Writing:
    """A writing transaction with the counters that it has locked."""

    def __init__(self, connection: Connection, values: dict[str, int]) -> None:
        self.connection = connection
        self._values = values
        self._before = dict(values)

    def next_change(self) -> int:
        """The next change number."""
        self._values["change"] += 1
        return self._values["change"]

    def next_number(self) -> int:
        """The next row number for a paper."""
        self._values["paper"] += 1
        return self._values["paper"]

    def count_waiting(self, more: int) -> None:
        """Adds to the number of references to papers that are not in the library."""
        self._values["waiting"] += more

    def put_fact(self, name: str, value: str, *, only_first: bool = False) -> None:
        """Stores `value` under this name, without keys; `only_first`: unless there is a value."""
        value = redact(value)
        stored = self.connection.execute(select(facts.c.value).where(facts.c.name == name)).scalar()
        if stored is not None and (only_first or stored == value):
            return
        self.connection.execute(delete(facts).where(facts.c.name == name))
        self.connection.execute(insert(facts).values(name=name, value=value))

    def drop_fact(self, name: str) -> None:
        """Deletes the value of this name."""
        self.connection.execute(delete(facts).where(facts.c.name == name))

    def keep_counters(self) -> None:
        """Writes the counters back, as the last step of the transaction."""
        for name, value in self._values.items():
            if value != self._before[name]:
                self.connection.execute(update(counters).where(counters.c.name == name).values(value=value))


def open_database(folder: Path, url: str | None) -> Database:
    """Opens or creates the database of the library in `folder`, or at `url`. One that cannot be written is opened for
    reading. Raises LibraryError."""
    place = str(folder) if url is None else make_safe(url)
    on_server = url is not None and postgres.finds_vectors(url, place)
    file = folder / DATABASE_FILE
    read_only = url is None and _only_readable(file)
    if not read_only:
        _check_folder(folder, with_database=url is None)
    engine = _file_engine(file, read_only=read_only) if url is None else _server_engine(url, place)
    try:
        with database_errors(place):
            if not _is_current(engine, place):
                _create_or_complete(engine, place)
    except LibraryError:
        engine.dispose()
        raise
    return Database(engine, place, server_vectors=on_server, read_only=read_only)


def make_safe(url: str) -> str:
    """The URL without its password, for messages."""
    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return "the given database URL"


def _check_folder(folder: Path, *, with_database: bool) -> None:
    """Creates the folder, or checks that it holds nothing but a library. Raises LibraryError."""
    if folder.exists() and not folder.is_dir():
        raise LibraryError(f"{folder} is a file, not a library folder: move it away, or name another folder.")
    try:
        make_private_folder(folder)
        inside = {path.name for path in folder.iterdir() if not path.name.startswith(".")}
    except OSError as error:
        raise LibraryError(
            f"The library folder {folder} cannot be used: {error.strerror}. Make it writable, or name another folder."
        ) from error
    foreign = sorted(inside - _OURS)
    if with_database and foreign and DATABASE_FILE not in inside:
        raise LibraryError(
            f"{folder} holds other files ({foreign[0]}, …) and no library: name an empty or new folder. "
            "Nothing in it was changed."
        )


def _only_readable(file: Path) -> bool:
    """Whether there is a database, which cannot be written."""
    return file.is_file() and not (os.access(file, os.W_OK) and os.access(file.parent, os.W_OK))


def _file_engine(file: Path, *, read_only: bool) -> Engine:
    url = URL.create("sqlite", database=str(file))
    if not read_only:
        make_private_file(file)
    else:
        # Without this file nobody has the database open, and SQLite must be kept from creating it.
        query = {"uri": "true", "mode": "ro", "immutable": "0" if Path(f"{file}-shm").exists() else "1"}
        url = URL.create("sqlite", database=file.absolute().as_uri(), query=query)
    engine = create_engine(url, connect_args={"timeout": _PATIENCE})
    _speak_sqlite(engine, read_only=read_only)
    return engine


def _server_engine(url: str, place: str) -> Engine:
    try:
        address = make_url(url)
    except ArgumentError as error:
        raise LibraryError(f"{place} is not a database URL: write it like {_EXAMPLE}.") from error
    if address.drivername not in _SPOKEN:
        raise LibraryError(f"{place} is not a database URL that Novum understands: write it like {_EXAMPLE}.")
    try:
        engine = create_engine(postgres.with_patience(address), pool_pre_ping=True)
    except ModuleNotFoundError as error:
        raise LibraryError(missing_extra("postgres", error.name or "psycopg", what=str(place))) from error
    if engine.name == "postgresql":
        event.listen(engine, "connect", postgres.bound_in_time)
    return engine


_SPOKEN = frozenset({"sqlite", "sqlite+pysqlite", "postgresql", "postgresql+psycopg"})
_EXAMPLE = "postgresql+psycopg://host/name"


def _speak_sqlite(engine: Engine, *, read_only: bool = False) -> None:
    """Sets SQLite to a write-ahead log, so that readers and a writer do not wait for each other, and to explicit
    transactions: writing ones take the lock at once, since two that take it later could block each other."""

    @event.listens_for(engine, "connect")
    def _connected(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None
        if read_only:
            return
        use_write_ahead_log(connection, _PATIENCE)
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:
        options = connection.get_execution_options()
        if options.get("isolation_level") != "AUTOCOMMIT":
            connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("novum_writes") else "BEGIN")


def _is_current(engine: Engine, place: str) -> bool:
    """Whether the database is a complete library. Takes no lock, so that reading does not wait for a writer."""
    with engine.connect() as connection, connection.begin():
        if facts.name not in inspect(connection).get_table_names():
            return False
        _check_version(connection, place)
        return connection.execute(_COUNTER, {"name": "waiting"}).scalar() is not None


def _create_or_complete(engine: Engine, place: str) -> None:
    """In one transaction: an interrupted creation leaves no tables, and is repeated."""
    with engine.connect() as connection:
        connection.execution_options(novum_writes=True)
        with connection.begin():
            if engine.name == "postgresql":
                postgres.be_alone(connection)
            tables = set(inspect(connection).get_table_names())
            if facts.name in tables:
                _check_version(connection, place)
                _count_waiting(connection)
            elif foreign := sorted(tables & set(metadata.tables) if engine.name != "sqlite" else tables):
                raise LibraryError(
                    f"The database of {place} belongs to something else (it has a table {foreign[0]!r} and no Novum "
                    "library): name another folder or database. Nothing in it was changed."
                )
            else:
                _create(connection, place)


def _create(connection: Connection, place: str) -> None:
    if connection.dialect.name == "postgresql":
        postgres.check_encoding(connection, place)
    metadata.create_all(connection)
    connection.execute(
        insert(facts),
        [
            {"name": "format", "value": _FORMAT},
            {"name": "schema", "value": str(SCHEMA_VERSION)},
            {"name": "library", "value": uuid.uuid4().hex},
        ],
    )
    connection.execute(insert(counters), [{"name": name, "value": 0} for name in ("change", "paper", "waiting")])


def _count_waiting(connection: Connection) -> None:
    """For a library written before references were counted as they change."""
    if connection.execute(_COUNTER, {"name": "waiting"}).scalar() is None:
        stored = connection.execute(select(func.count()).select_from(waiting)).scalar_one()
        connection.execute(insert(counters).values(name="waiting", value=stored))


def _check_version(connection: Connection, place: str) -> None:
    ours = select(facts).where(facts.c.name.in_(["format", "schema"]))
    known = {row.name: row.value for row in connection.execute(ours)}
    if known.get("format") != _FORMAT or not known.get("schema", "").isdecimal():
        raise LibraryError(
            f"The database of {place} is damaged or no Novum library: restore it, or name another folder."
        )
    if int(known["schema"]) > SCHEMA_VERSION:
        raise LibraryError(
            f"The library {place} was written by a newer Novum (layout {known['schema']}, this one knows "
            f"{SCHEMA_VERSION}): upgrade with `pip install --upgrade novum`, or name another folder."
        )
