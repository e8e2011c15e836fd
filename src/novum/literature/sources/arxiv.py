"""arXiv: preprints by search and by number, as https://info.arxiv.org/help/api/user-manual.html describes them."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import ClassVar
from xml.etree.ElementTree import Element

from novum.core import Paper, normal_title
from novum.errors import BadInput
from novum.literature.entry import Entry, Reject, clean_identifier
from novum.literature.importing.cleaning import clean_count, clean_date, clean_identifiers, clean_text
from novum.literature.importing.record import UnusableRecord, checked_abstract
from novum.literature.sources.arxiv_categories import codes_of, field_names
from novum.literature.sources.json_responses import author_names, clean_title, in_chunks, service_message, venue_name
from novum.literature.sources.query_words import key_query, quoted_phrases
from novum.literature.sources.source import Page, RateLimits, Request, Search, Source, TooManyRequests, sources
from novum.literature.sources.xml_responses import text_of, xml_root

_ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"
_SEARCH = "{http://a9.com/-/spec/opensearch/1.1/}"
_LARGEST_PAGE = 500
"""arXiv gives up to 2,000 but asks for less."""
_FURTHEST = 30_000
"""arXiv shows no more of one search."""
_KEYWORDS, _FEW = 6, 5
"""Words of a search, and papers below which a search with half of them follows."""
_IDS_AT_ONCE = 100
_TOO_MANY = re.compile(rb"\s*rate (limit )?exceeded\b", re.IGNORECASE)
_ID = re.compile(r"\d{4}\.\d{4,5}|[a-z-]+(\.[A-Z]{2})?/\d{7}")
_VERSION = re.compile(r"v(\d{1,4})$")
_DOI_PREFIX = "10.48550/arxiv."
_FIRST, _LAST = "199101010000", "299912312359"
_WITHDRAWN = re.compile(
    r"^\W*withdrawn\b(?!\s+from)|\b(paper|article|manuscript|submission|preprint|work|version)\s+(has\s+been|is|was)\s+"
    r"(\w+\s+)?withdrawn\b(?!\s+from)",
    re.IGNORECASE,
)


@sources.register("arxiv")
class Arxiv(Source):
    """Every version of a paper is that paper: the first gives the day, the newest the text.

    A search becomes its keywords, at most six, all of which must occur; where they find next to nothing, half of them
    follow. Words in double quotes stay together. Fields are arXiv's categories or archives, by code (`cs.CL`, `math`)
    or by name; venues are left out.
    """

    name: ClassVar[str] = "arxiv"
    title: ClassVar[str] = "arXiv"
    home: ClassVar[str] = "https://export.arxiv.org"
    rate_limits: ClassVar[RateLimits] = RateLimits(pause=3.0, pause_with_key=3.0)
    terms: ClassVar[str] = "free: one request every three seconds, fewer when arXiv is busy"
    filters_by: ClassVar[frozenset[str]] = frozenset({"fields"})
    covers: ClassVar[frozenset[str]] = frozenset(
        {
            *(
                "computer science",
                "mathematics",
                "physics",
                "physics and astronomy",
                "engineering",
                "decision sciences",
            ),
            *("economics", "economics, econometrics and finance", "materials science"),
        }
    )

    def search(self, search: Search) -> Request:
        """Raises BadInput for a search without words or a field that arXiv does not have."""
        size = max(1, min(search.limit, _LARGEST_PAGE))
        whole, half = search_query(search), search_query(search, _KEYWORDS // 2)
        relaxed = self._page(_ranked(half), 0, size) if half != whole else None
        return self._page(_ranked(whole), 0, size, relaxed)

    def fetch(self, names: Sequence[tuple[str, str]]) -> list[Request]:
        """By `arxiv` numbers, and the DOIs that arXiv gives."""
        ids = [found for scheme, value in names if (found := _arxiv_id(scheme, value))]
        return [
            self._request({"id_list": ",".join(chunk), "start": "0", "max_results": str(len(chunk))}, read_feed)
            for chunk in in_chunks(ids, _IDS_AT_ONCE)
        ]

    def pdf_url(self, paper: Paper) -> str | None:
        """Where the newest version of `paper` is as a PDF; None when it has no arXiv number."""
        number = _arxiv_id("arxiv", paper.ids.arxiv or "")
        return f"{self.address}/pdf/{number}" if number else None

    def _page(self, query: dict[str, str], start: int, size: int, few: Request | None = None) -> Request:
        """A page of a search. `few` follows if it finds next to nothing."""
        parameters = query | {"start": str(start), "max_results": str(size)}
        return self._request(parameters, partial(self._read_page, query=query, start=start, size=size, few=few))

    def _read_page(self, answer: bytes, query: dict[str, str], start: int, size: int, few: Request | None) -> Page:
        page = read_feed(answer, start)
        seen = start + size
        if few and page.total is not None and page.total < _FEW:
            return Page(page.entries, page.rejects, few, page.total)
        if page.total is None or seen >= min(page.total, _FURTHEST):
            return page
        if not page.entries and not page.rejects:
            raise ValueError(f"an empty page at {start:,} of {page.total:,} papers, as arXiv gives when it is busy")
        return Page(page.entries, page.rejects, self._page(query, seen, size), page.total)

    def _request(self, parameters: dict[str, str], read: Callable[[bytes], Page]) -> Request:
        return Request(url=f"{self.address}/api/query", read=read, parameters=parameters, when_missing=None)


def _ranked(query: str) -> dict[str, str]:
    return {"search_query": query, "sortBy": "relevance", "sortOrder": "descending"}


def search_query(search: Search, most: int = _KEYWORDS) -> str:
    """`search` in arXiv's language, with at most `most` of its phrases and keywords. Raises BadInput."""
    fields = [codes for field in search.fields if (codes := _codes(field))]
    parts = [_text_part(search.text, most)]
    if fields:
        parts.append("(" + " OR ".join(f"cat:{code}" for codes in fields for code in codes) + ")")
    if search.since or search.before:
        parts.append(f"submittedDate:[{_minute(search.since)} TO {_last_minute(search.before)}]")
    return " AND ".join(parts)


