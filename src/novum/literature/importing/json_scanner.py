"""Records of an array, or one after the other, however they are spread over lines; in bounded memory.

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
"""Bytes in which a line may begin whose rest is still to come."""
_MOST_BROKEN = 50
"""Records whose braces do not match; with more of them, where one begins is anybody's guess."""


def record_blocks(text: TextStream, first: int = 1) -> Iterator[Block]:
    """Records, numbered from `first`; what stands between them and is none is given as one."""
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
    """The first record that is whole, or nothing."""
    scanner = _Scanner()
    for start in range(0, len(head), _STEP):
        for record in scanner.feed(head[start : start + _STEP]):
            if record.startswith(b"{"):
                return record
    return b""


_STEP = 1 << 14


def whole_records(text: bytes) -> list[object]:
    """Those records of a whole text that can be read."""
    scanner = _Scanner()
    found: list[object] = []
    for record in scanner.feed(text) + scanner.finish():
        try:
            found += [value for value in read_leniently(record).values if isinstance(value, dict)]
        except ValueError:
            continue
    return found


class _Scanner:
    """What has been read and not yet given out, and how deep in braces its end is."""

    def __init__(self) -> None:
        self._buffer = b""
        self._place = 0
        """Up to here the buffer has been looked at."""
        self._start = 0
        """Where the present record begins, when inside one."""
        self._depth = 0
        self._indent = b""
        """What stands before the present record on its line."""
        self._lost = False
        """Whether the beginning of the next record has to be looked for."""
        self.broken = 0

    @property
    def held(self) -> int:
        """Bytes that wait for more."""
        return len(self._buffer)

    def feed(self, chunk: bytes) -> list[bytes]:
        """The records that are whole now."""
        self._buffer += chunk
        if self._lost and not self._find_next():
            return []
        records = self._scan()
        while len(self._buffer) > LONGEST_LINE and self.broken <= _MOST_BROKEN:
            records.append(self._salvage())
            records += self._scan()
        return [record for record in records if record]

    def finish(self) -> list[bytes]:
        """What is left at the end: broken, unless blank."""
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
        """Forget what was given out."""
        if size:
            head = self._buffer[:size]
            before = head[head.rfind(b"\n") + 1 :].strip(b",[")
            self._indent = b"" if before.strip() else before
            self._buffer = self._buffer[size:]
            self._place -= size
            self._start -= size

    def _salvage(self) -> bytes:
        """Give up the present record: up to a line that begins as it did, else all that is held."""
        self.broken += 1
        held = self._buffer
        self._lost = True
        given = held[: -len(self._buffer)] if self._find_next(1) else held
        return given[: LONGEST_LINE + 1]

    def _find_next(self, place: int = 0) -> bool:
        """Go on at the next line that begins as records do, if there is one in what is held."""
        again = re.compile(rb"\n" + re.escape(self._indent) + rb"[,\[]?\{").search(self._buffer, place)
        self._lost = again is None
        self._buffer = self._buffer[again.start() :] if again else self._buffer[-_TAIL:] if place == 0 else b""
        self._place = self._start = self._depth = 0
        return not self._lost
