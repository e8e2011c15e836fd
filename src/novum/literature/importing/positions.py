"""How far a file was imported, stored in the library, so that an interrupted import can continue."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Self

from pydantic import ValidationError

from novum.core import Value
from novum.files.inputs import open_input
from novum.literature.library import Library
from novum.literature.store.storable import storable

READING = 1
"""Increased when parsers learn to read more: files that an older version read to the end are then read again."""
_ENDS = 1 << 16
"""Bytes at the beginning and at the end of a file that are part of its fingerprint."""


class ReadPosition(Value):
    """How much of one file is committed."""

    file: str
    fingerprint: str
    reading: int = READING
    position: int = 0
    """Where the text that was not read begins."""
    record: int = 1
    """The number of the next record."""
    taken: int = 0
    """Entries committed so far, over all imports."""
    rejected: int = 0
    repaired: int = 0
    done: bool = False

    def put(self, library: Library) -> None:
        """Stores the position. Raises LibraryError."""
        library.set_note(_name(self.file), self.model_dump_json())

    @classmethod
    def of(cls, library: Library, path: Path) -> Self:
        """The stored position of a file; its beginning, when it was never read or has changed since."""
        fresh = cls(file=storable(str(path.resolve())), fingerprint=fingerprint(path))
        try:
            known = cls.model_validate_json(library.get_note(_name(fresh.file)) or "")
        except ValidationError:  # none, or one of another version
            return fresh
        return known if (known.fingerprint, known.reading) == (fresh.fingerprint, READING) else fresh


def fingerprint(path: Path) -> str:
    """A hash of the size, the modification time, and both ends of a file. Raises OSError; BadInput when it is no
    file."""
    facts = path.stat()
    with open_input(path) as file:
        ends = file.read(_ENDS)
        file.seek(max(0, facts.st_size - _ENDS))
        ends += file.read(_ENDS)
    stat = f"{facts.st_size} {facts.st_mtime_ns} ".encode()
    return hashlib.blake2b(stat + ends, digest_size=16).hexdigest()


def _name(file: str) -> str:
    return f"import:{hashlib.blake2b(file.encode('utf-8', 'replace'), digest_size=16).hexdigest()}"
