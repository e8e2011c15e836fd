"""CSL-JSON, the format of Zotero, Crossref and citation processors: one array of items."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping

import orjson

from novum.core import Paper
from novum.errors import BadInput
from novum.literature.entry import Entry, Reject, scoped_key
from novum.literature.importing.cleaning import clean_identifiers, clean_text, clean_year, without_markup
from novum.literature.importing.json_scanner import whole_records
from novum.literature.importing.lenient_json import LenientRecords
from novum.literature.importing.record import UnusableRecord, checked_abstract, checked_title, dated_by_arxiv


def read_csl(text: bytes, file: str, scope: str) -> Iterator[Entry | Reject]:
    """An entry or a reject for every item; `line` counts items. Raises BadInput when none can be read."""
    read = _items(text, file)
    for number, item in enumerate(read.values, 1):
        try:
            yield _entry(item, scope, number)
        except UnusableRecord as reason:
            yield Reject(file=file, line=number, reason=str(reason))
    if read.overlooked:
        yield Reject(file=file, line=len(read.values) + 1, reason=read.overlooked)


def _items(text: bytes, file: str) -> LenientRecords:
    """The items; of a damaged file, those that are complete."""
    try:
        items = orjson.loads(text)
        if isinstance(items, dict):
            items = items.get("items", [items])
        return LenientRecords(items if isinstance(items, list) else [], "")
    except orjson.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        whole = whole_records(text) if text.lstrip().startswith(b"[") else []
        if not whole:
            raise BadInput(
                f"{file} is not valid JSON ({error.msg}, {where}): export it again, or repair it."
            ) from error
        return LenientRecords(
            whole, f"the file is not valid JSON ({error.msg}, {where}); the items that are whole were read"
        )


def _entry(item: object, scope: str, number: int) -> Entry:
    if not isinstance(item, Mapping):
        raise UnusableRecord("not a JSON object")
    day, year = _issued(item.get("issued"))
    key = clean_text(str(item.get("id") or ""))
    paper = Paper(
        title=checked_title(without_markup(clean_text(item.get("title")))),
        authors=tuple(filter(None, map(_author, _people(item)))),
        year=year,
        date=day,
        venue=clean_text(item.get("container-title")) or clean_text(item.get("publisher")),
        ids=clean_identifiers(
            {"doi": item.get("DOI"), "arxiv": _arxiv(item), "pmid": item.get("PMID"), "pmcid": item.get("PMCID")}
        ),
        abstract=checked_abstract(without_markup(clean_text(item.get("abstract")))),
    )
    return Entry(paper=dated_by_arxiv(paper), key=scoped_key(key, scope) if key else "", line=number)


def _author(person: object) -> str:
    if not isinstance(person, Mapping):
        return ""
    parts = (person.get("given"), person.get("non-dropping-particle"), person.get("family"), person.get("suffix"))
    return " ".join(filter(None, map(clean_text, parts))) or clean_text(person.get("literal"))


def _issued(value: object) -> tuple[dt.date | None, int | None]:
    """The day when given in full, and the year."""
    if not isinstance(value, Mapping):
        return None, None
    parts = value.get("date-parts")
    first = parts[0] if isinstance(parts, list) and parts and isinstance(parts[0], list) else []
    numbers = [int(part) for part in map(str, first) if part.isdecimal() and len(part) <= _LONGEST_NUMBER]
    year = clean_year(numbers[0] if numbers else value.get("raw") or value.get("literal"))
    try:
        return (dt.date(year, *numbers[1:3]) if year else None), year
    except (ValueError, TypeError):
        return None, year


_LONGEST_NUMBER = 4
"""Digits of a year, month or day."""


def _arxiv(item: Mapping[str, object]) -> str | None:
    """The arXiv id in `number` or `URL`, where exporters put it."""
    for name in ("number", "URL"):
        text = clean_text(item.get(name))
        if "arxiv" in text.lower():
            return text
    return None


def _people(item: Mapping[str, object]) -> list[object]:
    authors = item.get("author")
    return authors if isinstance(authors, list) else []
