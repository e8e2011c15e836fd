"""Semantic Scholar's Academic Graph: papers, references and citations, as https://api.semanticscholar.org describes."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import ClassVar
from urllib.parse import quote

import orjson

from novum.core import Paper
from novum.errors import BadInput
from novum.literature.entry import Entry, Reference, Reject
from novum.literature.importing.cleaning import clean_count, clean_identifiers, clean_text, clean_year
from novum.literature.importing.record import UnusableRecord, checked_abstract, dated_by_arxiv
from novum.literature.sources.json_responses import (
    author_names,
    certain_day,
    clean_title,
    entries_of,
    in_chunks,
    json_object,
    json_value,
    nested_object,
    objects,
    plain_text,
    venue_name,
)
from novum.literature.sources.query_words import key_query, keywords
from novum.literature.sources.source import Page, RateLimits, Request, Search, Source, sources

_FIELDS = (
    "paperId,externalIds,title,abstract,venue,publicationVenue,journal,year,publicationDate,authors,citationCount,"
    "fieldsOfStudy,s2FieldsOfStudy,publicationTypes"
)
_PAGE = 100
"""Papers in an answer of the relevance search, at most."""
_RANKED = 1000
"""Papers that the relevance search gives out; whoever wants more asks the bulk search, which does not rank."""
_KEYWORDS, _FEW = 6, 5
"""Words of a search, and papers below which a search is repeated with fewer words."""
_BATCH = 500
"""Names in one request."""
_LINKS = 500
"""References or citations in one answer: half of what is allowed, since answers above 10 MB are refused."""
_DEEPEST = 9_999
"""Place of the last citation of a paper that can be asked for."""
_SEARCHES = ("paper/search", "paper/search/bulk", "paper/batch")
"""Where there is always an answer."""


@sources.register("semantic-scholar")
class SemanticScholar(Source):
    """Papers found by words, by name, or by their citations.

    A search becomes its keywords, at most six, since longer queries find next to nothing; where the keywords do, half
    of them follow.
    """

    name: ClassVar[str] = "semantic-scholar"
    title: ClassVar[str] = "Semantic Scholar"
    home: ClassVar[str] = "https://api.semanticscholar.org"
    rate_limits: ClassVar[RateLimits] = RateLimits(pause=3.0, pause_with_key=1.0, patience_without_key=10.0)
    key_names: ClassVar[tuple[str, ...]] = ("SEMANTIC_SCHOLAR_API_KEY", "S2_API_KEY")
    key_page: ClassVar[str] = "https://www.semanticscholar.org/product/api#api-key-form"
    key_offer: ClassVar[str] = "free, on request"
    terms: ClassVar[str] = (
        "without a key it mostly refuses (all such users share its rate limit); a free key gives one request a second"
    )
    filters_by: ClassVar[frozenset[str]] = frozenset({"fields", "venues"})

    def search(self, search: Search) -> Request:
        """The best matches first; over a thousand papers, the most cited ones that hold all the words first."""
        words = key_query(search.text, _KEYWORDS)
        if not words:
            raise BadInput(f"{self.title} needs words to search for: there are none in {search.text[:40]!r}.")
        query = {"query": " ".join(words), "fields": _FIELDS} | _filters(search)
        if search.limit > _RANKED:
            return self._bulk({**query, "sort": "citationCount:desc"}, token="")
        query |= {"limit": str(max(1, min(_PAGE, search.limit)))}
        telling = keywords(search.text, (len(words) + 1) // 2)
        fewer = [word for word in words if word in telling]
        relaxed = self._search_request({**query, "query": " ".join(fewer)}, 0) if 1 < len(fewer) < len(words) else None
        return self._search_request(query, 0, relaxed)

    def fetch(self, names: Sequence[tuple[str, str]]) -> list[Request]:
        """Five hundred to a request."""
        known = [name for scheme, value in names if (name := _name(scheme, value))]
        return [
            self._graph("paper/batch", self._read_batch, {"fields": _FIELDS}, orjson.dumps({"ids": some}))
            for some in in_chunks(known, _BATCH)
        ]

    def references(self, papers: Sequence[Paper]) -> list[Request]:
        """A request a paper. Besides the cited papers its pages hold the citing one, with its references."""
        return [self._links("references", name, paper, 0) for paper in papers if (name := _name_of(paper))]

    def citations(self, papers: Sequence[Paper], *, topic: str = "") -> list[Request]:
        """A request a paper, the newest citing papers first; no more than 9,999 can be had."""
        return [self._links("citations", name, paper, 0) for paper in papers if (name := _name_of(paper))]

    def headers(self, key: str) -> dict[str, str]:
        """The key, if there is one."""
        return {"x-api-key": key} if key else {}

    def _graph(
        self, path: str, read: Callable[[bytes], Page], parameters: Mapping[str, str], body: bytes = b""
    ) -> Request:
        absent = None if path in _SEARCHES else Page()
        return Request(f"{self.address}/graph/v1/{path}", read, parameters, body, absent)

    def _search_request(self, query: Mapping[str, str], offset: int, few: Request | None = None) -> Request:
        """A page of a search. `few` follows if it finds next to nothing."""
        place = {**query, "offset": str(offset)}
        return self._graph("paper/search", partial(self._read_ranked, query, offset, few), place)

    def _read_ranked(self, query: Mapping[str, str], offset: int, few: Request | None, answer: bytes) -> Page:
        record = json_object(answer)
        following = few if (clean_count(record.get("total")) or 0) < _FEW else None
        after = clean_count(record.get("next")) or 0
        if offset < after < _RANKED:
            following = self._search_request({**query, "limit": str(min(int(query["limit"]), _RANKED - after))}, after)
        return self._page(_records(record, "data"), offset, following, clean_count(record.get("total")))

    def _bulk(self, query: Mapping[str, str], token: str) -> Request:
        place = {**query, "token": token} if token else query
        return self._graph("paper/search/bulk", partial(self._read_bulk, query, token), place)

    def _read_bulk(self, query: Mapping[str, str], token: str, answer: bytes) -> Page:
        record = json_object(answer)
        found, after = _records(record, "data"), record.get("token")
        more = found and isinstance(after, str) and after and after != token
        following = self._bulk(query, str(after)) if more else None
        return self._page(found, 0, following, clean_count(record.get("total")))

    def _read_batch(self, answer: bytes) -> Page:
        found = json_value(answer)
        if not isinstance(found, list):
            raise ValueError("no list of papers")
        return self._page(list(objects(found)), 0, None, None)

    def _page(
        self, records: Sequence[Mapping[str, object]], offset: int, following: Request | None, total: int | None
    ) -> Page:
        entries, rejects = entries_of(enumerate(records, offset + 1), paper_entry, self.title)
        return Page(tuple(entries), tuple(rejects), following, total)

    def _links(self, kind: str, name: str, paper: Paper, offset: int) -> Request:
        query = {"fields": _FIELDS, "offset": str(offset), "limit": str(min(_LINKS, _DEEPEST - offset))}
        read = partial(self._read_links, kind, name, paper, offset)
        return self._graph(f"paper/{quote(name, safe=':')}/{kind}", read, query)

    def _read_links(self, kind: str, name: str, paper: Paper, offset: int, answer: bytes) -> Page:
        record = json_object(answer)
        found = [nested_object(one, _OTHER_END[kind]) for one in objects(record.get("data"))]
        known = [(place, one) for place, one in enumerate(found, offset + 1) if own_id(one) or kind == "citations"]
        entries, rejects = entries_of(known, paper_entry, self.title)
        if kind == "citations":
            entries = [Entry(paper=one.paper, references=_naming(paper), line=one.line) for one in entries]
        elif cited := tuple(_references_in(found)):
            entries.append(Entry(paper=paper, references=cited))
        after = clean_count(record.get("next")) or 0
        more = offset < after < _DEEPEST
        if after >= _DEEPEST:
            reason = f"citations of {paper.title[:80]!r} beyond the first {_DEEPEST:,} cannot be fetched"
            rejects.append(Reject(file=self.title, line=_DEEPEST, reason=reason))
        following = self._links(kind, name, paper, after) if more else None
        return Page(tuple(entries), tuple(rejects), following)


_OTHER_END = {"references": "citedPaper", "citations": "citingPaper"}


def _records(record: Mapping[str, object], name: str) -> list[Mapping[str, object]]:
    """The papers of an answer, where none are left out or null. Raises ValueError when they are something else."""
    if not isinstance(record.get(name) or [], list) or not record.keys() & {name, "total", "offset"}:
        raise ValueError(f"no list of {name}")
    return list(objects(record.get(name)))


def _filters(search: Search) -> dict[str, str]:
    last = search.before - dt.timedelta(days=search.before > dt.date.min) if search.before else None
    wanted = {
        "publicationDateOrYear": f"{search.since or ''}:{last or ''}" if search.since or last else "",
        "fieldsOfStudy": ",".join(search.fields),
        "venue": ",".join(search.venues),
    }
    return {name: value for name, value in wanted.items() if value}


def _name(scheme: str, value: str) -> str:
    """As Semantic Scholar writes names of this registry; empty for registries that it does not know."""
    return _PREFIXES[scheme] + value if scheme in _PREFIXES and value else ""


_PREFIXES = {"s2": "", "doi": "DOI:", "arxiv": "ARXIV:", "acl": "ACL:", "pmid": "PMID:", "pmcid": "PMCID:"}


def _name_of(paper: Paper) -> str:
    known = dict(paper.ids.items())
    return next((_name(scheme, known[scheme]) for scheme in _PREFIXES if scheme in known), "")


def _naming(paper: Paper) -> tuple[Reference, ...]:
    """A reference to `paper`, which has a name."""
    known = dict(paper.ids.items())
    return tuple(Reference(scheme=scheme, value=known[scheme]) for scheme in _PREFIXES if scheme in known)[:1]


def _references_in(found: Sequence[Mapping[str, object]]) -> Iterator[Reference]:
    """By id; works that Semantic Scholar does not hold itself by their titles."""
    for one in found:
        if name := own_id(one):
            yield Reference(scheme="s2", value=name)
        elif title := plain_text(one.get("title")):
            yield Reference(scheme="title", value=title)


_NO_PAPERS = frozenset({"Dataset", "Editorial", "LettersAndComments", "News"})
_PAPER_ID = re.compile(r"[0-9a-f]{40}")
_EXTERNAL = {
    "doi": "DOI",
    "arxiv": "ArXiv",
    "acl": "ACL",
    "dblp": "DBLP",
    "pmid": "PubMed",
    "pmcid": "PubMedCentral",
}


def paper_entry(record: Mapping[str, object], line: int = 0) -> Entry:
    """The entry of a paper as the API writes it or, with its names in lower case, the `papers` data set; `line` is
    where it began in its file. In the data set, where citations go by number, its key is `corpusid:…`. Raises
    Unusable."""
    record = {name.lower(): value for name, value in record.items()}
    _refuse_what_is_no_paper(record)
    paper = Paper(
        title=clean_title(record.get("title")),
        authors=author_names(author.get("name") for author in objects(record.get("authors"))),
        year=clean_year(record.get("year")),
        date=certain_day(record.get("publicationdate")),
        venue=_venue(record),
        ids=clean_identifiers({"s2": _own_id(record), **_external(record)}),
        abstract=checked_abstract(plain_text(record.get("abstract"))),
        fields=_fields_of(record),
        citation_count=clean_count(record.get("citationcount")),
    )
    return Entry(paper=dated_by_arxiv(paper), key=_corpus_key(record), line=line)


def own_id(record: Mapping[str, object]) -> str:
    """The paper's `paperId`, empty where Semantic Scholar has none for it."""
    found = clean_text(record.get("paperId")).lower()
    return found if _PAPER_ID.fullmatch(found) else ""


