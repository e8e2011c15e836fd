"""The starter library: well-known papers with their real citation links, shipped with the package (`*.jsonl` here)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import resources
from importlib.resources.abc import Traversable

from novum.errors import LibraryError
from novum.literature.entry import Entry, ImportReport, Reject
from novum.literature.importing.readers import entries_of
from novum.literature.library import Library


def read_jsonl(lines: Iterable[bytes], file: str, scope: str) -> Iterator[Entry | Reject]:
    """An entry or a reject for every line that is not blank. `scope`: where the file's plain keys hold."""
    for number, line in enumerate(lines, 1):
        yield from entries_of([line], "plain", scope, number, file)


_SCOPE = "starter"


def install_starter(library: Library) -> ImportReport:
    """Bring the starter papers into the library; doing so again does no harm. Raises LibraryError without them."""
    return library.add(starter_entries(), source="starter library")


def starter_entries(folder: Traversable | None = None) -> Iterator[Entry]:
    """The entries of all files in `folder` (default: those of the package), file by file in order of name."""
    place = folder or resources.files(__name__)
    files = sorted((one for one in place.iterdir() if one.name.endswith(".jsonl")), key=lambda one: one.name)
    if not files:
        raise LibraryError(
            "This installation has no starter papers: reinstall with `pip install --force-reinstall novum`."
        )
    for file in files:
        with file.open("rb") as lines:
            for one in read_jsonl(lines, file.name, _SCOPE):
                if not isinstance(one, Entry):
                    raise LibraryError(f"The starter library is damaged at {one}: reinstall novum.")
                yield one
