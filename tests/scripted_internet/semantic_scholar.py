"""Semantic Scholar's Academic Graph API: searches, batches, references and citations, mostly refused without a key."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, ClassVar
from urllib.parse import unquote

import numpy as np

from tests.scripted_internet.boolean_query import BooleanQuery, QueryFault
from tests.scripted_internet.corpus import Ints
from tests.scripted_internet.literature import Literature, best_first
from tests.scripted_internet.service import Call, Refused, Reply, Rules, ScriptedService, as_json, day_of, whole_number
from tests.scripted_internet.words import listed, stems

_TOO_MANY = {
    "message": "Too Many Requests. Please wait and try again or apply for a key for higher rate limits. "
    "https://www.semanticscholar.org/product/api#api-key-form",
    "code": "429",
}
_PAUSE_WITH_KEY = 0.95
"""Seconds: one request a second, less what a network may take from one and give to the next."""
_RANKED, _BULK, _BATCH, _LINKS, _DEEPEST = 1000, 1000, 500, 1000, 10_000
_FIELDS = frozenset(
    listed(
        "paperId corpusId externalIds url title abstract venue publicationVenue year referenceCount citationCount "
        "influentialCitationCount isOpenAccess openAccessPdf fieldsOfStudy s2FieldsOfStudy publicationTypes "
        "publicationDate "
        "journal citationStyles authors citations references embedding tldr contexts intents isInfluential"
    )
)
_FILTERS = frozenset(
    listed("publicationTypes openAccessPdf minCitationCount publicationDateOrYear year venue fieldsOfStudy")
)
_ENOUGH = 0.75
"""Share of the words that the relevance search wants to find."""
_SCHEMES = {"doi": "doi", "arxiv": "arxiv", "pmid": "pmid", "pmcid": "pmcid", "corpusid": "corpusid"}


class ScriptedSemanticScholar(ScriptedService):
    """Papers with references and citations. With a key one request a second; without, one of several is answered."""

    name: ClassVar[str] = "semantic-scholar"
    seconds: ClassVar[tuple[float, float]] = (0.5, 1.0)

    def __init__(self, literature: Literature, rules: Rules) -> None:
        super().__init__(literature, rules)
        self._last = -_PAUSE_WITH_KEY
        self._without_key = 0

    def reset(self) -> None:
        self._last, self._without_key = -_PAUSE_WITH_KEY, 0

    def answer(self, call: Call) -> Reply:
        self._admit(call)
        path = unquote(call.path).removeprefix("/graph/v1")
        match path.strip("/").split("/"):
            case ["paper", "search"]:
                return self._ranked(call)
            case ["paper", "search", "bulk"]:
                return self._bulk(call)
            case ["paper", "search", "match"]:
                return self._match(call)
            case ["paper", "batch"] if call.method == "POST":
                return self._batch(call)
            case ["paper", *name, "references" | "citations" as kind]:
                return self._links(call, "/".join(name), kind)
            case ["paper", *name] if name:
                paper = self._paper("/".join(name))
                return Reply(as_json(self._record(paper, self._fields(call))), kind="single", about=(paper,), found=1)
        raise Refused(Reply(as_json({"message": "Missing Authentication Token"}), 403))

    def _admit(self, call: Call) -> None:
        key = call.headers.get("x-api-key", "")
        if key and key not in self.rules.valid_keys:
            raise Refused(Reply(as_json({"message": "Forbidden"}), 403))
        if not self.rules.paced:
            return
        if key:
            since, self._last = call.at - self._last, call.at
            if since < _PAUSE_WITH_KEY:
                raise Refused(Reply(as_json(_TOO_MANY), 429))
            return
        self._without_key += 1
        if self._without_key % self.rules.s2_served_without_key:
            raise Refused(Reply(as_json(_TOO_MANY), 429))

    # Searches

    def _ranked(self, call: Call) -> Reply:
        text = self._text(call, {"offset", "limit"})
        offset, limit = self._place(call, usual=100, most=100)
        if offset + limit > _RANKED:
            message = "Requested data for this limit and/or offset is not available"
            raise Refused(_fault(message))
        fitting = np.intersect1d(self._holding(text), self._filtered(call))
        ordered = best_first(fitting, self.literature.texts.score(stems(text)))
        shown = ordered[offset : offset + limit]
        said: dict[str, Any] = {"total": len(ordered), "offset": offset}
        if offset + limit < min(len(ordered), _RANKED):
            said["next"] = offset + limit
        if len(shown):
            said["data"] = self._records(shown, call)
        return Reply(as_json(said), kind="search", words=text, found=len(shown))

    def _bulk(self, call: Call) -> Reply:
        text = self._text(call, {"token", "sort", "limit", "offset"})
        wanted = text.replace("|", " OR ").replace("+", " ").replace(" -", " NOT ")

        def look(_field: str, value: str) -> Ints:
            return self.literature.with_words(value, self.literature.texts)

        try:
            found = BooleanQuery(wanted, look, self.corpus.size).papers()
        except QueryFault as fault:
            raise Refused(_fault(f"Unacceptable query params: [query={text}]")) from fault
        fitting = np.intersect1d(found, self._filtered(call))
        if call.query.get("sort", "").startswith(("citationCount", "publicationDate")):
            name, _, way = call.query["sort"].partition(":")
            values = self.corpus.citation_count if name == "citationCount" else self.corpus.day
            fitting = fitting[np.argsort(-values[fitting] if way == "desc" else values[fitting], kind="stable")]
        token = call.query.get("token", "PART0").removeprefix("PART")
        start = int(token) if token.isdigit() else 0
        shown = fitting[start : start + _BULK]
        said: dict[str, Any] = {"total": len(fitting), "token": None, "data": self._records(shown, call)}
        if start + _BULK < len(fitting):
            said["token"] = f"PART{start + _BULK}"
        return Reply(as_json(said), kind="search", words=text, found=len(shown))

    def _match(self, call: Call) -> Reply:
        text = self._text(call, set())
        fitting = np.intersect1d(self.literature.with_all(text, self.literature.titles), self._filtered(call))
        if not len(fitting):
            raise Refused(_fault("Title match not found", 404))
        best = best_first(fitting, self.literature.titles.score(stems(text)))[:1]
        return Reply(as_json({"data": self._records(best, call)}), kind="search", words=text, found=1)

    def _text(self, call: Call, known: set[str]) -> str:
        known = known | _FILTERS | {"query", "fields"}
        if unknown := [f"{name}={value}" for name, value in call.pairs if name not in known]:
            raise Refused(_fault(f"Unacceptable query params: [{', '.join(unknown)}]"))
        self._fields(call)
        if not call.query.get("query", "").strip():
            raise Refused(_fault("Missing required parameter: 'query'"))
        return call.query["query"]

    def _holding(self, text: str) -> Ints:
        """The papers with most of the words."""
        words = list(dict.fromkeys(stems(text)))
        counts: Counter[int] = Counter()
        for word in words:
            counts.update(self.literature.texts.papers_with(word).tolist())
        return np.array(sorted(paper for paper, count in counts.items() if count >= _ENOUGH * len(words)), np.int64)

    def _filtered(self, call: Call) -> Ints:
        corpus, query = self.corpus, call.query
        found = corpus.in_s2.copy()
        if years := query.get("year"):
            first, dash, last = years.partition("-")
            found &= (corpus.year >= int(first or 0)) & (corpus.year <= int(last or (9999 if dash else first)))
        if days := query.get("publicationDateOrYear"):
            first, _, last = days.partition(":")
            within = self.literature.between(day_of(first) if first else None, day_of(last) if last else None)
            found &= np.isin(np.arange(corpus.size), within)
        if query.get("minCitationCount", "").isdigit():
            found &= corpus.citation_count >= int(query["minCitationCount"])
        return np.flatnonzero(found)

    def _place(self, call: Call, usual: int, most: int) -> tuple[int, int]:
        offset, limit = whole_number(call.query.get("offset"), 0), whole_number(call.query.get("limit"), usual)
        for name, value in (("offset", offset), ("limit", limit)):
            if value is None or value < (name == "limit"):
                raise Refused(_fault(f"Unacceptable query params: [{name}={call.query[name]}]"))
        assert offset is not None and limit is not None, "checked above"
        if limit > most:
            raise Refused(_fault(f"'limit' must be <= {most}"))
        return offset, limit

    # By name

    def _number(self, name: str) -> int | None:
        """By its own name, or `DOI:…`, `ARXIV:…`, `PMID:…`, `PMCID:…`, `CorpusId:…`; a bare DOI will do."""
        scheme, colon, value = name.partition(":")
        known = _SCHEMES.get(scheme.lower()) if colon else None
        if known == "pmcid" and value.isdigit():
            value = f"PMC{value}"
        paper = self.corpus.number_of(known, value) if known else self.corpus.number_of("s2", name)
        paper = self.corpus.number_of("doi", name) if paper is None and name.startswith("10.") else paper
        return paper if paper is not None and self.corpus.in_s2[paper] else None

    def _paper(self, name: str) -> int:
        paper = self._number(name)
        if paper is None:
            raise Refused(_fault(f"Paper with id {name} not found", 404))
        return paper

    def _batch(self, call: Call) -> Reply:
        fields = self._fields(call)
        try:
            names = json.loads(call.body)["ids"]
            known = [self._number(str(name)) for name in names]
        except (ValueError, KeyError, TypeError) as error:
            raise Refused(_fault("Unable to parse the request body")) from error
        if not names or len(names) > _BATCH:
            raise Refused(_fault(f"Provide between 1 and {_BATCH} ids"))
        said = [None if paper is None else self._record(paper, fields) for paper in known]
        about = tuple(paper for paper in known if paper is not None)
        return Reply(as_json(said), kind="batch", about=about, found=len(about))

    def _links(self, call: Call, name: str, kind: str) -> Reply:
        fields = self._fields(call)
        offset, limit = self._place(call, usual=100, most=_LINKS)
        if offset + limit >= _DEEPEST:
            raise Refused(_fault("offset + limit must be < 10000"))
        paper = self._paper(name)
        if kind == "references" and paper % 23 == 7:  # some publishers do not let references be shown
            said: dict[str, Any] = {"data": None, "citingPaperInfo": {"paperId": self.corpus.s2(paper)}}
            return Reply(as_json(said), kind=kind, about=(paper,))
        linked = self.corpus.references(paper) if kind == "references" else self.corpus.citations(paper)
        linked = linked if kind == "references" else linked[self.corpus.in_s2[linked]]
        shown, end = linked[offset : offset + limit], "citedPaper" if kind == "references" else "citingPaper"
        said = {"offset": offset}
        if offset + limit < len(linked):
            said["next"] = offset + limit
        said["data"] = [{end: self._linked(int(each), fields)} for each in shown]
        return Reply(as_json(said), kind=kind, about=(paper,), found=len(shown))

    def _linked(self, paper: int, fields: list[str]) -> dict[str, Any]:
        """What Semantic Scholar does not hold itself has a title and no name."""
        if self.corpus.in_s2[paper]:
            return self._record(paper, fields)
        return {"paperId": None, "title": self.corpus.title(paper)}

    # Records

    def _fields(self, call: Call) -> list[str]:
        chosen = [name.strip() for name in call.query.get("fields", "title").split(",") if name.strip()]
        if unknown := [name for name in chosen if name.partition(".")[0] not in _FIELDS]:
            raise Refused(_fault(f"Unrecognized or unsupported fields: [{', '.join(unknown)}]"))
        return [name.partition(".")[0] for name in chosen]

    def _records(self, papers: Ints, call: Call) -> list[dict[str, Any]]:
        fields = self._fields(call)
        return [self._record(int(paper), fields) for paper in papers]

    def _record(self, paper: int, fields: list[str]) -> dict[str, Any]:
        corpus = self.corpus
        names = {"DOI": corpus.doi(paper), "ArXiv": corpus.arxiv(paper), "PubMed": corpus.pmid(paper)}
        area = corpus.field_of(paper).area.split(",")[0]
        whole = {
            "paperId": corpus.s2(paper),
            "externalIds": {scheme: value for scheme, value in names.items() if value}
            | {"CorpusId": corpus.corpus_number(paper)},
            "corpusId": corpus.corpus_number(paper),
            "url": f"https://www.semanticscholar.org/paper/{corpus.s2(paper)}",
            "title": corpus.title(paper),
            "abstract": (corpus.abstract(paper) or None) if corpus.abstract_s2[paper] else None,
            "venue": corpus.venue(paper),
            "publicationVenue": {"name": corpus.venue(paper), "type": "journal"},
            "journal": {"name": corpus.venue(paper)},
            "year": int(corpus.year[paper]),
            "referenceCount": len(corpus.references(paper)),
            "citationCount": int(corpus.in_s2[corpus.citations(paper)].sum()),
            "isOpenAccess": bool(corpus.has_pmc[paper] or corpus.has_arxiv[paper]),
            "fieldsOfStudy": [area],
            "s2FieldsOfStudy": [{"category": area, "source": "s2-fos-model"}],
            "publicationTypes": ["JournalArticle"] if corpus.notice[paper] < 0 else ["Editorial"],
            "publicationDate": None if corpus.year_only[paper] else corpus.date(paper).isoformat(),
            "authors": [
                {"authorId": str(1000 + sum(map(ord, given + family))), "name": f"{given} {family}"}
                for given, family in corpus.authors(paper)
            ],
        }
        return {name: whole.get(name) for name in dict.fromkeys(["paperId", *fields])}


def _fault(message: str, status: int = 400) -> Reply:
    return Reply(as_json({"error": message}), status)
