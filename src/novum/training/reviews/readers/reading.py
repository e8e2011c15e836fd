"""Read files and folders of reviews: raw papers in order, and rejected records with line and reason.

A file is JSON lines, an array, consecutive objects, or Parquet; it may be compressed. Only a part of it is in memory.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import orjson

from novum.errors import BadInput
from novum.files.inputs import open_input
from novum.files.tables import parquet_rows, pyarrow
from novum.literature.entry import Reject
from novum.literature.importing.json_scanner import record_blocks
from novum.literature.importing.lenient_json import read_leniently
from novum.literature.importing.line_blocks import line_blocks
from novum.literature.importing.record import UnusableRecord
from novum.literature.importing.text_stream import TextStream, open_text, readable
from novum.training.reviews.raw import RawPaper
from novum.training.reviews.readers.layouts import layout_of
from novum.training.reviews.readers.nlpeer import META, REVIEWS
from novum.training.reviews.readers.place import Place

_ENDINGS = (".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz", ".ndjson.gz", ".parquet")
_NOT_REVIEWS = frozenset({"parsed_pdfs", "pdfs", "annotations", "splits", "__MACOSX"})
"""Folders of PeerRead and NLPeer without reviews."""
_LARGEST_PAIR = 50_000_000
"""Largest size in bytes of each of NLPeer's two files of a paper."""

ReadResult = RawPaper | Reject


def check_sources(paths: Sequence[Path]) -> None:
    """Raise BadInput for paths that do not exist or have nothing to read. Called before anything is read."""
    for path in paths:
        if not path.exists():
            raise BadInput(f"{path} does not exist. Name a file or folder of reviews, or `openreview:ICLR 2024`.")
        if path.is_dir() and next(_files_in(path), None) is None:
            raise BadInput(f"{path} has no JSON, JSONL or Parquet file inside. Name a folder of reviews.")


def read_path(path: Path) -> Iterator[ReadResult]:
    """Yield the papers and rejects of a file or a folder. Raises BadInput if it cannot be read."""
    if path.is_dir():
        return chain.from_iterable(read_file(file, str(file.relative_to(path))) for file in _files_in(path))
    return read_file(path, path.name)


def read_file(path: Path, name: str) -> Iterator[ReadResult]:
    """Yield the papers and rejects of one file. `name`: its name for users."""
    name = name.encode("utf-8", "replace").decode()  # file names may be invalid text
    if path.suffix == ".parquet":
        return _rows(path, name)
    if path.name == REVIEWS and (path.parent / META).is_file():
        return _pair(path, name)
    return _records(path, name)


def _files_in(folder: Path) -> Iterator[Path]:
    """Files in the order of their names. Of several versions of a paper only the first, which was reviewed."""
    for place, folders, names in os.walk(folder):
        unwanted = _NOT_REVIEWS | _later_versions(Path(place), folders)
        folders[:] = sorted(name for name in folders if name not in unwanted and not name.startswith("."))
        if META in names and REVIEWS in names:
            yield Path(place) / REVIEWS
            continue
        yield from (Path(place) / name for name in sorted(names) if name.lower().endswith(_ENDINGS))


def _later_versions(paper: Path, folders: Sequence[str]) -> set[str]:
    """Folders of later versions of a paper of NLPeer; other folders may also be named `v2`."""
    versions = sorted((name for name in folders if re.fullmatch(r"v\d{1,3}", name)), key=lambda name: int(name[1:]))
    return set(versions[1:]) if versions and (paper / versions[0] / REVIEWS).is_file() else set()


def _records(path: Path, name: str) -> Iterator[ReadResult]:
    with open_text(path) as text:
        if not text.head.strip():
            yield Reject(file=name, line=1, reason=text.damage or "the file is empty")
            return
        blocks = line_blocks if _by_lines(text) else record_blocks
        for block in blocks(text):
            for number, line in enumerate(block.records, block.first):
                yield from _papers(line, Place(path, name, number))
        if text.damage:
            yield Reject(file=name, line=0, reason=text.damage)


def _by_lines(text: TextStream) -> bool:
    """Whether every record is on a separate line."""
    first, _, rest = text.head.lstrip().partition(b"\n")
    if not first.startswith(b"{"):
        return False
    try:
        orjson.loads(first)
    except orjson.JSONDecodeError:
        return not first.rstrip().endswith((b"{", b",")) and rest.lstrip().startswith(b"{")
    return True


def _papers(line: bytes, place: Place) -> Iterator[ReadResult]:
    """The papers of one line. Repaired syntax errors are not reported."""
    if not line.strip():
        return
    try:
        values = [orjson.loads(line)]
    except orjson.JSONDecodeError:
        try:
            values = read_leniently(line).values
        except ValueError as wrong:
            yield Reject(file=place.name, line=place.line, reason=str(wrong))
            return
    for value in values:
        yield from _from_record(value, place)


def _from_record(value: object, place: Place) -> Iterator[ReadResult]:
    try:
        layout = layout_of(value)
        for paper in layout.read(value, place):  # type: ignore[arg-type]  # a layout fits, so it is an object
            paper.source = f"{place.name} ({layout.name})"
            yield paper
    except UnusableRecord as reason:
        yield Reject(file=place.name, line=place.line, reason=str(reason))


def _pair(path: Path, name: str) -> Iterator[ReadResult]:
    """Combine NLPeer's two files of one paper into one record."""
    values: list[Any] = []
    for file in (path.parent / META, path):
        with readable(file), open_input(file) as opened:
            whole = opened.read(_LARGEST_PAIR + 1)
        try:
            if len(whole) > _LARGEST_PAIR:
                raise ValueError(f"over {_LARGEST_PAIR:,} bytes")
            values.append(orjson.loads(whole))
        except ValueError as wrong:
            yield Reject(file=name, line=1, reason=f"{file.name}: {wrong}")
            return
    yield from _from_record({"meta": values[0], "reviews": values[1]}, Place(path, name))


def _rows(path: Path, name: str) -> Iterator[ReadResult]:
    """The papers of the rows of a Parquet file."""
    pyarrow()
    line = 0
    try:
        for line, row in enumerate(parquet_rows(path), 1):
            yield from _from_record(row, Place(path, name, line))
    except (BadInput, OSError) as error:
        yield Reject(file=name, line=line, reason=f"damaged Parquet file: {str(error)[:200]}")
