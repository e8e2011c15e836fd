"""Records read from the pages of an SQLite file one by one, without its table of contents: for files where the way to a
table is damaged. After the description of the file format at sqlite.org/fileformat2.html, sections 1.5, 1.6 and 2.1.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from novum.ledger.log_frames import committed_pages

_PAGE_SIZES = {2**power for power in range(9, 17)}
_USUAL_PAGE_SIZE = 4096
_LEAF_OF_TABLE = 0x0D
_LARGEST_PAYLOAD = 2**30


@dataclass(frozen=True)
class RawRecord:
    """One row as it is stored. Text is given as bytes."""

    number: int
    values: tuple[object, ...]


def page_size(content: bytes) -> int | None:
    """Bytes of a page as the beginning of a database file says; None where that cannot be."""
    size = int.from_bytes(content[16:18], "big")
    size = 2**16 if size == 1 else size
    return size if size in _PAGE_SIZES else None


def bytes_of_pages(header: bytes) -> int:
    """How long a database file is at least, by its first 100 bytes; 0 where they do not say."""
    size = page_size(header)
    is_valid = header[24:28] == header[92:96]  # else an old SQLite has written to it, which did not count pages
    return int.from_bytes(header[28:32], "big") * size if size and is_valid else 0


class Pages:
    """The pages of a database file, with those of its log in their place."""

    def __init__(self, content: bytes, log: bytes = b"") -> None:
        self._size = page_size(content) or _USUAL_PAGE_SIZE
        self._content = content
        self._newer = committed_pages(log, self._size)

    @classmethod
    def of(cls, file: Path) -> Pages:
        """The pages of a file. Raises OSError."""
        log = file.with_name(file.name + "-wal")
        return cls(file.read_bytes(), log.read_bytes() if log.exists() else b"")

    def records(self) -> Iterator[RawRecord]:
        """Every row on every page that holds rows of a table, as far as it can be decoded."""
        for number in range(1, max([len(self._content) // self._size, *self._newer]) + 1):
            page = self._page(number)
            start = 100 if number == 1 else 0
            if page[start : start + 1] == bytes([_LEAF_OF_TABLE]):
                yield from self._records_on(page, start)

    def _page(self, number: int) -> bytes:
        if number in self._newer:
            return self._newer[number]
        return self._content[(number - 1) * self._size : number * self._size]

    def _records_on(self, page: bytes, start: int) -> Iterator[RawRecord]:
        count = int.from_bytes(page[start + 3 : start + 5], "big")
        for each in range(min(count, self._size // 4)):
            at = start + 8 + 2 * each
            cell = int.from_bytes(page[at : at + 2], "big")
            try:
                length, place = _varint(page, cell)
                number, place = _varint(page, place)
                yield RawRecord(number, _values(self._payload(page, place, length)))
            except (ValueError, IndexError, struct.error):
                continue  # this row is damaged; those beside it need not be

    def _payload(self, page: bytes, place: int, length: int) -> bytes:
        """The bytes of a row: those on its page, and those on the pages that continue it."""
        if not 0 < length < _LARGEST_PAYLOAD:
            raise ValueError("no row is so long")
        usable = self._size
        most = usable - 35
        if length <= most:
            return _exactly(page[place : place + length], length)
        least = (usable - 12) * 32 // 255 - 23
        here = least + (length - least) % (usable - 4)
        here = here if here <= most else least
        parts, rest = [page[place : place + here]], length - here
        following = int.from_bytes(page[place + here : place + here + 4], "big")
        while rest > 0:
            page = self._page(following) if following else b""
            parts.append(_exactly(page[4 : 4 + min(rest, usable - 4)], min(rest, usable - 4)))
            rest -= usable - 4
            following = int.from_bytes(page[:4], "big")
        return b"".join(parts)


def _exactly(data: bytes, length: int) -> bytes:
    if len(data) != length:
        raise ValueError("the file ends before the row does")
    return data


def _varint(data: bytes, place: int) -> tuple[int, int]:
    """A number of one to nine bytes, and the place after it."""
    value = 0
    for index in range(8):
        byte = data[place + index]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, place + index + 1
    return value << 8 | data[place + 8], place + 9


def _values(payload: bytes) -> tuple[object, ...]:
    """The values of a row. Raises ValueError, IndexError or struct.error where they cannot be decoded."""
    end, place = _varint(payload, 0)
    kinds = []
    while place < end:
        kind, place = _varint(payload, place)
        kinds.append(kind)
    values = []
    for kind in kinds:
        value, end = _value(payload, end, kind)
        values.append(value)
    return tuple(values)


_INTEGER_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
_CONSTANTS: Mapping[int, object] = {0: None, 8: 0, 9: 1}


def _value(payload: bytes, place: int, kind: int) -> tuple[object, int]:
    """A value of this kind, and the place after it."""
    if kind in _CONSTANTS:
        return _CONSTANTS[kind], place
    if length := _INTEGER_BYTES.get(kind):
        return int.from_bytes(_exactly(payload[place : place + length], length), "big", signed=True), place + length
    if kind == 7:
        return struct.unpack(">d", payload[place : place + 8])[0], place + 8
    if kind < 12:
        raise ValueError("a kind of value that is not in use")
    length = (kind - 12) // 2
    return _exactly(payload[place : place + length], length), place + length
