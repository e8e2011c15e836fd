"""Finished turns in a file, one line each: written as soon as they are known, and read when a run is resumed.

A line begins with a checksum. One that is damaged, or was written without it, is left out: its turn is done again from
the answers on the ledger.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from novum.errors import BadInput
from novum.files.private import make_private_folder
from novum.runs.bulk.rounds import Turn

JournalRow = Mapping[str, Any]
_CHECKSUM = 17
"""Bytes at the beginning of a line: 16 hexadecimal digits and a blank."""


class Journal:
    """The turns of a run. Only the position of each line is held in memory.

    Several processes may work on one run: each appends whole lines, and reads those that it wrote or found.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self._positions: dict[Turn, int] = {}
        try:
            make_private_folder(file.parent)
            self._opened = file.open("a+b")
            self._read_back()
        except OSError as error:
            raise self._unusable(error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def __contains__(self, turn: Turn) -> bool:
        return turn in self._positions

    def note(self, turn: Turn, rows: list[JournalRow], notes: tuple[str, ...]) -> None:
        """Appends a turn. Raises BadInput where it cannot be written."""
        text = json.dumps({"turn": turn, "rows": rows, "notes": notes}, ensure_ascii=False)
        line = _checked(text.encode("utf-8", "replace"))
        try:
            self._opened.write(line)
            self._opened.flush()
        except OSError as error:
            raise self._unusable(error) from error
        self._positions[turn] = self._opened.tell() - len(line)

    def rows(self, turn: Turn) -> list[JournalRow]:
        """The ideas of a finished turn, best first."""
        rows: list[JournalRow] = self._line(turn)["rows"]
        return rows

    def notes(self, turn: Turn) -> list[str]:
        """The notes of a finished turn."""
        notes: list[str] = self._line(turn)["notes"]
        return notes

    def forget(self) -> None:
        """Removes the file after the run."""
        self._opened.close()
        self.file.unlink(missing_ok=True)

    def _line(self, turn: Turn) -> dict[str, Any]:
        self._opened.seek(self._positions[turn])
        content: dict[str, Any] = json.loads(self._opened.readline()[_CHECKSUM:])
        return content

    def _read_back(self) -> None:
        """Reads the file. A line that a killed process left incomplete is closed, and left out."""
        self._opened.seek(0)
        start, line = 0, b"\n"
        for line in self._opened:
            if _checked(line[_CHECKSUM:-1]) == line:
                self._positions[Turn(*json.loads(line[_CHECKSUM:])["turn"])] = start
            start += len(line)
        if not line.endswith(b"\n"):
            self._opened.write(b"\n")
            self._opened.flush()

    def _unusable(self, error: OSError) -> BadInput:
        why = error.strerror or error
        return BadInput(f"Ideas cannot be written to {self.file}: {why}. Fix that, and resume the run.")


def _checked(content: bytes) -> bytes:
    """The line of a turn: its checksum, its content, and the end of the line."""
    return hashlib.blake2b(content, digest_size=8).hexdigest().encode() + b" " + content + b"\n"
