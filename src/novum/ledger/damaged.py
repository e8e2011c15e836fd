"""Reading a ledger file that may be damaged: every row that can still be read, table by table.

The file itself is not opened, since opening a database may change it: a copy is, with the log beside it.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from sqlalchemy import BigInteger, Float, Integer, Table

from novum.files.inputs import check_input
from novum.files.sqlite import beside
from novum.ledger import schema
from novum.ledger.log_frames import lost_frames
from novum.ledger.pages import Pages, RawRecord, bytes_of_pages, page_size
from novum.ledger.records import LATEST, RUN_ID, RunStatus
from novum.ledger.rows import is_as_written

_ABOUT = (b"ledger_version",)
"""Names in the table of facts about the file; the table of uses has two texts in each row as well."""
_AT_ONCE = 512
"""Rows that are read together, as long as nothing is damaged."""
_MOST_FAILURES = 200_000
"""Failed reads after which the rest of a table is given up."""
_JSON: Mapping[tuple[str, str], type] = {
    ("runs", "params"): dict,
    ("events", "data"): dict,
    ("calls", "messages"): list,
    ("calls", "settings"): dict,
}
"""Columns that hold JSON, and what their values are."""
_TIMES = frozenset({"at", "started", "updated", "expires"})
_LARGEST_NUMBER = 2**53
"""Larger ones are never written, and sums of them would overflow."""
_BROKEN = (sqlite3.Error, UnicodeDecodeError, OverflowError)
"""What reading a damaged file raises; the messages of SQLite may hold damaged text."""
Row = dict[str, object]


class Unreadable(Exception):
    """A row whose content cannot be what was written."""


@dataclass
class TableReading:
    """One table of a ledger file, and what was met while it was read."""

    table: Table
    missing: bool = False
    """The file has no such table though every version has it, or the list of tables is damaged."""
    rows: int = 0
    unreadable: int = 0
    """Row numbers at which something is, or may be, that cannot be read."""
    problem: str = ""
    """The first reason."""

    def fail(self, reason: str) -> None:
        """Counts one row that cannot be read."""
        self.unreadable += 1
        self.problem = self.problem or reason


@contextmanager
def opened_copy(file: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a copy of the file. Raises OSError when it cannot be copied, BadInput where it, or what SQLite
    keeps beside it, is no file."""
    for name in beside(file):
        check_input(name)
    with tempfile.TemporaryDirectory(prefix="novum-ledger-") as folder:
        copy = Path(folder) / file.name
        shutil.copyfile(file, copy)
        if (log := file.with_name(file.name + "-wal")).exists():
            shutil.copyfile(log, copy.with_name(copy.name + "-wal"))
        with closing(sqlite3.connect(copy)) as connection:
            connection.text_factory = bytes  # damaged text is found row by row
            yield connection


def integrity(connection: sqlite3.Connection) -> list[str]:
    """What SQLite itself finds wrong with a file; empty where nothing is."""
    try:
        found = [row[0].decode("utf-8", "replace") for row in connection.execute("PRAGMA integrity_check(20)")]
    except _BROKEN as error:
        return [str(error)]
    return [] if found == ["ok"] else found


def rows_of(connection: sqlite3.Connection, reading: TableReading) -> Iterator[Row]:
    """Every row of a table that can be read, in the order of writing; what cannot is counted in `reading`."""
    try:
        columns = _columns(connection, reading.table)
        last = _last_number(connection, reading.table.name)
    except _BROKEN as error:
        reading.missing, reading.problem = True, str(error)
        return
    if not columns:
        reading.missing = reading.table.name in schema.FIRST_TABLES
        return
    if lacking := [
        each.name for each in reading.table.columns if each not in schema.ADDED and each.name not in columns
    ]:
        reading.missing, reading.problem = True, f"it has no column {lacking[0]}: it is no table of a ledger"
        return
    names = ", ".join(columns)
    statement = f"SELECT {names} FROM {reading.table.name} WHERE rowid BETWEEN ? AND ? ORDER BY rowid"  # noqa: S608
    for start in range(1, last + 1, _AT_ONCE):
        for values in _between(connection, statement, start, min(start + _AT_ONCE - 1, last), reading):
            row: Row | None
            try:
                row = _checked(reading.table, dict(zip(columns, values, strict=True)))
            except (Unreadable, ValueError) as error:
                reading.fail(_short(error))
                row = _without_result(reading.table, dict(zip(columns, values, strict=True)))
            if row is not None:
                reading.rows += 1
                yield row


