"""Parses RIS, as written by Zotero, EndNote, Scopus, Web of Science, PubMed, Ovid, Cochrane and publishers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from novum.core import Paper
from novum.literature.entry import Entry, Reject, scoped_key
from novum.literature.importing.cleaning import LONGEST_NAME
from novum.literature.importing.record import UnusableRecord, checked_abstract, dated_by_arxiv
from novum.literature.importing.reference_fields import (
    given_first,
    identifiers_in,
    keywords,
    public_day,
    year_in,
)
from novum.literature.importing.tagged_lines import TagForm, TaggedRecord, tagged_records
from novum.literature.sources.json_responses import author_names, clean_title, plain_text

_STRICT = TagForm(re.compile(r"[ \t\ufeff]{0,3}([A-Z][A-Z0-9])  -(?=\s|$)(.*)"), start="TY", end="ER")
_LOOSE = TagForm(re.compile(r"[ \t\ufeff]{0,3}([A-Z][A-Z0-9])[ \t]{1,3}-(.*)"), start="TY", end="ER")
"""For files without a line `TY  - …`. Where there is one, `AI - based` is no tag but text that was wrapped."""
_STRICT_START = re.compile(r"^[ \t\ufeff]{0,3}TY  -\s", re.MULTILINE)
_TITLES = ("TI", "T1", "CT", "BT")
_VENUES = ("T2", "JF", "JO", "BT", "T3", "JA", "J2", "PB")
_CONFERENCES = frozenset({"CONF", "CPAPER"})
"""Types in which `C3` names the proceedings; in others it is anything."""
_PUBMED = re.compile(r"nlm|pubmed|medline", re.IGNORECASE)
"""Databases whose accession number `AN` is the number in PubMed."""
_ADDRESSES = ("UR", "L3", "L2", "L1", "LK", "AN", "M3", "JO", "T2", "PB", "C2")
"""Where programs put a DOI, an arXiv id or an address besides `DO`. Notes are not among them: they name other works."""


def read_ris(text: str, file: str, scope: str) -> Iterator[Entry | Reject]:
    """An entry or a reject for every reference. `scope`: within which the keys of `ID` are valid."""
    found = False
    for record in tagged_records(text, _STRICT if _STRICT_START.search(text) else _LOOSE):
        found = True
        try:
            yield _entry(record, scope)
        except UnusableRecord as reason:
            yield Reject(file=file, line=record.line, reason=str(reason))
    if not found:
        yield Reject(file=file, line=1, reason="no reference: in RIS each begins with a line like `TY  - JOUR`")


def _entry(record: TaggedRecord, scope: str) -> Entry:
    day = public_day(record.values("DA", "Y1", "PY"))  # of another year, `DA` is the day on which somebody looked
    paper = Paper(
        title=clean_title(record.value(*_TITLES)),
        authors=author_names(map(given_first, _names(record))),
        year=(year := year_in(record.values("PY", "Y1", "DA"))),
        date=day if day and day.year == year else None,
        venue=_venue(record),
        ids=identifiers_in(record.value("DO"), *record.values(*_ADDRESSES), _pubmed_number(record)),
        abstract=checked_abstract(plain_text(record.value("AB", "N2"))),
        fields=keywords(word for line in record.lines("KW") for word in line.split(";")),
    )
    key = record.value("ID").strip()
    return Entry(paper=dated_by_arxiv(paper), key=scoped_key(key, scope) if key else "", line=record.line)


def _names(record: TaggedRecord) -> list[str]:
    """Authors; where there are none, editors. Some programs write all names on one line, with semicolons."""
    lines = record.values("AU", "A1") or record.values("A2", "ED", "A3")
    return [name for line in lines for name in line.split(";")]


def _venue(record: TaggedRecord) -> str:
    """A book without another title is named by `BT`, which is then no venue."""
    tags = [tag for tag in _VENUES if tag != "BT" or record.value("TI", "T1", "CT")]
    proceedings = record.value("C3") if record.value("TY") in _CONFERENCES else ""
    return plain_text(proceedings or record.value(*tags))[:LONGEST_NAME]


def _pubmed_number(record: TaggedRecord) -> str:
    """`PMID: 123` where the accession number is PubMed's; empty otherwise."""
    number = record.value("AN").strip()
    return f"PMID: {number}" if number.isdecimal() and _PUBMED.search(record.value("DB", "DP")) else ""
