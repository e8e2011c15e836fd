"""What bringing files in has come to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

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


def together(source: str, reports: Sequence[FileReport]) -> FileReport:
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
