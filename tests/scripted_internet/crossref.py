"""Crossref's REST API: works by query, filter and DOI, in the forms and with the errors of 2026."""

from __future__ import annotations

import base64
from typing import Any, ClassVar
from urllib.parse import unquote

import numpy as np

from tests.scripted_internet.corpus import NOTICE_KINDS, Ints
from tests.scripted_internet.literature import Literature, best_first
from tests.scripted_internet.service import Call, Refused, Reply, Rules, ScriptedService, as_json, day_of
from tests.scripted_internet.words import coined, listed

_MOST_ROWS, _FURTHEST, _USUAL_ROWS = 1000, 10_000, 20
_PARAMETERS = frozenset(listed("query filter rows offset cursor sort order select sample facet mailto"))
_FIELD_QUERIES = frozenset(listed("bibliographic title author container-title affiliation editor publisher-name"))
_DATES = frozenset(
    listed(
        "from-pub-date until-pub-date from-online-pub-date until-online-pub-date from-print-pub-date "
        "until-print-pub-date "
        "from-posted-date until-posted-date from-issued-date until-issued-date"
    )
)
_FILTERS = _DATES | frozenset(listed("doi type has-abstract has-references is-update container-title issn"))
_REFUSED = (
    b"<html><body><h1>429 Too Many Requests</h1>\n"
    b"You have sent too many requests in a given amount of time.\n</body></html>"
)
_PUBLIC, _POLITE = (5, 1), (10, 3)
"""Requests a second, and at the same time."""


