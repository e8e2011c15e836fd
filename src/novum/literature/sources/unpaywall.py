"""Unpaywall: open copies of papers with a DOI, as https://unpaywall.org/products/api describes it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import ClassVar
from urllib.parse import quote

from novum.core import Paper
from novum.errors import BadInput
from novum.literature.entry import Entry, clean_identifier
from novum.literature.importing.cleaning import LONGEST_NAME, clean_identifiers, clean_text, clean_year
from novum.literature.importing.record import UnusableRecord, dated_by_arxiv
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
from novum.literature.sources.open_copies import OpenCopies, location_pdfs, pdf_addresses
from novum.literature.sources.query_words import key_query
from novum.literature.sources.source import Page, RateLimits, Request, Search, Source, sources

_PAGE = 50
"""Results in an answer."""
_KEYWORDS = 5
"""Of a text, which must all occur in a title."""
_NO_PAPERS = frozenset(
    {"component", "dataset", "editorial", "grant", "journal", "journal-issue", "peer-review", "proceedings"}
)
_DOI = re.compile(r"10\.\d{4,9}/\S{1,200}")


@sources.register("unpaywall")
class Unpaywall(Source):
    """Where papers can be read for free, by DOI; its search looks at titles alone, and gives no abstracts.

    It answers only those who give an e-mail address.
    """

    name: ClassVar[str] = "unpaywall"
    title: ClassVar[str] = "Unpaywall"
    home: ClassVar[str] = "https://api.unpaywall.org/v2"
    rate_limits: ClassVar[RateLimits] = RateLimits(pause=0.2, pause_with_key=0.2, at_once=2)
    wants_contact: ClassVar[bool] = True
    terms: ClassVar[str] = "free for those who give an e-mail address (NOVUM_CONTACT), 100,000 requests a day"

    def search(self, search: Search) -> Request:
        """Best matches first. Raises BadInput without words."""
        words = key_query(search.text, _KEYWORDS)
        if not words:
            raise BadInput(f"Unpaywall is searched by words: there are none in {search.text[:40]!r}.")
        return self._page(search, " ".join(words), 1)

    def open_copies(self, paper: Paper) -> Request | None:
        """By DOI."""
        doi = clean_identifier("doi", clean_text(paper.ids.doi))
        return Request(f"{self.address}/{quote(doi, safe='/')}", _read_copies) if _DOI.fullmatch(doi) else None

    def credentials(self, key: str, contact: str) -> dict[str, str]:
        return {"email": contact} if contact else {}

    def _page(self, search: Search, words: str, page: int) -> Request:
        parameters = {"query": words, "page": str(page)}
        return Request(f"{self.address}/search", partial(self._read, search, words, page), parameters)

    def _read(self, search: Search, words: str, page: int, answer: bytes) -> Page:
        results = json_object(answer).get("results")
        if not isinstance(results, list):
            raise ValueError("no list of results")
        records = [nested_object(result, "response") if isinstance(result, Mapping) else {} for result in results]
        entries, rejects = entries_of(enumerate(records, (page - 1) * _PAGE + 1), article_entry, self.title)
        fitting = tuple(entry for entry in entries if matches_dates(entry.paper, search))
        following = self._page(search, words, page + 1) if len(results) >= _PAGE else None
        return Page(fitting, tuple(rejects), following)


def article_entry(record: Mapping[str, object], line: int = 0) -> Entry:
    """The entry of one record. Raises UnusableRecord: whole journals, and parts and reviews of papers, are none."""
    kind = clean_text(record.get("genre"))
    if kind in _NO_PAPERS or record.get("is_paratext") is True:
        raise UnusableRecord(
            f"{clean_text(record.get('doi'))[:100] or 'no DOI'}: no paper, of type {kind or 'paratext'}"
        )
    paper = Paper(
        title=clean_title(record.get("title")),
        authors=author_names(map(_person, objects(record.get("z_authors")))),
        year=clean_year(record.get("year")),
        date=certain_day(record.get("published_date")),
        venue=plain_text(record.get("journal_name"))[:LONGEST_NAME],
        ids=clean_identifiers({"doi": record.get("doi")}),
    )
    return Entry(paper=dated_by_arxiv(paper), line=line)


def _read_copies(answer: bytes) -> OpenCopies:
    record = json_object(answer)
    if "doi" not in record:
        raise ValueError(service_message(record.get("message")) or "an answer without a DOI")
    locations = [nested_object(record, "best_oa_location"), *objects(record.get("oa_locations"))]
    return OpenCopies(pdfs=pdf_addresses(location_pdfs(locations)))


def _person(person: Mapping[str, object]) -> str:
    """The name in parts as publishers give it, or in one piece."""
    parts = " ".join(filter(None, (clean_text(person.get("given")), clean_text(person.get("family")))))
    return parts or clean_text(person.get("raw_author_name") or person.get("name"))
