"""Claims on questions: of all processes that share a ledger, one sends a question and the others wait for its answer.

A claim is committed before the first request of a question and stays when the answer is there; it is deleted only where
the question came to no answer. So a question that is under way or was just answered never looks free. The
claim of a process that has ended is taken over; a day later it is deleted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from sqlalchemy.exc import SQLAlchemyError

from novum.ledger.transaction import Statements, repeated
from novum.ledger.workers import Worker, living

_POLL_FIRST, _POLL_LONGEST = 0.05, 0.5
"""Seconds between two looks at the questions of other processes."""
_AT_ONCE = 400
"""Names in one statement."""
_INSERT = "INSERT INTO claims (name, run_id, worker) VALUES ... ON CONFLICT DO NOTHING RETURNING name"
_TAKE_OVER = "UPDATE claims SET worker = ? WHERE worker = ? AND name IN (...) RETURNING name"

_CONFIRM = "UPDATE claims SET worker = ? WHERE worker = ? AND name IN (...) RETURNING name"
"""Changes nothing, and locks the rows."""


class ClaimResult(Enum):
    """What came of a claim."""

    OURS = "ours"
    """The question was free: no process has claimed it."""
    TAKEN_OVER = "taken over"
    """It is ours as its process has ended. That process may have recorded an answer before."""
    HELD = "held"
    """Another process is at work on it, or has its answer."""


class ClaimLost(Exception):
    """Another process has taken a question over: this one had stopped for longer than its lease."""


@dataclass(frozen=True)
class Claim:
    """One question that a run is about to send."""

    key: str
    """The key of the call."""
    run_id: str
    fresh: bool = False
    """A fresh run shares its questions only with other processes that work on the same run."""

    @property
    def name(self) -> str:
        """What the claim is known by."""
        return f"{self.key}@{self.run_id}" if self.fresh else self.key


class ClaimHandler:
    """Writes claims."""

    rank = 1

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    def forget(self) -> None:
        """Nothing is known."""

    def apply(self, tx: Statements, payloads: Sequence[Claim]) -> Sequence[ClaimResult]:
        """Takes the questions that are free or whose process has ended."""
        results: dict[str, ClaimResult] = {}
        wanted = {claim.name: claim for claim in payloads}
        for some in _in_pieces(sorted(wanted)):  # sorted: two servers' clients must not wait for each other
            ours = self._insert(tx, [wanted[name] for name in some])
            results |= dict.fromkeys(ours, ClaimResult.OURS)
            if held := [name for name in some if name not in ours]:
                results |= dict.fromkeys(held, ClaimResult.HELD)
                results |= dict.fromkeys(self._take_over(tx, held), ClaimResult.TAKEN_OVER)
        return [results[claim.name] for claim in payloads]

    def _insert(self, tx: Statements, claims: Sequence[Claim]) -> set[str]:
        statement = repeated(_INSERT, len(claims), "(?, ?, ?)")
        values = [value for claim in claims for value in (claim.name, claim.run_id, self._worker.id)]
        return {name for (name,) in tx.run(statement, values)}

    def _take_over(self, tx: Statements, names: Sequence[str]) -> set[str]:
        owners = owners_of(tx, names)
        gone = set(owners.values()) - living(tx, owners.values())
        taken: set[str] = set()
        for worker in sorted(gone):
            theirs = [name for name in names if owners.get(name) == worker]
            statement = repeated(_TAKE_OVER, len(theirs))
            taken |= {name for (name,) in tx.run(statement, (self._worker.id, worker, *theirs))}
        return taken


class ConfirmationHandler:
    """Finds out whether claims are still this process's own. Its lease is renewed in the same transaction."""

    rank = 2

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    def forget(self) -> None:
        """Nothing is known."""

    def apply(self, tx: Statements, payloads: Sequence[str]) -> Sequence[bool]:
        """Whether each claim of these names is."""
        ours: set[str] = set()
        for some in _in_pieces(sorted(set(payloads))):
            values = (self._worker.id, self._worker.id, *some)
            ours |= {name for (name,) in tx.run(repeated(_CONFIRM, len(some)), values)}
        return [name in ours for name in payloads]


class ReleaseHandler:
    """Deletes claims of questions that came to no answer. It comes last: a claim that was made and given up within one
    group must not stay."""

    rank = 3

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    def forget(self) -> None:
        """Nothing is known."""

    def apply(self, tx: Statements, payloads: Sequence[str]) -> Sequence[None]:
        """Deletes the claims of these names, as far as they are this process's own."""
        for some in _in_pieces(sorted(set(payloads))):
            statement = repeated("DELETE FROM claims WHERE worker = ? AND name IN (...)", len(some))
            tx.run(statement, (self._worker.id, *some))
        return [None] * len(payloads)


def owners_of(tx: Statements, names: Sequence[str]) -> dict[str, str]:
    """Which worker holds which of these claims."""
    found: dict[str, str] = {}
    for some in _in_pieces(names):
        rows = tx.run(repeated("SELECT name, worker FROM claims WHERE name IN (...)", len(some)), some)
        found |= dict(rows)
    return found


class ClaimWatch:
    """Waits for questions of other processes: one look at the ledger for all of them."""

    def __init__(self, read: Callable[[], Statements]) -> None:
        self._read = read
        self._waiting: dict[Claim, asyncio.Future[None]] = {}
        self._task: asyncio.Task[None] | None = None

    async def ended(self, claim: Claim) -> None:
        """Returns when the question may have an answer, or may be free again."""
        loop = asyncio.get_running_loop()
        if self._task is None or self._task.done() or self._task.get_loop() is not loop:
            self._waiting, self._task = {}, loop.create_task(self._watch())
        future = self._waiting.setdefault(claim, loop.create_future())
        await asyncio.shield(future)

    async def _watch(self) -> None:
        pause = _POLL_FIRST
        while self._waiting:
            await asyncio.sleep(pause)
            ready = self._ready(list(self._waiting))
            pause = _POLL_FIRST if ready else min(pause * 1.5, _POLL_LONGEST)
            for claim in ready:
                _resolve(self._waiting.pop(claim))

    def _ready(self, claims: Sequence[Claim]) -> list[Claim]:
        """Those that are answered, given up, or held by a process that has ended; all of them where the ledger cannot
        be read, so that whoever waits finds out."""
        try:
            tx = self._read()
            answered = _answered(tx, {claim.key for claim in claims})
            owners = owners_of(tx, [claim.name for claim in claims])
            alive = living(tx, owners.values())
        except SQLAlchemyError:
            return list(claims)
        return [
            claim
            for claim in claims
            if claim.name in answered or claim.name not in owners or owners[claim.name] not in alive
        ]


def _answered(tx: Statements, keys: Collection[str]) -> set[str]:
    """The names of the claims that the recorded calls of these keys answer."""
    names: set[str] = set()
    for some in _in_pieces(sorted(keys)):
        for key, run_id in tx.run(repeated("SELECT key, run_id FROM calls WHERE key IN (...)", len(some)), some):
            names |= {key, Claim(key, run_id, fresh=True).name}
    return names


def _in_pieces(names: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(names), _AT_ONCE):
        yield names[start : start + _AT_ONCE]


def _resolve(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
