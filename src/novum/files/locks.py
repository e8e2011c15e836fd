"""Locks that are files: the operating system lets go of them when their holder ends, however it ends."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

_PAUSE = 0.001
"""Seconds between two tries."""


@contextmanager
def lock_if_free(path: Path) -> Iterator[bool]:
    """Whether nobody else is inside with this path, in this process or another. The file is removed at the end. Where
    it cannot be made, or files cannot be locked, everybody is alone."""
    try:
        file = path.open("ab")
    except OSError:
        yield True
        return
    with file:
        ours = _is_locked(file, path)
        try:
            yield ours
        finally:
            if ours:
                path.unlink(missing_ok=True)  # while it is locked: see `_is_locked`


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


def _is_locked(file: IO[bytes], path: Path) -> bool:
    """Locks the file, unless another has. A holder removes it at the end: a lock on a removed file holds nothing."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except OSError:
        return False
