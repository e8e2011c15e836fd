"""JSON lines: one object a line, in the layout of `docs/library.md`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from novum.literature.entry import Entry, Reject
from novum.literature.importing.readers import entries_of


def read_jsonl(lines: Iterable[bytes], file: str, scope: str) -> Iterator[Entry | Reject]:
    """An entry or a reject for every line that is not blank. `scope`: where the file's plain keys hold."""
    for number, line in enumerate(lines, 1):
        yield from entries_of([line], "plain", scope, number, file)
