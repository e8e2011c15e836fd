"""Rows of the ledger as records: what is selected, and what is read from it."""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import socket
import time
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Row, Table

from novum.core import normal_title, shorten
from novum.credentials.redaction import redact
from novum.ledger import schema
from novum.ledger.failures import damage_failure
from novum.ledger.records import RUN_ID, Call, Event, RunRecord

CALL_FIELDS = tuple(Call.model_fields)
_STORED = (*CALL_FIELDS, "checksum")
CALL_COLUMNS = [schema.calls.c[name] for name in _STORED]
_CHECKSUMS = ("checksum", "result_checksum")
RUN_COLUMNS = [schema.runs.c[name] for name in (*RunRecord.model_fields, *_CHECKSUMS)]
RUN_COLUMNS_WITHOUT_RESULT = [column for column in RUN_COLUMNS if not column.name.startswith("result")]
_RUN_TASK = ("id", "kind", "title", "params")
"""What of a run never changes."""
FIRST_ANSWER = f"""SELECT {", ".join(_STORED)} FROM calls WHERE key = ?
ORDER BY run_id <> ?, number LIMIT 1"""  # noqa: S608  # names of our own columns; a run's own answer before any other
FIRST_ANSWER_IN_RUN = f"SELECT {', '.join(_STORED)} FROM calls WHERE key = ? AND run_id = ? ORDER BY number LIMIT 1"  # noqa: S608


def stored_row(table: Table, row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as it is written: without keys and passwords, and with checksums, as a database does not notice bits that
    have changed within a text."""
    stored = {name: redact(value) if isinstance(value, str) else value for name, value in row.items()}
    return stored | checksums_of(table, stored)


def checksums_of(table: Table, row: Mapping[str, Any]) -> dict[str, str]:
    """The checksums of a row as it is stored: of answers, and of what is known of runs."""
    if table is schema.calls:
        return {"checksum": _checksum(row, CALL_FIELDS)}
    found = {}
    if table is schema.runs and all(name in row for name in _RUN_TASK):
        found["checksum"] = _checksum(row, _RUN_TASK)
    if table is schema.runs and row.get("result"):
        found["result_checksum"] = _checksum(row, ("result",))
    return found


def _checksum(row: Mapping[str, Any], names: Sequence[str]) -> str:
    values = (float(value) if isinstance(value, int | float) else value for value in map(row.get, names))
    return hashlib.blake2b(repr([*values]).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def is_as_written(table: Table, row: Mapping[str, Any]) -> bool:
    """Whether a row has the checksums that it was written with; rows of former versions have none."""
    return all(row.get(name) in (None, checksum) for name, checksum in checksums_of(table, row).items())


def call_of(values: Sequence[Any]) -> Call:
    """A row of calls. Raises ValueError where it is not as it was written."""
    row = dict(zip(_STORED, values, strict=True))
    call = Call.model_construct(**{name: row[name] for name in CALL_FIELDS})
    texts = (call.key, call.answer, call.reasoning, call.finish, call.refusal, call.messages, call.settings)
    counts = (call.prompt_tokens, call.completion_tokens)
    if not all(isinstance(text, str) for text in texts) or not all(isinstance(each, int | None) for each in counts):
        raise ValueError(f"call {call.key!r} is unreadable")
    if not is_as_written(schema.calls, row):
        raise ValueError(f"call {call.key!r} is not as it was written")
    return call


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


def run_record_of(row: Row[Any]) -> RunRecord:
    """A row of runs. Raises LedgerError where it is not as it was written."""
    if not RUN_ID.fullmatch(row.id):
        raise damage_failure(f"{shorten(row.id, 60)!r} is no name of a run")
    found = row._asdict()
    if not is_as_written(schema.runs, found):
        raise damage_failure(f"run {row.id} is not as it was written")
    fields = {name: value for name, value in found.items() if name not in _CHECKSUMS}
    return RunRecord(**(fields | {"params": json.loads(row.params)}))


def new_run_id(title: str, now: float) -> str:
    """An id that a person can recognise: when the run began, the words of its title, and four hex digits."""
    words = title
    for _ in range(2):  # in small letters too, a title may hold a key
        words = re.sub(r"[^a-z0-9]+", "-", normal_title(redact(words))).strip("-")
    slug = words[:30].rsplit("-", 1)[0] if len(words) > 30 else words
    return f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime(now))}-{slug or 'run'}-{secrets.token_hex(2)}"


def event_of(row: Row[*tuple[Any, ...]]) -> tuple[int, Event]:
    """A row of events with its number. Raises ValueError for data that are no JSON."""
    return row.number, Event(run_id=row.run_id, at=row.at, kind=row.kind, step=row.step, data=json.loads(row.data))
