"""The ledger itself: opened once per working place, shared by as many processes as like."""

from __future__ import annotations

import json
import os
import re
import secrets
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from pydantic import JsonValue
from sqlalchemy import (
    URL,
    Connection,
    Engine,
    Row,
    bindparam,
    case,
    create_engine,
    event,
    func,
    insert,
    inspect,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, SQLAlchemyError

from novum.core import Spend, normal_title
from novum.errors import BadInput, LedgerError
from novum.ledger import schema
from novum.ledger.records import Call, Event, RunRecord, RunStatus, Share
from novum.ledger.writer import GroupWriter, ledger_failure

_CALL_COLUMNS = [schema.calls.c[name] for name in Call.model_fields]
_RUN_COLUMNS = [schema.runs.c[name] for name in RunRecord.model_fields]
_FIRST_ANSWER = (  # asked before every call: built once
    select(*_CALL_COLUMNS)
    .where(schema.calls.c.key == bindparam("key"))
    .order_by(schema.calls.c.run_id != bindparam("run_id"), schema.calls.c.number)  # its own before any other
    .limit(1)
)
_FIRST_ANSWER_IN_RUN = _FIRST_ANSWER.where(schema.calls.c.run_id == bindparam("run_id"))

_OPENING_TRIES, _OPENING_PAUSE = 100, 0.1
"""Two processes that make the same ledger at once: SQLite does not wait for a lock while it switches to WAL."""
_ID_TRIES = 20
"""Runs of one title that begin in one second differ in four hex digits: two of them may draw the same."""
_BUSY_OPENING = ("locked", "already exists", "duplicate column")
"""What the one that comes second is told."""


class Ledger:
    """Runs, calls, events. `Ledger.open` makes the tables when they are not there yet."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._writer = GroupWriter(engine)
        self._reader: Connection | None = None

    @classmethod
    def open(cls, where: Path | str) -> Self:
        """`where`: a file path, or a database URL. Raises LedgerError when it cannot be opened or is not a ledger."""
        engine = _engine(where)
        for left in range(_OPENING_TRIES - 1, -1, -1):
            try:
                _prepare(engine, str(where))
                break
            except SQLAlchemyError as error:
                engine.dispose()
                if not left or not any(sign in str(error) for sign in _BUSY_OPENING):
                    raise ledger_failure(error) from error
                time.sleep(_OPENING_PAUSE)
        return cls(engine)

    def close(self) -> None:
        """Writes what is queued and lets go of the database."""
        self._writer.close()
        if self._reader is not None:
            self._reader.close()
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- calls ------------------------------------------------------------------------------------------------------

    def answered(self, key: str, run_id: str = "", *, only: bool = False) -> Call | None:
        """The answer to that question that `run_id` paid for, else (unless `only`) the first recorded one."""
        query = _FIRST_ANSWER_IN_RUN if only else _FIRST_ANSWER
        with _mapped_errors():
            row = self._read().execute(query, {"key": key, "run_id": run_id}).first()
        return Call.model_construct(**row._asdict()) if row is not None else None

    async def record(self, call: Call) -> None:
        """Returns when the call is safely written."""
        await self._writer.write([(schema.calls, vars(call)), (schema.uses, {"run_id": call.run_id, "key": call.key})])

    def reuse(self, call: Call, run_id: str) -> None:
        """Notes that a run used an answer that was there already."""
        self._writer.write_soon([(schema.uses, {"run_id": run_id, "key": call.key})])

    def calls(self, run_id: str) -> list[Call]:
        """The calls that a run paid for, in the order of their answers."""
        query = select(*_CALL_COLUMNS).where(schema.calls.c.run_id == run_id).order_by(schema.calls.c.number)
        with _mapped_errors(), self._engine.connect() as connection:
            return [Call.model_construct(**row._asdict()) for row in connection.execute(query)]

    def used_calls(self, run_id: str) -> list[Call]:
        """The calls whose answers a run used, whoever paid for them, in the order of their answers."""
        c, uses = schema.calls.c, schema.uses.c
        own = func.min(case((c.run_id == run_id, c.number)))
        used = select(func.coalesce(own, func.min(c.number))).join(schema.uses, uses.key == c.key)
        numbers = used.where(uses.run_id == run_id).group_by(c.key)
        query = select(*_CALL_COLUMNS).where(schema.calls.c.number.in_(numbers)).order_by(schema.calls.c.number)
        with _mapped_errors(), self._engine.connect() as connection:
            return [Call.model_construct(**row._asdict()) for row in connection.execute(query)]

    async def shares(self, run_id: str) -> list[Share]:
        """What the answers that a run used took, by model and prompt."""
        await self.written()  # whatever is queued is counted too
        c, uses = schema.calls.c, schema.uses.c
        own = func.min(case((c.run_id == run_id, c.number)))
        used = select(func.coalesce(own, func.min(c.number))).join(schema.uses, uses.key == c.key)
        numbers = used.where(uses.run_id == run_id).group_by(c.key)
        sums = [func.coalesce(func.sum(each), 0).label(each.name) for each in (c.prompt_tokens, c.completion_tokens)]
        sums += [func.coalesce(func.sum(each), 0.0).label(each.name) for each in (c.seconds, c.usd)]
        sums += [func.coalesce(func.sum(each), 0.0).label(each.name) for each in (c.energy_kwh, c.co2_kg)]
        unknown = [(func.count() - func.count(c.usd)).label("usd_unknown")]
        unknown += [(func.count() - func.count(c.co2_kg)).label("footprint_unknown")]
        query = select(c.model, c.prompt, func.count().label("calls"), *sums, *unknown)
        query = query.where(c.number.in_(numbers)).group_by(c.model, c.prompt).order_by(c.model, c.prompt)
        with _mapped_errors(), self._engine.connect() as connection:
            return [Share(**row._asdict()) for row in connection.execute(query)]

    def spend(self, run_id: str) -> Spend:
        """What a run has used so far."""
        c = schema.calls.c
        sums = [
            func.count(),
            func.sum(c.prompt_tokens),
            func.sum(c.completion_tokens),
            func.sum(c.usd),
            func.count(c.usd),
        ]
        sums += [func.sum(c.energy_kwh), func.sum(c.co2_kg), func.count(c.co2_kg)]
        uses = select(func.count()).where(schema.uses.c.run_id == run_id)
        failed = select(func.count()).where(schema.events.c.run_id == run_id, schema.events.c.kind == "no-answer")
        with _mapped_errors(), self._engine.connect() as connection:
            paid, prompt, completion, usd, priced, kwh, co2, footed = connection.execute(
                select(*sums).where(c.run_id == run_id)
            ).one()
            used, unusable = connection.execute(uses).scalar_one(), connection.execute(failed).scalar_one()
        return Spend(
            calls=max(used, paid),
            reused=max(used - paid, 0),
            failed=unusable,
            prompt_tokens=prompt or 0,
            completion_tokens=completion or 0,
            usd=usd or 0.0,
            usd_unknown=paid - priced,
            energy_kwh=kwh or 0.0,
            co2_kg=co2 or 0.0,
            footprint_unknown=paid - footed,
        )

    # -- runs -------------------------------------------------------------------------------------------------------

    def start_run(self, kind: str, title: str, params: dict[str, JsonValue]) -> RunRecord:
        """Opens a new run under a fresh id that a person can recognise."""
        now = time.time()
        host, pid = socket.gethostname(), os.getpid()
        started = {"started": now, "updated": now, "host": host, "pid": pid}
        for _ in range(_ID_TRIES):
            record = RunRecord(
                id=_run_id(title, now), kind=kind, title=title, params=params, status="running", **started
            )
            if self._add(record):
                return record
        raise LedgerError(f"The ledger holds too many runs of {title!r} that began this second. Start it again.")

    def _add(self, record: RunRecord) -> bool:
        """Writes a new run down, unless another has its id."""
        row = record.model_dump() | {"params": json.dumps(record.params)}
        try:
            with self._engine.begin() as connection:
                connection.execute(insert(schema.runs).values(row))
        except IntegrityError:
            return False
        except SQLAlchemyError as error:
            raise ledger_failure(error) from error
        return True

    def reopen_run(self, run_id: str, *, force: bool = False) -> RunRecord:
        """Marks a run as running again. Raises BadInput when another process seems to work on it, unless `force`."""
        record = self.run(run_id)
        if not force and record.status == "running" and record.pid != os.getpid() and is_alive(record):
            raise BadInput(
                f"Run {record.id} is still being worked on by process {record.pid} on {record.host}. Wait for it, or "
                "end that process first; if you know that it is gone, resume with --force."
            )
        self._change(
            update(schema.runs)
            .where(schema.runs.c.id == record.id)
            .values(status="running", reason="", updated=time.time(), host=socket.gethostname(), pid=os.getpid())
        )
        return self.run(record.id)

    def end_run(self, run_id: str, status: RunStatus, reason: str = "", result: str = "", seconds: float = 0.0) -> None:
        """Closes a session of work on a run; `seconds` are added to those of earlier sessions."""
        table = schema.runs
        values = {"status": status, "reason": reason, "updated": time.time(), "seconds": table.c.seconds + seconds}
        if result:
            values["result"] = result
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

    def runs(self, limit: int | None = None, prefix: str = "") -> list[RunRecord]:
        """Runs, newest first."""
        query = select(*_RUN_COLUMNS).where(schema.runs.c.id.startswith(prefix, autoescape=True))
        with _mapped_errors(), self._engine.connect() as connection:
            rows = connection.execute(query.order_by(schema.runs.c.started.desc(), schema.runs.c.id).limit(limit)).all()
        return [_run_record(row) for row in rows]

    # -- events -----------------------------------------------------------------------------------------------------

    def emit(self, happened: Event) -> None:
        """Queues an event; it is written with the next group."""
        self._writer.write_soon([(schema.events, happened.model_dump() | {"data": json.dumps(happened.data)})])

    async def written(self) -> None:
        """Returns when everything queued so far is safely written, events too."""
        await self._writer.write([])

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
            rows = connection.execute(query).all()
        return [
            (row.number, Event(run_id=row.run_id, at=row.at, kind=row.kind, step=row.step, data=json.loads(row.data)))
            for row in rows
        ]

    # -- inside -----------------------------------------------------------------------------------------------------

    def _read(self) -> Connection:
        """A connection kept for look-ups, each seeing the newest commit."""
        if self._reader is None:
            self._reader = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        return self._reader

    def _change(self, statement: Any) -> None:
        try:
            with self._engine.begin() as connection:
                connection.execute(statement)
        except SQLAlchemyError as error:
            raise ledger_failure(error) from error


@contextmanager
def _mapped_errors() -> Iterator[None]:
    """Reading that fails is told as writing is."""
    try:
        yield
    except SQLAlchemyError as error:
        raise ledger_failure(error) from error


def is_alive(record: RunRecord) -> bool:
    """Whether the process that last worked on a run still exists. A run of another machine is taken for alive for a
    day.
    """
    if record.host != socket.gethostname():
        return time.time() - record.updated < 24 * 3600
    try:
        os.kill(record.pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _run_record(row: Row[Any]) -> RunRecord:
    return RunRecord(**(row._asdict() | {"params": json.loads(row.params)}))


def _run_id(title: str, now: float) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", normal_title(title)).strip("-")
    slug = words[:30].rsplit("-", 1)[0] if len(words) > 30 else words
    return f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime(now))}-{slug or 'run'}-{secrets.token_hex(2)}"


def _engine(where: Path | str) -> Engine:
    url = where if isinstance(where, str) and "://" in where else _sqlite_url(Path(where))
    try:
        engine = create_engine(url)
    except (ArgumentError, ModuleNotFoundError) as error:
        raise LedgerError(
            f"The ledger address {shown_address(where)} cannot be used: {error}. "
            "Give a file path or a URL such as postgresql+psycopg://…"
        ) from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _tune_sqlite)
    return engine


def shown_address(where: Path | str) -> str:
    """A place as messages may show it: the password of a URL is nobody's business."""
    return re.sub(r"(://[^:/@]*:)[^@]*@", r"\1***@", str(where))


def _sqlite_url(file: Path) -> URL:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LedgerError(
            f"The ledger's folder {file.parent} cannot be made: {error.strerror}. Set NOVUM_HOME to a folder you "
            "may write to."
        ) from error
    return URL.create("sqlite", database=str(file))  # as text, `?` and `%` in a path would be read as syntax


def _tune_sqlite(connection: Any, _: object) -> None:
    """WAL lets readers and one writer work at once; NORMAL is safe against a killed process (not against a power
    cut).
    """
    for pragma in ("busy_timeout=60000", "journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=OFF"):
        connection.execute(f"PRAGMA {pragma}")


def _prepare(engine: Engine, where: str) -> None:
    """Makes what a new ledger lacks. Another process may do the same at the same moment."""
    existing, ours = set(inspect(engine).get_table_names()), set(schema.metadata.tables)
    if existing and "novum_about" not in existing and not existing <= ours:
        raise LedgerError(f"{shown_address(where)} is a database, but not Novum's. Give another place by NOVUM_LEDGER.")
    try:
        schema.metadata.create_all(engine)
    except DBAPIError:  # a table appeared after it was looked for
        schema.metadata.create_all(engine)
    _add_columns(engine)
    about = schema.about
    with engine.begin() as connection:
        version = connection.execute(select(about.c.value).where(about.c.name == "ledger_version")).scalar()
        if version is None:
            row = {"name": "ledger_version", "value": str(schema.SCHEMA_VERSION)}
            dialect = postgresql if engine.dialect.name == "postgresql" else sqlite
            connection.execute(dialect.insert(about).values(row).on_conflict_do_nothing())
        elif int(version) > schema.SCHEMA_VERSION:
            raise LedgerError(
                f"The ledger {shown_address(where)} was written by a newer Novum (version {version}, this one knows "
                f"{schema.SCHEMA_VERSION}). Upgrade Novum."
            )


def _add_columns(engine: Engine) -> None:
    """What a ledger of earlier days lacks."""
    for column in schema.ADDED:
        table = column.table.name
        if column.name not in {each["name"] for each in inspect(engine).get_columns(table)}:
            kind = column.type.compile(engine.dialect)
            with engine.begin() as connection:
                connection.exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN {column.name} {kind}")
