"""Which process holds the write lock of a ledger in a file, for messages: a stopped process holds it until it is
continued or ended. Known on Linux only."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_WRITE_LOCK = "120"
"""The byte of SQLite's shared-memory file that a writer locks (https://www.sqlite.org/walformat.html)."""
_LOCKS = Path("/proc/locks")


@dataclass(frozen=True)
class LockHolder:
    """A process of this machine."""

    pid: int
    is_stopped: bool
    """Whether it is suspended, as by Ctrl-Z."""

    def __str__(self) -> str:
        if self.is_stopped:
            return (
                f"Process {self.pid} is stopped and holds the ledger's write lock: continue it (`fg`, or `kill -CONT "
                f"{self.pid}`), or end it (`kill -9 {self.pid}`); what it had recorded is kept."
            )
        return f"Process {self.pid} holds the ledger's write lock: if it hangs, end it (`kill -9 {self.pid}`)."


def lock_holder(ledger: Path) -> LockHolder | None:
    """The process that holds the write lock of this file; None where nobody does, or the system does not say. The
    shared-memory file is not opened: closing it would drop this process's own locks."""
    with suppress(OSError, ValueError, IndexError):
        inode = str(ledger.with_name(ledger.name + "-shm").stat().st_ino)
        for line in _LOCKS.read_text("utf-8").splitlines():
            # 7: POSIX  ADVISORY  WRITE 4711 fe:00:123456 120 120
            kind, access, pid, place, first = (line.split()[column] for column in (1, 3, 4, 5, 6))
            if (kind, access, place.rpartition(":")[2], first) == ("POSIX", "WRITE", inode, _WRITE_LOCK):
                return LockHolder(int(pid), _is_stopped(int(pid)))
    return None


def _is_stopped(pid: int) -> bool:
    state = Path(f"/proc/{pid}/stat").read_text("utf-8", errors="replace").rpartition(")")[2].split()[0]
    return state in {"T", "t"}
