"""Group commit: what many tasks have to write goes to the database in one transaction, and each waits for its own.

A ledger in a file is written in the thread of the event loop, as soon as the loop has handed out what had arrived: such
a transaction takes less time than it takes another thread to be given Python's lock on a busy machine, and nothing in
it waits for the disk. Where another process holds the write lock, where the disk is slow, and for a database server, a
thread writes instead, and the event loop goes on meanwhile.
"""

from __future__ import annotations

import asyncio
import functools
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import Connection, Engine, Table
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from novum.errors import LedgerError
from novum.ledger.failures import (
    BUSY_WITHOUT_HOLDER,
    RECONNECTING,
    RECONNECTING_PAUSE,
    is_busy,
    is_damaged,
    is_full,
    is_transient,
    ledger_failure,
)
from novum.ledger.lock_holder import LockHolder, lock_holder
from novum.ledger.opening import PATIENT_MS
from novum.ledger.rows import stored_row
from novum.ledger.transaction import Statements, transaction
from novum.ledger.waking import PacedWaking, running_loop
from novum.ledger.workers import LEASE, RENEWAL, Worker, lease_clock

Row = Mapping[str, object]

_GATHERING = 0.005
"""Seconds for which operations without a waiting task are gathered, and for which the thread gathers everything."""
_LONGEST_GATHERING = 0.001
"""Seconds after which an answer is written by an event loop that has not come to a pause since."""
_SLOW = 0.05
"""Seconds. A transaction that took longer shows a slow disk: the thread writes for a while."""
_SLOW_PERIOD = 5.0
"""Seconds for which the thread writes then."""
_BUSY_MS = 10
"""Milliseconds that SQLite waits for another process's lock in the event loop; `PATIENT_MS` in the thread."""
_CLOSING = 20.0
"""Seconds for which that lock is waited for at the end."""
_LEASE_MARGIN = 1.0
"""Seconds before its end when a lease is taken for ended."""
_ROWS_AT_ONCE = (64, 16, 4, 1)
"""Rows of one statement. Few different sizes, so that the driver has the statements prepared."""
_OPERATIONS_PER_CHECKPOINT = 4_000
"""Operations after which the thread moves SQLite's log into the file: some ten megabytes."""


class Handler(Protocol):
    """Writes operations of one kind."""

    rank: int
    """Handlers write in this order, in every process: so no two of them wait for each other's rows."""

    def apply(self, tx: Statements, payloads: Sequence[Any]) -> Sequence[Any]:
        """Writes these in order, and returns what came of each. May be called again with the same ones after a
        rollback."""

    def forget(self) -> None:
        """A transaction was undone: what was known of it is not true."""


Operation = tuple[Handler, Any]
"""What writes, and what it has to write."""


@dataclass(frozen=True)
class Batch:
    """Operations that belong together, and the future of the task that waits for them."""

    operations: Sequence[Operation]
    done: asyncio.Future[Any] | None = None
    """Its result is what came of the last operation."""
    urgent: bool = False
    """It holds an answer, which would have to be paid for again."""


@functools.cache
def insert_ignoring_existing(table: Table, columns: tuple[str, ...], rows: int) -> str:
    """An insert of so many rows that leaves those alone which are there already."""
    row = f"({', '.join('?' * len(columns))})"
    into, values = f"{table.name} ({', '.join(columns)})", ", ".join([row] * rows)
    return f"INSERT INTO {into} VALUES {values} ON CONFLICT DO NOTHING"  # noqa: S608  # names of our own tables


class Rows:
    """Inserts rows, without the keys and passwords that a text may repeat. A driver gives up Python's lock at every
    statement, so many rows go into one."""

    rank = 2

    def forget(self) -> None:
        """Nothing is known."""

    def apply(self, tx: Statements, payloads: Sequence[tuple[Table, Row]]) -> Sequence[None]:
        """Inserts those rows that are not there yet."""
        by_form: dict[tuple[Table, tuple[str, ...]], list[Row]] = {}
        for table, row in payloads:
            stored = stored_row(table, row)
            by_form.setdefault((table, tuple(stored)), []).append(stored)
        for (table, columns), rows in by_form.items():
            for some in _in_sizes(rows):
                values = tuple(value for row in some for value in row.values())
                tx.run(insert_ignoring_existing(table, columns, len(some)), values)
        return [None] * len(payloads)


