"""The processes that work with a ledger. Each renews a lease while it has requests under way, so that others see
whether it is still alive."""

from __future__ import annotations

import os
import secrets
import socket
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from novum.ledger.transaction import Statements, repeated

LEASE = 60.0
"""Seconds after which a process that has not renewed its lease no longer counts as alive."""
RENEWAL = 15.0
"""Seconds between two renewals."""
_ROWS = "SELECT id, machine, pid, birth, expires FROM workers WHERE id IN (...)"
_FORGOTTEN = 24 * 3600.0
"""Seconds after the end of a lease when the row of a process is deleted, and what it had claimed: who has found a
question without an answer claims it sooner, or finds the answer."""
_UNOWNED = """DELETE FROM claims WHERE name IN
(SELECT name FROM claims WHERE worker NOT IN (SELECT id FROM workers) ORDER BY name...)"""


_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def lease_clock() -> float:
    """Seconds on a clock that goes on while the machine sleeps, as leases do."""
    return time.clock_gettime(_CLOCK)


@cache
def this_machine() -> str:
    """The host with its present boot and process namespace: process numbers mean the same only where these agree."""
    parts = [socket.gethostname()]
    with suppress(OSError):  # only Linux has these
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text("utf-8").strip())
        parts.append(str(Path("/proc/self/ns/pid").readlink()))
    return " ".join(parts)


def birth_of(pid: int) -> str:
    """When a process of this machine began, in ticks since the boot; empty where the system does not say, or where no
    such process runs. A process that has ended and was not yet waited for does not run."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] in {"Z", "X"} else fields[19]


def exists(pid: int, birth: str) -> bool:
    """Whether that very process of this machine still runs. `birth`: as `birth_of` gave it, empty where unknown."""
    if birth:
        return birth_of(pid) == birth
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


@dataclass(frozen=True)
class Worker:
    """One process with the ledger open."""

    id: str = field(default_factory=lambda: secrets.token_hex(8))
    machine: str = field(default_factory=this_machine)
    pid: int = field(default_factory=os.getpid)

    def renew(self, tx: Statements, batch: int) -> None:
        """Extends the lease, and notes the number of the group that is written in this transaction. The first time,
        the process is added, and those that ended long ago are deleted with their claims."""
        now = tx.now()
        renewal = "UPDATE workers SET expires = ?, batch = ? WHERE id = ? RETURNING id"
        if not tx.run(renewal, (now + LEASE, batch, self.id)):
            tx.run("DELETE FROM workers WHERE expires < ?", (now - _FORGOTTEN,))
            tx.run(_UNOWNED.replace("...", "" if tx.is_sqlite else " FOR UPDATE SKIP LOCKED"))
            tx.run(
                "INSERT INTO workers (id, machine, pid, birth, expires, batch) VALUES (?, ?, ?, ?, ?, ?)",
                (self.id, self.machine, self.pid, birth_of(self.pid), now + LEASE, batch),
            )

    def last_batch(self, tx: Statements) -> int:
        """The number of the last group that this process has written; 0 where there is none."""
        rows = tx.run("SELECT batch FROM workers WHERE id = ?", (self.id,))
        return int(rows[0][0]) if rows else 0

    def leave(self, tx: Statements) -> None:
        """Says that this process no longer works with the ledger. Its row stays for a while, and so do its claims."""
        tx.run("UPDATE workers SET expires = ? WHERE id = ?", (tx.now() - 1.0, self.id))


def living(tx: Statements, ids: Iterable[str]) -> set[str]:
    """Those of these workers that are alive: their lease holds, and where they are on this machine, they run."""
    wanted = tuple(set(ids))
    if not wanted:
        return set()
    rows = tx.run(repeated(_ROWS, len(wanted)), wanted)
    now, here = tx.now(), this_machine()
    return {
        worker
        for worker, machine, pid, birth, expires in rows
        if expires > now and (machine != here or exists(pid, birth))
    }
