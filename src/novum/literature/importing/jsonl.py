"""JSON lines: one object a line, in the layout of `docs/library.md`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import orjson

from novum.literature.entry import Entry, Reject
from novum.literature.importing.record import Unusable, entry_of

LONGEST_LINE = 16_000_000
"""Bytes; a longer line is not even parsed."""


def read_jsonl(lines: Iterable[bytes], file: str, scope: str) -> Iterator[Entry | Reject]:
    """An entry or a reject for every line that is not blank. `scope`: where the file's plain keys hold."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield _entry(line, scope, number)
        except Unusable as reason:
            yield Reject(file=file, line=number, reason=str(reason))


def _entry(line: bytes, scope: str, number: int) -> Entry:
    if len(line) > LONGEST_LINE:
        raise Unusable(f"a line of {len(line):,} bytes")
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise Unusable(f"not JSON: {error.msg}") from error
    return entry_of(record, scope, number)
