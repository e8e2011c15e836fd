"""OpenAlex: works of every field, with their references, as https://developers.openalex.org describes them."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import ClassVar
from urllib.parse import quote

from novum.core import Identifiers, Paper
from novum.errors import BadInput
from novum.literature.entry import Entry, Reference, Reject
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
    search_words,
)
from novum.literature.sources.source import Page, RateLimits, Request, Search, Source, sources

_PAGE = 100
"""Works in an answer, at most."""
_DEEPEST = 10_000
"""Works that can be reached by page number; further ones by a cursor, which OpenAlex grants only with a key."""
_LIST_COST, _SEARCH_COST = 0.0001, 0.001
"""US dollars, as https://developers.openalex.org states them in 2026."""
_SEARCH_PARAMETERS = frozenset({"search", "search.exact", "search.semantic"})
_NAMES = 50
"""In one filter."""
_SELECT = ",".join(
    (
        "id,doi,ids,title,display_name,publication_year,publication_date,authorships,primary_location,locations",
        "cited_by_count,is_retracted,is_paratext,topics,referenced_works,abstract_inverted_index",
    )
)

_ARXIV_DOI = "10.48550/arxiv."
_ARXIV_PAGE = re.compile(r"https?://arxiv\.org/(?:abs|pdf)/([^\s?#]{1,40})", re.IGNORECASE)
_FIELDS = 12
_SURE = 0.3
"""Score from which a concept, the predecessor of topics, is believed."""


@sources.register("openalex")
class OpenAlex(Source):
    """Works with their references, found by words, by name, or by what they cite."""

    name: ClassVar[str] = "openalex"
    title: ClassVar[str] = "OpenAlex"
    home: ClassVar[str] = "https://api.openalex.org"
    rate_limits: ClassVar[RateLimits] = RateLimits(pause=0.2, pause_with_key=0.1, at_once=2)
    key_names: ClassVar[tuple[str, ...]] = ("OPENALEX_API_KEY",)
    has_references: ClassVar[bool] = True
    filters_by: ClassVar[frozenset[str]] = frozenset({"fields"})

    def search(self, search: Search) -> Request:
        """Best matches first. Without a key OpenAlex answers a handful of searches a day."""
        query = {"search": search_words(search.text, self.title), "per_page": str(max(1, min(_PAGE, search.limit)))}
        if chosen := ",".join(_filters(search)):
            query["filter"] = chosen
        return self._first(query, by_cursor=search.limit > _DEEPEST)

    def fetch(self, names: Sequence[tuple[str, str]]) -> list[Request]:
        """By OpenAlex ids and DOIs, fifty to a request; arXiv papers by the DOI that arXiv gives them."""
        dois = [value if scheme == "doi" else _ARXIV_DOI + value for scheme, value in names if scheme in _AS_DOI]
        odd = [doi for doi in dois if _ODD.search(doi)]
        works = [short_id(value) for scheme, value in names if scheme == "openalex"]
        query = [
            *self._filter_requests("openalex", [work for work in works if work]),
            *self._filter_requests("doi", [doi for doi in dois if doi not in odd]),
        ]
        return query + [self._single(doi) for doi in dict.fromkeys(odd)]

    def cost(self, request: Request) -> float:
        """Single works are free; a list costs 0.0001 and a search, also a semantic one, 0.001 US dollars."""
        if not request.url.endswith("/works"):
            return 0.0
        return _SEARCH_COST if request.parameters.keys() & _SEARCH_PARAMETERS else _LIST_COST

    def citations(self, papers: Sequence[Paper], *, topic: str = "") -> list[Request]:
        """Of papers that have an OpenAlex id; the most cited first, or with a topic those that fit it best, which costs
        a search."""
        works = [work for paper in papers if (work := short_id(paper.ids.openalex or ""))]
        words = search_words(topic, self.title) if topic.strip() else ""
        order = {"search": words} if words else {"sort": "cited_by_count:desc"}
        return [
            self._first({"filter": f"cites:{'|'.join(some)}", **order, "per_page": str(_PAGE)})
            for some in in_chunks(works, _NAMES)
        ]

    def credentials(self, key: str, contact: str) -> dict[str, str]:
        """A key, and where to write to when something goes wrong."""
        return {name: value for name, value in (("api_key", key), ("mailto", contact)) if value}

    def _filter_requests(self, name: str, values: Sequence[str]) -> list[Request]:
        return [
            self._first({"filter": f"{name}:{'|'.join(some)}", "per_page": str(_PAGE)})
            for some in in_chunks(values, _NAMES)
        ]

    def _single(self, doi: str) -> Request:
        """A DOI with signs that mean something in a filter."""
        return Request(f"{self.address}/works/doi:{quote(doi, safe=':')}", self._read_one, {"select": _SELECT})

    def _first(self, query: Mapping[str, str], *, by_cursor: bool = False) -> Request:
        return self._page({**query, "select": _SELECT}, "*" if by_cursor else 1)

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


_AS_DOI = frozenset({"doi", "arxiv"})
_ODD = re.compile(r"[^\w./()\-;]")


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
    where = nested_object(record, "primary_location")
    return plain_text(nested_object(where, "source").get("display_name") or where.get("raw_source_name"))


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
