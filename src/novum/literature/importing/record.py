"""Parses a JSON object: Novum's export, the starter library, and the usual field names of other collections."""

from __future__ import annotations

from collections.abc import Mapping

from novum.core import Paper
from novum.literature.entry import REGISTRIES, Entry, Reference, scoped_key
from novum.literature.identity import TITLE_LIMIT
from novum.literature.importing.cleaning import (
    LONGEST_NAME,
    LONGEST_TEXT,
    arxiv_day,
    clean_count,
    clean_date,
    clean_identifiers,
    clean_text,
    clean_year,
    without_markup,
)

_MAGNITUDES = range(9)
MOST_REFERENCES = 20_000
"""More than any real paper has."""
_LONGEST_FULL_TEXT = 4_000_000
"""Characters; the longest theses have half of it."""


class UnusableRecord(ValueError):
    """The record is no usable paper; the message says why."""


def entry_of(record: object, scope: str, line: int) -> Entry:
    """The entry of an object. `scope`: within which plain keys are valid. Raises UnusableRecord.

    An arXiv id gives the day when there is none: the last of its month. A starter-library `citations` of m stands for
    about 3·10^m.
    """
    if not isinstance(record, Mapping):
        raise UnusableRecord("not a JSON object")
    title = without_markup(clean_text(record.get("title")))
    key = clean_text(record.get("key") or record.get("id"))
    paper = Paper(
        title=checked_title(title),
        authors=tuple(filter(None, map(_author, _list(record, "authors")))),
        year=clean_year(record.get("year")),
        date=clean_date(record.get("date")) or clean_date(record.get("publication_date")),
        venue=clean_text(record.get("venue"))[:LONGEST_NAME],
        ids=clean_identifiers(_identifiers(record, key)),
        abstract=checked_abstract(without_markup(clean_text(record.get("abstract")))),
        summary=clean_text(record.get("summary"))[:LONGEST_TEXT],
        fields=tuple(filter(None, dict.fromkeys(map(clean_text, _list(record, "fields"))))),
        citation_count=_citations(record),
    )
    return Entry(
        paper=dated_by_arxiv(paper),
        key="" if key.startswith("paper-") or not key else scoped_key(key, scope),
        references=_references(record, scope),
        full_text=_long_text(record.get("full_text")),
        line=line,
    )


def checked_title(title: str) -> str:
    """`title`, if it is valid. Raises UnusableRecord."""
    if not title:
        raise UnusableRecord("no title")
    if len(title) > TITLE_LIMIT:
        raise UnusableRecord(f"a title of {len(title):,} characters")
    return title


def checked_abstract(abstract: str) -> str:
    """`abstract`, if it is valid. Raises UnusableRecord."""
    if len(abstract) > LONGEST_TEXT:
        raise UnusableRecord(f"an abstract of {len(abstract):,} characters")
    return abstract


def dated_by_arxiv(paper: Paper) -> Paper:
    """The paper with the day given by its arXiv id, unless it has a day."""
    day = arxiv_day(paper.ids.arxiv)
    return paper if paper.date or not day else paper.but(date=day)


def _list(record: Mapping[str, object], name: str) -> list[object]:
    value = record.get(name)
    return value if isinstance(value, list) else []


def _author(value: object) -> str:
    name = value.get("name") if isinstance(value, Mapping) else value
    return clean_text(name)[:200]


def _identifiers(record: Mapping[str, object], key: str) -> dict[str, object]:
    """Identifiers in `ids`, in separate fields, and in a key such as `acl:P02-1040`."""
    scheme, colon, value = key.partition(":")
    from_key: dict[str, object] = {scheme: value} if colon and scheme in REGISTRIES else {}
    own = {name: record[name] for name in REGISTRIES if name in record}
    nested = record.get("ids")
    return from_key | own | (dict(nested) if isinstance(nested, Mapping) else {})


def _citations(record: Mapping[str, object]) -> int | None:
    magnitude = record.get("citations")
    if isinstance(magnitude, int) and magnitude in _MAGNITUDES and "key" in record:
        return 3 * int(10**magnitude)
    known = (clean_count(record.get(name)) for name in ("citation_count", "n_citation"))
    return next((count for count in known if count is not None), None)


def _references(record: Mapping[str, object], scope: str) -> tuple[Reference, ...]:
    listed = [*_list(record, "references"), *_list(record, "references_title_only")]
    read = (_reference(value, scope) for value in listed[: MOST_REFERENCES + 1])
    return tuple(dict.fromkeys(reference for reference in read if reference))


def _reference(value: object, scope: str) -> Reference | None:
    if isinstance(value, Mapping):
        names = clean_identifiers({str(name): text for name, text in value.items()}).items()
        if names:
            return Reference(scheme=names[0][0], value=names[0][1])
        value = value.get("title")
        return Reference(scheme="title", value=clean_text(value)) if clean_text(value) else None
    text = clean_text(value)
    return Reference.read(text, scope) if text else None


def _long_text(value: object) -> str | None:
    if isinstance(value, str) and len(value) > _LONGEST_FULL_TEXT:
        raise UnusableRecord(f"a full text of {len(value):,} characters")
    return value.replace("\x00", "") if isinstance(value, str) and value.strip() else None
