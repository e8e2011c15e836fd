"""DBLP: the publications of computer science, as https://dblp.org/faq/13501473 describes its search."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import ClassVar

from novum.core import Paper
from novum.errors import BadInput
from novum.literature.entry import Entry, Reject
from novum.literature.importing.cleaning import LONGEST_NAME, clean_count, clean_identifiers, clean_text, clean_year
from novum.literature.importing.record import UnusableRecord, dated_by_arxiv
from novum.literature.sources.json_responses import (
    author_names,
    clean_title,
    json_object,
    nested_object,
    plain_text,
    service_message,
)
from novum.literature.sources.matching import matches_dates
from novum.literature.sources.query_words import key_query
from novum.literature.sources.source import Page, RateLimits, Request, Search, Source, sources

_PAGE = 500
"""Records in an answer; DBLP gives up to 1,000."""
_DEEPEST = 10_000
"""Place of the last record that can be reached."""
_KEYWORDS = 5
"""Of a text, which must all occur in a title or among the authors."""
_FEW = 10
"""A search for all the keywords that finds fewer goes on with papers that hold some of them."""
_MOST_YEARS = 6
"""In a query, which has to be short; the years of a longer time are looked at here."""
_NO_PAPERS = frozenset({"editorship", "data and artifacts", "withdrawn items"})
_HOMONYM = re.compile(r"\s+\d{4}$")
"""DBLP tells people of the same name apart by a number behind it."""
_ARXIV_PAGE = re.compile(r"https?://arxiv\.org/(?:abs|pdf)/([^\s?#]{4,40})", re.IGNORECASE)
_ARXIV_DOI = "10.48550/arxiv."
_ACL_PAGE = re.compile(r"https?://(?:www\.)?aclanthology\.org/([A-Za-z0-9._-]{4,60}?)/?$")


@sources.register("dblp")
class DblpSearch(Source):
    """Titles, authors, years, venues and identifiers, without abstracts and citations; no other service lists the
    conferences of computer science as completely.

    The keywords of a search must all occur in a title or an author's name, whose beginning suffices (`net` finds
    `network`); where they find next to nothing, papers with any of them follow. Venues are DBLP's short names, such as
    `NeurIPS`. Its mirrors (https://dblp.uni-trier.de, https://dblp.dagstuhl.de) can stand under `source_addresses`.
    """

    name: ClassVar[str] = "dblp"
    title: ClassVar[str] = "DBLP"
    home: ClassVar[str] = "https://dblp.org"
    covers: ClassVar[frozenset[str]] = frozenset({"computer science"})
    rate_limits: ClassVar[RateLimits] = RateLimits(pause=2.0, pause_with_key=2.0)
    filters_by: ClassVar[frozenset[str]] = frozenset({"venues"})
    terms: ClassVar[str] = "free, without a key; one request in two seconds"

    def search(self, search: Search) -> Request:
        """Best matches first. Raises BadInput without words."""
        words = key_query(search.text, _KEYWORDS)
        if not words:
            raise BadInput(f"DBLP is searched by words: there are none in {search.text[:40]!r}.")
        limits = [limit for limit in (_years(search), _venues(search)) if limit]
        size = max(1, min(search.limit, _PAGE))
        anything = self._page(" ".join(["|".join(words), *limits]), search, size) if len(words) > 1 else None
        return self._page(" ".join([*words, *limits]), search, size, otherwise=anything)

    def _page(
        self, query: str, search: Search, size: int, *, before: int = 0, otherwise: Request | None = None
    ) -> Request:
        """The page that `before` records precede. `otherwise`: what to go on with after few results."""
        parameters = {"q": query, "format": "json", "h": str(size), "f": str(before), "c": "0"}
        read = partial(self._read, query, search, size, before, otherwise)
        return Request(f"{self.address}/search/publ/api", read, parameters, when_missing=None)

    def _read(
        self, query: str, search: Search, size: int, before: int, otherwise: Request | None, answer: bytes
    ) -> Page:
        found, total = _hits(answer)
        entries, rejects = self._entries(found, search, before)
        seen = before + len(found)
        if found and seen < min(total, _DEEPEST):
            return Page(entries, rejects, self._page(query, search, size, before=seen), total)
        return Page(entries, rejects, otherwise if total < _FEW else None, total)

    def _entries(
        self, found: list[Mapping[str, object]], search: Search, before: int
    ) -> tuple[tuple[Entry, ...], tuple[Reject, ...]]:
        entries: list[Entry] = []
        rejects: list[Reject] = []
        for number, record in enumerate(found, before + 1):
            try:
                entry = publication_entry(record, number)
            except UnusableRecord as reason:
                rejects.append(Reject(file=self.title, line=number, reason=str(reason)))
                continue
            if matches_dates(entry.paper, search):
                entries.append(entry)
        return tuple(entries), tuple(rejects)


def publication_entry(record: Mapping[str, object], line: int = 0) -> Entry:
    """The entry of one record. Raises UnusableRecord: whole proceedings, and data, are no papers."""
    key = clean_text(record.get("key"))[:200]
    kind = clean_text(record.get("type")).lower()
    if kind in _NO_PAPERS:
        raise UnusableRecord(f"{key or 'no key'}: no paper, of type {kind}")
    paper = Paper(
        title=clean_title(record.get("title")).removesuffix("."),
        authors=author_names(map(_name, _people(record))),
        year=clean_year(record.get("year")),
        venue=_venue(record),
        ids=clean_identifiers({"dblp": key, **_identifiers(record)}),
    )
    return Entry(paper=dated_by_arxiv(paper), key=f"dblp:{key}" if key else "", line=line)


def _hits(answer: bytes) -> tuple[list[Mapping[str, object]], int]:
    """The records of an answer, and how many there are in all. Raises ValueError."""
    result = nested_object(json_object(answer), "result")
    status = nested_object(result, "status")
    if (code := clean_text(status.get("@code"))) not in ("", "200"):
        raise ValueError(f"DBLP says: {code} {service_message(status.get('text'))}")
    hits = nested_object(result, "hits")
    if not hits:
        raise ValueError("no list of hits")
    listed = hits.get("hit", [])
    found = listed if isinstance(listed, list) else [listed]
    total = clean_text(hits.get("@total"))
    records = [nested_object(hit, "info") if isinstance(hit, Mapping) else {} for hit in found]
    return records, clean_count(int(total)) or 0 if total.isdecimal() and len(total) < 12 else len(records)


def _years(search: Search) -> str:
    """The years of a search as a part of a query; empty when they are too many to be listed."""
    if not search.since or not search.before:
        return ""
    years = range(search.since.year, search.before.year + 1)
    return "|".join(f"year:{year}:" for year in years) if len(years) <= _MOST_YEARS else ""


def _venues(search: Search) -> str:
    names = (re.sub(r"[^\w.-]+", "_", clean_text(venue)) for venue in search.venues)
    return "|".join(f"venue:{name}:" for name in names if name)


def _people(record: Mapping[str, object]) -> Iterator[object]:
    """One author stands alone, several stand in a list; each with a number or as a name."""
    listed = nested_object(record, "authors").get("author")
    yield from listed if isinstance(listed, list) else [listed]


def _name(person: object) -> str:
    name = person.get("text") if isinstance(person, Mapping) else person
    return _HOMONYM.sub("", plain_text(name))


def _venue(record: Mapping[str, object]) -> str:
    """The first of several."""
    venue = record.get("venue")
    first = next(iter(venue), "") if isinstance(venue, list) else venue
    return plain_text(first)[:LONGEST_NAME]


def _identifiers(record: Mapping[str, object]) -> dict[str, object]:
    """The DOI, and what the addresses of the paper say."""
    doi, pages = clean_text(record.get("doi")), record.get("ee")
    addresses = " ".join(map(clean_text, pages if isinstance(pages, list) else [pages]))
    arxiv, acl = _ARXIV_PAGE.search(addresses), _ACL_PAGE.search(addresses)
    _, registered, number = doi.lower().partition(_ARXIV_DOI)
    return {
        "doi": doi,
        "arxiv": number if registered else arxiv and arxiv[1],
        "acl": acl and acl[1],
    }
