"""How far a file has been brought in, kept in the library itself, so that a run that was cut off can go on."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Self

from pydantic import ValidationError

from novum.core import Value
from novum.literature.library import Library
from novum.literature.store.storable import storable

READING = 1
"""Grows when readers learn to read more; files that an older one read to the end are then worth reading again."""
_ENDS = 1 << 16
"""Bytes of beginning and end that are part of a fingerprint."""


class ReadPosition(Value):
    """What is committed of one file."""

    file: str
    fingerprint: str
    reading: int = READING
    position: int = 0
    """Where its text goes on."""
    record: int = 1
    """The number of the next record."""
    taken: int = 0
    """Entries committed so far, by all runs."""
    rejected: int = 0
    repaired: int = 0
    done: bool = False

    def put(self, library: Library) -> None:
        """Keep it. Raises LibraryError."""
        library.note(_name(self.file), self.model_dump_json())

    @classmethod
    def of(cls, library: Library, path: Path) -> Self:
        """The mark of this file as it is now: the beginning, when it was never read or has changed since."""
        fresh = cls(file=storable(str(path.resolve())), fingerprint=fingerprint(path))
        try:
            known = cls.model_validate_json(library.noted(_name(fresh.file)) or "")
        except ValidationError:  # none, or one of another version
            return fresh
        return known if (known.fingerprint, known.reading) == (fresh.fingerprint, READING) else fresh


def fingerprint(path: Path) -> str:
    """Changes with the size, the time of the last change, and both ends of a file. Raises OSError."""
    facts = path.stat()
    with path.open("rb") as file:
        ends = file.read(_ENDS)
        file.seek(max(0, facts.st_size - _ENDS))
        ends += file.read(_ENDS)
    told = f"{facts.st_size} {facts.st_mtime_ns} ".encode()
    return hashlib.blake2b(told + ends, digest_size=16).hexdigest()


def _name(file: str) -> str:
    return f"import:{hashlib.blake2b(file.encode('utf-8', 'replace'), digest_size=16).hexdigest()}"
