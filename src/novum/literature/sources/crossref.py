"""Crossref: what publishers gave DOIs, as https://www.crossref.org/documentation/retrieve-metadata/ describes it."""

from __future__ import annotations

import datetime as dt
import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import ClassVar
from urllib.parse import quote

from novum.core import Paper
from novum.errors import BadInput
from novum.literature.entry import Entry, Reference, Reject, clean_identifier
from novum.literature.identity import TITLE_LIMIT
from novum.literature.importing.cleaning import clean_count, clean_identifiers, clean_text, clean_year
from novum.literature.importing.record import UnusableRecord, checked_abstract, checked_title, dated_by_arxiv
from novum.literature.sources.json_responses import (
    MOST_REFERENCES,
    author_names,
    certain_day,
    clean_title,
    entries_of,
    in_chunks,
    json_object,
    objects,
    plain_text,
    venue_name,
)
from novum.literature.sources.query_words import is_long, key_query
from novum.literature.sources.source import Page, RateLimits, Request, Search, Source, sources

_LARGEST_PAGE = 200
"""Crossref gives up to 1,000, but records with all their references are large."""
_FURTHEST = 10_000
"""Works of one search that can be asked for by their place. Crossref's cursors lead further, but they die within
minutes and may read the same from page to page: what they lead to cannot be kept, nor gone on with."""
_DOIS_AT_ONCE = 40
_KEYWORDS = 20
"""Of a long text: Crossref joins the words of a search by OR, and is slow with many."""
_DOI = re.compile(r"10\.\d{4,9}/\S{1,200}")
_DOI_WITHIN = re.compile(r"\b10\.\d{4,9}/[^\s\"<>,;]{2,200}")
_ARXIV_WITHIN = re.compile(r"\barxiv(?:\.org/abs/|[:\s]+)(\d{4}\.\d{4,5})", re.IGNORECASE)
_ARXIV_DOI = "10.48550/"
"""DOIs of preprints at arXiv, which are registered elsewhere."""
_PAPERS = frozenset(
    {
        "book",
        "book-chapter",
        "book-part",
        "book-section",
        "dissertation",
        "edited-book",
        "journal-article",
        "monograph",
        "posted-content",
        "proceedings-article",
        "reference-entry",
        "report",
    }
)
_NO_PAPERS = frozenset({"editorial", "letter", "peer_review", "review_report"})
"""Kinds of posted content."""
_DAYS = ("published-online", "published-print", "published", "posted", "issued")
_NEW_VERSIONS = frozenset({"new_version", "new_edition", "new version", "new edition"})
_TAKEN_BACK = frozenset({"retraction", "withdrawal", "removal", "partial_retraction"})


