"""Reads the records of one file in batches, each with the position from which reading can continue."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

from novum.errors import BadInput
from novum.literature.cluster.apply import Apply, apply_locally
from novum.literature.entry import Entry, Reject
from novum.literature.importing.bibtex import read_bibtex
from novum.literature.importing.csl import read_csl
from novum.literature.importing.formats import WHOLE, Form, Layout, form_of
from novum.literature.importing.json_scanner import record_blocks
from novum.literature.importing.lenient_json import EDGES
from novum.literature.importing.line_blocks import Block, line_blocks
from novum.literature.importing.nbib import read_nbib
from novum.literature.importing.readers import entries_of
from novum.literature.importing.ris import read_ris
from novum.literature.importing.text_stream import TextStream, open_text

_LARGEST_WHOLE = 200_000_000
"""Bytes of a file that is read as a whole: BibTeX, RIS, NBIB, CSL-JSON."""
_MOST_UNUSABLE = 100_000
"""Records at the beginning of a file without a paper among them, after which no more are read."""
_AT_ONCE = 500
"""Entries of such a file in a batch."""
_HEAD = 400
"""Bytes of each record that are held until it is committed, to be shown if it is rejected."""


@dataclass(frozen=True, slots=True)
class RecordBatch:
    """Parsed records."""

    records: list[Entry | Reject]
    position: int = 0
    """Where the text after these records begins; 0 when reading cannot start there."""
    next_record: int = 1
    """The number of the next record."""
    first: int = 0
    heads: Sequence[bytes] = ()
    """The beginnings of the records from number `first` on, where they are known."""

    def head(self, number: int) -> bytes:
        """The beginning of a record; empty when it is not in this batch."""
        place = number - self.first
        return self.heads[place] if 0 <= place < len(self.heads) else b""


class FileReader:
    """The records of an open file. `name`: the name of the file in rejects."""

    def __init__(self, text: TextStream, path: Path, name: str, apply: Apply) -> None:
        self.form: Form = form_of(path, text.head)
        start = text.head.strip()
        self._is_blank = not start
        self._is_nested = start.count(b"[") > 1 and not start.strip(EDGES)
        self._is_array = start.startswith(b"[") and not start.partition(b"\n")[0].rstrip().endswith(b"]")
        self._text = text
        self._path = path
        self._name = name
        self._apply = apply
        self._scope = hashlib.blake2b(str(path.resolve()).encode("utf-8", "replace"), digest_size=4).hexdigest()

    @property
    def bytes_read(self) -> int:
        """Bytes of the file, as it is on disk, that have been read."""
        return self._text.bytes_read

    def batches(self, position: int = 0, first: int = 1) -> Iterator[RecordBatch]:
        """The records from `position` of the text on, where record number `first` begins."""
        if self.form.layout in WHOLE:
            yield from self._read_whole()
            return
        self._text.go_to(position)
        blocks = line_blocks if self.form.layout == "lines" else record_blocks
        read = partial(_read, reader=self.form.reader, scope=self._scope, name=self._name)
        found, usable = False, first > 1
        for batch in self._apply(read, blocks(self._text, first)):
            yield batch
            first, found = batch.next_record, found or bool(batch.records)
            usable = usable or any(isinstance(each, Entry) for each in batch.records)
            if not usable and first > _MOST_UNUSABLE:
                raise self._no_papers(first - 1, batch)
        if problem := self._problem(found):
            line = first if self._text.ends else 1
            yield RecordBatch([Reject(file=self._name, line=line, reason=problem)], self._text.position, first)

    def _no_papers(self, count: int, batch: RecordBatch) -> BadInput:
        """The error where the first `count` records hold no paper; `batch`: the last of them."""
        reason = next((each.reason for each in batch.records if isinstance(each, Reject)), "they are blank")
        return BadInput(
            f"{self._path} is no list of papers: its first {count:,} records hold none ({reason}). Name a file with "
            "one paper a line, or of BibTeX, RIS, NBIB or CSL-JSON."
        )

    def _problem(self, found: bool) -> str:
        """What was wrong with the file as a whole; empty if nothing. `found`: whether it has records."""
        if self._text.damage:
            return self._text.damage
        if self._is_blank and not self._text.ends:
            return "the file is empty"
        if self._is_array and self._text.ends not in {b"]", b""}:
            return "the array is never closed: the file seems to be cut off here; what came before was read"
        if self._is_nested and not found:
            return "brackets inside brackets and no record in them: a list of papers is one array of objects"
        return ""

    def _read_whole(self) -> Iterator[RecordBatch]:
        whole = self._whole()
        if not whole.strip():
            reason = self._text.damage or "the file is empty"
            yield RecordBatch([Reject(file=self._name, line=1, reason=reason)])
            return
        if reader := _TEXT_READERS.get(self.form.layout):
            yield from _from_text(reader, whole, self._name, self._scope)
        else:
            yield from _csl(whole, self._name, self._scope)
        if self._text.damage:
            line = whole.count(b"\n") + 1
            yield RecordBatch([Reject(file=self._name, line=line, reason=self._text.damage)])

    def _whole(self) -> bytes:
        parts: list[bytes] = []
        while chunk := self._text.chunk():
            parts.append(chunk)
            if self._text.position > _LARGEST_WHOLE:
                raise BadInput(f"{self._path} has over {_LARGEST_WHOLE:,} bytes: split it, or convert it to JSONL.")
        return b"".join(parts)


def _read(block: Block, *, reader: str, scope: str, name: str) -> RecordBatch:
    """Parses a block; runs in any process."""
    records = entries_of(block.records, reader, scope, block.first, name)
    heads = [record[:_HEAD] for record in block.records]
    return RecordBatch(records, block.end, block.next_record, block.first, heads)


@contextmanager
def open_reading(path: Path, name: str = "", apply: Apply = apply_locally) -> Iterator[FileReader]:
    """Opens a file of any known format. `apply`: the workers that parse records. Raises BadInput when it cannot be read
    or the format is not known."""
    with open_text(path) as text:
        yield FileReader(text, path, name or path.name, apply)


TextReader = Callable[[str, str, str], Iterator[Entry | Reject]]
"""Reads (text, file, scope)."""
_TEXT_READERS: Mapping[Layout, TextReader] = {"bibtex": read_bibtex, "ris": read_ris, "nbib": read_nbib}


def _from_text(read: TextReader, whole: bytes, file: str, scope: str) -> Iterator[RecordBatch]:
    lines = whole.split(b"\n")
    found = read(_decoded(whole), file, scope)
    while records := list(islice(found, _AT_ONCE)):
        yield RecordBatch(records, first=1, heads=lines)


def _csl(whole: bytes, file: str, scope: str) -> Iterator[RecordBatch]:
    read = read_csl(whole, file, scope)
    while records := list(islice(read, _AT_ONCE)):
        yield RecordBatch(records)


def _decoded(text: bytes) -> str:
    """As UTF-8, otherwise as Windows-1252 or Latin-1, in which old files are written."""
    for encoding in ("utf-8", "cp1252"):
        with suppress(UnicodeDecodeError):
            return text.decode(encoding)
    return text.decode("latin-1")
