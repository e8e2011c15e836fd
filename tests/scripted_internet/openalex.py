"""OpenAlex as https://developers.openalex.org describes it in 2026: works, searches, filters, prices, budgets.

Messages of errors and which status they have are those of its own server.
"""

from __future__ import annotations

import base64
import datetime as dt
import json
import re
from collections import defaultdict
from functools import reduce
from typing import Any, ClassVar
from urllib.parse import unquote
from zlib import crc32

import numpy as np

from tests.scripted_internet.boolean_query import BooleanQuery, QueryFault
from tests.scripted_internet.corpus import NOTICE_KINDS, Ints
from tests.scripted_internet.literature import NOTHING, Literature, best_first
from tests.scripted_internet.service import Call, Refused, Reply, Rules, ScriptedService, as_json, day_of, whole_number
from tests.scripted_internet.words import listed

_LIST, _SEARCH = 0.0001, 0.001
"""US dollars a request; single works are free."""
_CREDITS = 10_000
"""In a US dollar."""
_LARGEST_PAGE, _DEEPEST, _MOST_VALUES = 100, 10_000, 100
_SEMANTIC_RESULTS, _SEMANTIC_LENGTH, _SEMANTIC_PAUSE = 50, 2000, 1.0
_PER_SECOND = 100
_LONGEST_ADDRESS = 4096
_FIELDS_OF_SCIENCE = listed(
    "Agricultural and Biological Sciences;Arts and Humanities;Biochemistry, Genetics and Molecular Biology;Business, "
    "Management and Accounting;Chemical Engineering;Chemistry;Computer Science;Decision Sciences;Earth and Planetary "
    "Sciences;Economics, Econometrics and Finance;Energy;Engineering;Environmental Science;Immunology and Microbiology;"
    "Materials Science;Mathematics;Medicine;Neuroscience;Nursing;Pharmacology, Toxicology and Pharmaceutics;"
    "Physics and "
    "Astronomy;Psychology;Social Sciences;Veterinary;Dentistry;Health Professions",
    ";",
)
_PARAMETERS = listed(
    "apc_sum api-key api_key cited_by_count_sum cursor data_version data-version filter format include_xpac "
    "include-xpac "
    "group_by group-by group_bys group-bys mailto page per_page per-page q sample seed search select sort warm"
)
_SEARCHES = ("search", "search.semantic", "search.exact", "search.title", "search.title.exact")
_SEARCHES += ("search.title_and_abstract", "search.title_and_abstract.exact")
_SELECTABLE = listed(
    "id doi title display_name relevance_score publication_year publication_date ids language primary_location type "
    "type_crossref indexed_in open_access authorships cited_by_count biblio is_retracted is_paratext primary_topic "
    "topics "
    "keywords locations_count locations best_oa_location referenced_works_count referenced_works related_works "
    "abstract_inverted_index counts_by_year updated_date created_date has_fulltext fwci"
)
_OTHER_FILTERS = listed(
    "abstract.search author.id authorships.author.id authorships.institutions.id biblio.volume concepts.id "
    "has_fulltext has_references institutions.country_code is_oa keywords.id language locations.source.id "
    "open_access.is_oa open_access.oa_status primary_location.source.id primary_topic.field.id primary_topic.id "
    "topics.id topics.subfield.id"
)
"""Filters that OpenAlex has and that are not played here."""
_TYPES = {"editorial": "editorial", "erratum": "erratum", "paratext": "paratext", "letter": "letter"}
_TYPES |= {"peer-review": "peer-review"}


