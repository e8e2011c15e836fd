"""The ACL Anthology from a folder: a copy of its repository, or some of its XML files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from novum.errors import BadInput
from novum.literature.entry import Entry, Reject
from novum.literature.sources.acl_anthology import read_collection
from novum.literature.sources.xml_responses import LARGEST_ANSWER


def read_anthology(folder: Path) -> Iterator[Entry | Reject]:
    """The papers of all collections in `folder`, file by file: the repository, its `data`, or any folder of such files;
    or a single file. A file that cannot be read is one reject. Raises BadInput when there is none."""
    files = [folder] if folder.is_file() else _files(folder)
    if not files:
        raise BadInput(f"{folder} has no XML files: give a copy of the ACL Anthology's repository, or its data/xml.")
    for file in files:
        yield from _read(file)


def _files(folder: Path) -> list[Path]:
    places = (folder / "data" / "xml", folder / "xml", folder)
    return next((files for place in places if (files := sorted(place.glob("*.xml")))), [])


def _read(file: Path) -> Iterator[Entry | Reject]:
    try:
        if file.stat().st_size > LARGEST_ANSWER:
            raise ValueError(f"a file of {file.stat().st_size:,} bytes")
        page = read_collection(file.read_bytes())
    except (OSError, ValueError) as error:
        yield Reject(file=str(file), line=1, reason=str(error))
        return
    yield from page.entries
    yield from (reject.model_copy(update={"file": str(file)}) for reject in page.rejects)
