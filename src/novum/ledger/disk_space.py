"""Room on the disk of a ledger in a file: found out before a request is paid for whose answer could not be written.

Some megabytes are kept reserved. When the disk is full all the same, as by a quota or by other programs, they are given
back for the answers that are under way, and nothing more is sent.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path
from typing import BinaryIO

from novum.errors import LedgerError

_LEAST_FREE = 32 * 2**20
"""Bytes: two answers of the largest size that is accepted, and SQLite's log of them."""
_RESERVE = 4 * 2**20
"""Bytes that are written once and kept, since quotas do not show in the free space of a disk."""
_PERIOD = 1.0
"""Seconds between two looks."""


class DiskSpace:
    """The room in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._looked: float | None = None
        self._reserve: BinaryIO | None = None
        self._full = False

    def check(self, *, idle: bool) -> None:
        """Raises LedgerError where there is too little. Looks at most once a second; the first time it tries out.
        `idle`: no request is under way, so that the reserve may be taken anew after the disk was full."""
        if self._full and not idle:
            raise self._failure("the disk is full")
        if self._looked is not None and time.monotonic() - self._looked < _PERIOD:
            return
        if (free := shutil.disk_usage(self._folder).free) < _LEAST_FREE:
            raise self._failure(f"{free / 2**20:.1f} MiB are free, and {_LEAST_FREE / 2**20:.0f} MiB are needed")
        if self._reserve is None:
            self._take_reserve()
        self._looked, self._full = time.monotonic(), False

    def give_back(self) -> bool:
        """Frees the reserve for answers that are under way, as the disk is full. False where there was none."""
        self._full, self._looked = True, None
        reserved = self._reserve is not None
        self.close()
        return reserved

    def close(self) -> None:
        """Lets go of the reserve."""
        if self._reserve is not None:
            self._reserve.close()
            self._reserve = None

    def _take_reserve(self) -> None:
        """The file has no name, so that it is gone with the process."""
        file = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115  # kept open
        try:
            file.write(bytes(_RESERVE))
            file.flush()
        except OSError as error:
            file.close()
            what = f"{_RESERVE / 2**20:.0f} MiB could not be written: {error.strerror or error}"
            raise self._failure(what) from error
        self._reserve = file

    def _failure(self, what: str) -> LedgerError:
        return LedgerError(
            f"There is too little room for answers in {self._folder}: {what}. Nothing more was sent. Free some disk "
            "space, then resume; all that was answered before is kept."
        )
