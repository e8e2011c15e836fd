"""One file into the library: entries to it, rejects to their file, and a mark behind what is committed."""

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
    mark: ReadPosition,
    rejects: RejectsFile,
    course: ImportProgress,
    apply: Apply,
) -> FileReport:
    """Bring in what stands behind `mark`. Raises BadInput when it is of no known form, LibraryError."""
    with open_reading(path, name, apply) as reading:
        return _FileImport(library, name, mark, rejects, course).run(reading)


@dataclass
class _InFlight:
    """A stretch that was handed to the library and is not known to be committed."""

    stretch: RecordBatch
    rejected: int
    """By the readers, up to its end."""
    repaired: int
    last: int
    """How many entries had been handed over at its end."""


class _FileImport:
    """The state of one run over one file."""

    def __init__(
        self, library: Library, name: str, mark: ReadPosition, rejects: RejectsFile, course: ImportProgress
    ) -> None:
        self._library = library
        self._name = name
        self._begun_at = mark
        self._mark = mark
        self._file = rejects
        self._course = course
        self._in_flight: deque[_InFlight] = deque()
        self._handed = self._committed = 0
        self._rejected = self._repaired = 0
        self._refused: list[int] = []
        """Records that the library refused, by number, in order."""
        self._first_rejects: list[Reject] = []

    def run(self, reading: FileReader) -> FileReport:
        """To the end of the file."""
        self._course.resumed_at += self._mark.record - 1
        report = self._library.add(self._entries(reading), self._name, self._commit)
        self._settle()
        self._mark = self._mark.model_copy(update={"done": True})
        self._mark.put(self._library)
        shown = sorted(self._first_rejects, key=lambda reject: reject.line)
        return FileReport.model_validate(
            dict(report)
            | {
                "rejected": self._rejected + len(self._refused),
                "rejects": tuple(shown[:MOST_REJECTS]),
                "repaired": self._repaired,
                "resumed_at": self._begun_at.record - 1,
                "rejects_file": self._file.written,
            }
        )

    def _entries(self, reading: FileReader) -> Iterator[Entry]:
        for stretch in reading.stretches(self._mark.position, self._mark.record):
            flight = _InFlight(stretch, self._rejected, self._repaired, last=-1)
            self._in_flight.append(flight)
            found: Iterator[Entry | Reject] = iter(stretch.found)
            if reading.form.reader in ADDITIONS:
                found = with_addition(self._library, found, self._name)
            yield from self._sorted_out(found)
            flight.last, flight.rejected, flight.repaired = self._handed, self._rejected, self._repaired
            self._forget_empty()
            self._course.at(self._name, reading.bytes_read)

    def _sorted_out(self, found: Iterator[Entry | Reject]) -> Iterator[Entry]:
        for one in found:
            if isinstance(one, Entry):
                self._handed += 1
                self._course.records += 1
                yield one
            else:
                mended = isinstance(one, Repaired)
                self._repaired += mended
                self._rejected += not mended
                self._course.records += not mended
                self._list(one)

    def _list(self, reject: Reject) -> None:
        """Into the rejects file; the first ones also into the report."""
        heads = (flight.stretch.head(reject.line) for flight in self._in_flight)
        self._file.put(reject, next(filter(None, heads), b""))
        if isinstance(reject, Repaired):
            return
        self._course.rejected += 1
        if len(self._first_rejects) < 2 * MOST_REJECTS:
            self._first_rejects.append(reject)

    def _commit(self, report: ImportReport) -> None:
        """The library has a batch more."""
        self._committed += report.read
        for reject in report.rejects:
            self._refused.append(reject.line)
            self._list(reject)
        self._settle()
        self._file.flush()
        if self._mark.position:  # BibTeX and CSL-JSON are read as a whole: nobody can go on inside
            self._mark.put(self._library)

    def _settle(self) -> None:
        """Move the mark behind everything that is committed."""
        while self._in_flight and 0 <= self._in_flight[0].last <= self._committed:
            flight = self._in_flight.popleft()
            start, stretch = self._begun_at, flight.stretch
            refused = bisect_left(self._refused, stretch.following) if stretch.position else len(self._refused)
            self._mark = start.model_copy(
                update={
                    "position": stretch.position,
                    "record": stretch.following,
                    "taken": start.taken + flight.last - refused,
                    "rejected": start.rejected + flight.rejected + refused,
                    "repaired": start.repaired + flight.repaired,
                }
            )

    def _forget_empty(self) -> None:
        """Stretches without entries must not pile up behind one that waits for its batch."""
        if self._in_flight[0].last <= self._committed and len(self._in_flight) == 1:
            self._settle()
        elif len(self._in_flight) > 1 and self._in_flight[-2].last == self._in_flight[-1].last:
            last = self._in_flight.pop()
            before = self._in_flight.pop()
            kept = RecordBatch(
                [], last.stretch.position, last.stretch.following, before.stretch.first, before.stretch.heads
            )
            self._in_flight.append(_InFlight(kept, last.rejected, last.repaired, last.last))
