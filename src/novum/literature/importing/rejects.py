"""The file of rejects: a line for every record that was not added, or only with repairs."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import orjson

from novum.credentials.redaction import redact
from novum.errors import LibraryError
from novum.files.atomic import no_follow
from novum.files.private import make_private_folder
from novum.literature.entry import Reject
from novum.literature.importing.readers import Repaired

FOLDER = "rejects"
_SHOWN = 200
"""Characters of a record."""
_MOST_LISTED = 10_000
"""Lines that an import adds to the list; further rejects are only counted."""
_LARGEST = 20_000_000
"""Bytes of the list of one day."""
_LONGEST_NAME = 200
"""Bytes; systems allow 255 with the date."""


class RejectsFile:
    """JSON lines in `folder`, made with the first one: file, line, reason, outcome (rejected or repaired), and how the
    record begins. A run on the same day adds to the file of the one before. Raises LibraryError when it cannot be
    written."""

    def __init__(self, folder: Path, name: str) -> None:
        today = dt.datetime.now().astimezone().date()
        short = redact(name).encode("utf-8", "replace")[:_LONGEST_NAME].decode("utf-8", "ignore")
        self.path = folder / f"{short}-{today}.jsonl"
        self.rejected = self.repaired = self._listed = self._left_out = 0
        self._file: BinaryIO | None = None

    def put(self, one: Reject, record: bytes = b"") -> None:
        """Writes a line for `one`; `record`: the beginning of the record, if known."""
        mended = isinstance(one, Repaired)
        self.repaired += mended
        self.rejected += not mended
        if self._listed >= _MOST_LISTED or (self._file and self._file.tell() > _LARGEST):
            self._left_out += 1
            return
        self._listed += 1
        outcome = "repaired" if mended else "rejected"
        shown = redact(record[: 8 * _SHOWN].decode("utf-8", "replace"))[:_SHOWN]  # half a key would not be recognised
        self._write(
            {"file": one.file, "line": one.line, "outcome": outcome, "reason": one.reason, "record": shown.strip()}
        )

    @property
    def written(self) -> Path | None:
        """The path of the file; None when nothing was rejected."""
        return self.path if self._file else None

    def close(self) -> None:
        """Writes a last line with the number of rejects that are not in the file, and closes it."""
        if self._left_out:
            self._write({"reason": f"{self._left_out:,} more are not listed"})
        if self._file:
            with self._mapped_errors():
                self._file.close()

    def flush(self) -> None:
        """Flushes the file to the disk."""
        if self._file:
            with self._mapped_errors():
                self._file.flush()

    def _write(self, line: dict[str, object]) -> None:
        line = {name: redact(value) if isinstance(value, str) else value for name, value in line.items()}
        with self._mapped_errors():
            if self._file is None:
                make_private_folder(self.path.parent)
                self._file = open(self.path, "ab+", opener=no_follow)  # noqa: SIM115  pathlib takes no opener
                self._end_torn_line(self._file)
            self._file.write(orjson.dumps(line) + b"\n")

    @contextmanager
    def _mapped_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise LibraryError(
                f"The rejects file {self.path} cannot be written ({error.strerror or error}): make its folder writable "
                "and run this again. What was committed is kept."
            ) from error

    @staticmethod
    def _end_torn_line(file: BinaryIO) -> None:
        """An interrupted import may have left an incomplete line."""
        if file.tell():
            file.seek(-1, 2)
            if file.read(1) != b"\n":
                file.write(b"\n")
