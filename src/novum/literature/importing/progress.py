"""The progress of an import, and its report."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from novum.core import Value
from novum.literature.entry import MOST_REJECTS, ImportReport


class FileReport(ImportReport):
    """The report of a file or folder. What earlier imports committed is not counted again; for a file that had been
    read to its end, its papers are counted as `unchanged`."""

    repaired: int = 0
    """Records that were added although they had errors."""
    resumed_at: int = 0
    """Records that earlier imports committed; this one continued after them."""
    read_before: bool = False
    """Whether the file was not read, because it was read to its end before and has not changed."""
    rejects_file: Path | None = None
    """The list of all rejects and repairs."""


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


class ImportProgressReport(Value):
    """The progress of an import at one moment; for a folder, over all its files."""

    file: str
    """The file that is being read."""
    bytes_read: int
    """As on disk, compressed or not."""
    bytes_total: int
    records: int
    """Entries and rejects that this import has read."""
    rejected: int
    seconds: float
    """Since the import began."""
    resumed_at: int = 0
    """Records that earlier imports committed."""

    @property
    def rate(self) -> float:
        """Records per second."""
        return self.records / self.seconds if self.seconds > 0 else 0.0

    @property
    def share(self) -> float:
        """Share of the bytes, 0 to 1."""
        return min(1.0, self.bytes_read / self.bytes_total) if self.bytes_total else 1.0


ImportProgressListener = Callable[[ImportProgressReport], None]


@dataclass
class ImportProgress:
    """The state of one import, over all its files."""

    listener: ImportProgressListener | None
    bytes_total: int
    bytes_before: int = 0
    """Bytes of the files that are finished."""
    records: int = 0
    rejected: int = 0
    resumed_at: int = 0
    begun: float = field(default_factory=time.monotonic)

    def at(self, file: str, bytes_read: int) -> None:
        """Reports progress: the number of bytes read of this file."""
        if self.listener:
            self.listener(
                ImportProgressReport(
                    file=file,
                    bytes_read=self.bytes_before + bytes_read,
                    bytes_total=self.bytes_total,
                    records=self.records,
                    rejected=self.rejected,
                    seconds=time.monotonic() - self.begun,
                    resumed_at=self.resumed_at,
                )
            )
