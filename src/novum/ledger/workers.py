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
_ROWS = "SELECT id, machine, pid, birth, expires, uptime FROM workers WHERE id IN (...)"
_FORGOTTEN = 24 * 3600.0
"""Seconds after the end of a lease when the row of a process is deleted, and what it had claimed: who has found a
question without an answer claims it sooner, or finds the answer."""
_UNOWNED = """DELETE FROM claims WHERE name IN
(SELECT name FROM claims WHERE worker NOT IN (SELECT id FROM workers) ORDER BY name...)"""


_UPTIME: int | None = getattr(time, "CLOCK_BOOTTIME", None)
_CLOCK = time.CLOCK_MONOTONIC if _UPTIME is None else _UPTIME


def lease_clock() -> float:
    """Seconds on a clock that goes on while the machine sleeps, as leases do, and that nobody can set."""
    return time.clock_gettime(_CLOCK)


def _end_in_uptime() -> float | None:
    """When a lease that begins now ends, in seconds since the boot of this machine; None elsewhere than on
    Linux."""
    return None if _UPTIME is None else lease_clock() + LEASE


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
        now, uptime = tx.now(), _end_in_uptime()
        renewal = "UPDATE workers SET expires = ?, uptime = ?, batch = ? WHERE id = ? RETURNING id"
        if not tx.run(renewal, (now + LEASE, uptime, batch, self.id)):
            _forget_ended(tx, now - _FORGOTTEN)
            tx.run(_UNOWNED.replace("...", "" if tx.is_sqlite else " FOR UPDATE SKIP LOCKED"))
            tx.run(
                "INSERT INTO workers (id, machine, pid, birth, expires, uptime, batch) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (self.id, self.machine, self.pid, birth_of(self.pid), now + LEASE, uptime, batch),
            )

    def last_batch(self, tx: Statements) -> int:
        """The number of the last group that this process has written; 0 where there is none."""
        rows = tx.run("SELECT batch FROM workers WHERE id = ?", (self.id,))
        return int(rows[0][0]) if rows else 0

    def leave(self, tx: Statements) -> None:
        """Says that this process no longer works with the ledger. Its row stays for a while, and so do its claims."""
        tx.run("UPDATE workers SET expires = ?, uptime = 0 WHERE id = ?", (tx.now() - 1.0, self.id))


def _forget_ended(tx: Statements, before: float) -> None:
    """Deletes the rows of processes whose leases ended before that time, but for those that a clock which was set makes
    look so."""
    expired = {worker for (worker,) in tx.run("SELECT id FROM workers WHERE expires < ? LIMIT 500", (before,))}
    if ended := tuple(expired - living(tx, expired)):
        tx.run(repeated("DELETE FROM workers WHERE id IN (...)", len(ended)), ended)


def living(tx: Statements, ids: Iterable[str]) -> set[str]:
    """Those of these workers that are alive: their lease holds, and where they are on this machine, they run."""
    wanted = tuple(set(ids))
    if not wanted:
        return set()
    now = tx.now()
    return {worker for worker, *row in tx.run(repeated(_ROWS, len(wanted)), wanted) if _is_alive(now, *row)}


def _is_alive(now: float, machine: str, pid: int, birth: str, expires: float, uptime: float | None) -> bool:
    """Processes of one machine agree about the time since its boot, whatever its clock is set to."""
    if machine != this_machine():
        return expires > now
    holds = expires > now if uptime is None else uptime > lease_clock()
    return holds and exists(pid, birth)