def _columns(connection: sqlite3.Connection, table: Table) -> list[str]:
    found = {row[1].decode() for row in connection.execute(f"PRAGMA table_info({table.name})")}
    return [column.name for column in table.columns if column.name in found]


def _last_number(connection: sqlite3.Connection, table: str) -> int:
    """The largest row number, or, where the way to it is damaged, the largest one that can be found by trying."""
    with suppress(*_BROKEN):
        return int(connection.execute(f"SELECT coalesce(max(rowid), 0) FROM {table}").fetchone()[0])  # noqa: S608
    number, found = 1, 0
    while number < 2**40:
        with suppress(*_BROKEN):
            if connection.execute(f"SELECT 1 FROM {table} WHERE rowid >= ? LIMIT 1", (number,)).fetchone():  # noqa: S608
                found = number
        number *= 2
    return max(2 * found, _AT_ONCE)


def _between(
    connection: sqlite3.Connection, statement: str, first: int, last: int, reading: TableReading
) -> Iterator[Sequence[Any]]:
    """The rows with these numbers. Where a read fails, its halves are read, down to the single row."""
    if reading.unreadable > _MOST_FAILURES:
        return
    try:
        rows = connection.execute(statement, (first, last)).fetchall()
    except _BROKEN as error:
        if first == last:
            reading.fail(str(error))
            return
        middle = (first + last) // 2
        yield from _between(connection, statement, first, middle, reading)
        yield from _between(connection, statement, middle + 1, last, reading)
    else:
        yield from rows


def _checked(table: Table, row: Mapping[str, object]) -> Row:
    """The row with its text decoded. Raises Unreadable or ValueError where a value cannot be one of its column."""
    checked = {name: _value(table, name, value) for name, value in row.items()}
    if table is schema.about and not str(checked["value"]).isdecimal():
        raise Unreadable("the version of the ledger is no number")
    if not is_as_written(table, checked):
        raise Unreadable(f"one of the {table.name} is not as it was written")
    return checked


def _short(error: Exception) -> str:
    """What is wrong, without the damaged text."""
    return f"a text that is not UTF-8, at byte {error.start}" if isinstance(error, UnicodeDecodeError) else str(error)


def _without_result(table: Table, row: Row) -> Row | None:
    """A run whose state or result alone cannot be read, as one that was stopped: resuming makes the result anew from
    the recorded answers. None for every other row."""
    if table.name != "runs":
        return None
    for change in ({}, {"result": b"", "result_checksum": None}):
        with suppress(Unreadable, ValueError):
            return _checked(table, {**row, "status": b"stopped", **change})
    return None


def _value(table: Table, name: str, value: object) -> object:
    column = table.columns[name]
    if value is None:
        if not column.nullable:
            raise Unreadable(f"{name} is empty")
        return None
    if isinstance(column.type, Integer | BigInteger | Float):
        return _number(name, value, whole=not isinstance(column.type, Float))
    text = _of_type(name, value, bytes)
    decoded: str = text.decode("utf-8")
    if kind := _JSON.get((table.name, name)):
        _check_json(name, decoded, kind)
    if table.name == "runs" and name == "status" and decoded not in get_args(RunStatus):
        raise Unreadable("status is none that a run has")
    if table.name == "runs" and name == "id" and not RUN_ID.fullmatch(decoded):
        raise Unreadable("id is no name of a run")
    return decoded


def _number(name: str, value: object, *, whole: bool) -> int | float:
    types = (int,) if whole else (int, float)
    number: int | float = _of_type(name, value, *types)
    least, most = (0, LATEST) if name in _TIMES else (-_LARGEST_NUMBER, _LARGEST_NUMBER)
    if not least <= number <= most:
        raise Unreadable(f"{name} is out of range")
    return number


def _check_json(name: str, text: str, kind: type) -> None:
    try:
        value = json.loads(text)
    except RecursionError:
        raise Unreadable(f"{name} is nested too deeply") from None
    if not isinstance(value, kind):
        raise Unreadable(f"{name} holds JSON of another kind")


def _of_type(name: str, value: Any, *types: type) -> Any:
    if not isinstance(value, types):
        raise Unreadable(f"{name} holds {type(value).__name__}")
    return value


