"""The ledger itself: opened once per working place, shared by as many processes as like."""

from __future__ import annotations

import asyncio
import functools
import json
import os
import socket
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from pydantic import JsonValue
from sqlalchemy import Connection, Engine, func, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from novum.core import Spend
from novum.errors import BadInput, LedgerError
from novum.ledger import schema
from novum.ledger.account import RunAccount
from novum.ledger.accounts import (
    AccountHandler,
    CallCost,
    Change,
    UnsettledRequests,
    cost_of,
    open_accounts,
    unsettled_of,
)
from novum.ledger.claims import (
    Claim,
    ClaimHandler,
    ClaimLost,
    ClaimResult,
    ClaimWatch,
    ConfirmationHandler,
    ReleaseHandler,
)
from novum.ledger.disk_space import DiskSpace
from novum.ledger.failures import (
    BUSY_WITHOUT_HOLDER,
    FULL,
    LOCKED,
    RECONNECTING,
    RECONNECTING_PAUSE,
    WAITING,
    LedgerBusy,
    LedgerUnavailable,
    busy_failure,
    damage_failure,
    ledger_failure,
)
from novum.ledger.lock_holder import LockHolder
from novum.ledger.opening import opened
from novum.ledger.records import Call, Event, RunRecord, RunStatus, Share, StepCost
from novum.ledger.rows import (
    CALL_COLUMNS,
    FIRST_ANSWER,
    FIRST_ANSWER_IN_RUN,
    RUN_COLUMNS,
    RUN_COLUMNS_WITHOUT_RESULT,
    call_of,
    event_of,
    is_alive,
    new_run_id,
    run_record_of,
    stored_row,
)
from novum.ledger.sums import shares_of, spend_of, step_costs_of, used_numbers
from novum.ledger.transaction import Statements, transaction
from novum.ledger.workers import Worker
from novum.ledger.writer import GroupWriter, Rows

_UNSEEN = 60.0
"""Seconds for which a write lock is waited for where nobody sees for what."""
_LOOK = 0.05
"""Seconds between two looks whether requests have ended."""
_ID_TRIES = 20
"""Runs of one title that begin in one second differ in four hex digits: two of them may draw the same."""


Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")


def _patient(
    method: Callable[Concatenate[Ledger, Parameters], Returned],
) -> Callable[Concatenate[Ledger, Parameters], Returned]:
    """The method, which tries again for a while where the database server is gone or another process has the lock."""

    @functools.wraps(method)
    def patient(self: Ledger, /, *arguments: Parameters.args, **named: Parameters.kwargs) -> Returned:
        began = time.monotonic()
        while True:
            try:
                return method(self, *arguments, **named)
            except LedgerUnavailable:
                if time.monotonic() > began + RECONNECTING:
                    raise
                self.wait_for_server()
            except LedgerBusy:
                self.wait_for_lock(time.monotonic() - began)

    return patient


