"""Recognises the format of a file by its name, otherwise by its beginning."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from novum.errors import BadInput
from novum.literature.importing.json_scanner import first_record
from novum.literature.importing.lenient_json import EDGES, read_leniently

Layout = Literal["lines", "spread", "bibtex", "csl", "ris", "nbib"]
"""One record per line; records over several lines, or several on one; and the formats that are read as a whole."""
WHOLE: frozenset[Layout] = frozenset({"bibtex", "csl", "ris", "nbib"})


class Form(NamedTuple):
    """The layout of the records of a file, and the name of their parser in `readers.READERS`."""

    layout: Layout
    reader: str = "plain"


_BY_NAME: Mapping[str, Layout] = {
    ".jsonl": "lines",
    ".ndjson": "lines",
    ".bib": "bibtex",
    ".bibtex": "bibtex",
    ".csljson": "csl",
    ".ris": "ris",
    ".nbib": "nbib",
}
_MAY_HOLD_PAPERS = frozenset({*_BY_NAME, ".json", ".txt", ""})
_LONG = 100_000
"""Bytes without any record, after which a file is no list of references."""
_LOOKED_AT = 20
"""Number of lines in which the first record must be."""


def may_hold_papers(path: Path) -> bool:
    """Whether a file may hold papers, by its name, with or without `.gz`."""
    bare = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    named = path.suffix.lower() == ".gz" or bare.suffix != ""
    return named and bare.suffix.lower() in _MAY_HOLD_PAPERS


def form_of(path: Path, head: bytes) -> Form:
    """The format of a file that begins with `head`. Raises BadInput when it is not known."""
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() != ".gz"]
    layout = _BY_NAME.get(suffixes[-1]) if suffixes else None
    if layout in {None, "ris"} and _WEB_OF_SCIENCE.match(head.lstrip()):
        raise BadInput(f"{path} is in Web of Science's plain text format: export it again as RIS or BibTeX.")
    if layout:
        return Form(layout, _reader(_sample(head)) or "plain") if layout == "lines" else Form(layout)
    start = head.lstrip()
    if not start:
        return Form("lines")
    if start.startswith((b"@", b"%")):
        return Form("bibtex")
    if start.startswith((b"{", b"[")):
        return _form_of_json(start)
    if tagged := next((layout for layout, sign in _TAGGED.items() if sign.search(start[:_LONG])), None):
        return Form(tagged)
    raise BadInput(
        f"{path} is neither JSONL, BibTeX, RIS, NBIB nor CSL-JSON: name it .jsonl, .bib, .ris, .nbib or .json if it is "
        "one of them."
    )


_TAGGED: Mapping[Layout, re.Pattern[bytes]] = {
    "ris": re.compile(rb"(?:^|[\r\n])[ \t]{0,3}TY[ \t]{1,3}-[ \t]*[A-Z]{2,8}[ \t]*[\r\n]"),
    "nbib": re.compile(rb"(?:^|[\r\n])PMID ?- ?\d"),
}
"""The first line of a record; databases write lines of their own before it."""
_WEB_OF_SCIENCE = re.compile(rb"(?:FN [^\r\n]{1,200}[\r\n]+VR|PT [A-Z][\r\n])")


def _form_of_json(start: bytes) -> Form:
    by_line = _records(start.lstrip(EDGES).partition(b"\n")[0])
    record = by_line[0] if len(by_line) == 1 else _sample(start)
    reader = _reader(record)
    if not record and len(start) > _LONG:
        return Form("spread")
    if "items" in record and "title" not in record:
        return Form("csl")
    if start.startswith(b"[") and not reader:
        return Form("csl")
    if len(by_line) == 1:
        return Form("lines", reader or "plain")
    return Form("spread", reader) if reader else Form("csl")


def _sample(head: bytes) -> Mapping[str, object]:
    """One of the first records; empty when none can be read."""
    for line in head.split(b"\n", _LOOKED_AT)[:_LOOKED_AT]:
        if found := _records(line):
            return found[0]
    return next(iter(_records(first_record(head))), {})


def _records(text: bytes) -> list[Mapping[str, object]]:
    """The objects of a line."""
    if not text.strip(EDGES).startswith(b"{"):
        return []
    try:
        values = read_leniently(text).values
    except ValueError:
        return []
    return [value for value in values if isinstance(value, dict)]


def _reader(record: Mapping[str, object]) -> str:
    """The name of the parser of such records; empty for none, as for CSL-JSON."""
    name = record.get("id", record.get("_id"))
    if "citingcorpusid" in record:
        return "semantic-scholar-citations"
    if "corpusid" in record and "title" not in record:
        return "semantic-scholar-abstracts"
    if "corpusid" in record or ("paperId" in record and "title" in record):
        return "semantic-scholar"
    if isinstance(name, str) and _OPENALEX.match(name):
        return "openalex"
    if _is_dblp(record, name):
        return "dblp"
    return "" if record.keys() & _OF_CSL or not record.keys() & _OF_PLAIN else "plain"


_OPENALEX = re.compile(r"https?://openalex\.org/W\d")
_OF_CSL = frozenset({"issued", "container-title", "DOI", "author", "citation-key"})
_OF_PLAIN = frozenset({"year", "authors", "abstract", "references", "n_citation", "citation_count"})
_OF_AMINER = re.compile(r"[0-9a-f]{24}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_OF_DBLP = frozenset({"n_citation", "doc_type", "indexed_abstract", "fos", "v12_id", "page_start"})


def _is_dblp(record: Mapping[str, object], name: object) -> bool:
    numbered = type(name) is int or (isinstance(name, str) and name.isdecimal())
    named = isinstance(name, str) and _OF_AMINER.fullmatch(name) is not None
    marks = record.keys() & _OF_DBLP
    return "title" in record and ((named and bool(marks)) or (numbered and len(marks) > 1))
