"""JSON lines of a file, packed or not, one after the other; what is no record is told with its number."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from novum.errors import BadInput
from novum.files.tables import LONGEST
from novum.literature.importing.opening import TextStream, open_text

_KINDS = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")

Numbered = Iterator[tuple[int, dict[str, Any] | str]]
"""Each record with its line, or what is wrong with that line."""


def read_records(file: Path) -> Numbered:
    """In bounded memory. Raises BadInput where the file cannot be read or is of another kind."""
    if not file.name.lower().endswith(_KINDS):
        raise BadInput(f"{file} is none of {', '.join(_KINDS)}: save the records as JSON lines.")
    with open_text(file) as stream:
        number = 0
        for number, line in enumerate(_lines(stream), 1):
            if line is None:
                yield number, f"longer than {LONGEST:,} bytes"
            elif line.strip():
                yield number, _record(line)
        if stream.damage:
            yield number, stream.damage


def _lines(stream: TextStream) -> Iterator[bytes | None]:
    """None for a line that is too long, which is read over without being kept."""
    pending, too_long = bytearray(), False
    while piece := stream.chunk():
        head, *more = piece.split(b"\n")
        pending += head
        for following in more:
            yield None if too_long or len(pending) > LONGEST else bytes(pending)
            pending, too_long = bytearray(following), False
        if len(pending) > LONGEST:
            pending, too_long = bytearray(), True
    if pending or too_long:
        yield None if too_long else bytes(pending)


def _record(line: bytes) -> dict[str, Any] | str:
    try:
        found = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        return f"no JSON ({str(error)[:100]})"
    return found if isinstance(found, dict) else "no JSON object"
