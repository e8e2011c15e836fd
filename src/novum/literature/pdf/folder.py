"""Reads a folder of PDFs into the library, in the order of their names."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from novum.errors import BadInput, SourceError
from novum.literature.entry import Entry, ImportReport, Reject
from novum.literature.importing.cleaning import clean_text
from novum.literature.importing.positions import ReadPosition
from novum.literature.importing.progress import FileReport
from novum.literature.importing.rejects import FOLDER, RejectsFile
from novum.literature.library import Library
from novum.literature.pdf.document import PdfDocument, entry_of
from novum.literature.pdf.grobid import Grobid
from novum.literature.pdf.limits import PdfLimits, Unreadable
from novum.literature.pdf.reader import PdfReader
from novum.literature.store.storable import storable

Say = Callable[[str], None]
"""Takes one line for the user."""
Progress = Callable[[int, int], None]
"""Takes the number of PDFs that are done, and of all."""
_BATCH = 20


async def import_pdfs(
    library: Library,
    path: Path,
    *,
    grobid: str = "",
    workers: int = 1,
    limits: PdfLimits | None = None,
    progress: Progress | None = None,
    say: Say | None = None,
    again: bool = False,
) -> FileReport:
    """Adds the PDFs at `path` to the library, with their full texts and references; see `read_pdfs`.

    They are committed twenty at a time. A PDF that came in before and has not changed is counted as unchanged
    and not read, unless `again`. What cannot be read has a line in `rejects/` of the library's folder. Raises
    LibraryError besides when the library cannot be written.
    """
    say = say or (lambda line: None)
    files = await asyncio.to_thread(find_pdfs, path, say)
    positions = {file: await asyncio.to_thread(_position_of, library, file) for file in files}
    new = [file for file in files if again or not positions[file].done]
    rejects = RejectsFile(library.folder / FOLDER, path.name or "pdfs")
    taking = _Taking(library, storable(path.name), positions, rejects)
    try:
        reading = read_pdfs(path, files=new, grobid=grobid, workers=workers, limits=limits, progress=progress, say=say)
        unread = iter(new)
        async for one in reading:
            await taking.take(next(unread), one)
        await taking.commit()
    finally:
        rejects.close()
    known = {"unchanged": taking.report.unchanged + len(files) - len(new), "rejects_file": rejects.written}
    return FileReport.model_validate(dict(taking.report) | known)


def _position_of(library: Library, file: Path) -> ReadPosition:
    """The stored position of a file; an empty one if it cannot be opened, which is reported when it is read."""
    try:
        return ReadPosition.of(library, file)
    except OSError:
        return ReadPosition(file=storable(str(file)), fingerprint="")


class _Taking:
    """Puts what was read into the library, twenty PDFs at a time, and marks them as read."""

    def __init__(
        self, library: Library, source: str, positions: Mapping[Path, ReadPosition], rejects: RejectsFile
    ) -> None:
        self.report = ImportReport(source=source)
        self._library = library
        self._source = source
        self._positions = positions
        self._rejects = rejects
        self._batch: dict[Path, Entry] = {}

    async def take(self, file: Path, one: Entry | Reject) -> None:
        """Adds an entry, or counts a reject."""
        if isinstance(one, Reject):
            self._refuse(ImportReport.of_rejects(self._source, [one]))
            self.report += ImportReport.of_rejects(self._source, [one])
        else:
            self._batch[file] = one
        if len(self._batch) == _BATCH:
            await self.commit()

    async def commit(self) -> None:
        """Commits what was read."""
        done, self._batch = self._batch, {}
        self.report += await asyncio.to_thread(self._library.add, done.values(), self._source, self._refuse)
        for file in done:
            self._positions[file].model_copy(update={"done": True, "taken": 1}).put(self._library)

    def _refuse(self, report: ImportReport) -> None:
        for reject in report.rejects:
            self._rejects.put(reject)


async def read_pdfs(
    path: Path,
    *,
    files: Sequence[Path] | None = None,
    grobid: str = "",
    workers: int = 1,
    limits: PdfLimits | None = None,
    progress: Progress | None = None,
    say: Say | None = None,
) -> AsyncIterator[Entry | Reject]:
    """Each PDF of a folder and those below it, or the one file at `path`.

    `files`: these of them alone. `grobid`: address of a server that reads them; what it refuses is read here.
    `workers`: how many are read at once, each by a process of its own. Raises BadInput when there is nothing to read.
    """
    say = say or (lambda line: None)
    files = find_pdfs(path, say) if files is None else files
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(Grobid(grobid)) if grobid else None
        readers: asyncio.Queue[PdfReader] = asyncio.Queue()
        for _ in range(max(1, workers)):
            readers.put_nowait(await stack.enter_async_context(PdfReader(limits)))
        reading = _Reading(path, server, readers, say)
        done = 0
        async for one in _in_order(files, reading, ahead=2 * max(1, workers)):
            done += 1
            if progress:
                progress(done, len(files))
            yield one


def find_pdfs(path: Path, say: Say) -> list[Path]:
    """The PDFs of a folder in the order of their names; a single file, whatever its name. Raises BadInput."""
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise BadInput(f"{path} is neither a PDF nor a folder. Name a folder of PDFs.")

    def unreadable(error: OSError) -> None:
        say(f"{error.filename} left alone: it cannot be read ({error.strerror}).")

    files = [Path(folder, name) for folder, _, names in os.walk(path, onerror=unreadable) for name in names]
    found = sorted(file for file in files if file.suffix.lower() == ".pdf" and file.is_file())
    if not found:
        raise BadInput(f"{path} holds no PDF: no file whose name ends in .pdf.")
    if others := len(files) - len(found):
        say(f"{others:,} other file{'s' * (others > 1)} in {path} left alone: not named .pdf.")
    return found


class _Reading:
    """Reads one file with the next free reader."""

    def __init__(self, root: Path, server: Grobid | None, readers: asyncio.Queue[PdfReader], say: Say) -> None:
        self._root = root
        self._server = server
        self._readers = readers
        self._say = say

    async def __call__(self, file: Path) -> Entry | Reject:
        name = clean_text(str(file.relative_to(self._root)) if file != self._root else file.name)
        try:
            document = await self._document(file, name)
        except Unreadable as error:
            return Reject(file=name, line=0, reason=clean_text(str(error)))
        for remark in document.remarks:
            self._say(f"{name}: {remark}.")
        return entry_of(document, name)

    async def _document(self, file: Path, name: str) -> PdfDocument:
        if self._server:
            try:
                return await self._server.read(file)
            except SourceError as error:
                self._say(f"{name} is read without GROBID: {error}")
        reader = await self._readers.get()
        try:
            return await reader.read(file)
        finally:
            self._readers.put_nowait(reader)


async def _in_order(files: Sequence[Path], read: _Reading, ahead: int) -> AsyncIterator[Entry | Reject]:
    """Reads several files at once and yields them in order, with at most `ahead` waiting."""
    waiting: deque[asyncio.Task[Entry | Reject]] = deque()
    try:
        for file in files:
            waiting.append(asyncio.create_task(read(file)))
            if len(waiting) >= ahead:
                yield await waiting.popleft()
        while waiting:
            yield await waiting.popleft()
    finally:
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
