"""Text out of a file, a piece at a time: unpacked, in UTF-8, and no more of it than can be trusted."""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from novum.errors import BadInput

_PIECE = 1 << 20
"""Bytes; what is read at once from a file that is not packed, and about what `chunk` gives out."""
_HEAD = 1 << 20
_GZIP = b"\x1f\x8b"
_ZIP = b"PK\x03\x04"
_BOMB_RATIO = 500
"""No list of papers is packed as tightly as this; deflate reaches 1,032 on bytes that are all alike."""
_UNSUSPICIOUS = 1 << 23
"""Bytes that may be unpacked before the ratio is looked at."""
_MARKS = (
    (codecs.BOM_UTF8, ""),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Byte order marks; UTF-32 before UTF-16, whose mark it begins with."""


class TextStream:
    """The text of one file, from its beginning. Ends early where a packed file is damaged, and says so in `damage`."""

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
        """Bytes of text given out."""
        self.ends = b""
        """The last byte given out that is not blank."""
        self._take_mark_off()

    def _take_mark_off(self) -> None:
        start = self._bytes(_HEAD)
        mark, encoding = next(((mark, name) for mark, name in _MARKS if start.startswith(mark)), (b"", ""))
        self._decoder = codecs.getincrementaldecoder(encoding)("replace") if encoding else None
        self._start = 0 if encoding else len(mark)
        self._waiting = self._decoded(start) if encoding else start[len(mark) :]

    @property
    def head(self) -> bytes:
        """The beginning, up to a megabyte; to be asked for before anything is given out."""
        return self._waiting

    @property
    def bytes_read(self) -> int:
        """How far the file itself has been read."""
        return self._raw.tell()

    def chunk(self) -> bytes:
        """The next piece of text; nothing at the end, or where the file is damaged."""
        piece, self._waiting = self._waiting, b""
        piece = piece or self._decoded(self._bytes(_PIECE))
        self.position += len(piece)
        if solid := piece.strip():
            self.ends = solid[-1:]
        return piece

    def go_to(self, position: int) -> None:
        """Pass over everything before `position`, a byte of the text; to be asked before anything is given out."""
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
        """End here."""
        self.damage = self.damage or reason

    def _decoded(self, piece: bytes) -> bytes:
        if not self._decoder:
            return piece
        return self._decoder.decode(piece, final=not piece).encode("utf-8", "replace")

    def _bytes(self, size: int) -> bytes:
        """About `size` bytes. A packed file is read in small steps, so that damage costs nothing that stands before."""
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
            self.damage = f"unpacks to more than {_BOMB_RATIO} times its size, as no list of papers does: given up here"
        return part


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Turn what the system says about a file into one line for people: BadInput."""
    try:
        yield
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}. Name a readable file or folder.") from error


@contextmanager
def open_text(path: Path) -> Iterator[TextStream]:
    """The text of a file. Raises BadInput when it cannot be read, also later, while it is being read."""
    with readable(path), path.open("rb") as raw:
        if raw.read(len(_ZIP)) == _ZIP:
            raise BadInput(f"{path} is a zip archive: unpack it, and name the file or folder that comes out.")
        raw.seek(0)
        yield TextStream(raw)
