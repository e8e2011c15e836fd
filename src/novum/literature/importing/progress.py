"""How far an import is, for whoever draws a bar."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from novum.core import Value


class Progress(Value):
    """A moment of an import; of a folder, of all its files together."""

    file: str
    """The one that is being read."""
    bytes_read: int
    """As they lie on disk, compressed or not."""
    bytes_total: int
    records: int
    """Read by this run: entries and rejects."""
    rejected: int
    seconds: float
    """Since this run began."""
    resumed_at: int = 0
    """How many records earlier runs had committed, behind which this one went on."""

    @property
    def rate(self) -> float:
        """Records a second."""
        return self.records / self.seconds if self.seconds > 0 else 0.0

    @property
    def share(self) -> float:
        """Of the bytes, 0 to 1."""
        return min(1.0, self.bytes_read / self.bytes_total) if self.bytes_total else 1.0


Told = Callable[[Progress], None]


@dataclass
class ImportProgress:
    """The course of one run, over all its files."""

    told: Told | None
    bytes_total: int
    bytes_before: int = 0
    """Of the files that are finished."""
    records: int = 0
    rejected: int = 0
    resumed_at: int = 0
    begun: float = field(default_factory=time.monotonic)

    def at(self, file: str, bytes_read: int) -> None:
        """Tell how far it is: so many bytes into this file."""
        if self.told:
            self.told(
                Progress(
                    file=file,
                    bytes_read=self.bytes_before + bytes_read,
                    bytes_total=self.bytes_total,
                    records=self.records,
                    rejected=self.rejected,
                    seconds=time.monotonic() - self.begun,
                    resumed_at=self.resumed_at,
                )
            )
