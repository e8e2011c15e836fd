"""The papers that a command learns from: a library that is there, or a file that is brought into one of its own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from novum.cli.library.summary import line_of
from novum.cli.shell.library_progress import library_progress
from novum.cli.shell.terminal import print_message
from novum.core import content_id
from novum.errors import BadInput
from novum.lab import Workplace
from novum.literature.store.database import DATABASE_FILE
from novum.runs.engine import ensure_library
from novum.runs.library import Rate, read_into
from novum.settings import load_settings


@dataclass(frozen=True)
class PaperSource:
    """Where the papers are: the library as settings name it (empty: that of the workplace), and a file to bring into it
    first."""

    library: str = ""
    file: Path | None = None


def paper_source(named: str | None) -> PaperSource:
    """What a user means by a library. Raises BadInput where there is none."""
    if named is None or "://" in named:
        return PaperSource(named or "")
    place = Path(named).expanduser()
    if (place / DATABASE_FILE).is_file():
        return PaperSource(str(place))
    if place.is_dir():
        raise BadInput(f"{place} holds no library ({DATABASE_FILE}). Name a library's folder, or a file of papers.")
    if not place.is_file():
        raise BadInput(f"There is no library {place}. Name a library's folder, or a file of papers.")
    return PaperSource(str(load_settings().values.home / "libraries" / _plain(place)), place)


def _plain(file: Path) -> str:
    """A file's name as that of a folder, with a mark by which two files of one name are told apart."""
    plain = "".join(char if char.isalnum() or char in "-_" else "-" for char in file.name.split(".")[0])
    return content_id(plain.strip("-")[:80] or "papers", str(file.resolve()))[:-8]


def add_papers(place: Workplace, source: PaperSource) -> None:
    """Papers of a file come in, once; an empty library of the workplace gets the starter papers."""
    if not source.library:
        ensure_library(place)
    if source.file is not None:
        with library_progress() as progress:
            report = read_into(place.library, source.file, progress=progress)
        if not report.read_before:
            print_message(line_of(report))
        print_message(f"Its papers are in a library of their own: {place.library.folder}")


async def add_and_embed_papers(place: Workplace, source: PaperSource) -> None:
    """As `add_papers`, and all papers are embedded."""
    add_papers(place, source)
    library = place.library
    with library_progress() as progress:
        if left := library.unembedded(library.embedder.name).papers:
            rate = Rate("papers", progress)
            await library.embed(lambda done: rate("embedding", done, left))
