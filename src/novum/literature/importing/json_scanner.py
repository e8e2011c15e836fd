"""Finds the records of a JSON array or sequence, independently of line ends, in bounded memory.

Only braces and strings are looked at: what stands between a brace at the outermost level and its partner is a record.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from novum.literature.importing.lenient_json import EDGES, LONGEST_LINE, read_leniently
from novum.literature.importing.line_blocks import Block
from novum.literature.importing.text_stream import TextStream

_NEXT = re.compile(rb'(?:[^"{}]++|"[^"\\]*+(?:\\.[^"\\]*+)*+")*+([{}"])', re.DOTALL)
"""Up to the next brace outside of strings, or to a quotation mark whose string has not ended yet."""
_TAIL = 200
"""Bytes of the beginning of a line whose rest was not read yet."""
_MOST_BROKEN = 50
"""Maximum number of records with unbalanced braces; with more, the beginnings of records are uncertain."""


def record_blocks(text: TextStream, first: int = 1) -> Iterator[Block]:
    """Records, numbered from `first`; other text between them is returned as a record."""
    scanner = _Scanner()
    while chunk := text.chunk():
        records = scanner.feed(chunk)
        if scanner.broken > _MOST_BROKEN:
            text.give_up("too many records whose braces do not match: given up here")
        if records:
            yield Block(first, records, text.position - scanner.held)
            first += len(records)
    records = [] if text.damage else scanner.finish()
    if records:
        yield Block(first, records, text.position)


def first_record(head: bytes) -> bytes:
    """The first complete record, or nothing."""
    scanner = _Scanner()
    for start in range(0, len(head), _STEP):
        for record in scanner.feed(head[start : start + _STEP]):
            if record.startswith(b"{"):
                return record
    return b""


_STEP = 1 << 14


def whole_records(text: bytes) -> list[object]:
    """The complete records of a text."""
    scanner = _Scanner()
    found: list[object] = []
    for record in scanner.feed(text) + scanner.finish():
        try:
            found += [value for value in read_leniently(record).values if isinstance(value, dict)]
        except ValueError:
            continue
    return found


class _Scanner:
    """The text that was read and not returned yet, and the depth of braces at its end."""

    def __init__(self) -> None:
        self._buffer = b""
        self._place = 0
        """The place up to which the buffer was scanned."""
        self._start = 0
        """The beginning of the current record, if inside one."""
        self._depth = 0
        self._indent = b""
        """The text before the current record on its line."""
        self._lost = False
        """Whether the beginning of the next record has to be found."""
        self.broken = 0

    @property
    def held(self) -> int:
        """Bytes that are not returned yet."""
        return len(self._buffer)

    def feed(self, chunk: bytes) -> list[bytes]:
        """The records that are complete with these bytes."""
        self._buffer += chunk
        if self._lost and not self._find_next():
            return []
        records = self._scan()
        while len(self._buffer) > LONGEST_LINE and self.broken <= _MOST_BROKEN:
            records.append(self._salvage())
            records += self._scan()
        return [record for record in records if record]

    def finish(self) -> list[bytes]:
        """The rest at the end: a broken record, unless blank."""
        records: list[bytes] = []
        while not self._lost and self._buffer.strip(EDGES) and self.broken <= _MOST_BROKEN:
            records.append(self._salvage())
            records += self._scan()
        return [record for record in records if record]

    def _scan(self) -> list[bytes]:
        buffer, begun = self._buffer, 0
        records: list[bytes] = []
        while match := _NEXT.match(buffer, self._place):
            brace, sign = match.start(1), match.group(1)
            if sign == b'"':
                break
            self._place = match.end()
            if sign == b"{":
                if self._depth == 0:
                    records.append(buffer[begun:brace].strip(EDGES))
                    self._start = begun = brace
                self._depth += 1
            elif self._depth:
                self._depth -= 1
                if self._depth == 0:
                    records.append(buffer[begun : self._place])
                    begun = self._place
        self._drop(begun)
        return records

    def _drop(self, size: int) -> None:
        """Removes what was returned from the buffer."""
        if size:
            head = self._buffer[:size]
            before = head[head.rfind(b"\n") + 1 :].strip(b",[")
            self._indent = b"" if before.strip() else before
            self._buffer = self._buffer[size:]
            self._place -= size
            self._start -= size

    def _salvage(self) -> bytes:
        """Returns the current record as broken: up to a line that begins as it did, otherwise the whole buffer."""
        self.broken += 1
        held = self._buffer
        self._lost = True
        given = held[: -len(self._buffer)] if self._find_next(1) else held
        return given[: LONGEST_LINE + 1]

    def _find_next(self, place: int = 0) -> bool:
        """Continues at the next line that begins like a record, if the buffer has one."""
        again = re.compile(rb"\n" + re.escape(self._indent) + rb"[,\[]?\{").search(self._buffer, place)
        self._lost = again is None
        self._buffer = self._buffer[again.start() :] if again else self._buffer[-_TAIL:] if place == 0 else b""
        self._place = self._start = self._depth = 0
        return not self._lost
