"""Group commit: rows from many tasks go to the database in one transaction, and each task waits until its own is safe.

Answers arrive in bursts; committing each alone would stall the event loop, and a slow disk must never stop the answers
that are still coming in. A driver gives up Python's lock at every statement and waits to get it back: the fewer
statements, the sooner a busy event loop has its rows written. So many rows go into one statement.
"""

from __future__ import annotations

import asyncio
import functools
import queue
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import Engine, Table
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from novum.errors import LedgerError

Row = Mapping[str, object]

_GATHERING = 0.005
"""Seconds from the first row of a group to its transaction: what is answered meanwhile goes into the same one."""
_ROWS_AT_ONCE = (64, 16, 4, 1)
"""Rows of one statement. Few different sizes, so that the driver has the statements prepared."""
_STILL_ALIVE = 0.5
"""Seconds after which who waits for the thread looks whether it has ended."""


@dataclass(frozen=True)
class RowBatch:
    """Rows that belong together, and who waits for them: a task, a thread, or nobody (for events)."""

    rows: Sequence[tuple[Table, Row]]
    done: asyncio.Future[None] | None = None
    reached: threading.Event | None = None
    """Set when the batch has had its turn, written or not."""


@functools.cache
def insert_ignoring_existing(table: Table, columns: tuple[str, ...], rows: int, mark: str) -> str:
    """An insert of so many rows that leaves those alone which are there already; `mark` stands for a value."""
    row = f"({', '.join([mark] * len(columns))})"
    into, values = f"{table.name} ({', '.join(columns)})", ", ".join([row] * rows)
    return f"INSERT INTO {into} VALUES {values} ON CONFLICT DO NOTHING"  # noqa: S608  # names of our own tables


class GroupWriter:
    """One thread that writes what is queued, all that is there in one transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._queue: queue.SimpleQueue[RowBatch | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._mark = "?" if engine.dialect.paramstyle == "qmark" else "%s"
        self.failure: LedgerError | None = None

    async def write(self, rows: Sequence[tuple[Table, Row]]) -> None:
        """Returns when the rows are committed. Raises LedgerError when they could not be."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._put(RowBatch(rows, done))
        await done

    def write_soon(self, rows: Sequence[tuple[Table, Row]]) -> None:
        """Queues rows that nobody waits for."""
        self._put(RowBatch(rows))

    def catch_up(self) -> None:
        """Returns when everything queued so far has had its turn: who reads then sees what was written before."""
        thread = self._thread
        if thread is not None:
            reached = threading.Event()
            self._put(RowBatch((), reached=reached))
            while not reached.wait(_STILL_ALIVE) and thread.is_alive():
                continue

    def close(self) -> None:
        """Writes what is queued and ends the thread."""
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()
            self._thread = None

    def _put(self, batch: RowBatch) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="novum-ledger", daemon=True)
            self._thread.start()
        self._queue.put(batch)

    def _work(self) -> None:
        while True:
            batches = self._next_batches()
            work = [batch for batch in batches if batch is not None]
            if work:
                self._commit(work)
            if None in batches:
                return

    def _next_batches(self) -> list[RowBatch | None]:
        batches = [self._queue.get()]
        time.sleep(_GATHERING)
        while True:
            try:
                batches.append(self._queue.get_nowait())
            except queue.Empty:
                return batches

    def _commit(self, batches: Sequence[RowBatch]) -> None:
        failure: LedgerError | None = None
        try:
            self._write(batches)
        except OperationalError as error:  # the disk, a lock: the same for every row
            failure = ledger_failure(error)
        except Exception as error:  # a row that no driver can bind must cost neither the others nor this thread
            if len(batches) > 1:
                for batch in batches:
                    self._commit([batch])
                return
            kind = type(error).__name__
            failure = LedgerError(f"The ledger could not hold an answer ({kind}: {error}). Please report it.")
        self.failure = failure or self.failure
        for batch in batches:
            if batch.reached is not None:
                batch.reached.set()
        _wake([batch.done for batch in batches if batch.done is not None], failure)

    def _write(self, batches: Sequence[RowBatch]) -> None:
        by_form: dict[tuple[Table, tuple[str, ...]], list[Row]] = {}
        for table, row in (pair for batch in batches for pair in batch.rows):
            by_form.setdefault((table, tuple(row)), []).append(row)
        if not by_form:
            return
        with self._engine.begin() as connection:
            for (table, columns), rows in by_form.items():
                for some in _in_sizes(rows):
                    values = tuple(value for row in some for value in row.values())
                    connection.exec_driver_sql(insert_ignoring_existing(table, columns, len(some), self._mark), values)


def _in_sizes(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """All rows in order, in pieces of the sizes that statements have."""
    start = 0
    while left := len(rows) - start:
        size = next(each for each in _ROWS_AT_ONCE if each <= left)
        yield rows[start : start + size]
        start += size


def ledger_failure(error: SQLAlchemyError) -> LedgerError:
    """What a database error means for a person."""
    cause = str(getattr(error, "orig", None) or error).splitlines()[0]
    if "full" in cause or "disk I/O" in cause:
        return LedgerError(
            f"The ledger could not be written: {cause}. Free some disk space and resume; all that was answered "
            "before is kept."
        )
    return LedgerError(
        f"The ledger could not be read or written: {cause}. Check the disk, or give another place by "
        "NOVUM_LEDGER; then resume."
    )


def _wake(waiting: Sequence[asyncio.Future[None]], failure: LedgerError | None) -> None:
    """Wakes the waiting tasks: one hop per event loop, not one per task."""
    by_loop: dict[asyncio.AbstractEventLoop, list[asyncio.Future[None]]] = {}
    for future in waiting:
        by_loop.setdefault(future.get_loop(), []).append(future)
    for loop, futures in by_loop.items():
        with suppress(RuntimeError):  # closed, and nobody waits in it any more: no reason for the thread to end
            loop.call_soon_threadsafe(_settle, futures, failure)


def _settle(futures: Sequence[asyncio.Future[None]], failure: LedgerError | None) -> None:
    for future in futures:
        if future.done():
            continue
        if failure is None:
            future.set_result(None)
        else:
            future.set_exception(failure)
