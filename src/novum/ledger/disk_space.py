"""Room on the disk of a ledger in a file: found out before a request is paid for whose answer could not be written."""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

from novum.errors import LedgerError

_LEAST_FREE = 32 * 2**20
"""Bytes: two answers of the largest size that is accepted, and SQLite's log of them."""
_PROBE = 4 * 2**20
"""Bytes that are written once, since quotas do not show in the free space of a disk."""
_PERIOD = 1.0
"""Seconds between two looks."""


class DiskSpace:
    """The room in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._looked: float | None = None

    def check(self) -> None:
        """Raises LedgerError where there is too little. Looks at most once a second; the first time it tries out."""
        if self._looked is not None and time.monotonic() - self._looked < _PERIOD:
            return
        if (free := shutil.disk_usage(self._folder).free) < _LEAST_FREE:
            raise self._failure(f"{free / 2**20:.1f} MiB are free, and {_LEAST_FREE / 2**20:.0f} MiB are needed")
        if self._looked is None:
            self._probe()
        self._looked = time.monotonic()

    def _probe(self) -> None:
        try:
            with tempfile.TemporaryFile(dir=self._folder) as file:
                file.write(bytes(_PROBE))
                file.flush()
        except OSError as error:
            raise self._failure(f"{_PROBE / 2**20:.0f} MiB could not be written: {error.strerror or error}") from error

    def _failure(self, what: str) -> LedgerError:
        return LedgerError(
            f"There is too little room for answers in {self._folder}: {what}. Nothing more was sent. Free some disk "
            "space, then resume; all that was answered before is kept."
        )
