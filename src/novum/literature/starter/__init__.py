"""The starter library: well-known papers with their real citation links, shipped with the package (`*.jsonl` here)."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable

from novum.errors import LibraryError
from novum.literature.entry import Entry, ImportReport
from novum.literature.importing.readers import entries_of
from novum.literature.library import Library

_SCOPE = "starter"
"""Where the plain keys of these files hold."""


def install_starter(library: Library) -> ImportReport:
    """Adds the starter papers to the library; papers that it has are not added twice. Raises LibraryError when they are
    missing."""
    return library.add(starter_entries(), source="starter library")


def starter_entries(folder: Traversable | None = None) -> Iterator[Entry]:
    """The entries of all files in `folder` (by default those of the package), in the order of the files' names."""
    place = folder or resources.files(__name__)
    files = sorted((one for one in place.iterdir() if one.name.endswith(".jsonl")), key=lambda one: one.name)
    if not files:
        raise LibraryError(
            "This installation has no starter papers: reinstall with `pip install --force-reinstall novum`."
        )
    for file in files:
        for one in entries_of(file.read_bytes().splitlines(), "plain", _SCOPE, 1, file.name):
            if not isinstance(one, Entry):
                raise LibraryError(f"The starter library is damaged at {one}: reinstall novum.")
            yield one