class ScriptedOpenAlex(ScriptedService):
    """Works by search, by meaning, by filter and by name; every address spends its daily budget."""

    name: ClassVar[str] = "openalex"
    seconds: ClassVar[tuple[float, float]] = (0.3, 0.8)

    def __init__(self, literature: Literature, rules: Rules) -> None:
        super().__init__(literature, rules)
        self.spent: dict[str, float] = defaultdict(float)
        """US dollars today, by key; the empty key is everybody without one."""
        self._meant: list[float] = []
        self._asked: list[float] = []

    def reset(self) -> None:
        self.spent.clear()
        self._meant.clear()
        self._asked.clear()

    def answer(self, call: Call) -> Reply:
        if call.length > _LONGEST_ADDRESS:
            raise Refused(Reply(b"<html><h1>414 Request-URI Too Large</h1></html>", 414, content_type="text/html"))
        key = self._key(call)
        self._refuse_haste(call)
        if call.path.startswith("/works/"):
            return self._single(call, key, unquote(call.path.removeprefix("/works/")))
        if call.path == "/rate-limit":
            return Reply(as_json({"api_key": key, "rate_limit": self._balance(key)}), headers=self._headers(key, 0.0))
        if call.path != "/works":
            raise Refused(_not_found())
        self._check_parameters(call)
        cost = self._price(call)
        if self.spent[key] + cost > self._budget(key) + 1e-9:
            raise Refused(self._no_money(key, cost))
        reply = self._works(call)
        self.spent[key] += cost
        return Reply(
            reply.body,
            headers=self._headers(key, cost),
            kind=reply.kind,
            words=reply.words,
            cost=cost,
            about=reply.about,
            found=reply.found,
        )

    # Keys, money, pace

    def _key(self, call: Call) -> str:
        bearer = call.headers.get("authorization", "").removeprefix("Bearer ")
        key = call.query.get("api_key") or call.query.get("api-key") or bearer
        if key and key not in self.rules.valid_keys:
            raise Refused(_refusal(401, "Invalid or missing API key", "API key not found"))
        return key

    def _refuse_haste(self, call: Call) -> None:
        self._asked = [at for at in self._asked if call.at - at < 1.0] + [call.at]
        if self.rules.paced and len(self._asked) > _PER_SECOND:
            raise Refused(_refusal(429, "Rate limit exceeded", "Too many requests per second."))

    def _price(self, call: Call) -> float:
        if "search.semantic" in call.query:
            return self.rules.semantic_search_usd
        searched = any(name in call.query for name in _SEARCHES) or ".search:" in call.query.get("filter", "")
        return _SEARCH if searched else _LIST

    def _budget(self, key: str) -> float:
        return self.rules.openalex_daily_usd_with_key if key else self.rules.openalex_daily_usd

    def _balance(self, key: str) -> dict[str, float]:
        left = max(0.0, self._budget(key) - self.spent[key])
        return {
            "daily_budget_usd": self._budget(key),
            "daily_remaining_usd": round(left, 6),
            "resets_in_seconds": _reset(),
        }

    def _headers(self, key: str, cost: float) -> dict[str, str]:
        budget, left = self._budget(key), max(0.0, self._budget(key) - self.spent[key])
        return {
            "x-ratelimit-limit": f"{budget * _CREDITS:.0f}",
            "x-ratelimit-remaining": f"{left * _CREDITS:.0f}",
            "x-ratelimit-credits-used": f"{cost * _CREDITS:.0f}",
            "x-ratelimit-reset": str(_reset()),
            "x-ratelimit-limit-usd": f"{budget:g}",
            "x-ratelimit-remaining-usd": f"{left:.4f}".rstrip("0").rstrip("."),
            "x-ratelimit-cost-usd": f"{cost:g}",
            "x-ratelimit-prepaid-remaining-usd": "0",
        }

    def _no_money(self, key: str, cost: float) -> Reply:
        left = max(0.0, round(self._budget(key) - self.spent[key], 6))
        said = {
            "error": "Rate limit exceeded",
            "message": f"Insufficient budget. This request costs ${cost:g} but you only have ${left:g} remaining. "
            "Resets at midnight UTC.",
            "retryAfter": _reset(),
            "dailyRemainingUsd": left,
        }
        headers = {
            "retry-after": str(_reset()),
            "x-ratelimit-limit": f"{self._budget(key) * _CREDITS:.0f}",
            "x-ratelimit-limit-usd": f"{self._budget(key):g}",
            "x-ratelimit-credits-required": f"{cost * _CREDITS:.0f}",
            "x-ratelimit-cost-required-usd": f"{cost:g}",
        }
        return Reply(as_json(said), 429, headers)

    # Single works

    def _single(self, call: Call, key: str, name: str) -> Reply:
        paper = self._named(name)
        if paper is None:
            raise Refused(_not_found())
        work = _selected(self._work(paper), self._select(call))
        return Reply(as_json(work), headers=self._headers(key, 0.0), kind="single", about=(paper,), found=1)

    def _named(self, name: str) -> int | None:
        """By `W…`, `doi:…`, `pmid:…`, `pmcid:…` or the whole address of any of them."""
        name = re.sub(r"^https?://(dx\.)?doi\.org/", "doi:", name)
        name = re.sub(r"^https?://(api\.)?openalex\.org/(works/)?", "", name)
        scheme, colon, value = name.partition(":")
        scheme, value = (scheme.lower(), value) if colon else ("openalex", name)
        paper = self.corpus.number_of(scheme, value.rpartition("/")[2] if scheme in ("pmid", "pmcid") else value)
        return paper if paper is not None and self.corpus.in_openalex[paper] else None

    # Lists

    def _check_parameters(self, call: Call) -> None:
        names = [name for name, _ in call.pairs]
        for name in names:
            if name.startswith("search."):
                if name not in _SEARCHES:
                    raise _invalid(
                        f"'{name}' is not a valid search parameter. "
                        f"Valid search parameters are: {', '.join(_SEARCHES)}."
                    )
            elif name not in _PARAMETERS:
                raise _invalid(f"{name} is not a valid parameter. Valid parameters are: {', '.join(_PARAMETERS)}.")
        if names.count("filter") > 1:
            raise _invalid("Only one filter parameter is allowed.")
        searched = [name for name in names if name in _SEARCHES]
        if "search.semantic" in searched and len(searched) > 1:
            raise _invalid(
                "search.semantic cannot be combined with other search parameters. Use search.semantic alone."
            )
        for name in searched:
            for sign in "!|":
                if any(word.startswith("!") if sign == "!" else sign in word for word in call.query[name].split()):
                    raise _invalid(
                        f"The search parameter does not support the {sign} operator. Problem value: {call.query[name]}"
                    )

    def _works(self, call: Call) -> Reply:
        searched = next((name for name in _SEARCHES if call.query.get(name)), "")
        select = self._select(call)
        per_page = whole_number(call.query.get("per_page", call.query.get("per-page")), 25)
        page = whole_number(call.query.get("page"), 1)
        if per_page is None or page is None:
            raise _invalid(f"Param {'per-page' if per_page is None else 'page'} must be a number.")
        about: list[int] = []
        fitting = self._filtered(call.query.get("filter", ""), about)
        ordered, scores = self._ordered(call, searched, fitting)
        if searched == "search.semantic":
            self._check_semantic(call, per_page)
            ordered = ordered[:_SEMANTIC_RESULTS]
        shown, cursor = self._page(call, ordered, page, per_page)
        works = [self._work(int(paper), float(scores[paper]) if searched else None) for paper in shown]
        meta: dict[str, Any] = {"count": len(ordered), "db_response_time_ms": 41, "page": page, "per_page": per_page}
        meta |= {"groups_count": None, "cost_usd": self._price(call)}
        if "cursor" in call.query:
            meta |= {"page": None, "next_cursor": cursor}
        body = {"meta": meta, "results": [_selected(work, select) for work in works], "group_by": []}
        kind = {"": "citations" if "cites:" in call.query.get("filter", "") else "list", "search.semantic": "semantic"}
        return Reply(
            as_json(body),
            kind=kind.get(searched, "search"),
            words=call.query.get(searched, ""),
            about=tuple(about),
            found=len(works),
        )

    def _check_semantic(self, call: Call, per_page: int) -> None:
        if "cursor" in call.query:
            raise _invalid("Cursor pagination is not supported with semantic search.", "Pagination error.")
        if per_page > _SEMANTIC_RESULTS:
            raise _invalid(f"per_page cannot exceed {_SEMANTIC_RESULTS} for semantic search.", "Pagination error.")
        self._meant = [at for at in self._meant if call.at - at < _SEMANTIC_PAUSE] + [call.at]
        if self.rules.paced and len(self._meant) > 1:
            raise Refused(_refusal(429, "Rate limit exceeded", "Semantic search is limited to 1 request per second."))

    def _page(self, call: Call, ordered: Ints, page: int, per_page: int) -> tuple[Ints, str | None]:
        if not 1 <= per_page <= _LARGEST_PAGE:
            raise _invalid(f"per-page parameter must be between 1 and {_LARGEST_PAGE}.", "Pagination error.")
        if page < 1:
            raise _invalid("Page parameter must be greater than 0.", "Pagination error.")
        if "cursor" in call.query:
            start = _cursor_place(call.query["cursor"])
            shown = ordered[start : start + per_page]
            return shown, _cursor(start + per_page) if len(shown) == per_page else None
        if page * per_page > _DEEPEST:
            raise _invalid(
                "Maximum results size of 10,000 records is exceeded. Cursor pagination is required for records beyond "
                "10,000. See: https://developers.openalex.org/guides/page-through-results",
                "Pagination error.",
            )
        return ordered[(page - 1) * per_page : page * per_page], None

    def _ordered(self, call: Call, searched: str, fitting: Ints) -> tuple[Ints, np.ndarray]:
        """The works in the order that was asked for: by relevance after a search, else the newest first."""
        scores = np.zeros(self.corpus.size)
        if searched:
            found, scores = self._searched(searched, call.query[searched])
            fitting = np.intersect1d(fitting, found)
        keys = self._sort_keys(call.query.get("sort", ""), searched)
        ordered = fitting[::-1] if not searched else best_first(fitting, scores)
        for name, falling in reversed(keys):
            if name != "relevance_score":
                values = self.corpus.citation_count if name == "cited_by_count" else self.corpus.day
                ordered = ordered[np.argsort(-values[ordered] if falling else values[ordered], kind="stable")]
            else:
                ordered = best_first(ordered, scores)
        return ordered, scores

    def _sort_keys(self, sort: str, searched: str) -> list[tuple[str, bool]]:
        keys = []
        for part in filter(None, sort.split(",")):
            name, _, way = part.partition(":")
            if name == "relevance_score" and not searched:
                raise _invalid("Must include a search query in order to sort by relevance_score.")
            if name not in ("relevance_score", "cited_by_count", "publication_date", "publication_year"):
                raise _invalid(f"{name} is not a valid field. Valid fields are underscore or hyphenated versions of: …")
            if name == "relevance_score" and way == "asc":
                raise _invalid("Sorting relevance score ascending is not allowed.")
            keys.append((name, way == "desc"))
        return keys

    def _searched(self, name: str, text: str) -> tuple[Ints, np.ndarray]:
        """What a search finds, and how well it fits: words by BM25 and citations, meanings by their cosine."""
        if name == "search.semantic":
            scores = self.literature.texts.similarity(text[:_SEMANTIC_LENGTH])
            return np.flatnonzero(scores > 0.0), scores
        index = self.literature.titles if ".title" in name and "abstract" not in name else self.literature.texts
        scores = index.score(re.findall(r"[^\W_]+", text)) * np.log(self.corpus.citation_count + 10)
        return self._boolean(text, index), scores

    def _boolean(self, text: str, index: Any) -> Ints:
        text = re.sub(r"(?<!\w)[:+*~?\\/^{}\[\]<>=-]+|[,;?.](?=\s|$)", " ", text)

        def look(field: str, value: str) -> Ints:
            return self.literature.with_words(f"{field} {value}" if field else value, index)

        if not re.search(r'\b(AND|OR|NOT)\b|"', text):
            return self.literature.with_all(text, index)
        try:
            return BooleanQuery(text, look, self.corpus.size).papers()
        except QueryFault as fault:
            raise _invalid(f"Invalid search query: {fault}.") from fault

    # Filters

    def _filtered(self, text: str, about: list[int]) -> Ints:
        found = np.flatnonzero(self.corpus.in_openalex)
        for part in filter(None, text.split(",")):
            name, colon, value = part.partition(":")
            if not colon:
                raise _invalid(f"Invalid query parameter in {part}.")
            found = np.intersect1d(found, self._one_filter(name.replace("-", "_"), value, about))
        return found

    def _one_filter(self, name: str, value: str, about: list[int]) -> Ints:
        values = value.lstrip("!").split("|")
        if len(values) > _MOST_VALUES:
            raise _invalid(
                f"Maximum number of values exceeded for {name}. Decrease values to {_MOST_VALUES} or below, "
                "or consider "
                "downloading the full dataset at https://developers.openalex.org/download/snapshot-format"
            )
        chosen = [self._value(name, each, about) for each in values]
        found = reduce(np.union1d, chosen)
        return np.setdiff1d(np.arange(self.corpus.size), found) if value.startswith("!") else found

    def _value(self, name: str, value: str, about: list[int]) -> Ints:
        """The papers that one value of a filter lets through."""
        if name in ("cites", "cited_by", "referenced_works"):
            return self._linked(name, value, about)
        if name in ("openalex", "openalex_id", "ids.openalex", "doi", "pmid", "ids.pmid", "pmcid", "ids.pmcid"):
            paper = self._by_name(name.removeprefix("ids.").removesuffix("_id"), value)
            about += [] if paper is None else [paper]
            return NOTHING if paper is None else np.array([paper])
        if name in ("from_publication_date", "to_publication_date", "publication_date"):
            return self._dated(name, value)
        if name == "publication_year":
            return self._years(value)
        if name.endswith(".search"):
            index = self.literature.titles if name.startswith(("title.", "display_name.")) else self.literature.texts
            return self._boolean(value, index)
        return self._by_property(name, value)

    def _linked(self, name: str, value: str, about: list[int]) -> Ints:
        paper = self._by_name("openalex", value)
        if paper is None:
            return NOTHING
        about.append(paper)
        return self.corpus.references(paper) if name == "cited_by" else self.corpus.citations(paper)

    def _by_name(self, scheme: str, value: str) -> int | None:
        value = value.strip('"')
        bare = re.sub(r"^(https?://(dx\.)?doi\.org/|doi:)", "", value)
        value = bare if scheme == "doi" else value.rpartition("/")[2]
        if scheme == "openalex" and not re.fullmatch(r"[Ww]\d+", value):
            raise _invalid(f"'{value}' is not a valid OpenAlex ID.")
        return self.corpus.number_of(scheme, value)

    def _dated(self, name: str, value: str) -> Ints:
        if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", value) or not day_of(value):
            raise _invalid(f"Value for param {name} is an invalid date. Format is yyyy-mm-dd (e.g. 2020-05-17).")
        day = day_of(value)
        return self.literature.between(None if name.startswith("to") else day, None if name.startswith("from") else day)

    def _years(self, value: str) -> Ints:
        first, dash, last = value.lstrip("<>").partition("-")
        if not first.isdigit() or (dash and not last.isdigit()):
            raise _invalid("Value for param publication_year must be a number.")
        year = self.corpus.year
        if value.startswith(("<", ">")):
            return np.flatnonzero(year < int(first) if value[0] == "<" else year > int(first))
        return np.flatnonzero((year >= int(first)) & (year <= int(last or first)))

    def _by_property(self, name: str, value: str) -> Ints:
        corpus, wanted = self.corpus, value.lower() == "true"
        flags = {
            "has_doi": corpus.has_doi,
            "has_abstract": corpus.abstract_openalex & (corpus.notice < 0),
            "has_pmid": corpus.has_pmid,
            "is_retracted": corpus.retracted,
            "is_paratext": corpus.notice == NOTICE_KINDS.index("paratext"),
        }
        if name in flags:
            return np.flatnonzero(flags[name] == wanted)
        if name == "type":
            place = NOTICE_KINDS.index(value) if value in NOTICE_KINDS else -1
            return np.flatnonzero(corpus.notice == place) if place >= 0 or value == "article" else NOTHING
        if name == "topics.field.id":
            area = _FIELDS_OF_SCIENCE[int(value.rpartition("/")[2]) - 11] if value[-2:].isdigit() else ""
            return np.flatnonzero([corpus.field_of(paper).area == area for paper in range(corpus.size)])
        if name == "cited_by_count":
            count = int(value.lstrip("<>") or 0)
            over, counts = value.startswith(">"), corpus.citation_count
            return np.flatnonzero(counts > count if over else counts < count if value[0] == "<" else counts == count)
        if name in _OTHER_FILTERS:
            return NOTHING
        known = sorted([*_OTHER_FILTERS, *flags, "cites", "cited_by", "doi", "openalex", "pmid", "type"])
        raise _invalid(
            f"{name} is not a valid field. Valid fields are underscore or hyphenated versions of: {', '.join(known)}"
        )

    # Records

    def _select(self, call: Call) -> list[str]:
        chosen = [name.strip() for name in call.query.get("select", "").split(",") if name.strip()]
        for name in chosen:
            if name not in _SELECTABLE:
                raise _invalid(
                    f"{name} is not a valid select field. Valid fields for select are: {', '.join(_SELECTABLE)}."
                )
        return chosen

    def _work(self, paper: int, score: float | None = None) -> dict[str, Any]:
        corpus, field = self.corpus, self.corpus.field_of(paper)
        doi = f"https://doi.org/{corpus.doi(paper)}" if corpus.has_doi[paper] else None
        name, title = f"https://openalex.org/{corpus.openalex(paper)}", corpus.title(paper)
        ids = {"openalex": name} | ({"doi": doi} if doi else {})
        if corpus.has_pmid[paper]:
            ids["pmid"] = f"https://pubmed.ncbi.nlm.nih.gov/{corpus.pmid(paper)}"
        if corpus.has_pmc[paper]:
            ids["pmcid"] = f"https://www.ncbi.nlm.nih.gov/pmc/articles/{corpus.pmcid(paper).removeprefix('PMC')}"
        locations = self._locations(paper, doi)
        topic = {
            "id": f"https://openalex.org/T{10_000 + int(corpus.topic[paper])}",
            "display_name": corpus.topic_of(paper).name.capitalize(),
            "score": 0.98,
            "subfield": {
                "id": f"https://openalex.org/subfields/{1200 + int(corpus.field[paper])}",
                "display_name": field.name,
            },
            "field": {
                "id": f"https://openalex.org/fields/{11 + _FIELDS_OF_SCIENCE.index(field.area)}",
                "display_name": field.area,
            },
            "domain": {"id": "https://openalex.org/domains/2", "display_name": "Science"},
        }
        notice = int(corpus.notice[paper])
        cited = [f"https://openalex.org/{corpus.openalex(int(each))}" for each in self._known_references(paper)]
        work = {
            "id": name,
            "doi": doi,
            "title": title,
            "display_name": title,
            "relevance_score": score,
            "publication_year": int(corpus.year[paper]),
            "publication_date": self.published(paper),
            "ids": ids,
            "language": "en",
            "primary_location": locations[0],
            "type": _TYPES[NOTICE_KINDS[notice]] if notice >= 0 else "article",
            "type_crossref": "peer-review" if notice == 4 else "journal-article",
            "open_access": {"is_oa": bool(corpus.has_pmc[paper] or corpus.has_arxiv[paper])},
            "authorships": self._authorships(paper),
            "cited_by_count": int(corpus.citation_count[paper]),
            "is_retracted": bool(corpus.retracted[paper]),
            "is_paratext": notice == NOTICE_KINDS.index("paratext"),
            "primary_topic": topic,
            "topics": [topic],
            "keywords": [{"display_name": term, "score": 0.5} for term in corpus.terms(paper)],
            "locations_count": len(locations),
            "locations": locations,
            "best_oa_location": next((place for place in locations if place["is_oa"]), None),
            "referenced_works_count": len(cited),
            "referenced_works": cited,
            "related_works": [],
            "abstract_inverted_index": self._inverted(paper),
        }
        if score is None:
            del work["relevance_score"]
        return work

    def _known_references(self, paper: int) -> Ints:
        """OpenAlex has not found every cited work."""
        references = self.corpus.references(paper)
        return references[self.corpus.in_openalex[references]]

    def _locations(self, paper: int, doi: str | None) -> list[dict[str, Any]]:
        corpus = self.corpus
        source: dict[str, Any] | None = {"display_name": corpus.venue(paper), "type": "journal", "is_oa": False}
        raw = corpus.venue(paper)
        if paper % 97 == 0:  # some sources are known by their address alone
            source, raw = None, f"https://repository.example.org/{corpus.field[paper]}"
        landing = doi or f"https://journals.example.org/{paper}"
        places = [
            {"is_oa": False, "landing_page_url": landing, "pdf_url": None, "source": source, "raw_source_name": raw}
        ]
        if corpus.has_arxiv[paper]:
            number = corpus.arxiv(paper)
            places.append(
                {
                    "is_oa": True,
                    "landing_page_url": f"https://arxiv.org/abs/{number}",
                    "pdf_url": f"https://arxiv.org/pdf/{number}",
                    "source": {"display_name": "arXiv (Cornell University)", "type": "repository", "is_oa": True},
                    "raw_source_name": None,
                }
            )
        return places

    def _authorships(self, paper: int) -> list[dict[str, Any]]:
        names = [f"{given} {family}" for given, family in self.corpus.authors(paper)]
        return [
            {
                "author_position": "first" if place == 0 else "last" if place == len(names) - 1 else "middle",
                "author": {
                    "id": f"https://openalex.org/A{5_000_000_000 + crc32(name.encode()) % 10**8}",
                    "display_name": name,
                },
                "institutions": [],
                "raw_author_name": name,
            }
            for place, name in enumerate(names)
        ]

    def _inverted(self, paper: int) -> dict[str, list[int]] | None:
        if not self.corpus.abstract_openalex[paper] or not (text := self.corpus.abstract(paper)):
            return None
        found: dict[str, list[int]] = {}
        for place, word in enumerate(text.split()):
            found.setdefault(word, []).append(place)
        return found


def _selected(work: dict[str, Any], select: list[str]) -> dict[str, Any]:
    return {name: work[name] for name in select if name in work} if select else work


def _reset() -> int:
    """Seconds to midnight UTC."""
    now = dt.datetime.now(dt.UTC)
    return 86_400 - (now.hour * 3600 + now.minute * 60 + now.second)


def _cursor(place: int) -> str:
    return base64.b64encode(json.dumps(f"[{place}]").encode()).decode()


def _cursor_place(cursor: str) -> int:
    if cursor == "*":
        return 0
    try:
        return int(json.loads(base64.b64decode(cursor)).strip("[]"))
    except (ValueError, AttributeError) as error:
        raise _invalid("Invalid cursor value", "Pagination error.") from error


def _invalid(message: str, kind: str = "Invalid query parameters error.") -> Refused:
    return Refused(_refusal(400, kind, message))


def _refusal(status: int, error: str, message: str) -> Reply:
    return Reply(as_json({"error": error, "message": message}), status)


def _not_found() -> Reply:
    page = b"<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n"
    page += (
        b"<p>The requested URL was not found on the server. If you entered the URL manually please check your spelling "
    )
    page += b"and try again.</p>\n"
    return Reply(page, 404, content_type="text/html")
