"""What errors of the database mean: whether waiting helps, and what a person should do."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from novum.errors import LedgerError
from novum.ledger.lock_holder import LockHolder

_SERVER_GONE = (
    "the database system is starting up",
    "the database system is shutting down",
    "not yet accepting connections",
    "could not connect",
    "connection timeout expired",
    "terminating connection",
    "connection refused",
    "connection reset",
    "server closed the connection",
    "connection failed",
    "connection is lost",
    "consuming input failed",
    "the connection is closed",
)
_DAMAGED = (
    "malformed",
    "Could not decode",
    "no such table",
    "no such column",
    "unsupported file format",
    "corrupt",
    "integer overflow",
)
_DEADLOCK = "deadlock detected"
"""Two groups that needed the same rows in another order: the server has undone one of them."""


RECONNECTING = 30.0
"""Seconds for which a database server that is gone is waited for."""
RECONNECTING_PAUSE = 0.25
"""Seconds between two tries."""
BUSY_WITHOUT_HOLDER = 600.0
"""Seconds for which a write lock is waited for whose process is not known. That of a known process is waited for as
long as it holds it."""
LOCKED = "Another process holds the ledger's write lock: let it continue, or end it."
FULL = "The disk is full. Nothing more is sent; waiting for the answers under way."
WAITING = "The ledger's database does not answer. Waiting for it."


class LedgerUnavailable(LedgerError):
    """The database server is gone, perhaps for a moment."""


class LedgerBusy(LedgerError):
    """Another process holds the write lock of a ledger in a file, and has not given it back for a while."""


def is_busy(error: BaseException) -> bool:
    """Whether another process holds SQLite's write lock."""
    return isinstance(error, DBAPIError) and "database is locked" in str(error.orig)


def is_transient(error: BaseException) -> bool:
    """Whether a database server was restarted, or undid a transaction: the same again may succeed."""
    if not isinstance(error, DBAPIError):
        return False
    text = str(error.orig).lower()
    refused = "authentication" in text or "does not exist" in text
    return not refused and (error.connection_invalidated or any(sign in text for sign in (*_SERVER_GONE, _DEADLOCK)))


def is_full(error: BaseException) -> bool:
    """Whether the disk of a ledger in a file takes no more."""
    return isinstance(error, DBAPIError) and any(sign in str(error.orig) for sign in ("is full", "disk I/O"))


def is_damaged(error: BaseException) -> bool:
    """Whether the error shows that the file of the ledger is damaged."""
    text = str(getattr(error, "orig", None) or error)
    return any(sign in text for sign in _DAMAGED)


def damage_failure(cause: object) -> LedgerError:
    """The error about a damaged ledger; `cause`: what was found."""
    text = " ".join(str(cause).splitlines()[:1]).partition(" with text ")[0][:200]  # SQLite quotes what it cannot read
    return LedgerError(
        f"The ledger is damaged ({text}). See what can still be read with `novum runs check`, and save it with "
        "`novum runs salvage`."
    )


def busy_failure(holder: LockHolder | None) -> LedgerBusy:
    """The error where the write lock is not given back; `holder`: who has it, where that is known."""
    return LedgerBusy(f"The ledger cannot be written. {holder or LOCKED} Then resume.")


def ledger_failure(error: SQLAlchemyError, holder: LockHolder | None = None) -> LedgerError:
    """What a database error means for a person. `holder`: who holds the write lock, where that is known."""
    if is_busy(error):
        return busy_failure(holder)
    if is_transient(error):
        cause = str(getattr(error, "orig", None) or error).splitlines()[0]
        if "too many c" in cause:  # connections, or clients: in the words of the server
            return LedgerUnavailable(
                f"The ledger's database accepts no more connections: {cause}. Raise its limit or end another process, "
                "then resume."
            )
        return LedgerUnavailable(f"The ledger's database cannot be reached: {cause}. Start it, then resume.")
    if is_damaged(error):
        return damage_failure(getattr(error, "orig", None) or error)
    cause = " ".join(str(getattr(error, "orig", None) or error).splitlines()[:1])
    if "not a database" in cause:
        return LedgerError(
            f"The ledger cannot be read: {cause}. If it was one, its beginning is damaged: see `novum runs check`, and "
            "save it with `novum runs salvage`. Else give another place by NOVUM_LEDGER."
        )
    if "readonly database" in cause:
        return LedgerError(
            "The ledger may only be read here. Check the permissions of its file and folder, or give another place by "
            "NOVUM_LEDGER."
        )
    if "full" in cause or "disk I/O" in cause:
        return LedgerError(
            f"The ledger could not be written: {cause}. Free some disk space and resume; all that was answered "
            "before is kept."
        )
    return LedgerError(
        f"The ledger could not be read or written: {cause}. Check the disk, or give another place by "
        "NOVUM_LEDGER; then resume."
    )
