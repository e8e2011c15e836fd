"""Bringing files of papers in: one file, or a folder of them, of any size."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from novum.errors import BadInput
from novum.literature.cluster.apply import Apply, apply_locally
from novum.literature.entry import Entry, Reject
from novum.literature.importing.file_import import import_one
from novum.literature.importing.file_reader import open_reading
from novum.literature.importing.formats import may_hold_papers
from novum.literature.importing.positions import ReadPosition
from novum.literature.importing.progress import FileReport, ImportProgress, ImportProgressListener, combined_report
from novum.literature.importing.readers import ADDITIONS
from novum.literature.importing.rejects import FOLDER, RejectsFile
from novum.literature.importing.text_stream import readable
from novum.literature.library import Library
from novum.literature.store.storable import storable

_QUICKLY_READ = 10_000_000
"""Bytes. A smaller file is read again even when it has not changed."""


def import_file(
    library: Library,
    path: Path,
    *,
    progress: ImportProgressListener | None = None,
    again: bool | None = None,
    apply: Apply = apply_locally,
) -> FileReport:
    """Imports the papers of a file, or of all files in a folder, in bounded memory.

    Formats, also gzipped: the JSONL of Novum, BibTeX, RIS, NBIB, CSL-JSON, DBLP-Citation-network V10 to V14, and the
    data sets of OpenAlex and Semantic Scholar. Records that cannot be read are skipped and counted; the first are in
    the report, and all are listed in `rejects/` of the library's folder.

    An interrupted import continues after its last committed batch, unless the file has changed since. A file that was
    read to its end is read again when it is small (10 MB) or has changed; `again`: True for always, False for only when
    it has changed. `progress` is called about once for every megabyte of text. `apply`: the workers that parse records
    (`cluster.workers`); BibTeX, RIS, NBIB and CSL-JSON are always parsed by this process.

    Raises BadInput when a file cannot be opened or its format is not known, LibraryError when the library cannot be
    written; what was committed stays.
    """
    path = Path(path)
    unreadable: list[OSError] = []
    with readable(path):
        files = papers_in(path, unreadable.append) if path.is_dir() else [path]
        state = ImportProgress(progress, sum(file.stat().st_size for file in files))
        if unreadable and not files:
            raise unreadable[0]
    if not files:
        raise BadInput(
            f"{path} holds no file of papers: name a folder with .jsonl, .json, .gz, .bib or .ris files in it."
        )
    rejects = RejectsFile(library.folder / FOLDER, path.resolve().name)
    try:
        if path.is_dir():
            reports = [_refusal(storable(str(error.filename)), str(error.strerror), 0, rejects) for error in unreadable]
            report = _import_all(library, path, files, reports, rejects, state, again, apply)
        else:
            report = _import(library, path, storable(path.name), rejects, state, again, apply)
        return report.model_copy(update={"waiting": library.waiting()})
    finally:
        rejects.close()


def read_file(path: Path) -> Iterator[Entry | Reject]:
    """The records of a file, in order, without a library. Raises BadInput as `import_file` does."""
    with open_reading(Path(path)) as reading:
        for batch in reading.batches():
            yield from batch.records


def papers_in(folder: Path, unreadable: Callable[[OSError], object] | None = None) -> list[Path]:
    """The files below a folder that may hold papers, sorted by path. Hidden files and linked folders are left out.
    `unreadable` is called for folders that cannot be read."""
    found = []
    for place, folders, names in os.walk(folder, onerror=unreadable):
        folders[:] = [name for name in folders if not name.startswith(".")]
        paths = (Path(place, name) for name in names if not name.startswith("."))
        found += [path for path in paths if may_hold_papers(path) and path.is_file()]
    return sorted(found)


def _import_all(
    library: Library,
    folder: Path,
    files: list[Path],
    reports: list[FileReport],
    rejects: RejectsFile,
    progress: ImportProgress,
    again: bool | None,
    apply: Apply,
) -> FileReport:
    for path in sorted(files, key=lambda file: (_is_addition(file), file)):
        name = storable(str(path.relative_to(folder)))
        try:
            reports.append(_import(library, path, name, rejects, progress, again, apply))
        except BadInput as reason:
            reports.append(_refusal(name, str(reason), 1, rejects))
        with suppress(OSError):  # it may be gone by now
            progress.bytes_before += path.stat().st_size
    return combined_report(storable(folder.resolve().name), reports)


def _refusal(name: str, reason: str, line: int, rejects: RejectsFile) -> FileReport:
    """The report of a file or folder that could not be read."""
    refused = Reject(file=name, line=line, reason=storable(reason))
    rejects.put(refused)
    return FileReport(source=name, rejected=1, rejects=(refused,), rejects_file=rejects.written)


def _is_addition(path: Path) -> bool:
    """Whether a file adds to papers of other files, and has to be read after them."""
    try:
        with open_reading(path) as reading:
            return reading.form.reader in ADDITIONS
    except BadInput:
        return False


def _import(
    library: Library,
    path: Path,
    name: str,
    rejects: RejectsFile,
    progress: ImportProgress,
    again: bool | None,
    apply: Apply,
) -> FileReport:
    with readable(path):
        position = ReadPosition.of(library, path)
        small = path.stat().st_size < _QUICKLY_READ
    if position.done and not again and not (again is None and small):
        return FileReport(
            source=name,
            unchanged=position.taken,
            rejected=position.rejected,
            repaired=position.repaired,
            resumed_at=position.record - 1,
            read_before=True,
        )
    if position.done or again:
        position = ReadPosition(file=position.file, fingerprint=position.fingerprint)
    return import_one(library, path, name, position, rejects, progress, apply)
