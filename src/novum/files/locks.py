"""Locks that are files: the operating system lets go of them when their holder ends, however it ends."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PAUSE = 0.001
"""Seconds between two tries."""
_OPEN = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NONBLOCK
"""Opening must not wait, also where a pipe has the name of the lock."""


@contextmanager
def lock_if_free(path: Path) -> Iterator[bool]:
    """Whether nobody else is inside with this path, in this process or another. The file is removed at the end. Where
    it cannot be made, or files cannot be locked, everybody is alone."""
    try:
        handle = os.open(path, _OPEN, 0o666)
    except OSError:
        yield True
        return
    try:
        ours = _is_locked(handle, path)
        try:
            yield ours
        finally:
            if ours:
                path.unlink(missing_ok=True)  # while it is locked: see `_is_locked`
    finally:
        os.close(handle)


@contextmanager
def lock_for_a_child(path: Path) -> Iterator[int | None]:
    """A descriptor of the lock, to be handed to a child process; None where somebody else is inside. The lock is held
    until both this block and the child that it was handed to have ended. Raises OSError."""
    handle = os.open(path, _OPEN, 0o666)
    try:
        yield handle if _is_locked(handle, path) else None
    finally:
        os.close(handle)


@contextmanager
def lock_of_the_parent(handle: int, path: Path) -> Iterator[None]:
    """Inside, this process has the lock whose descriptor the process handed over that started it. The file is removed
    at the end. Raises OSError for another descriptor."""
    os.set_inheritable(handle, False)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(handle)


@contextmanager
def brief_lock(path: Path, longest: float = 0.1) -> Iterator[None]:
    """Waits until nobody else is inside, but no longer than `longest` seconds: for work of a millisecond that matters
    less than going on, such as where its holder was stopped by a signal."""
    end = time.monotonic() + longest
    while True:
        with lock_if_free(path) as ours:
            if ours or time.monotonic() > end:
                yield
                return
        time.sleep(_PAUSE)


def _is_locked(handle: int, path: Path) -> bool:
    """Locks the file, unless another has. A holder removes it at the end: a lock on a removed file holds nothing."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except OSError:
        return False
