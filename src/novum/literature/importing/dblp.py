"""Parses records of DBLP-Citation-network, V10 to V14, as published by AMiner.

V10 and V13 on name papers by AMiner's own ids, V11 and V12 by the numbers of the Microsoft Academic Graph. Keys say
which (`aminer:53e9…`, `mag:2005687710`) and hold in all files, so that several dumps, and parts of one, link up.
"""

from __future__ import annotations

from collections.abc import Mapping

from novum.core import Identifiers, Paper
from novum.literature.entry import Entry, Reference, clean_identifier
from novum.literature.importing.cleaning import (
    LONGEST_NAME,
    clean_count,
    clean_text,
    clean_texts,
    clean_year,
    without_markup,
)
from novum.literature.importing.inverted_abstract import rebuild_abstract
from novum.literature.importing.record import MOST_REFERENCES, checked_abstract, checked_title, dated_by_arxiv

_LONGEST_NUMBER = 15
"""Digits of a number of the Microsoft Academic Graph; AMiner's ids are longer."""
_LONGEST_ID = 100
_LONGEST_NAME = 200
_MOST_AUTHORS = 10_000
_MOST_FIELDS = 20
_UNNAMED = Identifiers()


def dblp_entry(record: Mapping[str, object], scope: str = "", line: int = 0) -> Entry:
    """The entry of one record of any of these versions. Raises Unusable."""
    get = record.get
    title = checked_title(without_markup(clean_text(get("title"))))
    text = clean_text(get("abstract")) or clean_text(rebuild_abstract(get("indexed_abstract")))
    venue = get("venue")
    paper = Paper(
        title=title,
        authors=_authors(get("authors")),
        year=clean_year(get("year")),
        venue=clean_text(venue.get("raw") if isinstance(venue, dict) else venue)[:LONGEST_NAME],
        ids=_identifiers(record),
        abstract=checked_abstract(without_markup(text)) if text else "",
        fields=_fields(get("fos") or get("keywords")),
        citation_count=clean_count(get("n_citation")),
    )
    return Entry(
        paper=dated_by_arxiv(paper) if paper.ids.arxiv else paper,
        key=key_of(get("id") or get("_id")),
        references=_references(get("references")),
        other_keys=(key_of(former),) if (former := get("v12_id")) is not None else (),
        line=line,
    )


def key_of(name: object) -> str:
    """The key of an id; empty for an invalid one."""
    if type(name) is int:
        return f"mag:{name}"
    if not isinstance(name, str) or len(name) > _LONGEST_ID:
        return ""
    if not name.isalnum() and not (name := clean_text(name)):
        return ""
    return f"mag:{name}" if len(name) <= _LONGEST_NUMBER and name.isdecimal() else f"aminer:{name}"


def _references(cited: object) -> tuple[Reference, ...]:
    """At most one more than the maximum, so that a surplus can be reported."""
    if not cited or not isinstance(cited, list):
        return ()
    keys = dict.fromkeys(map(key_of, cited[: MOST_REFERENCES + 1]))
    return tuple([Reference("key", key) for key in keys if key])


def _authors(people: object) -> tuple[str, ...]:
    return tuple([name[:_LONGEST_NAME] for name in clean_texts(_names(people, _MOST_AUTHORS))])


def _fields(fields: object) -> tuple[str, ...]:
    """Fields of study with or without weights, or keywords."""
    return tuple(dict.fromkeys([name[:_LONGEST_NAME] for name in clean_texts(_names(fields, _MOST_FIELDS))]))


def _names(listed: object, most: int) -> list[object]:
    """The names in a list of names or of objects with a name."""
    if not listed or not isinstance(listed, list):
        return []
    return [one.get("name") if isinstance(one, dict) else one for one in listed[:most]]


def _identifiers(record: Mapping[str, object]) -> Identifiers:
    doi, urls = _doi(record.get("doi")), record.get("url")
    arxiv = _arxiv(urls) if urls else None
    return Identifiers(doi=doi, arxiv=arxiv) if doi or arxiv else _UNNAMED


def _doi(value: object) -> str | None:
    if not value or not isinstance(value, str):
        return None
    if value.startswith("10.") and value.isascii() and value.isprintable() and " " not in value:
        return value.rstrip("/").lower()
    return clean_identifier("doi", clean_text(value)) or None


def _arxiv(urls: object) -> str | None:
    """Used only when it is the only address: many records list the pages of unrelated works."""
    if isinstance(urls, list) and len(urls) == 1 and isinstance(urls[0], str) and "arxiv.org/abs/" in urls[0]:
        return clean_identifier("arxiv", clean_text(urls[0])) or None
    return None