@sources.register("crossref")
class Crossref(Source):
    """Works with their references, which come with the works themselves; who cites a work, Crossref does not say.

    Venues are searched for among the words of the journal's or proceedings' title; fields are left out. Whoever gives
    an e-mail address is served by less crowded servers; a key is for subscribers of Metadata Plus.
    """

    name: ClassVar[str] = "crossref"
    title: ClassVar[str] = "Crossref"
    home: ClassVar[str] = "https://api.crossref.org"
    rate_limits: ClassVar[RateLimits] = RateLimits(
        pause=1.0, pause_with_key=0.1, pause_with_contact=0.35, at_once_with_contact=3
    )
    key_names: ClassVar[tuple[str, ...]] = ("CROSSREF_API_KEY",)
    wants_contact: ClassVar[bool] = True
    terms: ClassVar[str] = (
        "free: one search a second, three for users who give an e-mail address; keys are for subscribers of Metadata "
        "Plus"
    )
    has_references: ClassVar[bool] = True
    filters_by: ClassVar[frozenset[str]] = frozenset({"venues"})

    def search(self, search: Search) -> Request:
        """Best matches first: a sentence as it stands, of a longer text its keywords. Raises BadInput without words."""
        text = search.text
        words = " ".join(key_query(text, _KEYWORDS)) if is_long(text) else clean_text(text)[:1000]
        if not words:
            raise BadInput("Crossref is searched by words: give some.")
        query = {"query.bibliographic": words, "rows": str(max(1, min(search.limit, _LARGEST_PAGE)))}
        if search.venues:
            query["query.container-title"] = " ".join(search.venues)[:500]
        if limits := ",".join(_limits(search)):
            query["filter"] = limits
        return self._works(query, 0)

    def fetch(self, names: Sequence[tuple[str, str]]) -> list[Request]:
        """By `doi`: one alone by its own address, several by one search."""
        dois = [found for scheme, value in names if (found := _doi(value) if scheme == "doi" else "")]
        searchable = [doi for doi in dois if "," not in doi]
        alone = [doi for doi in dois if "," in doi]
        chunks = list(in_chunks(searchable, _DOIS_AT_ONCE))
        alone += [doi for chunk in chunks if len(chunk) == 1 for doi in chunk]
        return [self._several(chunk) for chunk in chunks if len(chunk) > 1] + [self._one(doi) for doi in alone]

    def headers(self, key: str) -> dict[str, str]:
        return {"Crossref-Plus-API-Token": f"Bearer {key}"} if key else {}

    def credentials(self, key: str, contact: str) -> dict[str, str]:
        return {"mailto": contact} if contact else {}

    def _one(self, doi: str) -> Request:
        return Request(url=f"{self.address}/works/{quote(doi, safe='')}", read=read_work)

    def _several(self, dois: Sequence[str]) -> Request:
        query = {"filter": ",".join(f"doi:{doi}" for doi in dois), "rows": str(len(dois))}
        return self._request(query, read_works)

    def _works(self, query: dict[str, str], before: int) -> Request:
        """The page that `before` works precede."""
        place = {"offset": str(before), "rows": str(min(int(query["rows"]), _FURTHEST - before))}
        return self._request(query | place, partial(self._read_page, query=query, before=before))

    def _read_page(self, answer: bytes, query: dict[str, str], before: int) -> Page:
        page = read_works(answer, before)
        seen = before + len(page.entries) + len(page.rejects)
        if seen == before or (page.total is not None and seen >= page.total):
            return page
        if seen >= _FURTHEST:
            rest = Reject(file=self.title, line=seen, reason=f"more than the first {_FURTHEST:,} cannot be fetched")
            return Page(page.entries, (*page.rejects, rest), None, page.total)
        return Page(page.entries, page.rejects, self._works(query, seen), page.total)

    def _request(self, parameters: dict[str, str], read: Callable[[bytes], Page]) -> Request:
        return Request(url=f"{self.address}/works", read=read, parameters=parameters, when_missing=None)


def read_work(answer: bytes) -> Page:
    """The answer about one DOI. Raises ValueError."""
    entries, rejects = entries_of([(1, _message(answer))], work_entry, Crossref.title)
    return Page(tuple(entries), tuple(rejects), total=1)


def read_works(answer: bytes, before: int = 0) -> Page:
    """A list of works, counted on from `before`. Raises ValueError."""
    message = _message(answer)
    items = message.get("items")
    if not isinstance(items, list):
        raise ValueError("no list of works")
    records = [item if isinstance(item, Mapping) else {} for item in items]
    entries, rejects = entries_of(enumerate(records, before + 1), work_entry, Crossref.title)
    return Page(tuple(entries), tuple(rejects), total=clean_count(message.get("total-results")))


def work_entry(record: Mapping[str, object], line: int = 0) -> Entry:
    """The entry of one work. Raises Unusable: whole journals, parts of papers, notices about other papers, and works
    that were taken back are no papers."""
    _refuse_what_is_no_paper(record)
    day, year = _publication_date(record)
    paper = Paper(
        title=_title(record),
        authors=author_names(map(_person, objects(record.get("author")))),
        year=year,
        date=day,
        venue=_venue(record),
        ids=clean_identifiers({"doi": record.get("DOI")}),
        abstract=checked_abstract(_abstract(record.get("abstract"))),
        fields=tuple(dict.fromkeys(filter(None, map(plain_text, _list(record.get("subject")))))),
        citation_count=clean_count(record.get("is-referenced-by-count")),
    )
    return Entry(paper=dated_by_arxiv(paper), references=tuple(dict.fromkeys(_references(record))), line=line)


def _message(answer: bytes) -> Mapping[str, object]:
    message = json_object(answer).get("message")
    if not isinstance(message, Mapping):
        raise ValueError("an answer without a message")
    return message


def _limits(search: Search) -> Iterator[str]:
    """Crossref's `until` includes the day itself."""
    if search.since:
        yield f"from-pub-date:{search.since.isoformat()}"
    if search.before:
        yield f"until-pub-date:{(search.before - dt.timedelta(days=search.before > dt.date.min)).isoformat()}"


def _doi(value: str) -> str:
    """Clean, in lower case; empty for what is none or registered elsewhere."""
    found = clean_identifier("doi", clean_text(value))
    return found if _DOI.fullmatch(found) and not found.startswith(_ARXIV_DOI) else ""