class ScriptedCrossref(ScriptedService):
    """Works that have a DOI of a publisher; slower for whoever gives no e-mail address."""

    name: ClassVar[str] = "crossref"
    seconds: ClassVar[tuple[float, float]] = (1.0, 2.0)
    polite_seconds: ClassVar[tuple[float, float]] = (0.6, 1.2)

    def __init__(self, literature: Literature, rules: Rules) -> None:
        super().__init__(literature, rules)
        self._asked: list[float] = []

    def reset(self) -> None:
        self._asked.clear()

    def typical_seconds(self, call: Call) -> tuple[float, float]:
        return self.polite_seconds if _is_polite(call) else self.seconds

    def answer(self, call: Call) -> Reply:
        headers = self._headers(call)
        key = call.headers.get("crossref-plus-api-token", "").removeprefix("Bearer ")
        if key and key not in self.rules.valid_keys:
            raise Refused(Reply(b'{"status":"failed","message-type":"unauthorized"}', 401, headers))
        if call.path.startswith("/works/"):
            return self._single(call, headers)
        if call.path != "/works":
            raise Refused(_missing(headers))
        try:
            return self._list(call, headers)
        except _Invalid as fault:
            said = {"status": "failed", "message-type": fault.kind, "message": [fault.message]}
            raise Refused(Reply(as_json(said), fault.status, headers, "application/json;charset=utf-8")) from fault

    def _headers(self, call: Call) -> dict[str, str]:
        """Of the pool that serves this request. Raises Refused for one too many."""
        per_second, at_once = _POLITE if _is_polite(call) else _PUBLIC
        headers = {
            "x-api-pool": "polite" if _is_polite(call) else "public",
            "x-rate-limit-limit": str(per_second),
            "x-rate-limit-interval": "1s",
            "x-concurrency-limit": str(at_once),
        }
        self._asked = [at for at in self._asked if call.at - at < 1.0] + [call.at]
        if self.rules.paced and (len(self._asked) > per_second or call.in_flight > at_once):
            raise Refused(Reply(_REFUSED, 429, headers, "text/html"))
        return headers

    def _single(self, call: Call, headers: dict[str, str]) -> Reply:
        for name in call.query:
            if name != "mailto":
                said = {
                    "type": "parameter-not-allowed",
                    "value": name,
                    "message": f"This route does not support {name}",
                }
                body = {"status": "failed", "message-type": "validation-failure", "message": [said]}
                raise Refused(Reply(as_json(body), 400, headers, "application/json;charset=utf-8"))
        paper = self.corpus.number_of("doi", unquote(call.path.removeprefix("/works/")))
        if paper is None or not self.corpus.in_crossref[paper]:
            raise Refused(_missing(headers))
        said = {"status": "ok", "message-type": "work", "message-version": "1.0.0", "message": self._work(paper)}
        return Reply(as_json(said), headers=headers, kind="single", about=(paper,), found=1)

    def _list(self, call: Call, headers: dict[str, str]) -> Reply:
        _check_parameters(call)
        rows = _number(call.query.get("rows"), _USUAL_ROWS, _MOST_ROWS)
        offset = _number(call.query.get("offset"), 0, _FURTHEST)
        about: list[int] = []
        fitting = self._filtered(call.query.get("filter", ""), about)
        words = " ".join(value for name, value in call.pairs if name == "query" or name.startswith("query."))
        scores = np.ones(self.corpus.size)
        if words:
            scores = self._scores(call)
            fitting = fitting[scores[fitting] > 0]
        ordered = self._sorted(call, fitting, scores)
        message: dict[str, Any] = {"facets": {}}
        if "cursor" in call.query:
            offset = _cursor_place(call.query["cursor"])
            message["next-cursor"] = _cursor(offset + rows)
        shown = [int(paper) for paper in ordered[offset : offset + rows]]
        message["total-results"] = len(ordered)
        message["items"] = [self._work(paper, float(scores[paper])) for paper in shown]
        message["items-per-page"] = rows
        message["query"] = {"start-index": offset, "search-terms": call.query.get("query")}
        said = {"status": "ok", "message-type": "work-list", "message-version": "1.0.0", "message": message}
        kind = "search" if words else "batch" if about else "list"
        return Reply(as_json(said), headers=headers, kind=kind, words=words, about=tuple(about), found=len(shown))

    def _scores(self, call: Call) -> np.ndarray:
        """How well works fit the words: any of them will do. Authors and journals count for little here."""
        total = np.zeros(self.corpus.size)
        for name, value in call.pairs:
            if name in ("query", "query.bibliographic", "query.title"):
                total += self.literature.titles.score(value.split())
            elif name == "query.author":
                total[self.literature.by_author(value)] += 5.0
        return total

    def _sorted(self, call: Call, fitting: Ints, scores: np.ndarray) -> Ints:
        falling = call.query.get("order", "desc") == "desc"
        match call.query.get("sort", "score"):
            case "score" | "relevance":
                ordered = best_first(fitting, scores)
                return ordered if falling else ordered[::-1]
            case "is-referenced-by-count":
                ordered = best_first(fitting, self.corpus.citation_count.astype(float))
            case "published" | "issued" | "published-online" | "published-print" | "created" | "deposited":
                ordered = fitting[::-1]
            case other:
                raise _Invalid("parameter-not-allowed", other, f"Unrecognised sort field {other}")
        return ordered if falling else ordered[::-1]

    def _filtered(self, text: str, about: list[int]) -> Ints:
        """The works that fit all filters; several of one name are alternatives."""
        found = np.flatnonzero(self.corpus.in_crossref)
        alternatives: dict[str, list[str]] = {}
        for part in filter(None, text.split(",")):
            name, colon, value = part.partition(":")
            if name not in _FILTERS or not colon:
                raise _Invalid(
                    "filter-not-available",
                    name,
                    f"Filter '{name}' specified but there is no such filter for this route. "
                    "Valid filters for this route "
                    f"are: {', '.join(sorted(_FILTERS))}",
                )
            alternatives.setdefault(name, []).append(value)
        for name, values in alternatives.items():
            found = np.intersect1d(found, np.concatenate([self._one_filter(name, value, about) for value in values]))
        return found

    def _one_filter(self, name: str, value: str, about: list[int]) -> Ints:
        corpus = self.corpus
        if name in _DATES:
            if not (day := day_of(value)):
                message = f"Date specified as {value} but must be of the form: yyyy or yyyy-MM or yyyy-MM-dd"
                raise _Invalid("date-not-valid", value, message)
            return self.literature.between(*((day, None) if name.startswith("from") else (None, day)))
        if name == "doi":
            paper = corpus.number_of("doi", value)
            about += [] if paper is None else [paper]
            return np.array([] if paper is None else [paper], np.int64)
        if name == "has-abstract":
            return np.flatnonzero(corpus.abstract_crossref == (value != "false"))
        if name == "type":
            return np.flatnonzero((corpus.notice == 4) == (value == "peer-review"))
        return np.arange(corpus.size)

    def _work(self, paper: int, score: float = 1.0) -> dict[str, Any]:
        corpus, date = self.corpus, self.corpus.date(paper)
        parts = [date.year] if corpus.year_only[paper] else [date.year, date.month, date.day]
        references = self._references(paper)
        work: dict[str, Any] = {
            "indexed": {"date-parts": [[2026, 6, 2]], "date-time": "2026-06-02T13:43:08Z", "timestamp": 1780407788344},
            "reference-count": len(references),
            "publisher": f"{corpus.field_of(paper).area.split(',')[0]} Press",
            "DOI": corpus.doi(paper),
            "type": "peer-review" if corpus.notice[paper] == 4 else "journal-article",
            "source": "Crossref",
            "is-referenced-by-count": int(corpus.citation_count[paper] * 9 // 10),
            "title": [corpus.title(paper)],
            "prefix": corpus.doi(paper).partition("/")[0],
            "author": [
                {"given": given, "family": family, "sequence": "additional" if place else "first", "affiliation": []}
                for place, (given, family) in enumerate(corpus.authors(paper))
            ],
            "container-title": [corpus.venue(paper)],
            "language": "en",
            "issued": {"date-parts": [parts]},
            "published": {"date-parts": [parts]},
            "score": score,
            "URL": f"https://doi.org/{corpus.doi(paper)}",
            "subject": [],
        }
        if references:
            work["reference"] = references
        if corpus.abstract_crossref[paper] and (text := corpus.abstract(paper)):
            work["abstract"] = f"<jats:title>Abstract</jats:title><jats:p>{_with_italics(text, paper)}</jats:p>"
        if corpus.notice[paper] == NOTICE_KINDS.index("erratum"):
            work["update-to"] = [{"DOI": f"{corpus.doi(paper)}-original", "type": "correction", "label": "Correction"}]
        if corpus.retracted[paper]:
            work["updated-by"] = [{"DOI": f"{corpus.doi(paper)}-notice", "type": "retraction", "label": "Retraction"}]
        return work

    def _references(self, paper: int) -> list[dict[str, str]]:
        """As the publisher deposited them: most with a DOI, some as they stand in print."""
        corpus = self.corpus
        if not corpus.references_crossref[paper]:
            return []
        found: list[dict[str, str]] = []
        for place, cited in enumerate(map(int, corpus.references(paper)), 1):
            one = {"key": f"ref{place}", "year": str(corpus.year[cited])}
            if corpus.has_doi[cited] and (paper + cited) % 4:
                one |= {"doi-asserted-by": "crossref", "DOI": corpus.doi(cited)}
            elif cited % 2:
                one |= {"author": corpus.authors(cited)[0][1], "article-title": corpus.title(cited)}
            else:
                one["unstructured"] = f"{corpus.authors(cited)[0][1]} ({corpus.year[cited]}) {corpus.title(cited)}."
            found.append(one)
        return found


class _Invalid(Exception):
    """A parameter that Crossref refuses."""

    def __init__(self, kind: str, value: str, message: str, *, failure: str = "validation-failure", status: int = 400):
        super().__init__(message)
        self.kind = failure
        self.status = status
        self.message = {"type": kind, "value": value, "message": message}


def _check_parameters(call: Call) -> None:
    for name in call.query:
        if name.startswith("query."):
            if name.removeprefix("query.") not in _FIELD_QUERIES:
                raise _Invalid(
                    "parameter-not-allowed",
                    name,
                    f"Field query {name} specified but there is no such field query for this route",
                )
        elif name not in _PARAMETERS:
            raise _Invalid("parameter-not-allowed", name, f"This route does not support {name}")


def _number(text: str | None, usual: int, most: int) -> int:
    if text is None:
        return usual
    if not text.isdigit() or int(text) > most:
        message = f"Integer specified as {text} but must be a positive integer less than or equal to {most}. "
        raise _Invalid("integer-not-valid", text, message)
    return int(text)


def _cursor(place: int) -> str:
    return base64.b64encode(f"DnF1ZXJ5VGhlbkZldGNo {place}".encode()).decode()


def _cursor_place(cursor: str) -> int:
    if cursor == "*":
        return 0
    try:
        return int(base64.b64decode(cursor).decode().split()[1])
    except (ValueError, IndexError) as error:
        message = "Cursor specified but it is invalid"
        raise _Invalid("cursor-invalid", cursor, message, failure="resource-failure", status=404) from error


def _is_polite(call: Call) -> bool:
    return "@" in call.query.get("mailto", "") or "mailto:" in call.headers.get("user-agent", "")


def _missing(headers: dict[str, str]) -> Reply:
    return Reply(b"Resource not found.", 404, headers, "text/plain")


def _with_italics(text: str, paper: int) -> str:
    return text.replace(coined(paper), f"<jats:italic>{coined(paper)}</jats:italic>").replace("&", "&amp;")