class Ledger:
    """Runs, calls, events. `Ledger.open` makes the tables when they are not there yet."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._worker = Worker()
        self._writer = GroupWriter(engine, self._worker)
        self._rows = Rows()
        self._accounts = AccountHandler(self._worker)
        self._claims = ClaimHandler(self._worker)
        self._confirmations = ConfirmationHandler(self._worker)
        self._releases = ReleaseHandler(self._worker)
        self._watch = ClaimWatch(self._read)
        file = engine.url.database if engine.dialect.name == "sqlite" else None
        self._space = DiskSpace(Path(file).absolute().parent) if file else None
        self._under_way: dict[str, int] = {}
        """Names of the questions that this process is at work on; `GroupWriter.lapses` when they were claimed."""
        self._sent: set[str] = set()
        """Names of those among them whose requests may be on their way."""
        if self._space is not None:
            self._writer.make_room = self._space.give_back
        self._writer.under_way = lambda: bool(self._under_way)
        self._turns: weakref.WeakValueDictionary[tuple[int, str], asyncio.Lock] = weakref.WeakValueDictionary()
        self._reader: Connection | None = None
        self._listener: Callable[[str], None] | None = None
        self._notes: set[str] = set()
        self._writer.on_reconnect = self._note_waiting
        self._writer.on_busy = self._note_busy

    @classmethod
    def open(cls, where: Path | str) -> Self:
        """`where`: a file path, or a database URL. Raises LedgerError when it cannot be opened or is not a ledger."""
        return cls(opened(where))

    def close(self) -> None:
        """Writes what is queued and lets go of the database."""
        self._writer.close()
        if self._reader is not None:
            self._reader.close()
            self._reader = None
        if self._space is not None:
            self._space.close()
        self._engine.dispose()

    def write_without_gathering(self) -> None:
        """From now on each operation is written at once, not together with those of the next moment: for measurements
        on an event loop whose clock jumps."""
        self._writer.gathering = 0.0

    def on_commit(self, listener: Callable[[], None]) -> None:
        """From now on `listener` is called after each transaction of queued rows, in the thread that wrote them."""
        self._writer.after_commit = listener

    def on_note(self, listener: Callable[[str], None]) -> None:
        """From now on `listener` receives a text when the database has to be waited for."""
        self._listener = listener

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- questions --------------------------------------------------------------------------------------------------

    def turn(self, claim: Claim) -> asyncio.Lock:
        """Held by the task of this process that works on a question, so that its other tasks wait for the answer."""
        return self._turns.setdefault((id(asyncio.get_running_loop()), claim.name), asyncio.Lock())

    async def claim(self, claim: Claim) -> ClaimResult:
        """Claims a question before it is sent; the claim is committed when this returns. See `ClaimResult`. Raises
        LedgerError also where there is no room for the answer."""
        await self._check_space()
        self._writer.keep_lease()
        lapses = self._writer.lapses
        result: ClaimResult = await self._writer.write_or_undo(
            (self._claims, claim), lambda result: [] if result is ClaimResult.HELD else [(self._releases, claim.name)]
        )
        if result is not ClaimResult.HELD:
            self._under_way[claim.name] = lapses
        return result

    async def confirm(self, claim: Claim) -> None:
        """Returns when a claimed question may be sent: no other process can have taken it over. Raises ClaimLost
        otherwise. To be called right before each request; the ledger is read only where the lease had ended. Raises
        LedgerError where there is no room for the answer."""
        await self._check_space(claim.name)
        lapses = self._writer.lapses
        if self._under_way.get(claim.name) != lapses:
            if not await self._writer.write((self._confirmations, claim.name)):
                raise ClaimLost(claim.name)
            self._under_way[claim.name] = self._writer.lapses
        self._sent.add(claim.name)

    async def _check_space(self, name: str = "") -> None:
        """Raises LedgerError where there is no room for answers, after those that are under way are written: the error
        ends the run, and with it the other requests. `name`: of the question, where it is claimed."""
        if self._space is None:
            return
        try:
            self._space.check(idle=not self._sent - {name})
        except LedgerError:
            self._sent.discard(name)
            if self._sent:
                self._tell(FULL)
            while self._sent:  # noqa: ASYNC110  an event belongs to one event loop, a ledger to several
                await asyncio.sleep(_LOOK)
            raise

    async def claim_ended(self, claim: Claim) -> None:
        """Waits for a question of another process, until it may have an answer or may be free again."""
        await self._watch.ended(claim)

    def release(self, claim: Claim, *, answered: bool) -> None:
        """Ends the work on a claimed question. Where it is not answered, others may claim it."""
        self._under_way.pop(claim.name, None)
        self._sent.discard(claim.name)
        if not answered:
            self._writer.write_soon((self._releases, claim.name))

    def account(self, run_id: str) -> RunAccount:
        """The account of a run, for counting its requests."""
        return RunAccount(run_id, self._writer, self._accounts, self._open_account)

    @_patient
    def unsettled(self, run_id: str) -> UnsettledRequests:
        """The requests of a run that were sent, or may have been, and have no recorded answer."""
        self._writer.catch_up()
        with _mapped_errors(), self._engine.connect() as connection:
            return unsettled_of(Statements(connection), run_id)

    # -- calls ------------------------------------------------------------------------------------------------------

    async def answer_to(self, key: str, run_id: str, *, only: bool = False) -> Call | None:
        """As `answered`; other tasks go on while a database server is waited for."""
        began = time.monotonic()
        while True:
            try:
                return self._answered(key, run_id, only)
            except LedgerUnavailable:
                if time.monotonic() > began + RECONNECTING:
                    raise
                self._note_server_gone()
                await asyncio.sleep(RECONNECTING_PAUSE)
            except LedgerBusy:
                return self.answered(key, run_id, only=only)

    @_patient
    def answered(self, key: str, run_id: str = "", *, only: bool = False) -> Call | None:
        """The answer to that question that `run_id` paid for, else (unless `only`) the first recorded one."""
        return self._answered(key, run_id, only)

    def _answered(self, key: str, run_id: str, only: bool) -> Call | None:
        query = FIRST_ANSWER_IN_RUN if only else FIRST_ANSWER
        with _mapped_errors():
            rows = self._read().run(query, (key, run_id))
            return call_of(rows[0]) if rows else None

    async def record(self, call: Call, change: Change | None = None) -> None:
        """Returns when the call is safely written, and with it the `change` of the run's account."""
        use = {"run_id": call.run_id, "key": call.key}
        change = change or Change(call.run_id, answered=cost_of(call))
        rows = ((self._rows, (schema.calls, vars(call))), (self._rows, (schema.uses, use)))
        await self._writer.write((self._accounts, change), *rows, urgent=True)

    def reuse(self, call: Call, run_id: str) -> None:
        """Notes that a run used an answer that was there already."""
        self._writer.write_soon((self._rows, (schema.uses, {"run_id": run_id, "key": call.key})))

    @_patient
    def calls(self, run_id: str) -> list[Call]:
        """The calls that a run paid for, in the order of their answers."""
        query = select(*CALL_COLUMNS).where(schema.calls.c.run_id == run_id).order_by(schema.calls.c.number)
        with _mapped_errors(), self._engine.connect() as connection:
            return [call_of(row) for row in connection.execute(query)]

    @_patient
    def used_calls(self, run_id: str) -> list[Call]:
        """The calls whose answers a run used, whoever paid for them, in the order of their answers."""
        c = schema.calls.c
        query = select(*CALL_COLUMNS).where(c.number.in_(used_numbers(run_id))).order_by(c.number)
        with _mapped_errors(), self._engine.connect() as connection:
            return [call_of(row) for row in connection.execute(query)]

    async def shares(self, run_id: str) -> list[Share]:
        """What the answers that a run used took, by model and prompt."""
        await self.written()  # whatever is queued is counted too
        with _mapped_errors(), self._engine.connect() as connection:
            return shares_of(connection, run_id)

    @_patient
    def spend(self, run_id: str) -> Spend:
        """What a run has used so far."""
        with _mapped_errors(), self._engine.connect() as connection:
            return spend_of(connection, run_id)

    @_patient
    def step_costs(self, run_id: str) -> list[StepCost]:
        """What the calls that a run paid for took, by the step in which they were sent."""
        with _mapped_errors(), self._engine.connect() as connection:
            return step_costs_of(connection, run_id)

    # -- runs -------------------------------------------------------------------------------------------------------

    def start_run(self, kind: str, title: str, params: dict[str, JsonValue]) -> RunRecord:
        """Opens a new run under a fresh id that a person can recognise."""
        now = time.time()
        host, pid = socket.gethostname(), os.getpid()
        started = {"started": now, "updated": now, "host": host, "pid": pid}
        for _ in range(_ID_TRIES):
            record = RunRecord(
                id=new_run_id(title, now), kind=kind, title=title, params=params, status="running", **started
            )
            if self._add(record):
                return record
        raise LedgerError(f"The ledger holds too many runs of {title!r} that began this second. Start it again.")

    @_patient
    def _add(self, record: RunRecord) -> bool:
        """Writes a new run down, unless another has its id."""
        number = select(func.coalesce(func.max(schema.runs.c.number), 0) + 1).scalar_subquery()
        row = record.model_dump() | {"params": json.dumps(record.params), "number": number}
        try:
            with self._engine.begin() as connection:
                connection.execute(insert(schema.runs).values(stored_row(schema.runs, row)))
        except IntegrityError:
            return False
        except SQLAlchemyError as error:
            raise ledger_failure(error) from error
        return True

    def reopen_run(self, run_id: str, *, force: bool = False) -> RunRecord:
        """Marks a run as running again, by one process alone. Raises BadInput when another one seems to work on it,
        unless `force`."""
        record = self.run(run_id)
        while True:
            if not force and record.status == "running" and record.pid != os.getpid() and is_alive(record):
                raise BadInput(
                    f"Run {record.id} is still being worked on by process {record.pid} on {record.host}. Wait for it, "
                    "or end that process first; if you know that it is gone, resume with --force."
                )
            taken, record = self._take_over(record), self.run(record.id)
            if taken:
                return record

    def _take_over(self, seen: RunRecord) -> bool:
        """Makes this process the one that works on a run; False where another one has become it since `seen`."""
        c = schema.runs.c
        same = (c.id == seen.id, c.status == seen.status, c.host == seen.host, c.pid == seen.pid)
        here = {"host": socket.gethostname(), "pid": os.getpid()}
        changed = self._change(
            update(schema.runs).where(*same).values(status="running", reason="", updated=time.time(), **here)
        )
        return changed > 0

    def end_run(self, run_id: str, status: RunStatus, reason: str = "", result: str = "", seconds: float = 0.0) -> None:
        """Closes a session of work on a run; `seconds` are added to those of earlier sessions."""
        table = schema.runs
        values = {"status": status, "reason": reason, "updated": time.time(), "seconds": table.c.seconds + seconds}
        if result:
            values |= stored_row(table, {"result": result})
        self._change(update(table).where(table.c.id == run_id).values(values))

    def run(self, run_id: str) -> RunRecord:
        """The run of that id, or of the only one that begins so, or the newest for `last`. Raises BadInput
        otherwise.
        """
        found = self.runs(limit=1) if run_id == "last" else self.runs(prefix=run_id)
        exact = [record for record in found if record.id == run_id] or found
        if len(exact) == 1:
            return exact[0]
        what = "There is no run" if not exact else f"{len(exact)} runs begin with"
        raise BadInput(f"{what} {run_id!r}. `novum runs list` shows them.")

    @_patient
    def runs(self, limit: int | None = None, prefix: str = "", *, results: bool = True) -> list[RunRecord]:
        """Runs, newest first. Without `results` their outcomes, which may be megabytes each, are left empty."""
        c = schema.runs.c
        query = select(*(RUN_COLUMNS if results else RUN_COLUMNS_WITHOUT_RESULT)).where(
            c.id.startswith(prefix, autoescape=True)
        )
        query = query.order_by(c.number.desc(), c.started.desc(), c.id).limit(limit)
        with _mapped_errors(), self._engine.connect() as connection:
            return [run_record_of(row) for row in connection.execute(query)]

    # -- events -----------------------------------------------------------------------------------------------------

    def emit(self, event: Event) -> None:
        """Queues an event; it is written with the next group."""
        row = event.model_dump() | {"data": json.dumps(event.data)}
        self._writer.write_soon((self._rows, (schema.events, row)))

    async def written(self) -> None:
        """Returns when everything queued so far is safely written, events too."""
        await self._writer.write()

    @_patient
    def events(self, run_id: str, after: int = 0, kind: str = "") -> Sequence[tuple[int, Event]]:
        """Numbered events of a run, oldest first, those after number `after` only, and of this `kind` where one is
        named. Those that this process has emitted are among them.
        """
        self._writer.catch_up()
        c = schema.events.c
        query = (
            select(c.number, c.run_id, c.at, c.kind, c.step, c.data)
            .where(c.run_id == run_id, c.number > after)
            .order_by(c.number)
        )
        query = query.where(c.kind == kind) if kind else query
        with _mapped_errors(), self._engine.connect() as connection:
            return [event_of(row) for row in connection.execute(query)]

    # -- inside -----------------------------------------------------------------------------------------------------

    def wait_for_server(self) -> None:
        """Leaves a database server that is gone a moment to come back."""
        self._note_server_gone()
        time.sleep(RECONNECTING_PAUSE)

    def _note_server_gone(self) -> None:
        """Lets go of the connection, and says that the server is waited for."""
        self._note_waiting()
        if self._reader is not None:
            with suppress(SQLAlchemyError):
                self._reader.close()
            self._reader = None

    def wait_for_lock(self, waited: float) -> None:
        """Says that another process has the write lock. Raises LedgerBusy after too many seconds."""
        holder = self._writer.lock_holder()
        self._note_busy(holder)
        if waited > (BUSY_WITHOUT_HOLDER if self._listener and holder else _UNSEEN):
            raise busy_failure(holder)

    def _note_busy(self, holder: LockHolder | None) -> None:
        """Tells the listener once about each process, and once when it was stopped."""
        self._tell(f"{holder or LOCKED} Waiting for it.")

    def _tell(self, text: str) -> None:
        """Tells the listener, once in the life of a ledger."""
        if self._listener is not None and text not in self._notes:
            self._notes.add(text)
            self._listener(text)

    def _note_waiting(self) -> None:
        self._tell(WAITING)

    def _read(self) -> Statements:
        """A connection kept for look-ups, each seeing the newest commit."""
        if self._reader is None:
            self._reader = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            self._look_up = Statements(self._reader)
        return self._look_up

    @_patient
    def _open_account(self, run_id: str) -> CallCost:
        with _mapped_errors(), self._engine.connect() as connection:
            autocommit = connection.execution_options(isolation_level="AUTOCOMMIT")
            with transaction(autocommit) as tx:
                return open_accounts(tx, run_id)

    @_patient
    def _change(self, statement: Any) -> int:
        """The number of rows that the statement changed."""
        try:
            with self._engine.begin() as connection:
                changed: int = connection.execute(statement).rowcount
                return changed
        except SQLAlchemyError as error:
            raise ledger_failure(error) from error


@contextmanager
def _mapped_errors() -> Iterator[None]:
    """The errors of reading, in words for a person; a row that cannot have been written so shows a damaged ledger."""
    try:
        yield
    except SQLAlchemyError as error:
        raise ledger_failure(error) from error
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise damage_failure(error) from error
