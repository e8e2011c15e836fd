"""One process at a time: a lock file that the operating system lets go of when its holder dies."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def exclusive_lock(path: Path) -> Iterator[None]:
    """Waits until nobody else is inside. The file stays: deleting it would let two in."""
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
