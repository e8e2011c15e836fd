"""Europe PMC: articles and preprints of the life sciences, as https://europepmc.org/RestfulWebService describes it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import ClassVar

from novum.core import Paper, normal_title
from novum.errors import BadInput
from novum.literature.entry import Entry, Reference, clean_identifier
from novum.literature.importing.cleaning import (
    clean_count,
    clean_text,
)
from novum.literature.sources.europe_pmc_records import (
    RecordName,
    cited_references,
    record_entry,
    record_name,
    reference_to,
)
from novum.literature.sources.jats import read_jats
from novum.literature.sources.json_responses import (
    MOST_REFERENCES,
    entries_of,
    in_chunks,
    json_object,
    nested_object,
    objects,
    service_message,
)
from novum.literature.sources.query_words import key_query, quoted_phrases
from novum.literature.sources.source import Page, RateLimits, Request, Search, Source, sources

_PAGE = 100
"""Records in an answer, at most: Europe PMC gives up to 1,000, but records with abstracts are large."""
_SPARE = 5
"""For so many wanted records one more is requested, since some are no papers: a second page costs a request."""
_LINKED = 500
"""References or citations in one answer, which describes them in a line each."""
_NAMES = 50
"""In one query, which is part of an address."""
_FEW = 10
"""A search for all the words that finds fewer goes on with papers that hold some of them."""
_FIRST_DAY, _LAST_DAY = "1000-01-01", "3000-12-31"
_KEYWORDS = 5
"""Of a text, which must all occur. They are looked for in full texts too, so that five are not too many."""
_OPERATORS = frozenset({"and", "or", "not", "to"})
_ANY_OF = 10
"""Keywords of which any may occur."""
_LEFT_OUT = ("Editorial", "Comment", "News", "Published Erratum", "Retraction of Publication")
"""The most frequent types of what is no paper, excluded by the query, so that they take no places on a page."""


@sources.register("europe-pmc")
class EuropePmc(Source):
    """All of PubMed, the open articles of PubMed Central, and preprints, with abstracts and citations, without a key.

    The keywords of a search must all occur, in the record or in an open full text, best matches first; where they find
    next to nothing, papers with half of them follow. Words in double quotes stay together. Venues are journals; fields
    are left out.
    """

    name: ClassVar[str] = "europe-pmc"
    title: ClassVar[str] = "Europe PMC"
    home: ClassVar[str] = "https://www.ebi.ac.uk/europepmc/webservices/rest"
    rate_limits: ClassVar[RateLimits] = RateLimits(pause=0.3, pause_with_key=0.3, at_once=2)
    filters_by: ClassVar[frozenset[str]] = frozenset({"venues"})
    terms: ClassVar[str] = "free, without a key and without a daily limit"

    def search(self, search: Search) -> Request:
        """Best matches first. Raises BadInput without words."""
        every = _terms(search.text, _KEYWORDS)
        if not every:
            raise BadInput(f"Europe PMC is searched by words: there are none in {search.text[:40]!r}.")
        size = max(1, min(_PAGE, search.limit + search.limit // _SPARE))
        half = _terms(search.text, len(every) // 2)
        relaxed = self._matches(_query(" AND ".join(half), search), size) if half else None
        return self._matches(_query(" AND ".join(every), search), size, otherwise=relaxed)

    def fetch(self, names: Sequence[tuple[str, str]]) -> list[Request]:
        """By `doi`, `pmid` and `pmcid`, fifty to a request."""
        named = [clause for scheme, value in names if (clause := _named(scheme, value))]
        return [self._records(chunk) for chunk in in_chunks(named, _NAMES)]

    def references(self, papers: Sequence[Paper]) -> list[Request]:
        """A request a paper for the list, then one for each fifty of the papers in it. The pages hold the citing paper
        with its references, too."""
        return [
            request for paper in papers if (request := self._about(paper, partial(self._links, "references", paper)))
        ]

    def citations(self, papers: Sequence[Paper], *, topic: str = "") -> list[Request]:
        """The same for the papers that cite these. With a `topic`, only those with any of its words, the best matches
        first."""
        words = " OR ".join(_terms(topic, _ANY_OF))
        follow = partial(self._citing, words) if words else partial(self._links, "citations")
        return [request for paper in papers if (request := self._about(paper, partial(follow, paper)))]

    def full_text(self, paper: Paper) -> Request | None:
        """The request for the full text of an open article: one entry, of this paper with its text and references. None
        for a paper that is not in PubMed Central; the page is empty when the article is not open."""
        number = clean_identifier("pmcid", paper.ids.pmcid or "")
        if not number:
            return None
        return Request(f"{self.address}/{number}/fullTextXML", partial(_read_full_text, paper))

    def _about(self, paper: Paper, follow: Callable[[RecordName], Request]) -> Request | None:
        """What `follow` makes of the paper's number in Europe PMC, which is looked up where only its DOI is known."""
        if name := _number_of(paper):
            return follow(name)
        doi = clean_identifier("doi", clean_text(paper.ids.doi))
        clause = _named("doi", doi)
        return self._records([clause], partial(_follow_doi, doi, follow)) if clause else None

    def _matches(
        self, query: str, size: int, *, before: int = 0, cursor: str = "*", otherwise: Request | None = None
    ) -> Request:
        """The page of a search that `before` records precede. `otherwise`: what to go on with after few results."""
        parameters = {"pageSize": str(size), "cursorMark": cursor}
        read = partial(self._read_matches, query, size, before, cursor, otherwise)
        return self._request("search", read, {"query": query, "resultType": "core", **parameters})

    def _read_matches(
        self, query: str, size: int, before: int, cursor: str, otherwise: Request | None, answer: bytes
    ) -> Page:
        page, record, seen = self._read_records(answer, before)
        total, after = page.total or 0, record.get("nextCursorMark")
        if seen and before + seen < total and isinstance(after, str) and after not in ("", cursor):
            following = self._matches(query, size, before=before + seen, cursor=after)
            return Page(page.entries, page.rejects, following, total)
        return Page(page.entries, page.rejects, otherwise if total < _FEW else None, total)

    def _records(
        self, clauses: Sequence[str], follow: Callable[[Sequence[Mapping[str, object]]], Request | None] | None = None
    ) -> Request:
        """Records by name. `follow`: what to go on with, of these records."""
        size = str(min(_PAGE, 2 * len(clauses)))
        parameters = {"query": " OR ".join(clauses), "resultType": "core", "pageSize": size}
        return self._request("search", partial(self._read_named, follow), parameters)

    def _read_named(
        self, follow: Callable[[Sequence[Mapping[str, object]]], Request | None] | None, answer: bytes
    ) -> Page:
        page, record, _ = self._read_records(answer)
        return Page(page.entries, page.rejects, follow(_results(record)) if follow else None, page.total)

    def _citing(self, words: str, paper: Paper, name: RecordName) -> Request:
        """The search for citing papers with any of these words."""
        part, number = name
        read = partial(self._read_citing, (_naming(paper, name),))
        query = f"CITES:{number}_{part} AND ({words}){_exclusions()}"
        return self._request("search", read, {"query": query, "resultType": "core", "pageSize": str(_PAGE)})

    def _read_citing(self, cited: tuple[Reference, ...], answer: bytes) -> Page:
        page, _, _ = self._read_records(answer)
        return Page(_citing_these(page.entries, cited), page.rejects, None, page.total)

    def _links(self, kind: str, paper: Paper, name: RecordName, page: int = 1) -> Request:
        """A list of references or citations, each described in a line."""
        path = "/".join((*name, kind))
        read = partial(self._read_links, kind, paper, name, page)
        return self._request(path, read, {"page": str(page), "pageSize": str(_LINKED)}, Page())

    def _read_links(self, kind: str, paper: Paper, name: RecordName, page: int, answer: bytes) -> Page:
        record = _checked(answer)
        found = list(objects(nested_object(record, _LISTS[kind][0]).get(_LISTS[kind][1])))
        total = clean_count(record.get("hitCount")) or 0
        more = bool(found) and page * _LINKED < min(total, MOST_REFERENCES)
        then = self._links(kind, paper, name, page + 1) if more else None
        names = [one for each in found if (one := record_name(each))]
        cited = tuple(dict.fromkeys(cited_references(found))) if kind == "references" else ()
        entries = (Entry(paper=paper, references=cited),) if cited else ()
        citing = (_naming(paper, name),) if kind == "citations" else ()
        return Page(entries, (), self._described(list(dict.fromkeys(names)), citing, then), total)

    def _described(
        self, names: Sequence[RecordName], cited: tuple[Reference, ...], then: Request | None
    ) -> Request | None:
        """The records of these, fifty to a request, each with the references `cited`; then `then`."""
        if not names:
            return then
        some, others = names[:_NAMES], names[_NAMES:]
        parameters = {"query": " OR ".join(map(_numbered, some)), "resultType": "core", "pageSize": str(len(some))}
        return self._request("search", partial(self._read_described, others, cited, then), parameters)

    def _read_described(
        self, others: Sequence[RecordName], cited: tuple[Reference, ...], then: Request | None, answer: bytes
    ) -> Page:
        page, _, _ = self._read_records(answer)
        return Page(_citing_these(page.entries, cited), page.rejects, self._described(others, cited, then), page.total)

    def _read_records(self, answer: bytes, before: int = 0) -> tuple[Page, Mapping[str, object], int]:
        """The records of an answer as a page, the whole answer, and the number of records. Raises ValueError."""
        record = _checked(answer)
        found = _results(record)
        entries, rejects = entries_of(enumerate(found, before + 1), record_entry, self.title)
        return Page(tuple(entries), tuple(rejects), total=clean_count(record.get("hitCount"))), record, len(found)

    def _request(
        self, path: str, read: Callable[[bytes], Page], parameters: Mapping[str, str], absent: Page | None = None
    ) -> Request:
        return Request(f"{self.address}/{path}", read, {**parameters, "format": "json"}, when_missing=absent)


