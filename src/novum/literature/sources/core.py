"""CORE: papers in open repositories, with their PDFs, as https://api.core.ac.uk/docs/v3 describes it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import ClassVar

from novum.core import Paper
from novum.errors import BadInput
from novum.literature.entry import Entry, clean_identifier
from novum.literature.importing.cleaning import (
    LONGEST_NAME,
    clean_count,
    clean_identifiers,
    clean_text,
    clean_year,
)
from novum.literature.importing.record import checked_abstract, dated_by_arxiv
from novum.literature.sources.json_responses import (
    author_names,
    certain_day,
    clean_title,
    entries_of,
    json_object,
    nested_object,
    objects,
    plain_text,
    service_message,
)
from novum.literature.sources.matching import matches_dates
from novum.literature.sources.open_copies import OpenCopies, pdf_addresses
from novum.literature.sources.query_words import key_query
from novum.literature.sources.source import Page, RateLimits, Request, Search, Source, sources

_PAGE = 100
_DEEPEST = 10_000
_KEYWORDS = 5
"""Of a text, which must all occur."""
_QUOTED = re.compile(r'["\\\s]')


@sources.register("core")
class Core(Source):
    """Papers, theses and reports of open repositories, with abstracts. Fields and venues are left out.

    It answers hardly anybody without a key; one is free.
    """

    name: ClassVar[str] = "core"
    title: ClassVar[str] = "CORE"
    home: ClassVar[str] = "https://api.core.ac.uk/v3"
    rate_limits: ClassVar[RateLimits] = RateLimits(pause=6.0, pause_with_key=2.5, patience_without_key=10.0)
    key_names: ClassVar[tuple[str, ...]] = ("CORE_API_KEY",)
    key_page: ClassVar[str] = "https://core.ac.uk/services/api"
    key_offer: ClassVar[str] = "free"
    terms: ClassVar[str] = "a free key is needed; it allows one request in two to three seconds"

    def search(self, search: Search) -> Request:
        """Best matches first. Raises BadInput without words."""
        words = key_query(search.text, _KEYWORDS)
        if not words:
            raise BadInput(f"CORE is searched by words: there are none in {search.text[:40]!r}.")
        clauses = [f"({' AND '.join(words)})"]
        clauses += [f"yearPublished>={search.since.year}"] if search.since else []
        clauses += [f"yearPublished<={search.before.year}"] if search.before else []
        return self._page(search, " AND ".join(clauses), max(1, min(_PAGE, search.limit)), 0)

    def open_copies(self, paper: Paper) -> Request | None:
        """By DOI."""
        doi = clean_identifier("doi", clean_text(paper.ids.doi))
        if not doi or _QUOTED.search(doi):
            return None
        return self._works({"q": f'doi:"{doi}"', "limit": "5"}, partial(_read_copies, doi))

    def headers(self, key: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"} if key else {}

    def _page(self, search: Search, query: str, size: int, before: int) -> Request:
        parameters = {"q": query, "limit": str(size), "offset": str(before)}
        return self._works(parameters, partial(self._read, search, query, size, before))

    def _works(self, parameters: Mapping[str, str], read: partial[Page] | partial[OpenCopies]) -> Request:
        # Without the final slash CORE redirects, which costs a request.
        return Request(f"{self.address}/search/works/", read, parameters, when_missing=None)

    def _read(self, search: Search, query: str, size: int, before: int, answer: bytes) -> Page:
        record = json_object(answer)
        if not isinstance(record.get("results"), list):
            raise ValueError(service_message(record.get("message")) or "no list of results")
        works = list(objects(record.get("results")))
        entries, rejects = entries_of(enumerate(works, before + 1), work_entry, self.title)
        fitting = tuple(entry for entry in entries if matches_dates(entry.paper, search))
        total, seen = clean_count(record.get("totalHits")) or 0, before + len(works)
        following = self._page(search, query, size, seen) if works and seen < min(total, _DEEPEST) else None
        return Page(fitting, tuple(rejects), following, total)


def work_entry(record: Mapping[str, object], line: int = 0) -> Entry:
    """The entry of one work. Raises UnusableRecord."""
    paper = Paper(
        title=clean_title(record.get("title")),
        authors=author_names(map(_name, objects(record.get("authors")))),
        year=clean_year(record.get("yearPublished")),
        date=certain_day(record.get("publishedDate")),
        venue=_venue(record),
        ids=clean_identifiers(_identifiers(record)),
        abstract=checked_abstract(plain_text(record.get("abstract"))),
        citation_count=clean_count(record.get("citationCount")),
    )
    number = record.get("id")
    return Entry(paper=dated_by_arxiv(paper), key=f"core:{number}" if isinstance(number, int) else "", line=line)


def _read_copies(doi: str, answer: bytes) -> OpenCopies:
    """Of works with this DOI alone: a search may find others."""
    works = [one for one in objects(json_object(answer).get("results")) if _doi(one) == doi]
    return OpenCopies(pdfs=pdf_addresses(one.get("downloadUrl") for one in works))


def _doi(record: Mapping[str, object]) -> str:
    return clean_identifier("doi", clean_text(record.get("doi")))


def _name(person: Mapping[str, object]) -> str:
    """`Family, Given` as repositories write it becomes `Given Family`."""
    family, comma, given = clean_text(person.get("name")).partition(", ")
    return f"{given} {family}" if comma and given else family


def _venue(record: Mapping[str, object]) -> str:
    """The journal, else the publisher."""
    journals = (one.get("title") for one in objects(record.get("journals")))
    return plain_text(next(filter(None, journals), None) or record.get("publisher"))[:LONGEST_NAME]


def _identifiers(record: Mapping[str, object]) -> dict[str, object]:
    nested = nested_object(record, "identifiers")
    return {
        "doi": record.get("doi") or nested.get("doi"),
        "arxiv": record.get("arxivId"),
        "pmid": record.get("pubmedId"),
    }
