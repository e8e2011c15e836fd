"""Locks for the files of indexes, and their errors as one line for the user."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from novum.errors import LibraryError


@contextmanager
def creating(place: Path) -> Iterator[None]:
    """Raises LibraryError, with one line for the user, for errors while `place` is written."""
    try:
        yield
    except (OSError, ValueError, RuntimeError) as error:
        raise LibraryError(
            f"The search index in {place} cannot be written ({error}): check that the disk has space and is writable, "
            "then run this again. It is derived from the library and can be deleted."
        ) from error


@contextmanager
def exclusive(folder: Path) -> Iterator[bool]:
    """Locks a folder, which is created when it is missing. Yields False when another process has the lock: data derived
    from the rows need not be written twice. Raises LibraryError."""
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
