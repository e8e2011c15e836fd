"""Imports one file: entries into the library, rejects into their file, and a record of how far the import has come."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from novum.literature.cluster.apply import Apply
from novum.literature.entry import MOST_REJECTS, Entry, ImportReport, Reject
from novum.literature.importing.file_reader import FileReader, RecordBatch, open_reading
from novum.literature.importing.positions import ReadPosition
from novum.literature.importing.progress import FileReport, ImportProgress
from novum.literature.importing.readers import ADDITIONS, Repaired, with_addition
from novum.literature.importing.rejects import RejectsFile
from novum.literature.library import Library


def import_one(
    library: Library,
    path: Path,
    name: str,
    position: ReadPosition,
    rejects: RejectsFile,
    progress: ImportProgress,
    apply: Apply,
) -> FileReport:
    """Imports what follows `position`. Raises BadInput for an unknown format, LibraryError."""
    with open_reading(path, name, apply) as reading:
        return _FileImport(library, name, position, rejects, progress).run(reading)


@dataclass
class _PendingBatch:
    """A batch that was given to the library and may not be committed yet."""

    batch: RecordBatch
    rejected: int
    """Records that the parsers had rejected at the end of the batch."""
    repaired: int
    last: int
    """Entries that had been given to the library at the end of the batch; -1 while it is being read."""


class _FileImport:
    """The import of one file."""

    def __init__(
        self, library: Library, name: str, position: ReadPosition, rejects: RejectsFile, progress: ImportProgress
    ) -> None:
        self._library = library
        self._name = name
        self._start = position
        self._position = position
        self._file = rejects
        self._progress = progress
        self._pending: deque[_PendingBatch] = deque()
        self._given = self._committed = 0
        self._rejected = self._repaired = 0
        self._refused: list[int] = []
        """Records that the library refused, by number, in order."""
        self._first_rejects: list[Reject] = []

    def run(self, reading: FileReader) -> FileReport:
        """Imports to the end of the file."""
        self._progress.resumed_at += self._position.record - 1
        report = self._library.add(self._entries(reading), self._name, self._commit)
        self._settle()
        self._position = self._position.model_copy(update={"done": True})
        self._position.put(self._library)
        first = sorted(self._first_rejects, key=lambda reject: reject.line)
        return FileReport.model_validate(
            dict(report)
            | {
                "rejected": self._rejected + len(self._refused),
                "rejects": tuple(first[:MOST_REJECTS]),
                "repaired": self._repaired,
                "resumed_at": self._start.record - 1,
                "rejects_file": self._file.written,
            }
        )

    def _entries(self, reading: FileReader) -> Iterator[Entry]:
        for batch in reading.batches(self._position.position, self._position.record):
            pending = _PendingBatch(batch, self._rejected, self._repaired, last=-1)
            self._pending.append(pending)
            records: Iterator[Entry | Reject] = iter(batch.records)
            if reading.form.reader in ADDITIONS:
                records = with_addition(self._library, records, self._name)
            yield from self._accepted(records)
            pending.last, pending.rejected, pending.repaired = self._given, self._rejected, self._repaired
            self._forget_empty()
            self._progress.at(self._name, reading.bytes_read)

    def _accepted(self, records: Iterator[Entry | Reject]) -> Iterator[Entry]:
        """The entries; rejects and repairs are counted and listed."""
        for one in records:
            if isinstance(one, Entry):
                self._given += 1
                self._progress.records += 1
                yield one
            else:
                repaired = isinstance(one, Repaired)
                self._repaired += repaired
                self._rejected += not repaired
                self._progress.records += not repaired
                self._list(one)

    def _list(self, reject: Reject) -> None:
        """Writes a reject to the file of rejects; the first ones also go into the report."""
        heads = (pending.batch.head(reject.line) for pending in self._pending)
        self._file.put(reject, next(filter(None, heads), b""))
        if isinstance(reject, Repaired):
            return
        self._progress.rejected += 1
        if len(self._first_rejects) < 2 * MOST_REJECTS:
            self._first_rejects.append(reject)

    def _commit(self, report: ImportReport) -> None:
        """Called when the library has committed a batch."""
        self._committed += report.read
        for reject in report.rejects:
            self._refused.append(reject.line)
            self._list(reject)
        self._settle()
        self._file.flush()
        if self._position.position:  # 0 for BibTeX and CSL-JSON: they are read as a whole
            self._position.put(self._library)

    def _settle(self) -> None:
        """Moves the position to the end of the last batch that is committed completely."""
        while self._pending and 0 <= self._pending[0].last <= self._committed:
            pending = self._pending.popleft()
            start, batch = self._start, pending.batch
            refused = bisect_left(self._refused, batch.next_record) if batch.position else len(self._refused)
            self._position = start.model_copy(
                update={
                    "position": batch.position,
                    "record": batch.next_record,
                    "taken": start.taken + pending.last - refused,
                    "rejected": start.rejected + pending.rejected + refused,
                    "repaired": start.repaired + pending.repaired,
                }
            )

    def _forget_empty(self) -> None:
        """Merges batches without entries, so that they do not pile up behind one that is not committed."""
        if self._pending[0].last <= self._committed and len(self._pending) == 1:
            self._settle()
        elif len(self._pending) > 1 and self._pending[-2].last == self._pending[-1].last:
            last = self._pending.pop()
            before = self._pending.pop()
            merged = RecordBatch(
                [], last.batch.position, last.batch.next_record, before.batch.first, before.batch.heads
            )
            self._pending.append(_PendingBatch(merged, last.rejected, last.repaired, last.last))
