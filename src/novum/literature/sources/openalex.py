"""OpenAlex: works of every field, with their references, as https://developers.openalex.org describes them."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar
from urllib.parse import quote

from novum.core import Identifiers, Paper
from novum.errors import BadInput
from novum.literature.entry import Entry, Reference, Reject, clean_identifier
from novum.literature.importing.cleaning import clean_count, clean_identifiers, clean_text, clean_year
from novum.literature.importing.inverted_abstract import rebuild_abstract
from novum.literature.importing.record import UnusableRecord, checked_abstract, dated_by_arxiv
from novum.literature.sources.json_responses import (
    MOST_REFERENCES,
    author_names,
    certain_day,
    clean_title,
    entries_of,
    in_chunks,
    json_object,
    nested_object,
    objects,
    plain_text,
    venue_name,
)
from novum.literature.sources.query_words import is_long, key_query, keywords, quoted_phrases
from novum.literature.sources.source import Page, RateLimits, Request, Search, Source, sources

_PAGE = 100
"""Works in an answer, at most."""
_DEEPEST = 10_000
"""Works that can be reached by page number; further ones by a cursor, which OpenAlex grants only with a key."""
_LIST_COST, _SEARCH_COST = 0.0001, 0.001
"""US dollars, as https://developers.openalex.org states them in 2026."""
_SEARCH_PARAMETERS = frozenset({"search", "search.exact", "search.semantic"})
_NAMES = 50
"""DOIs in one filter: addresses may have about 4,000 characters."""
_NUMBERS = 100
"""Ids in one filter, at most."""
_KEYWORDS = 6
"""Of a search: OpenAlex joins them by AND."""
_TOPIC_WORDS = 8
"""Of a topic by which citing papers are ordered, joined by OR."""
_FEW = 5
"""A search that finds fewer works is repeated with fewer words."""
_SEMANTIC_PAGE, _SEMANTIC_CHARACTERS = 50, 2_000
"""Works that the semantic search gives at most, and characters that it reads."""
_SELECT = ",".join(
    (
        "id,doi,ids,title,display_name,publication_year,publication_date,authorships,primary_location,locations",
        "cited_by_count,type,is_retracted,is_paratext,topics,referenced_works,abstract_inverted_index",
    )
)

_ARXIV_DOI = "10.48550/arxiv."
_ARXIV_PAGE = re.compile(r"https?://arxiv\.org/(?:abs|pdf)/([^\s?#]{1,40})", re.IGNORECASE)
_NO_PAPERS = frozenset(
    {
        "book-review",
        "dataset",
        "editorial",
        "erratum",
        "grant",
        "letter",
        "libguides",
        "paratext",
        "peer-review",
        "retraction",
        "software",
        "supplementary-materials",
    }
)
"""Types of works, of https://developers.openalex.org/api-reference/work-types."""
_FIELDS = 12
_SURE = 0.3
"""Score from which a concept, the predecessor of topics, is believed."""


