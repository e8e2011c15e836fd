"""Files of derived indexes: one process writes at a time, and what goes wrong is said in one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from novum.errors import LibraryError


@contextmanager
def creating(place: Path) -> Iterator[None]:
    """Turn what the system says while `place` is written into one line for people: LibraryError."""
    try:
        yield
    except (OSError, ValueError, RuntimeError) as error:
        raise LibraryError(
            f"The search index in {place} cannot be written ({error}): check that the disk has space and is writable, "
            "then run this again. It is derived from the library and can be deleted."
        ) from error


@contextmanager
def exclusive(folder: Path) -> Iterator[bool]:
    """Whether nobody else writes there now; made when missing. A copy of the rows need not be written twice: whoever
    comes second leaves it to the first. Raises LibraryError."""
    with creating(folder):
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / "written.lock", timeout=0)
        try:
            lock.acquire()
        except Timeout:
            yield False
            return
        try:
            yield True
        finally:
            lock.release()