def read_feed(answer: bytes, before: int = 0) -> Page:
    """One feed of papers, counted on from `before`. Raises ValueError with what arXiv says when it is an error,
    TooManyRequests for a refusal, which arXiv also sends with status 200."""
    if _TOO_MANY.match(answer[:100]):
        raise TooManyRequests(clean_text(answer[:100].decode("utf-8", "replace")).rstrip("."))
    feed = xml_root(answer)
    if feed.tag != f"{_ATOM}feed":
        raise ValueError("not an Atom feed")
    newest: dict[str, tuple[int, Entry]] = {}
    rejects: list[Reject] = []
    for number, element in enumerate(feed.iterfind(f"{_ATOM}entry"), before + 1):
        _raise_if_error(element)
        try:
            entry, version = _entry(element), _version(element)
        except UnusableRecord as reason:
            rejects.append(Reject(file=Arxiv.title, line=number, reason=f"{_number(element) or 'no number'}: {reason}"))
            continue
        if version >= newest.get(entry.key, (0, entry))[0]:
            newest[entry.key] = version, entry
    total = text_of(feed, f"{_SEARCH}totalResults")
    return Page(
        entries=tuple(entry for _, entry in newest.values()),
        rejects=tuple(rejects),
        total=clean_count(int(total)) if re.fullmatch(r"[0-9]{1,12}", total) else None,
    )


def _text_part(text: str, most: int) -> str:
    """Phrases in quotes first, then keywords, as arXiv's index has them: in lower case and without accents."""
    phrases, rest = quoted_phrases(text)
    words = key_query(rest, most - len(phrases))
    plain = filter(None, (normal_title(part) for part in (*phrases[:most], *words)))
    terms = [f'all:"{part}"' if " " in part else f"all:{part}" for part in dict.fromkeys(plain)]
    if not terms:
        raise BadInput("arXiv is searched by words: give some.")
    return terms[0] if len(terms) == 1 else f"({' AND '.join(terms)})"


def _codes(field: str) -> list[str]:
    found = codes_of(field)
    if not found:
        raise BadInput(
            f"arXiv has no field {field!r}: give a category such as cs.CL, an archive such as math, or a name."
        )
    return found


def _minute(day: dt.date | None) -> str:
    return f"{day:%Y%m%d}0000" if day else _FIRST


def _last_minute(before: dt.date | None) -> str:
    if not before:
        return _LAST
    return f"{before - dt.timedelta(days=1):%Y%m%d}2359" if before > dt.date.min else "000101010000"


def _arxiv_id(scheme: str, value: str) -> str:
    """The number without its version; empty for what is no arXiv number."""
    value = clean_text(value)
    if scheme == "doi" and value.lower().startswith(_DOI_PREFIX):
        scheme, value = "arxiv", value[len(_DOI_PREFIX) :]
    found = clean_identifier("arxiv", value) if scheme == "arxiv" else ""
    return found if _ID.fullmatch(found) else ""


def _raise_if_error(element: Element) -> None:
    if "/api/errors" in text_of(element, f"{_ATOM}id"):
        raise ValueError(f"arXiv says: {service_message(text_of(element, f'{_ATOM}summary')) or 'Error'}")


def _entry(element: Element) -> Entry:
    number = _number(element)
    if not number:
        raise UnusableRecord("no arXiv number")
    abstract = text_of(element, f"{_ATOM}summary")
    _refuse_withdrawn(text_of(element, f"{_ARXIV}comment"), abstract)
    day = clean_date(text_of(element, f"{_ATOM}published"))
    paper = Paper(
        title=clean_title(text_of(element, f"{_ATOM}title")),
        authors=author_names(text_of(author, f"{_ATOM}name") for author in element.iterfind(f"{_ATOM}author")),
        year=day.year if day else None,
        date=day,
        venue=venue_name(text_of(element, f"{_ARXIV}journal_ref"), "arXiv"),
        ids=clean_identifiers({"arxiv": number, "doi": _doi(element)}),
        abstract=checked_abstract(abstract),
        fields=field_names(_categories(element)),
    )
    return Entry(paper=paper, key=f"arxiv:{number}")


def _refuse_withdrawn(comment: str, abstract: str) -> None:
    """Raises Unusable when authors or moderators say so, in the comment or at the beginning of the abstract."""
    for text in (comment[:500], abstract[:200]):
        if _WITHDRAWN.search(text):
            raise UnusableRecord(f"withdrawn: {text[:120]}")


def _number(element: Element) -> str:
    return _arxiv_id("arxiv", text_of(element, f"{_ATOM}id"))


def _version(element: Element) -> int:
    match = _VERSION.search(text_of(element, f"{_ATOM}id"))
    return int(match.group(1)) if match else 0


def _doi(element: Element) -> str:
    """The first one, where a paper appeared in several places."""
    links = (link.get("href", "") for link in element.iterfind(f"{_ATOM}link") if link.get("title") == "doi")
    found = text_of(element, f"{_ARXIV}doi") or next(links, "")
    return found.split()[0] if found.split() else ""


def _categories(element: Element) -> Iterator[str]:
    """The main one first."""
    for tag in (f"{_ARXIV}primary_category", f"{_ATOM}category"):
        for category in element.iterfind(tag):
            yield category.get("term", "")