@sources.register("openalex")
class OpenAlex(Source):
    """Works with their references, found by words, by meaning, by name, or by what they cite.

    A search becomes its keywords, at most six, all of which must occur; if they find next to nothing, fewer follow.
    Words in double quotes stay together. A longer text goes to the semantic search, and where that does not answer, to
    the search of its keywords.
    """

    name: ClassVar[str] = "openalex"
    title: ClassVar[str] = "OpenAlex"
    home: ClassVar[str] = "https://api.openalex.org"
    rate_limits: ClassVar[RateLimits] = RateLimits(pause=0.1, pause_with_key=0.1, at_once=4)
    key_names: ClassVar[tuple[str, ...]] = ("OPENALEX_API_KEY",)
    key_page: ClassVar[str] = "https://openalex.org/settings/api"
    key_offer: ClassVar[str] = "free, for ten to a hundred times as many searches"
    terms: ClassVar[str] = (
        "without a key OpenAlex answers 10 to 100 searches a day, a free key gives 1,000: a search costs $0.001 of "
        "$0.01 to $0.10 or $1 a day, a list $0.0001, single works nothing"
    )
    has_references: ClassVar[bool] = True
    filters_by: ClassVar[frozenset[str]] = frozenset({"fields"})

    def search(self, search: Search) -> Request:
        """Best matches first. Raises BadInput without words, and for a field that OpenAlex does not have."""
        limits = {"filter": chosen} if (chosen := ",".join(_filters(search))) else {}
        by_words = self._by_words(search, limits)
        if not is_long(search.text):
            return by_words
        query = {
            "search.semantic": clean_text(search.text)[:_SEMANTIC_CHARACTERS],
            "per_page": str(max(1, min(_SEMANTIC_PAGE, search.limit))),
            **limits,
        }
        more = by_words if search.limit > _SEMANTIC_PAGE else None
        request = self._first(query, more=more)
        return replace(request, instead=by_words)

    def fetch(self, names: Sequence[tuple[str, str]]) -> list[Request]:
        """By OpenAlex ids, DOIs and numbers of PubMed, fifty or a hundred to a request; arXiv papers by the DOI
        that arXiv gives them."""
        known = _known(names)
        odd = [(scheme, value) for scheme, value in known if scheme == "doi" and _ODD.search(value)]
        return [
            *self._filter_requests("openalex", _values(known, "openalex"), _NUMBERS),
            *self._filter_requests("doi", [doi for doi in _values(known, "doi") if not _ODD.search(doi)], _NAMES),
            *self._filter_requests("pmid", _values(known, "pmid"), _NUMBERS),
            *(self._single(scheme, value) for scheme, value in odd),
        ]

    def fetch_free(self, names: Sequence[tuple[str, str]]) -> list[Request]:
        """One work a request, which costs nothing."""
        return [self._single(scheme, value) for scheme, value in _known(names)]

    def cost(self, request: Request) -> float:
        """Single works are free; a list costs 0.0001 and a search, also a semantic one, 0.001 US dollars."""
        if not request.url.endswith("/works"):
            return 0.0
        return _SEARCH_COST if request.parameters.keys() & _SEARCH_PARAMETERS else _LIST_COST

    def citations(self, papers: Sequence[Paper], *, topic: str = "") -> list[Request]:
        """Of papers that have an OpenAlex id; the most cited first. With a topic, those with any of its keywords, best
        matches first, which costs a search; if there are next to none, the most cited ones follow."""
        works = [work for paper in papers if (work := short_id(paper.ids.openalex or ""))]
        words = " OR ".join(key_query(topic, _TOPIC_WORDS))
        return [self._citing("|".join(some), words) for some in in_chunks(works, _NAMES)]

    def credentials(self, key: str, contact: str) -> dict[str, str]:
        """A key, and where to write to when something goes wrong."""
        return {name: value for name, value in (("api_key", key), ("mailto", contact)) if value}

    def _by_words(self, search: Search, limits: Mapping[str, str]) -> Request:
        """The search of the keywords; the search of half of them follows where they find next to nothing."""
        phrases, rest = quoted_phrases(search.text)
        quoted = [f'"{phrase}"' if " " in phrase else phrase for phrase in phrases[:_KEYWORDS]]
        words = quoted + key_query(rest, _KEYWORDS - len(quoted))
        if not words:
            raise BadInput(f"{self.title} needs words to search for: there are none in {search.text[:40]!r}.")
        page = {"per_page": str(max(1, min(_PAGE, search.limit))), **limits}
        half = {*quoted, *keywords(rest, (len(words) + 1) // 2 - len(quoted))}
        fewer = [word for word in words if word in half]
        by_cursor = search.limit > _DEEPEST
        relaxed = self._first({"search": " ".join(fewer), **page}, by_cursor=by_cursor) if len(fewer) > 1 else None
        more = relaxed if len(fewer) < len(words) else None
        return self._first({"search": " ".join(words), **page}, by_cursor=by_cursor, few=more)

    def _citing(self, works: str, words: str) -> Request:
        query = {"filter": f"cites:{works}", "per_page": str(_PAGE)}
        most_cited = self._first({**query, "sort": "cited_by_count:desc"})
        return self._first({**query, "search": words}, few=most_cited) if words else most_cited

    def _filter_requests(self, name: str, values: Sequence[str], most: int) -> list[Request]:
        return [
            self._first({"filter": f"{name}:{'|'.join(some)}", "per_page": str(_PAGE)})
            for some in in_chunks(values, most)
        ]

    def _single(self, scheme: str, value: str) -> Request:
        name = value if scheme == "openalex" else f"{scheme}:{value}"
        return Request(f"{self.address}/works/{quote(name, safe=':')}", self._read_one, {"select": _SELECT})

    def _first(
        self,
        query: Mapping[str, str],
        *,
        by_cursor: bool = False,
        few: Request | None = None,
        more: Request | None = None,
    ) -> Request:
        """The first page of a query. `few` follows if it finds next to nothing, `more` in any case."""
        whole = {**query, "select": _SELECT}
        request = self._page(whole, "*" if by_cursor else 1)
        if not few and not more:
            return request
        return replace(request, read=partial(self._read_first, request.read, few, more))

    def _read_first(
        self, read: Callable[[bytes], Page], few: Request | None, more: Request | None, answer: bytes
    ) -> Page:
        page = read(answer)
        found = len(page.entries) + len(page.rejects) if page.total is None else page.total
        following = more or (few if found < _FEW else None) or page.next_request
        return replace(page, next_request=following)

    def _page(self, query: Mapping[str, str], place: int | str) -> Request:
        """The page at `place`: a number, or a cursor."""
        here = {"cursor": place} if isinstance(place, str) else {"page": str(place)}
        return Request(f"{self.address}/works", partial(self._read, query, place), {**query, **here}, when_missing=None)

    def _read(self, query: Mapping[str, str], place: int | str, answer: bytes) -> Page:
        record = json_object(answer)
        works, meta = record.get("results"), nested_object(record, "meta")
        if not isinstance(works, list):
            raise ValueError("no list of results")
        size, total = int(query["per_page"]), clean_count(meta.get("count"))
        reached = place * size if isinstance(place, int) else 0
        entries, rejects = entries_of(enumerate(objects(works), max(1, reached - size + 1)), work_entry, self.title)
        following = self._following(query, place, total or 0, meta) if works else None
        if works and not following and total and total > _DEEPEST and isinstance(place, int):
            rejects.append(
                Reject(file=self.title, line=reached, reason=f"the other {total - reached:,} cannot be fetched")
            )
        return Page(tuple(entries), tuple(rejects), following, total)

    def _following(
        self, query: Mapping[str, str], place: int | str, total: int, meta: Mapping[str, object]
    ) -> Request | None:
        if isinstance(place, int):
            reached = place * int(query["per_page"])
            return self._page(query, place + 1) if reached < min(total, _DEEPEST) else None
        cursor = meta.get("next_cursor")
        return self._page(query, cursor) if isinstance(cursor, str) and cursor else None

    def _read_one(self, answer: bytes) -> Page:
        entries, rejects = entries_of([(1, json_object(answer))], work_entry, self.title)
        return Page(tuple(entries), tuple(rejects), total=1)


_ODD = re.compile(r"[^\w./()\-;]")
"""Signs that mean something in a filter."""


def _known(names: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The names that OpenAlex knows, as it writes them, once each."""
    found: dict[str, Callable[[str], str]] = {
        "openalex": short_id,
        "doi": clean_text,
        "arxiv": lambda value: _ARXIV_DOI + clean_text(value),
        "pmid": partial(clean_identifier, "pmid"),
    }
    read = (
        (("doi" if scheme == "arxiv" else scheme), found[scheme](value)) for scheme, value in names if scheme in found
    )
    return [(scheme, value) for scheme, value in dict.fromkeys(read) if value]


def _values(names: Sequence[tuple[str, str]], scheme: str) -> list[str]:
    return [value for known, value in names if known == scheme]


def _filters(search: Search) -> Iterator[str]:
    if search.since:
        yield f"from_publication_date:{search.since}"
    if search.before:
        yield f"to_publication_date:{search.before - dt.timedelta(days=search.before > dt.date.min)}"
    if search.fields:
        yield f"topics.field.id:{'|'.join(map(_field_number, search.fields))}"


def _field_number(name: str) -> str:
    """OpenAlex asks for its fields by number. Raises BadInput for one that it does not have."""
    if name.casefold() not in _FIELD_NUMBERS:
        raise BadInput(f"OpenAlex has no field {name!r}. Its fields: {'; '.join(_FIELDS_OF_SCIENCE)}.")
    return str(_FIELD_NUMBERS[name.casefold()])


_FIELDS_OF_SCIENCE = (
    "Agricultural and Biological Sciences",
    "Arts and Humanities",
    "Biochemistry, Genetics and Molecular Biology",
    "Business, Management and Accounting",
    "Chemical Engineering",
    "Chemistry",
    "Computer Science",
    "Decision Sciences",
    "Earth and Planetary Sciences",
    "Economics, Econometrics and Finance",
    "Energy",
    "Engineering",
    "Environmental Science",
    "Immunology and Microbiology",
    "Materials Science",
    "Mathematics",
    "Medicine",
    "Neuroscience",
    "Nursing",
    "Pharmacology, Toxicology and Pharmaceutics",
    "Physics and Astronomy",
    "Psychology",
    "Social Sciences",
    "Veterinary",
    "Dentistry",
    "Health Professions",
)
_FIELD_NUMBERS = {name.casefold(): number for number, name in enumerate(_FIELDS_OF_SCIENCE, 11)}


def work_entry(record: Mapping[str, object], line: int = 0) -> Entry:
    """The entry of a work as the API and the snapshot write it; `line` is where it began in its file. Raises Unusable:
    withdrawn works and front matter are no papers."""
    title = clean_title(record.get("title") or record.get("display_name"))
    if record.get("is_retracted") is True:
        raise UnusableRecord(f"withdrawn: {title[:80]!r} is marked as retracted")
    if record.get("is_paratext") is True:
        raise UnusableRecord(f"no paper but front matter: {title[:80]!r}")
    if (kind := record.get("type")) in _NO_PAPERS:
        raise UnusableRecord(f"no paper, of type {kind}: {title[:80]!r}")
    paper = Paper(
        title=title,
        authors=author_names(_author(authorship) for authorship in objects(record.get("authorships"))),
        year=clean_year(record.get("publication_year")),
        date=certain_day(record.get("publication_date")),
        venue=_venue(record),
        ids=_identifiers(record),
        abstract=checked_abstract(
            plain_text(rebuild_abstract({"InvertedIndex": record.get("abstract_inverted_index")}))
        ),
        fields=_fields(record),
        citation_count=clean_count(record.get("cited_by_count")),
    )
    return Entry(paper=dated_by_arxiv(paper), references=tuple(_references(record)), line=line)


def short_id(value: object) -> str:
    """`W123` of `https://openalex.org/W123`; empty for what names no work."""
    name = clean_text(value).rpartition("/")[2].upper()
    return name if re.fullmatch(r"W\d{1,15}", name) else ""


def _author(authorship: Mapping[str, object]) -> object:
    return nested_object(authorship, "author").get("display_name") or authorship.get("raw_author_name")


def _venue(record: Mapping[str, object]) -> str:
    """Of the primary location; in records from before 2023, of the host venue."""
    where = nested_object(record, "primary_location")
    older = nested_object(record, "host_venue").get("display_name")
    return venue_name(nested_object(where, "source").get("display_name"), where.get("raw_source_name"), older)


def _identifiers(record: Mapping[str, object]) -> Identifiers:
    ids = nested_object(record, "ids")
    doi = clean_text(record.get("doi") or ids.get("doi"))
    found: dict[str, object] = {"doi": doi, "openalex": short_id(record.get("id") or ids.get("openalex"))}
    found |= {"pmid": ids.get("pmid"), "pmcid": ids.get("pmcid")}
    _, arxiv, number = doi.lower().partition(_ARXIV_DOI)
    pages = (_ARXIV_PAGE.match(clean_text(place.get("landing_page_url"))) for place in objects(record.get("locations")))
    found["arxiv"] = number if arxiv else next((page.group(1) for page in pages if page), None)
    return clean_identifiers(found)


def _fields(record: Mapping[str, object]) -> tuple[str, ...]:
    """Fields of the topics, then the topics; concepts where an older record has no topics."""
    topics = list(objects(record.get("topics"))) or [nested_object(record, "primary_topic")]
    names = [nested_object(topic, level).get("display_name") for level in ("field", "subfield") for topic in topics]
    names += [topic.get("display_name") for topic in topics]
    if not any(names):
        names = [concept.get("display_name") for concept in objects(record.get("concepts")) if _is_sure(concept)]
    return tuple(filter(None, dict.fromkeys(map(plain_text, names))))[:_FIELDS]


def _is_sure(concept: Mapping[str, object]) -> bool:
    score = concept.get("score")
    return isinstance(score, int | float) and score >= _SURE


def _references(record: Mapping[str, object]) -> Iterator[Reference]:
    cited = record.get("referenced_works")
    names = map(short_id, cited[:MOST_REFERENCES]) if isinstance(cited, list) else ()
    for name in dict.fromkeys(names):
        if name:
            yield Reference(scheme="openalex", value=name)