@dataclass
class LedgerCheck:
    """What was found in a ledger file."""

    integrity: list[str] = field(default_factory=list)
    """What SQLite finds wrong with the file."""
    losses: list[str] = field(default_factory=list)
    """What SQLite passes over in silence: a file that was cut off, and a damaged log."""
    tables: list[TableReading] = field(default_factory=list)
    orphans: dict[str, int] = field(default_factory=dict)
    """Rows by table that belong to a run that is not there."""

    @property
    def is_foreign(self) -> bool:
        """Whether something is wrong, and nothing of a ledger is there: another program's file, or one that is lost."""
        return not self.is_fine and not any(each.rows for each in self.tables)

    @property
    def is_fine(self) -> bool:
        """Whether nothing is damaged."""
        return (
            not self.integrity and not self.losses and not any(each.missing or each.unreadable for each in self.tables)
        )


def check_file(file: Path, use: Callable[[Table, Row], None] = lambda table, row: None) -> LedgerCheck:
    """Reads every row of a ledger file, and hands those that can be read to `use`, some of them twice where the file is
    damaged. Raises OSError when the file cannot be read."""
    if _is_empty(file):
        return LedgerCheck(tables=[TableReading(table) for table in schema.metadata.tables.values()])
    found = LedgerCheck()
    runs: set[object] = set()
    with opened_copy(file) as connection:
        found.integrity = integrity(connection)
        found.losses = [*_cut_off(file), *_lost_in_log(file, connection)]
        for table in sorted(schema.metadata.tables.values(), key=lambda each: (each.name != "runs", each.name)):
            reading = TableReading(table)
            found.tables.append(reading)
            for row in rows_of(connection, reading):
                if table.name == "runs":
                    runs.add(row["id"])
                elif "run_id" in row and row["run_id"] not in runs:
                    found.orphans[table.name] = found.orphans.get(table.name, 0) + 1
                use(table, row)
    if not found.is_fine:
        _read_pages(file, found, use)
    return found


def _is_empty(file: Path) -> bool:
    """Whether nothing was ever written to a ledger, as on a full disk."""
    return not file.stat().st_size and not _log_of(file)


def _log_of(file: Path) -> bytes:
    log = file.with_name(file.name + "-wal")
    return log.read_bytes() if log.exists() else b""


def _cut_off(file: Path) -> Iterator[str]:
    """A line where a file ends within one of its pages. What stands beyond them is of a write that was cut off."""
    with file.open("rb") as opened:
        header = opened.read(100)
    size, length = page_size(header), file.stat().st_size
    if size and length % size and length < (bytes_of_pages(header) or length + 1):
        yield f"the file is cut off: it has {length:,} bytes, and its pages have {size:,} each"


def _lost_in_log(file: Path, copy: sqlite3.Connection) -> Iterator[str]:
    """A line where SQLite passes over finished transactions in the log. In the copy the log is written to the file,
    which says how much of it is accepted."""
    try:
        _, _, place = copy.execute("PRAGMA database_list").fetchone()
        log = _log_of(Path(os.fsdecode(place)))
        size = copy.execute("PRAGMA page_size").fetchone()[0]
        accepted = max(copy.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()[1], 0)
    except _BROKEN:
        return  # the file itself is damaged
    lost = lost_frames(log, size, accepted)
    if lost and log == _log_of(file):  # otherwise a process wrote to it while it was copied
        yield f"the log {file.name}-wal is damaged: SQLite reads {accepted:,} of its pages, and not the next {lost:,}"


def _read_pages(file: Path, found: LedgerCheck, use: Callable[[Table, Row], None]) -> None:
    """Reads the rows past the file's own table of contents, which may be what is damaged."""
    counts: Counter[str] = Counter()
    for record in Pages.of(file).records():
        if (recognized := _recognized(record)) is not None:
            counts[recognized[0].name] += 1
            use(*recognized)
    for reading in found.tables:
        reading.rows = max(reading.rows, counts[reading.table.name])


def _recognized(record: RawRecord) -> tuple[Table, Row] | None:
    """The table to which a record belongs, by the number and the types of its values, and its row."""
    for table in schema.metadata.tables.values():
        names = [column.name for column in table.columns]
        added = sum(column.table is table for column in schema.ADDED)
        if not len(names) - added <= len(record.values) <= len(names):
            continue
        row = dict(zip(names, record.values, strict=False))
        if names[0] == "number":
            row["number"] = record.number  # SQLite stores it as the number of the row
        if table.name == "novum_about" and row["name"] not in _ABOUT:
            continue
        with suppress(Unreadable, ValueError):
            return table, _checked(table, row)
    return None
