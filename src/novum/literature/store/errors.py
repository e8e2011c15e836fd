"""Errors of databases as LibraryError with one line for the user."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from novum.errors import LibraryError


@contextmanager
def database_errors(place: str) -> Iterator[None]:
    """Raises LibraryError, with one line for the user, in place of an error of the database."""
    try:
        yield
    except DBAPIError as error:
        raise LibraryError(_advice(place, str(error.orig))) from error
    except UnicodeEncodeError as error:
        raise LibraryError(f"The database of {place} cannot be searched for text that is not Unicode.") from error
    except SQLAlchemyError as error:
        raise LibraryError(f"The database of {place} failed: {str(error).splitlines()[0]}.") from error


def _advice(place: str, message: str) -> str:
    message = message.partition(" with text ")[0]  # SQLite quotes what it cannot decode
    message = " ".join(message.split())[:_LONGEST_MESSAGE] or "no reason given"
    low = message.lower()
    advice = next((advice for signs, advice in _ADVICE if any(sign in low for sign in signs)), _UNKNOWN)
    return advice.format(place=place, message=message)


_LONGEST_MESSAGE = 300
"""Characters of the message of the database that are shown."""
_UNKNOWN = "The database of {place} failed: {message}."
_ADVICE = (
    (
        ("not a database",),
        "{place} holds a library.db that is no database of Novum: move it away, or name another folder. "
        "Nothing in it was changed.",
    ),
    (
        ("malformed", "could not decode", "no such table", "no such column"),
        "The database of {place} is damaged ({message}): restore it from a copy, or move it away and import again.",
    ),
    (
        ("disk is full", "no space left"),
        "The disk that holds {place} is full: free some space and run this again. What was committed is kept.",
    ),
    (
        ("disk i/o",),
        "The disk that holds {place} cannot be written ({message}): check its space and state, then run this again. "
        "What was committed is kept.",
    ),
    (("readonly",), "{place} cannot be written: make the folder writable, or name another one."),
    (
        ("unable to open",),
        "{place} cannot be opened or written: check its permissions and free space, or name another folder.",
    ),
    (
        ("locked", "lock timeout"),
        "Another process has been writing to {place} for a long time: wait for it to end, then run this again.",
    ),
    (
        ("password",),
        "The database {place} does not let you in ({message}): correct the password in the URL, in PGPASSWORD or in "
        "~/.pgpass.",
    ),
    (
        ("permission denied",),
        "The database {place} refuses ({message}): ask its owner for the right to create and change tables there.",
    ),
    (("does not exist",), "There is no database {place} ({message}): create it with `createdb`, or check the URL."),
    (
        ("connection", "resolve host", "shutting down", "starting up", "timeout"),
        "The database {place} does not answer ({message}): start it, or check the URL; then run this again. "
        "What was committed is kept.",
    ),
)
"""Parts of the message of the database, in lower case, and what the user can do."""
