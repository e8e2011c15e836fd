"""Settings of PostgreSQL for libraries that many machines share."""

from __future__ import annotations

from typing import Any

from sqlalchemy import URL, Connection, func, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from novum.errors import LibraryError

_CONNECTING = 15
"""Seconds to wait for a connection."""
_SILENCE = 300
"""Seconds after which the server ends a transaction of a program that does not respond."""
_LIBRARY = 0x6E6F76756D
"""Number of the lock that is held while tables are created."""


_VECTORS = "vectors"
"""Novum's option in the URL: `vectors=server`."""


def finds_vectors(url: str, place: str) -> bool:
    """Whether the URL says that the server searches vectors. Raises LibraryError when it cannot."""
    try:
        address = make_url(url)
    except ArgumentError:  # said when the engine is made
        return False
    wish = address.query.get(_VECTORS)
    if wish is None:
        return False
    if wish != "server" or address.get_backend_name() != "postgresql":
        raise LibraryError(
            f"{place}: only `vectors=server` is understood, with PostgreSQL. Correct the URL, or leave it out."
        )
    return True


def with_patience(url: URL) -> URL:
    """Adds a `connect_timeout` to the URL unless it has one."""
    url = url.difference_update_query([_VECTORS])
    if url.get_backend_name() != "postgresql" or "connect_timeout" in url.query:
        return url
    return url.update_query_dict({"connect_timeout": str(_CONNECTING)})


def bound_in_time(connection: Any, _record: object) -> None:
    """Limits idle transactions: a machine that is suspended while it writes must not block the others for ever."""
    cursor = connection.cursor()
    cursor.execute(f"SET idle_in_transaction_session_timeout = '{_SILENCE}s'")
    cursor.execute(f"SET lock_timeout = '{2 * _SILENCE}s'")
    cursor.close()
    connection.commit()


def be_alone(connection: Connection) -> None:
    """Takes a lock until the end of the transaction: others that open a library in this database wait."""
    connection.execute(select(func.pg_advisory_xact_lock(_LIBRARY)))


def check_encoding(connection: Connection, place: str) -> None:
    """Raises LibraryError when the database cannot hold every character."""
    encoding = connection.execute(text("SHOW server_encoding")).scalar_one()
    if encoding != "UTF8":
        raise LibraryError(
            f"The database {place} is kept in {encoding} and cannot hold every title: create one with "
            "`CREATE DATABASE name ENCODING 'UTF8' TEMPLATE template0`. Nothing in it was changed."
        )