_LISTS = {"references": ("referenceList", "reference"), "citations": ("citationList", "citation")}


def _follow_doi(
    doi: str, follow: Callable[[RecordName], Request], found: Sequence[Mapping[str, object]]
) -> Request | None:
    """What `follow` makes of the first record with this DOI: a search may find others."""
    fitting = (one for one in found if clean_identifier("doi", clean_text(one.get("doi"))) == doi)
    return next((follow(name) for one in fitting if (name := record_name(one))), None)


def _read_full_text(paper: Paper, answer: bytes) -> Page:
    article = read_jats(answer)
    return Page((Entry(paper=paper, references=article.references, full_text=article.text),), total=1)


def _checked(answer: bytes) -> Mapping[str, object]:
    """The object that an answer is. Raises ValueError with what Europe PMC says when it is an error."""
    record = json_object(answer)
    if problem := clean_text(record.get("errMsg")):
        raise ValueError(f"Europe PMC says: {service_message(problem)}")
    return record


def _results(record: Mapping[str, object]) -> list[Mapping[str, object]]:
    found = nested_object(record, "resultList").get("result")
    if not isinstance(found, list) and record.get("hitCount") != 0:
        raise ValueError("no list of results")
    return list(objects(found))


def _terms(text: str, most: int) -> list[str]:
    """Phrases in quotes first, then the keywords."""
    phrases, rest = quoted_phrases(text)
    words = [word for word in key_query(rest, max(0, most - len(phrases))) if word not in _OPERATORS]
    return [f'"{phrase}"' for phrase in phrases[:most]] + words


