"""Reads the text of a file in pieces: decompressed, as UTF-8, and up to the first damage."""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from novum.errors import BadInput
from novum.files.inputs import open_input

_PIECE = 1 << 20
"""Bytes that are read at once from an uncompressed file, and the approximate size of a `chunk`."""
_HEAD = 1 << 20
_GZIP = b"\x1f\x8b"
_ARCHIVES = {
    b"PK\x03\x04": "a zip archive",
    b"PK\x05\x06": "an empty zip archive",
    b"\xfd7zXZ\0": "compressed by xz",
    b"\x28\xb5\x2f\xfd": "compressed by zstd",
    b"BZh": "compressed by bzip2",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
}
_LONGEST_MAGIC = max(map(len, _ARCHIVES))
_BOMB_RATIO = 50
"""Largest ratio of compression: lists of papers reach about 10; deflate reaches 1,032 for equal bytes."""
_UNSUSPICIOUS = 1 << 23
"""Bytes that may be decompressed before the ratio is checked."""
_MARKS = (
    (codecs.BOM_UTF8, ""),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Byte order marks; UTF-32 before UTF-16, since it begins with the same bytes."""


class TextStream:
    """The text of a file. It ends early at the damage of a compressed file, which `damage` then describes."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw
        self._packed = raw.read(2) == _GZIP
        raw.seek(0)
        self._stream = gzip.GzipFile(fileobj=raw) if self._packed else raw
        self._decoder: codecs.IncrementalDecoder | None = None
        self._waiting = b""
        self._unpacked = 0
        self.damage = ""
        self.position = 0
        """Bytes of text that were returned."""
        self.ends = b""
        """The last byte that was returned and is not blank."""
        self._take_mark_off()

    def _take_mark_off(self) -> None:
        start = self._bytes(_HEAD)
        mark, encoding = next(((mark, name) for mark, name in _MARKS if start.startswith(mark)), (b"", ""))
        self._decoder = codecs.getincrementaldecoder(encoding)("replace") if encoding else None
        self._start = 0 if encoding else len(mark)
        self._waiting = self._decoded(start) if encoding else start[len(mark) :]

    @property
    def head(self) -> bytes:
        """The beginning, up to a megabyte; only before the first `chunk`."""
        return self._waiting

    @property
    def bytes_read(self) -> int:
        """Bytes of the file itself that were read."""
        return self._raw.tell()

    def chunk(self) -> bytes:
        """The next piece of text; empty at the end or at damage."""
        piece, self._waiting = self._waiting, b""
        piece = piece or self._decoded(self._bytes(_PIECE))
        self.position += len(piece)
        if solid := piece.strip():
            self.ends = solid[-1:]
        return piece

    def go_to(self, position: int) -> None:
        """Skips to `position`, a byte of the text; only before the first `chunk`."""
        if not self._packed and not self._decoder:
            self._waiting = b""
            self._raw.seek(self._start + position)
            self.position = position
            return
        while self.position < position and (piece := self.chunk()):
            if self.position > position:
                self._waiting = piece[position - self.position :]
                self.position = position

    def give_up(self, reason: str) -> None:
        """Ends the text here."""
        self.damage = self.damage or reason

    def _decoded(self, piece: bytes) -> bytes:
        if not self._decoder:
            return piece
        return self._decoder.decode(piece, final=not piece).encode("utf-8", "replace")

    def _bytes(self, size: int) -> bytes:
        """About `size` bytes. A compressed file is read in small steps, so that all text before damage is returned."""
        parts: list[bytes] = []
        while size > 0 and not self.damage and (part := self._step(size)):
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _step(self, size: int) -> bytes:
        try:
            part = self._stream.read1(size) if isinstance(self._stream, gzip.GzipFile) else self._stream.read(size)
        except (EOFError, zlib.error, gzip.BadGzipFile):
            self.damage = "the compressed file is damaged or cut off here; what came before was read"
            return b""
        self._unpacked += len(part)
        if self._packed and self._unpacked > max(_UNSUSPICIOUS, _BOMB_RATIO * self._raw.tell()):
            self.damage = (
                f"unpacks to more than {_BOMB_RATIO} times its size, as no list of papers does: what came before was "
                "read; unpack it yourself if you trust it, and name the result"
            )
        return part


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Raises BadInput, with one line for the user, in place of an error of the system."""
    try:
        yield
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}. Name a readable file or folder.") from error


@contextmanager
def open_text(path: Path) -> Iterator[TextStream]:
    """Opens the text of a file. Raises BadInput when it cannot be read, now or later."""
    with readable(path), open_input(path) as raw:
        start = raw.read(_LONGEST_MAGIC)
        if archive := next((name for magic, name in _ARCHIVES.items() if start.startswith(magic)), ""):
            raise BadInput(f"{path} is {archive}: unpack it, and name the file or folder that comes out.")
        raw.seek(0)
        yield TextStream(raw)
