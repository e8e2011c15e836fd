"""Opening a ledger: a file or a database address, and the tables that it lacks."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Engine, StaticPool, create_engine, event, func, inspect, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from novum.credentials.redaction import redact
from novum.errors import LedgerError
from novum.files.inputs import check_input
from novum.files.private import make_private_file, make_private_folder
from novum.files.sqlite import beside, use_write_ahead_log
from novum.ledger import schema
from novum.ledger.failures import damage_failure, ledger_failure

PATIENT_MS = 5_000
"""Milliseconds that SQLite waits for another process's lock, before it is found out which process that is."""
_TRIES, _PAUSE = 100, 0.1
"""Two processes that make the same ledger at once: SQLite does not wait for a lock while it switches to WAL."""
_BUSY = ("locked", "already exists", "duplicate column")
"""The errors of the process that comes second."""


def opened(where: Path | str) -> Engine:
    """The database at a file path or a database address, with all tables. A file that may not be written is opened for
    reading. Raises LedgerError when it cannot be opened or is not a ledger, BadInput for what is no file."""
    if "://" not in str(where):
        for each in (Path(where), *beside(Path(where))):
            check_input(each)
        if _is_read_only(Path(where)):
            return _opened_for_reading(Path(where))
    engine = connected(where)
    for left in range(_TRIES - 1, -1, -1):
        try:
            _prepare(engine, str(where))
            break
        except SQLAlchemyError as error:
            engine.dispose()
            if not left or not any(sign in str(error) for sign in _BUSY):
                raise ledger_failure(error) from error
            time.sleep(_PAUSE)
        except (ValueError, TypeError, AttributeError, KeyError) as error:  # of a description of tables that is damaged
            engine.dispose()
            raise damage_failure(error) from error
    if "://" not in str(where):
        _check_length(engine, Path(where))
    return engine


def _check_length(engine: Engine, file: Path) -> None:
    """Raises LedgerError for a file that was cut off within its last page, of which SQLite would read the rest as
    empty. Where a log lies beside it, the page may be there.

    The file is not opened here: closing it would free the locks of all connections of this process.
    """
    with engine.connect() as connection:
        pages, size = (connection.exec_driver_sql(f"PRAGMA page_{each}").scalar_one() for each in ("count", "size"))
    file = file.resolve()  # SQLite has the log beside the file that a link names
    log, expected = file.with_name(f"{file.name}-wal"), pages * size
    if log.is_file() and log.stat().st_size:
        return
    if file.is_file() and (length := file.stat().st_size) < expected:
        engine.dispose()
        raise damage_failure(f"it is cut off: {length:,} of {expected:,} bytes are there")


def _is_read_only(file: Path) -> bool:
    """Whether a file is there that this process may not write, or in whose folder it may not: SQLite needs both."""
    return file.is_file() and not (os.access(file, os.W_OK) and os.access(file.parent, os.W_OK))


def _opened_for_reading(file: Path) -> Engine:
    """Where SQLite may not make its side files, it needs the promise that the file does not change; it holds only where
    no log with newer rows lies beside it."""
    log = file.with_name(file.name + "-wal")
    problem: SQLAlchemyError | None = None
    for option in ("mode=ro", "immutable=1"):
        if option == "immutable=1" and log.exists() and log.stat().st_size:
            break
        place = quote(str(file.absolute()))
        engine = create_engine(f"sqlite:///file:{place}?{option}&uri=true")
        try:
            _check_tables(engine, file)
        except SQLAlchemyError as error:
            engine.dispose()
            problem = error
        else:
            _check_length(engine, file)
            return engine
    assert problem is not None, "one of both was tried"
    if "unable to open" in str(problem):
        raise LedgerError(
            f"The ledger {file} cannot be read: newer rows lie in {log.name}, and its folder may not be written. Copy "
            "both files to another folder, and name that by NOVUM_LEDGER."
        ) from problem
    raise ledger_failure(problem) from problem


def _check_tables(engine: Engine, file: Path) -> None:
    """Raises LedgerError for a ledger that lacks a table or column, as it cannot be added."""
    existing = inspect(engine)
    missing = set(schema.metadata.tables) - set(existing.get_table_names())
    if missing >= set(schema.FIRST_TABLES):
        raise LedgerError(f"{file} is a database, but not Novum's. Give another place by NOVUM_LEDGER.")
    if missing or any(
        column.name not in {each["name"] for each in existing.get_columns(column.table.name)} for column in schema.ADDED
    ):
        raise LedgerError(
            f"The ledger {file} is of an earlier version of Novum and may not be written. Use it once where it may be, "
            "for instance with `novum runs list`."
        )
    _check_version(engine, str(file))


