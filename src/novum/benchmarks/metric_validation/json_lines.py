"""JSON lines of a file, packed or not, one after the other; what is no record is told with its number."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from novum.errors import BadInput
from novum.files.tables import LONGEST_ROW, NumberedRows, json_row
from novum.literature.importing.opening import TextStream, open_text

_KINDS = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")


def read_records(file: Path) -> NumberedRows:
    """In bounded memory. Raises BadInput where the file cannot be read or is of another kind."""
    if not file.name.lower().endswith(_KINDS):
        raise BadInput(f"{file} is none of {', '.join(_KINDS)}: save the records as JSON lines.")
    with open_text(file) as stream:
        number = 0
        for number, line in enumerate(_lines(stream), 1):
            if line is None:
                yield number, f"longer than {LONGEST_ROW:,} bytes"
            elif line.strip():
                yield number, json_row(line.decode("utf-8", "replace"))
        if stream.damage:
            yield number, stream.damage


def _lines(stream: TextStream) -> Iterator[bytes | None]:
    """None for a line that is too long, which is read over without being kept."""
    pending, too_long = bytearray(), False
    while piece := stream.chunk():
        head, *more = piece.split(b"\n")
        pending += head
        for following in more:
            yield None if too_long or len(pending) > LONGEST_ROW else bytes(pending)
            pending, too_long = bytearray(following), False
        if len(pending) > LONGEST_ROW:
            pending, too_long = bytearray(), True
    if pending or too_long:
        yield None if too_long else bytes(pending)