def _in_sizes(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """All rows in order, in pieces of the sizes that statements have."""
    start = 0
    while left := len(rows) - start:
        size = next(each for each in _ROWS_AT_ONCE if each <= left)
        yield rows[start : start + size]
        start += size


class GroupWriter:
    """Writes what is queued, all that is there in one transaction, each operation exactly once."""

    def __init__(self, engine: Engine, worker: Worker) -> None:
        self._engine = engine
        self._worker = worker
        self._is_sqlite = engine.dialect.name == "sqlite"
        self._pending: deque[Batch] = deque()
        self._waking = PacedWaking()
        self._writing = threading.Lock()
        """Whoever holds it takes what is pending and writes it; so the order is kept."""
        self._connection: Connection | None = None
        self._busy_ms = 0
        self.gathering = _GATHERING
        self._scheduled: asyncio.AbstractEventLoop | None = None
        self._scheduled_for = 0.0
        self._urgent_since = 0.0
        self._slow_until = 0.0
        self._thread: threading.Thread | None = None
        self._called = threading.Event()
        self._ending = self._closing = False
        self._renewed: float | None = None
        self._lapses = 0
        """How often the lease had ended before it was renewed."""
        self._number = 0
        self._since_checkpoint = 0
        self.under_way: Callable[[], bool] = lambda: False
        """Whether this process has requests under way, for which its lease must be renewed."""
        self.after_commit: Callable[[], None] = lambda: None
        """Is called when everything that was taken for a group is committed."""
        self.make_room: Callable[[], bool] = lambda: False
        """Is called when the disk is full; whether to try once more."""
        self.on_reconnect: Callable[[], None] = lambda: None
        """Is called each time when a database server has to be waited for."""
        self.on_busy: Callable[[LockHolder | None], None] = lambda holder: None
        """Is called each time when the write lock of another process has to be waited for."""

    async def write(self, *operations: Operation, urgent: bool = False) -> Any:
        """Returns what came of the last operation when all are committed. Raises LedgerError when they could not be.
        They are written even where the task that waits is cancelled. `urgent`: a busy event loop does not delay them.
        """
        return await self._put(operations, urgent)

    async def write_or_undo(self, operation: Operation, undo: Callable[[Any], Sequence[Operation]]) -> Any:
        """As `write`. Where the task that waits is cancelled, `undo` of what came of the operation is written."""
        done = self._put([operation])

        def take_back(ended: asyncio.Future[Any]) -> None:
            if not ended.cancelled() and ended.exception() is None and (operations := undo(ended.result())):
                self.write_soon(*operations)

        try:
            return await asyncio.shield(done)
        except asyncio.CancelledError:
            done.add_done_callback(take_back)
            raise

    def write_soon(self, *operations: Operation) -> None:
        """Queues operations that nobody waits for."""
        self._add(Batch(operations))

    def catch_up(self) -> None:
        """Returns when everything queued so far has been written, or could not be: who reads then sees it."""
        if self._pending or self._writing.locked():
            self._flush()

    def keep_lease(self) -> None:
        """Sees to it that the lease is renewed from now on, as long as requests are under way."""
        if self._thread is None:
            self._call_thread()

    @property
    def lapses(self) -> int:
        """A number that grows when the lease of this process has ended, as after a stop: others may have taken over
        what it had claimed."""
        return self._lapses + self._has_lapsed()

    def _has_lapsed(self) -> bool:
        return self._renewed is not None and lease_clock() - self._renewed > LEASE - _LEASE_MARGIN

    def close(self) -> None:
        """Writes what is queued, gives up the lease, and ends the thread."""
        self._closing = True
        self.catch_up()
        if self._thread is not None:
            self._ending = True
            self._called.set()
            self._thread.join()
            self._thread, self._ending = None, False
        with self._writing, suppress(SQLAlchemyError):
            if self._renewed is not None:
                with transaction(self._connected(PATIENT_MS)) as tx:
                    self._worker.leave(tx)
                self._renewed = None
            self._disconnect()

    # -- queueing ---------------------------------------------------------------------------------------------------

    def _put(self, operations: Sequence[Operation], urgent: bool = False) -> asyncio.Future[Any]:
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._add(Batch(operations, done, urgent))
        return done

    def _add(self, batch: Batch) -> None:
        self._pending.append(batch)
        now = time.monotonic()
        loop = running_loop() if self._is_sqlite and now >= self._slow_until else None
        if loop is None:
            self._call_thread()
        elif batch.urgent and now - self._urgent_since > _LONGEST_GATHERING and self._urgent_since:
            self._flush_in_loop()  # the loop is busy with many answers at once, and has not come to a pause
        else:
            self._urgent_since = self._urgent_since or (now if batch.urgent else 0.0)
            self._schedule(loop, now + (self.gathering if batch.done is None else 0.0))

    def _schedule(self, loop: asyncio.AbstractEventLoop, at: float) -> None:
        """Has what is pending written by this event loop at that moment, unless it is written before anyway."""
        if self._scheduled is not None and not self._scheduled.is_closed() and self._scheduled_for <= at:
            return
        self._scheduled, self._scheduled_for = loop, at
        wait = at - time.monotonic()
        if wait > 0:
            loop.call_later(wait, self._flush_in_loop)
        else:
            loop.call_soon(self._flush_in_loop)

    def _take(self) -> list[Batch]:
        batches = []
        with suppress(IndexError):
            while True:
                batches.append(self._pending.popleft())
        return batches

    # -- writing ----------------------------------------------------------------------------------------------------

    def _flush_in_loop(self) -> None:
        """Writes what is pending, or leaves it to the thread where that would make the event loop wait."""
        self._scheduled, self._urgent_since = None, 0.0
        if not self._pending:
            return
        if not self._writing.acquire(blocking=False):
            self._call_thread()
            return
        began = time.monotonic()
        try:
            if not self._write_at_once(self._take()):
                self._call_thread()
        finally:
            self._writing.release()
        ended = time.monotonic()
        if ended - began > _SLOW:
            self._slow_until = ended + _SLOW_PERIOD
        if self._since_checkpoint > _OPERATIONS_PER_CHECKPOINT:
            self._call_thread()

    def _write_at_once(self, batches: Sequence[Batch]) -> bool:
        """False: another process has the lock, and the batches are pending again."""
        try:
            self._commit(batches, _BUSY_MS)
        except OperationalError:
            self._pending.extendleft(reversed(batches))
            return False
        return True

    def _flush(self) -> None:
        with self._writing:
            batches = self._take()
            if batches or self._lease_is_due():
                self._commit(batches, PATIENT_MS)

    def _commit(self, batches: Sequence[Batch], busy_ms: int) -> None:
        """Writes the batches and wakes who waits. Raises OperationalError only where the lock is held by another
        process for longer than the event loop may wait."""
        try:
            results = self._write(batches, busy_ms)
        except SQLAlchemyError as error:
            if busy_ms == _BUSY_MS and is_busy(error):
                raise
            if not (isinstance(error, OperationalError) or is_damaged(error)):
                self._commit_singly(batches, error)
                return
            failure = ledger_failure(error, self.lock_holder() if is_busy(error) else None)
            self._wake(batches, [failure] * len(batches))  # the disk, a lock: the same for every row
        except Exception as error:
            self._commit_singly(batches, error)
        else:
            self._wake(batches, results)

    def _commit_singly(self, batches: Sequence[Batch], error: Exception) -> None:
        """A row that no driver can bind must cost neither the others nor this thread."""
        if len(batches) > 1:
            for batch in batches:
                self._commit([batch], PATIENT_MS)
            return
        what = f"{type(error).__name__}: {error}"
        self._wake(batches, [LedgerError(f"The ledger could not hold an answer ({what}). Please report it.")])

    def _wake(self, batches: Sequence[Batch], results: Sequence[Any]) -> None:
        pairs = zip(batches, results, strict=True)
        self._waking.wake((batch.done, result) for batch, result in pairs if batch.done is not None)

    def _write(self, batches: Sequence[Batch], busy_ms: int) -> list[Any]:
        """What came of the last operation of each batch. A database server that is restarted is waited for."""
        if not any(batch.operations for batch in batches) and not self.under_way():
            return [None] * len(batches)
        began, results, renewed = time.monotonic(), None, self._renewed
        while True:
            try:
                with transaction(self._connected(busy_ms)) as tx:
                    if results is None or not self._is_written(tx):
                        results = self._apply(tx, batches)
                break
            except Exception as error:
                self._renewed = renewed  # what this transaction renewed is undone
                for handler in {handler for batch in batches for handler, _ in batch.operations}:
                    handler.forget()
                if is_full(error) and self.make_room():
                    continue
                if busy_ms != _BUSY_MS and is_busy(error) and self._waits_for_lock(began):
                    continue
                if not is_transient(error) or time.monotonic() > began + RECONNECTING:
                    raise
                self._reconnect()
        self.after_commit()
        self._number += 1
        self._since_checkpoint += sum(len(batch.operations) for batch in batches)
        return results

    def _waits_for_lock(self, began: float) -> bool:
        """Whether to wait on for the write lock of another process, since `began`; says so."""
        waited, holder = time.monotonic() - began, self.lock_holder()
        self.on_busy(holder)
        return waited < _CLOSING if self._closing else holder is not None or waited < BUSY_WITHOUT_HOLDER

    def lock_holder(self) -> LockHolder | None:
        """The process that holds the write lock of a ledger in a file, where it is known."""
        file = self._engine.url.database if self._is_sqlite else None
        return lock_holder(Path(file)) if file else None

    def _reconnect(self) -> None:
        """Leaves a database server a moment to come back."""
        self._disconnect()
        self.on_reconnect()
        time.sleep(RECONNECTING_PAUSE)

    def _apply(self, tx: Statements, batches: Sequence[Batch]) -> list[Any]:
        if self._lease_is_due() or not self._is_sqlite:
            now = lease_clock()
            self._worker.renew(tx, self._number + 1)
            self._lapses += self._has_lapsed()
            self._renewed = now
        results: dict[int, Any] = {}
        for handler, numbered in _by_handler(batches):
            outcomes = handler.apply(tx, [payload for _, payload in numbered])
            results |= {number: outcome for (number, _), outcome in zip(numbered, outcomes, strict=True)}
        return [results.get(number) for number in range(len(batches))]

    def _is_written(self, tx: Statements) -> bool:
        """Whether the transaction that was lost with the connection had been committed after all."""
        return self._worker.last_batch(tx) == self._number + 1

    def _lease_is_due(self) -> bool:
        return self._renewed is None or lease_clock() - self._renewed > RENEWAL

    # -- connection and thread --------------------------------------------------------------------------------------

    def _connected(self, busy_ms: int) -> Connection:
        if self._connection is None:
            self._connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            self._busy_ms = 0
            if self._is_sqlite:
                self._connection.exec_driver_sql("PRAGMA wal_autocheckpoint=0")  # the thread does that
        if self._is_sqlite and self._busy_ms != busy_ms:
            self._connection.exec_driver_sql(f"PRAGMA busy_timeout={busy_ms}")
            self._busy_ms = busy_ms
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            with suppress(SQLAlchemyError):
                self._connection.invalidate()
            self._connection.close()
            self._connection = None

    def _call_thread(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="novum-ledger", daemon=True)
            self._thread.start()
        self._called.set()

    def _work(self) -> None:
        while not self._ending:
            self._called.wait(RENEWAL)
            self._called.clear()
            if not self._is_sqlite:
                time.sleep(self.gathering)
            if self._pending or (self.under_way() and self._lease_is_due()):
                self._flush()
            if self._since_checkpoint > _OPERATIONS_PER_CHECKPOINT:
                self._checkpoint()

    def _checkpoint(self) -> None:
        """Moves SQLite's log into the file, which waits for the disk."""
        self._since_checkpoint = 0
        if self._is_sqlite:
            with suppress(SQLAlchemyError), self._engine.connect() as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)")


def _by_handler(batches: Sequence[Batch]) -> list[tuple[Handler, list[tuple[int, Any]]]]:
    """The operations of each handler in order, each with the number of its batch."""
    found: dict[Handler, list[tuple[int, Any]]] = {}
    for number, batch in enumerate(batches):
        for handler, payload in batch.operations:
            found.setdefault(handler, []).append((number, payload))
    return sorted(found.items(), key=lambda each: each[0].rank)