def connected(where: Path | str) -> Engine:
    """The database, without looking into it."""
    url = where if isinstance(where, str) and "://" in where else _sqlite_url(Path(where))
    in_memory = str(url) == "sqlite://"  # one connection for all threads, else each would have a database of its own
    options: Any = {"poolclass": StaticPool, "connect_args": {"check_same_thread": False}} if in_memory else {}
    try:
        engine = create_engine(url, **options)
    except (ArgumentError, ModuleNotFoundError) as error:
        raise LedgerError(
            f"The ledger address {shown_address(where)} cannot be used: {error}. "
            "Give a file path or a URL such as postgresql+psycopg://…"
        ) from error
    event.listen(engine, "before_cursor_execute", _without_secrets, retval=True)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _tune_sqlite)
    return engine


def _without_secrets(_: object, __: object, statement: str, values: Any, *___: object) -> tuple[str, Any]:
    """Called before every statement: whatever is written loses keys and passwords, which a model, a server or a user
    may have repeated."""
    return statement, _redacted(values)


def _redacted(values: Any) -> Any:
    if isinstance(values, str):
        return redact(values)
    if isinstance(values, Mapping):
        return {name: _redacted(value) for name, value in values.items()}
    return type(values)(map(_redacted, values)) if isinstance(values, tuple | list) else values


def shown_address(where: Path | str) -> str:
    """A place as messages may show it: without the password of a URL."""
    return re.sub(r"(://[^:/@]*:)[^@]*@", r"\1***@", str(where))


def _sqlite_url(file: Path) -> URL:
    try:
        make_private_folder(file.parent)
    except OSError as error:
        raise LedgerError(
            f"The ledger's folder {file.parent} cannot be made: {error.strerror}. Set NOVUM_HOME to a folder you "
            "may write to."
        ) from error
    make_private_file(file)
    return URL.create("sqlite", database=str(file))  # as text, `?` and `%` in a path would be read as syntax


def _tune_sqlite(connection: Any, _: object) -> None:
    """WAL lets readers and one writer work at once; NORMAL is safe against a killed process (not against a power
    cut).
    """
    connection.execute(f"PRAGMA busy_timeout={PATIENT_MS}")
    use_write_ahead_log(connection, PATIENT_MS / 1000)
    for pragma in ("synchronous=NORMAL", "foreign_keys=OFF"):
        connection.execute(f"PRAGMA {pragma}")


def _prepare(engine: Engine, where: str) -> None:
    """Makes what a new ledger lacks. Another process may do the same at the same moment."""
    existing, ours = set(inspect(engine).get_table_names()), set(schema.metadata.tables)
    if existing and "novum_about" not in existing and not existing <= ours:
        raise LedgerError(f"{shown_address(where)} is a database, but not Novum's. Give another place by NOVUM_LEDGER.")
    if existing < ours:
        _create_tables(engine)
    _add_columns(engine)
    _number_runs(engine)
    _check_version(engine, where)


def _create_tables(engine: Engine) -> None:
    try:
        schema.metadata.create_all(engine)
    except DBAPIError:  # a table appeared after it was looked for
        schema.metadata.create_all(engine)


def _add_columns(engine: Engine) -> None:
    """What a ledger of an earlier version lacks."""
    for column in schema.ADDED:
        table = column.table.name
        if column.name not in {each["name"] for each in inspect(engine).get_columns(table)}:
            kind = column.type.compile(engine.dialect)
            with engine.begin() as connection:
                connection.exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN {column.name} {kind}")


def _number_runs(engine: Engine) -> None:
    """Numbers the runs that an earlier version wrote, in the order of their clocks."""
    c = schema.runs.c
    with engine.begin() as connection:
        ids = connection.execute(select(c.id).where(c.number.is_(None)).order_by(c.started, c.id)).scalars().all()
        if ids:
            first = (connection.execute(select(func.max(c.number))).scalar() or 0) + 1
            for number, run_id in enumerate(ids, first):
                connection.execute(update(schema.runs).where(c.id == run_id).values(number=number))


def _check_version(engine: Engine, where: str) -> None:
    about = schema.about
    with engine.begin() as connection:
        version = connection.execute(select(about.c.value).where(about.c.name == "ledger_version")).scalar()
        if version is None:
            row = {"name": "ledger_version", "value": str(schema.SCHEMA_VERSION)}
            dialect = postgresql if engine.dialect.name == "postgresql" else sqlite
            connection.execute(dialect.insert(about).values(row).on_conflict_do_nothing())
        elif int(version) > schema.SCHEMA_VERSION:
            raise LedgerError(
                f"The ledger {shown_address(where)} was written by a newer Novum (version {version}, this one knows "
                f"{schema.SCHEMA_VERSION}). Upgrade Novum."
            )
