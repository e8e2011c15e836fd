"""The folders of indexes: locks between processes, a temporary copy of a folder that cannot be written, and errors as
one line for the user."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from novum.errors import LibraryError

LOG = logging.getLogger("novum.library")
"""For what a user should know while nothing is wrong: that something waits, or is not found yet."""
NOTICED = 5.0
"""Seconds of waiting after which a line says so."""


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
def lock_folder(folder: Path, patience: float = 0.0, *, name: str = "written.lock") -> Iterator[bool]:
    """Locks a folder, which is created when it is missing, by a file of this name. Yields False when another process
    still has the lock after `patience` seconds. The lock of a process that died is free. Raises LibraryError."""
    lock = FileLock(folder / name)
    with creating(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        alone = _acquire(lock, patience, folder)
    try:
        yield alone
    finally:
        lock.release()


def _acquire(lock: FileLock, patience: float, folder: Path) -> bool:
    with suppress(Timeout):
        lock.acquire(timeout=min(patience, NOTICED))
        return True
    if patience <= NOTICED:
        return False
    LOG.warning("Another process is updating the search index in %s: waiting for it.", folder)
    with suppress(Timeout):
        lock.acquire(timeout=patience - NOTICED)
        return True
    return False


@contextmanager
def exclusive(folder: Path, patience: float = 0.0) -> Iterator[bool]:
    """The same around writing the files of an index, whose errors are raised as LibraryError too."""
    with creating(folder), lock_folder(folder, patience) as alone:
        yield alone


def writable(folder: Path) -> bool:
    """Whether files can be created in `folder`, which need not exist yet."""
    place = next((place for place in (folder, *folder.parents) if place.exists()), folder)
    return os.access(place, os.W_OK | os.X_OK)


def linked_copy(folder: Path) -> Path:
    """A new temporary folder with links to all files of `folder`, which may be missing. What is written or deleted in
    the copy leaves the files themselves as they are."""
    copy = Path(tempfile.mkdtemp(prefix="novum-index-"))
    for file in folder.rglob("*"):
        if file.is_file() and file.suffix != ".lock":
            link = copy / file.relative_to(folder)
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(file.absolute())
    return copy
