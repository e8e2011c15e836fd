"""Opening files of papers: which format, compressed or not, and into the library with them."""

from __future__ import annotations

import gzip
import hashlib
import itertools
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, cast

import orjson

from novum.errors import BadInput
from novum.literature.entry import Entry, ImportReport, Reject
from novum.literature.importing.bibtex import read_bibtex
from novum.literature.importing.csl import read_csl
from novum.literature.importing.jsonl import LONGEST_LINE, read_jsonl
from novum.literature.library import Library

_LARGEST_WHOLE = 500_000_000
"""Bytes of a BibTeX or CSL-JSON file, which is read as a whole."""
_FORMATS = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".bib": "bibtex",
    ".bibtex": "bibtex",
    ".csljson": "csl",
}


def import_file(library: Library, path: Path) -> ImportReport:
    """Bring the papers of a file (JSONL, BibTeX or CSL-JSON, also gzipped) into the library.

    What cannot be read is listed in the report and costs nothing else. Raises BadInput when the file cannot be opened
    or is of no known format, LibraryError when the library cannot be written.
    """
    rejects: list[Reject] = []

    def entries() -> Iterator[Entry]:
        for one in read_file(path):
            if isinstance(one, Entry):
                yield one
            else:
                rejects.append(one)

    report = library.add(entries(), source=path.name)
    together = sorted((*rejects, *report.rejects), key=lambda reject: reject.line)
    return report.model_copy(update={"rejects": tuple(together)})


def read_file(path: Path) -> Iterator[Entry | Reject]:
    """What a file holds, in order. Raises BadInput as `import_file` does."""
    try:
        with path.open("rb") as opened:
            compressed = opened.read(2) == b"\x1f\x8b"
        with gzip.open(path, "rb") if compressed else path.open("rb") as stream:
            lines = _Lines(cast("BinaryIO", stream))
            yield from _read(lines, path)
            if lines.damage:
                yield Reject(file=path.name, line=lines.count, reason=lines.damage)
    except OSError as error:
        what = "is a folder" if path.is_dir() else f"cannot be read: {error.strerror or error}"
        raise BadInput(f"{path} {what}. Name a readable JSONL, BibTeX or CSL-JSON file.") from error


class _Lines:
    """The lines of a stream, without reading endless ones into memory. Ends early where a compressed file is damaged,
    and says so in `damage`."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.count = 0
        self.damage = ""

    def __iter__(self) -> Iterator[bytes]:
        try:
            while line := self._stream.readline(LONGEST_LINE + 1):
                self.count += 1
                yield line
                while len(line) > LONGEST_LINE and not line.endswith(b"\n"):
                    line = self._stream.readline(LONGEST_LINE + 1)
        except (EOFError, zlib.error, gzip.BadGzipFile):
            self.count += 1
            self.damage = "the compressed file is damaged or cut off here; what came before was read"


def _read(lines: _Lines, path: Path) -> Iterator[Entry | Reject]:
    scope = hashlib.blake2b(str(path.resolve()).encode("utf-8", "replace"), digest_size=4).hexdigest()
    rest = iter(lines)
    first = next((line for line in rest if line.strip()), b"")
    blank = [b"\n"] * (lines.count - 1 if first else 0)
    whole = itertools.chain(blank, [first], rest)
    kind = _format(path, first)
    if kind == "jsonl":
        yield from read_jsonl(whole, path.name, scope)
    elif kind == "bibtex":
        yield from read_bibtex(_decoded(_together(whole, path)), path.name, scope)
    else:
        yield from read_csl(_together(whole, path), path.name, scope)


def _format(path: Path, first: bytes) -> str:
    """By the name, else by the first line that is not blank."""
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() != ".gz"]
    if suffixes and suffixes[-1] in _FORMATS:
        return _FORMATS[suffixes[-1]]
    start = first.lstrip(b"\xef\xbb\xbf \t")
    if start.startswith(b"{") and _is_json(start):
        return "jsonl"
    if start.startswith((b"[", b"{")):
        return "csl"
    if start.startswith((b"@", b"%")):
        return "bibtex"
    raise BadInput(f"{path} is neither JSONL, BibTeX nor CSL-JSON: name it .jsonl, .bib or .json if it is one of them.")


def _is_json(line: bytes) -> bool:
    try:
        orjson.loads(line)
    except orjson.JSONDecodeError:
        return False
    return True


def _together(lines: Iterable[bytes], path: Path) -> bytes:
    parts: list[bytes] = []
    size = 0
    for line in lines:
        size += len(line)
        if size > _LARGEST_WHOLE:
            raise BadInput(f"{path} has over {_LARGEST_WHOLE:,} bytes: split it, or convert it to JSONL.")
        parts.append(line)
    return b"".join(parts)


def _decoded(text: bytes) -> str:
    """UTF-8, else Latin-1, which old BibTeX files are in."""
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError:
        return text.decode("latin-1")
