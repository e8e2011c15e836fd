"""How far an import is, for whoever draws a bar."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from novum.core import Value
from novum.literature.entry import MOST_REJECTS, ImportReport


class FileReport(ImportReport):
    """An import of a file or folder. What earlier runs had committed is not counted again, but for a file that had
    been read to its end: then its papers are the `unchanged`."""

    repaired: int = 0
    """Records taken in that were not as they should be."""
    resumed_at: int = 0
    """Records that earlier runs had committed; this one went on behind them."""
    read_before: bool = False
    """The file had been read to its end and has not changed: it was not read again."""
    rejects_file: Path | None = None
    """Where every reject and repair has its line."""


def combined_report(source: str, reports: Sequence[FileReport]) -> FileReport:
    """One report of several files."""
    rejects = tuple(reject for report in reports for reject in report.rejects)
    return FileReport(
        source=source,
        added=sum(report.added for report in reports),
        merged=sum(report.merged for report in reports),
        unchanged=sum(report.unchanged for report in reports),
        links=sum(report.links for report in reports),
        rejected=sum(report.rejected for report in reports),
        rejects=rejects[:MOST_REJECTS],
        repaired=sum(report.repaired for report in reports),
        resumed_at=sum(report.resumed_at for report in reports),
        read_before=bool(reports) and all(report.read_before for report in reports),
        rejects_file=next((report.rejects_file for report in reports if report.rejects_file), None),
    )


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


ImportProgressListener = Callable[[Progress], None]


@dataclass
class ImportProgress:
    """The course of one run, over all its files."""

    listener: ImportProgressListener | None
    bytes_total: int
    bytes_before: int = 0
    """Of the files that are finished."""
    records: int = 0
    rejected: int = 0
    resumed_at: int = 0
    begun: float = field(default_factory=time.monotonic)

    def at(self, file: str, bytes_read: int) -> None:
        """Tell how far it is: so many bytes into this file."""
        if self.listener:
            self.listener(
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