def _refuse_what_is_no_paper(record: Mapping[str, object]) -> None:
    name = clean_text(record.get("DOI"))[:100] or "no DOI"
    kind, finer = record.get("type"), record.get("subtype")
    if isinstance(kind, str) and kind not in _PAPERS:
        raise UnusableRecord(f"{name}: no paper, of type {clean_text(kind)[:40]}")
    if isinstance(finer, str) and finer in _NO_PAPERS:
        raise UnusableRecord(f"{name}: no paper, of type {finer}")
    for update in objects(record.get("update-to")):
        if update.get("type") not in _NEW_VERSIONS:
            about = clean_text(update.get("DOI"))[:100] or "another work"
            raise UnusableRecord(f"{name}: no paper but a notice ({clean_text(update.get('type'))[:40]}) about {about}")
    for update in objects(record.get("updated-by")):
        if update.get("type") in _TAKEN_BACK:
            raise UnusableRecord(f"{name}: withdrawn ({clean_text(update.get('type'))})")


def _title(record: Mapping[str, object]) -> str:
    """With its subtitle, unless that is there already."""
    title, subtitle = _first(record.get("title")), _first(record.get("subtitle"))
    if not title or not subtitle or subtitle.casefold() in title.casefold():
        return clean_title(title)
    return checked_title(f"{clean_title(title)}: {subtitle}")


def _person(person: Mapping[str, object]) -> str:
    """`Given Family`, or the name of a group."""
    parts = (person.get("given"), person.get("family"), person.get("suffix"))
    return " ".join(filter(None, map(clean_text, parts))) or clean_text(person.get("name"))


def _venue(record: Mapping[str, object]) -> str:
    """Journal or proceedings; the server of a preprint."""
    servers = (place.get("name") for place in objects(record.get("institution")))
    preprints = next(servers, None) if record.get("type") == "posted-content" else None
    return venue_name(*_list(record.get("container-title"))[:5], preprints, record.get("publisher"))


def _publication_date(record: Mapping[str, object]) -> tuple[dt.date | None, int | None]:
    """The first day that is given in full, and the year of issue."""
    parts = [_date_parts(record.get(name)) for name in _DAYS]
    days = [day for numbers in parts if (day := _full_day(numbers))]
    years = [year for numbers in reversed(parts) if numbers and (year := clean_year(numbers[0]))]
    return min(days, default=None), next(iter(years), None)


def _date_parts(value: object) -> list[object]:
    """Year, month and day as far as they are given."""
    parts = value.get("date-parts") if isinstance(value, Mapping) else None
    first = parts[0] if isinstance(parts, list) and parts else None
    return first[:3] if isinstance(first, list) else []


def _full_day(numbers: list[object]) -> dt.date | None:
    if len(numbers) != 3 or not all(isinstance(number, int) for number in numbers):
        return None
    year, month, day = numbers
    return certain_day(f"{year:04}-{month:02}-{day:02}")


def _abstract(value: object) -> str:
    """The abstract without JATS markup and without its heading."""
    if not isinstance(value, str):
        return ""
    text = html.unescape(value) if "&lt;" in value[:200] else value
    return plain_text(_HEADING.sub(" ", text, count=1))


_HEADING = re.compile(
    r"^\s*(<[^<>]{1,200}>\s*){0,5}?<((jats:)?(title|bold)|b|strong)\b[^<>]{0,200}>\s*(abstract|summary)\s*[:.]?\s*</[^<>]{1,40}>",
    re.IGNORECASE,
)


def _references(record: Mapping[str, object]) -> Iterator[Reference]:
    """By DOI or arXiv number as far as they are given, else by title, else by the citation as it stands."""
    for _, cited in zip(range(MOST_REFERENCES), objects(record.get("reference")), strict=False):
        text = plain_text(cited.get("unstructured"))[:5000]
        within = _DOI_WITHIN.search(text)
        if doi := _cited_doi(clean_text(cited.get("DOI"))) or _cited_doi(within.group().rstrip(".)") if within else ""):
            yield Reference(scheme="doi", value=doi)
        elif preprint := _ARXIV_WITHIN.search(text):
            yield Reference(scheme="arxiv", value=preprint.group(1))
        elif title := plain_text(cited.get("article-title") or cited.get("volume-title")) or text:
            yield Reference(scheme="title", value=title[:TITLE_LIMIT])


def _cited_doi(value: str) -> str:
    found = clean_identifier("doi", value)
    return found if _DOI.fullmatch(found) else ""


def _first(value: object) -> str:
    """Crossref writes a title as a list of one."""
    return plain_text(next(iter(_list(value)), None))


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