def _own_id(record: Mapping[str, object]) -> str:
    """From its field; in the data set, from the paper's address."""
    return own_id({"paperId": record.get("paperid") or clean_text(record.get("url")).rpartition("/")[2]})


def _external(record: Mapping[str, object]) -> dict[str, object]:
    external = nested_object(record, "externalids")
    return {scheme: external.get(name) for scheme, name in _EXTERNAL.items()}


def _corpus_key(record: Mapping[str, object]) -> str:
    """The data set names papers by number; the API's answers have a name of their own."""
    number = record.get("corpusid")
    return f"corpusid:{number}" if isinstance(number, int) and "paperid" not in record else ""


def _venue(record: Mapping[str, object]) -> str:
    named = nested_object(record, "publicationvenue").get("name")
    return venue_name(named, record.get("venue"), nested_object(record, "journal").get("name"))


def _refuse_what_is_no_paper(record: Mapping[str, object]) -> None:
    """Raises Unusable when all types that are given are of what is no paper."""
    given = record.get("publicationtypes")
    kinds = {kind for kind in given if isinstance(kind, str)} if isinstance(given, list) else set()
    if kinds and kinds <= _NO_PAPERS:
        raise UnusableRecord(f"no paper, of type {', '.join(sorted(kinds))}: {clean_text(record.get('title'))[:80]!r}")


def _fields_of(record: Mapping[str, object]) -> tuple[str, ...]:
    given = record.get("fieldsofstudy")
    names = [field.get("category") for field in objects(record.get("s2fieldsofstudy"))]
    names += given if isinstance(given, list) else []
    return tuple(filter(None, dict.fromkeys(map(plain_text, names))))