def _query(words: str, search: Search) -> str:
    """A query for these words within the dates and journals of a search."""
    parts = [f"({words})"]
    if search.since or search.before:
        last = search.before - dt.timedelta(days=search.before > dt.date.min) if search.before else None
        parts.append(f"FIRST_PDATE:[{search.since or _FIRST_DAY} TO {last or _LAST_DAY}]")
    if journals := [name for venue in search.venues if (name := normal_title(venue))]:
        parts.append("(" + " OR ".join(f'JOURNAL:"{name}"' for name in journals) + ")")
    return " AND ".join(parts) + _exclusions()


def _exclusions() -> str:
    return " NOT (" + " OR ".join(f'PUB_TYPE:"{kind}"' for kind in _LEFT_OUT) + ") NOT SRC:PAT"


def _named(scheme: str, value: str) -> str:
    """The clause that finds a paper by name; empty for what Europe PMC does not know."""
    name = clean_identifier(scheme, clean_text(value))
    if scheme == "doi":
        return f'DOI:"{name}"' if name.startswith("10.") and not re.search(r'["\\\s]', name) else ""
    return {"pmid": f"(EXT_ID:{name} AND SRC:MED)", "pmcid": f"PMCID:{name}"}.get(scheme, "") if name else ""


def _numbered(name: RecordName) -> str:
    part, number = name
    return f"(EXT_ID:{number} AND SRC:{part})"


def _number_of(paper: Paper) -> RecordName | None:
    if pmid := clean_identifier("pmid", paper.ids.pmid or ""):
        return "MED", pmid
    pmcid = clean_identifier("pmcid", paper.ids.pmcid or "")
    return ("PMC", pmcid) if pmcid else None


def _naming(paper: Paper, name: RecordName) -> Reference:
    """A reference to `paper`: by its DOI, which its other descriptions share, or by its number."""
    doi = clean_identifier("doi", paper.ids.doi or "")
    return Reference(scheme="doi", value=doi) if doi and not _number_of(paper) else reference_to(name)


def _citing_these(entries: Sequence[Entry], cited: tuple[Reference, ...]) -> tuple[Entry, ...]:
    return tuple(Entry(paper=one.paper, key=one.key, references=cited, line=one.line) for one in entries)
