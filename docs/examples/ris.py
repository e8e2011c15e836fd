"""RIS, the tagged format of reference managers: `TY  - JOUR`, `TI  - A title`, … `ER  -`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from novum.core import Paper
from novum.literature import Entry, Reject
from novum.literature.importing.cleaning import clean_identifiers, clean_text, clean_year
from novum.literature.importing.record import UnusableRecord, checked_abstract, checked_title

_TAGGED = re.compile(r"([A-Z][A-Z0-9])  - ?(.*)")
Fields = dict[str, list[str]]


def read_ris(lines: Iterable[str], file: str) -> Iterator[Entry | Reject]:
    """An entry or a reject for every record; what stands outside records is passed over."""
    fields: Fields = {}
    start = 0
    for number, line in enumerate(lines, 1):
        tagged = _TAGGED.match(line.strip("\ufeff\r\n"))
        tag, value = (tagged[1], clean_text(tagged[2])) if tagged else ("", "")
        if tag == "TY":
            fields, start = defaultdict(list), number
        elif tag == "ER" and start:
            yield _read(fields, file, start)
            start = 0
        elif tag and start:
            fields[tag].append(value)
    if start:
        yield Reject(file=file, line=start, reason="a record without its ER line")


def _read(fields: Fields, file: str, line: int) -> Entry | Reject:
    try:
        paper = Paper(
            title=checked_title(_first(fields, "TI", "T1")),
            authors=tuple(_given_first(name) for name in fields.get("AU", [])),
            year=clean_year(_first(fields, "PY", "Y1")),
            venue=_first(fields, "JO", "JF", "T2"),
            ids=clean_identifiers({"doi": _first(fields, "DO")}),
            abstract=checked_abstract(_first(fields, "AB", "N2")),
        )
    except UnusableRecord as reason:
        return Reject(file=file, line=line, reason=str(reason))
    return Entry(paper=paper, line=line)


def _first(fields: Fields, *tags: str) -> str:
    return next((value for tag in tags for value in fields.get(tag, []) if value), "")


def _given_first(name: str) -> str:
    """`Byron, Ada` as `Ada Byron`."""
    family, comma, given = name.partition(",")
    return f"{given.strip()} {family.strip()}" if comma else name
