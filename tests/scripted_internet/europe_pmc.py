"""Europe PMC's RESTful web service: search by cursor, citations and references by page, open full texts."""

from __future__ import annotations

import base64
import datetime as dt
import re
from functools import partial
from typing import Any, ClassVar
from xml.sax.saxutils import escape

import numpy as np

from tests.scripted_internet.boolean_query import BooleanQuery, QueryFault
from tests.scripted_internet.corpus import Ints
from tests.scripted_internet.literature import NOTHING, Literature, best_first
from tests.scripted_internet.service import Call, Refused, Reply, Rules, ScriptedService, as_json, day_of, whole_number

_VERSION = "6.9"
_MOST, _USUAL = 1000, 25
_PER_SECOND = 10
_RANGE = re.compile(r"\[(\S+) TO (\S+)\]")
_KINDS = ("editorial", "published erratum", "other", "letter", "peer-review")


class ScriptedEuropePmc(ScriptedService):
    """Papers of the life sciences by their numbers at PubMed; no key, parameters that it does not know are ignored."""

    name: ClassVar[str] = "europe-pmc"
    seconds: ClassVar[tuple[float, float]] = (0.5, 1.0)
    prefixes: ClassVar[tuple[str, ...]] = ("/europepmc/webservices/rest", "/webservices/rest")

    def __init__(self, literature: Literature, rules: Rules) -> None:
        super().__init__(literature, rules)
        self._asked: list[float] = []

    def reset(self) -> None:
        self._asked.clear()

    def yesterday(self, body: bytes) -> bytes:
        return body.replace(b'"resultList"', b'"results"').replace(b'List":', b'":')

    def answer(self, call: Call) -> Reply:
        self._asked = [at for at in self._asked if call.at - at < 1.0] + [call.at]
        if self.rules.paced and len(self._asked) > _PER_SECOND:
            raise Refused(Reply(b"Too Many Requests", 429, content_type="text/plain"))
        steps = call.path.strip("/").split("/")
        match steps:
            case ["search"]:
                return self._search(call)
            case ["article", source, name]:
                return self._one(call, source, name)
            case [source, name, "citations" | "references" as kind]:
                return self._links(call, source, name, kind)
            case [name, "fullTextXML"]:
                return self._full_text(name)
        raise Refused(Reply(b"<html><head><title>404 Not Found</title></head></html>", 404, content_type="text/html"))

    # Search

    def _search(self, call: Call) -> Reply:
        text, cursor = call.query.get("query", ""), call.query.get("cursorMark", "*")
        size = whole_number(call.query.get("pageSize"), _USUAL)
        if not text.strip():
            raise Refused(_fault("Query parameter is missing or empty"))
        if size is None or not 1 <= size <= _MOST:
            raise Refused(_fault(f"Page size must be between 1 and {_MOST}"))
        if call.query.get("format", "xml").lower() != "json" and "json" not in call.headers.get("accept", ""):
            return Reply(b"<responseWrapper><version>6.9</version></responseWrapper>", content_type="application/xml")
        fitting, about = self._fitting(text)
        ordered = self._ordered(call, text, fitting)
        start = _place(cursor)
        shown = [int(paper) for paper in ordered[start : start + size]]
        said: dict[str, Any] = {"version": _VERSION, "hitCount": len(ordered)}
        if len(ordered) > size:
            following = _cursor(start + len(shown)) if shown else cursor
            said["nextCursorMark"] = following
            if shown:
                said["nextPageUrl"] = f"https://www.ebi.ac.uk/europepmc/webservices/rest/search?cursorMark={following}"
        said["request"] = {
            "queryString": text,
            "resultType": call.query.get("resultType", "lite"),
            "cursorMark": cursor,
            "pageSize": size,
            "sort": call.query.get("sort", ""),
            "synonym": call.query.get("synonym", "").lower() == "true",
        }
        record = self._core if call.query.get("resultType") == "core" else self._lite
        said["resultList"] = {"result": [record(paper) for paper in shown]}
        kind = (
            "citations"
            if "CITES:" in text
            else "references"
            if "REFFED_BY:" in text
            else "batch"
            if about
            else "search"
        )
        return Reply(as_json(said), kind=kind, words=text, about=tuple(about), found=len(shown))

    def _fitting(self, text: str) -> tuple[Ints, list[int]]:
        about: list[int] = []
        try:
            found = BooleanQuery(text, partial(self._look, about), self.corpus.size).papers()
        except QueryFault as fault:
            raise Refused(_fault(f"Invalid query: {fault}")) from fault
        return np.intersect1d(found, np.flatnonzero(self.corpus.in_europe_pmc)), about

    def _look(self, about: list[int], field: str, value: str) -> Ints:
        """The papers that have a value in a field; of a field that there is not, none."""
        literature, name = self.literature, field.upper()
        if not field or name in ("TITLE_ABS", "ABSTRACT", "KW", "BODY"):
            return literature.with_words(value, literature.texts)
        if name == "TITLE":
            return literature.with_words(value, literature.titles)
        if name in ("AUTH", "AUTHOR"):
            return literature.by_author(value)
        if name in ("FIRST_PDATE", "P_PDATE_D", "E_PDATE", "PUB_YEAR"):
            return self._dated(value)
        if name in ("DOI", "EXT_ID", "PMID", "PMCID"):
            return self._named(about, "pmid" if name in ("EXT_ID", "PMID") else name.lower(), value.strip('"'))
        if name in ("CITES", "REFFED_BY"):
            return self._cited(about, name, value.strip('"'))
        flags = {"SRC": value.upper() == "MED", "HAS_ABSTRACT": True, "LANG": value == "eng"}
        if name == "OPEN_ACCESS":
            return np.flatnonzero(self.corpus.has_pmc == value.lower().startswith("y"))
        if name == "PUB_TYPE":
            return self._typed(value.strip('"').lower())
        return np.arange(self.corpus.size) if flags.get(name) else NOTHING

    def _named(self, about: list[int], scheme: str, value: str) -> Ints:
        paper = self.corpus.number_of(scheme, value)
        if paper is None:
            return NOTHING
        about.append(paper)
        return np.array([paper])

    def _cited(self, about: list[int], name: str, value: str) -> Ints:
        """`CITES:12345_MED`: the papers that cite this one; `REFFED_BY`: those that it cites."""
        paper = self.corpus.number_of("pmid", value.lower().partition("_")[0])
        if paper is None:
            return NOTHING
        about.append(paper)
        return self.corpus.citations(paper) if name == "CITES" else self._known_references(paper)

    def _dated(self, value: str) -> Ints:
        found = _RANGE.fullmatch(value)
        first, last = (found[1], found[2]) if found else (value, value)
        end = dt.date.max if last.startswith(("3", "*")) else _last_day(last)
        return self.literature.between(day_of(first), end)

    def _typed(self, kind: str) -> Ints:
        place = _KINDS.index(kind) if kind in _KINDS else -1
        known = place >= 0 or kind in ("research-article", "journal article")
        return np.flatnonzero(self.corpus.notice == place) if known else NOTHING

    def _ordered(self, call: Call, text: str, fitting: Ints) -> Ints:
        wanted = call.query.get("sort", "").split()
        if not wanted:
            return best_first(fitting, self.literature.texts.score(re.findall(r"[^\W_]+", text)))
        values = self.corpus.citation_count if wanted[0].upper() == "CITED" else self.corpus.day
        rising = len(wanted) > 1 and wanted[1].lower() == "asc"
        return fitting[np.argsort(values[fitting] if rising else -values[fitting], kind="stable")]

    # Single papers

    def _paper(self, source: str, name: str) -> int:
        scheme = {"MED": "pmid", "PMC": "pmcid"}.get(source.upper(), "")
        paper = self.corpus.number_of(scheme, name)
        if paper is None:
            raise Refused(_fault(f"No article found for {source} {name}", 404))
        return paper

    def _one(self, call: Call, source: str, name: str) -> Reply:
        paper = self._paper(source, name)
        said = {"version": _VERSION, "hitCount": 1, "request": {"id": name, "source": source}}
        record = self._core if call.query.get("resultType") == "core" else self._lite
        return Reply(as_json(said | {"result": record(paper)}), kind="single", about=(paper,), found=1)

    def _links(self, call: Call, source: str, name: str, kind: str) -> Reply:
        page = whole_number(call.query.get("page"), 1)
        size = whole_number(call.query.get("pageSize"), _USUAL)
        if page is None or size is None or page < 1 or not 1 <= size <= _MOST:
            raise Refused(_fault(f"Page size must be between 1 and {_MOST}"))
        paper = self._paper(source, name)
        citations = self.corpus.citations(paper)
        known = citations[self.corpus.in_europe_pmc[citations]]
        listed = known if kind == "citations" else self.corpus.references(paper)
        shown = [int(each) for each in listed[(page - 1) * size : page * size]]
        said: dict[str, Any] = {"version": _VERSION, "hitCount": len(listed)}
        said["request"] = {"id": name, "source": source.upper(), "offSet": (page - 1) * size, "pageSize": size}
        if kind == "citations":
            said["citationList"] = {"citation": [self._citation(each) for each in shown]}
        else:
            cited = [self._reference(each, place) for place, each in enumerate(shown, (page - 1) * size + 1)]
            said["referenceList"] = {"reference": cited}
        return Reply(as_json(said), kind=kind, about=(paper,), found=len(shown))

    def _full_text(self, name: str) -> Reply:
        paper = self.corpus.number_of("pmcid", name)
        if paper is None:
            raise Refused(Reply(b"", 404, content_type="application/xml"))
        title, text = escape(self.corpus.title(paper)), escape(self.corpus.abstract(paper))
        body = f"<article><front><article-meta><title-group><article-title>{title}</article-title></title-group>"
        body += (
            f"<abstract><p>{text}</p></abstract></article-meta></front><body><sec><title>Results</title><p>{text}</p>"
        )
        body += "</sec></body></article>"
        return Reply(body.encode(), content_type="application/xml", kind="single", about=(paper,), found=1)

    # Records

    def _lite(self, paper: int) -> dict[str, Any]:
        corpus = self.corpus
        record = {
            "id": corpus.pmid(paper),
            "source": "MED",
            "pmid": corpus.pmid(paper),
            "title": f"{corpus.title(paper)}.",
            "authorString": self._authors(paper),
            "journalTitle": corpus.venue(paper),
            "pubYear": str(corpus.year[paper]),
            "pubType": self._type(paper),
            "isOpenAccess": "Y" if corpus.has_pmc[paper] else "N",
            "inEPMC": "Y" if corpus.has_pmc[paper] else "N",
            "citedByCount": self._cited_by(paper),
            "hasReferences": "Y" if len(corpus.references(paper)) else "N",
            "firstPublicationDate": self.published(paper),
        }
        if corpus.has_doi[paper]:
            record["doi"] = corpus.doi(paper)
        if corpus.has_pmc[paper]:
            record |= {"pmcid": corpus.pmcid(paper), "fullTextIdList": {"fullTextId": [corpus.pmcid(paper)]}}
        return record

    def _core(self, paper: int) -> dict[str, Any]:
        corpus, date = self.corpus, self.corpus.date(paper)
        people = [
            {"fullName": f"{family} {given[0]}", "firstName": given, "lastName": family, "initials": given[0]}
            for given, family in corpus.authors(paper)
        ]
        record = self._lite(paper) | {
            "authorList": {"author": people},
            "journalInfo": {
                "dateOfPublication": f"{date:%Y %b}",
                "yearOfPublication": date.year,
                "printPublicationDate": self.published(paper),
                "journal": {"title": corpus.venue(paper), "medlineAbbreviation": corpus.venue(paper)},
            },
            "pubTypeList": {"pubType": [self._type(paper)]},
            "keywordList": {"keyword": corpus.terms(paper)},
            "language": "eng",
        }
        del record["journalTitle"], record["pubType"]
        if corpus.abstract_europe_pmc[paper] and (text := corpus.abstract(paper)):
            record["abstractText"] = f"<h4>Background</h4>{text}" if paper % 5 == 0 else text
        if corpus.has_pmc[paper]:
            url = f"https://europepmc.org/articles/{corpus.pmcid(paper)}"
            places = [("pdf", f"{url}?pdf=render"), ("html", url)]
            record["fullTextUrlList"] = {
                "fullTextUrl": [
                    {
                        "availability": "Open access",
                        "availabilityCode": "OA",
                        "documentStyle": style,
                        "site": "Europe_PMC",
                        "url": at,
                    }
                    for style, at in places
                ]
            }
        return record

    def _citation(self, paper: int) -> dict[str, Any]:
        corpus = self.corpus
        return {
            "id": corpus.pmid(paper),
            "source": "MED",
            "citationType": self._type(paper),
            "title": f"{corpus.title(paper)}.",
            "authorString": self._authors(paper),
            "journalAbbreviation": corpus.venue(paper),
            "pubYear": int(corpus.year[paper]),
            "citedByCount": self._cited_by(paper),
        }

    def _reference(self, paper: int, place: int) -> dict[str, Any]:
        """Those that Europe PMC does not hold have no number, some a DOI."""
        corpus = self.corpus
        record = {
            "citationType": "JOURNAL ARTICLE",
            "title": f"{corpus.title(paper)}.",
            "authorString": self._authors(paper),
            "journalAbbreviation": corpus.venue(paper),
            "pubYear": int(corpus.year[paper]),
            "citedOrder": place,
            "match": "Y" if corpus.in_europe_pmc[paper] else "N",
        }
        if corpus.in_europe_pmc[paper]:
            return {"id": corpus.pmid(paper), "source": "MED"} | record
        return record | ({"doi": corpus.doi(paper)} if corpus.has_doi[paper] and paper % 2 else {})

    def _known_references(self, paper: int) -> Ints:
        references = self.corpus.references(paper)
        return references[self.corpus.in_europe_pmc[references]]

    def _authors(self, paper: int) -> str:
        return ", ".join(f"{family} {given[0]}" for given, family in self.corpus.authors(paper)) + "."

    def _type(self, paper: int) -> str:
        notice = int(self.corpus.notice[paper])
        return _KINDS[notice] if notice >= 0 else "research-article; journal article"

    def _cited_by(self, paper: int) -> int:
        return int(self.corpus.in_europe_pmc[self.corpus.citations(paper)].sum())


def _last_day(text: str) -> dt.date | None:
    day = day_of(text)
    return day.replace(month=12, day=31) if day and "-" not in text else day


def _cursor(place: int) -> str:
    return base64.b64encode(f"AoIIQ{place}".encode()).decode()


def _place(cursor: str) -> int:
    if cursor == "*":
        return 0
    try:
        return int(base64.b64decode(cursor).decode().removeprefix("AoIIQ"))
    except ValueError as error:
        raise Refused(_fault("Invalid cursorMark")) from error


def _fault(message: str, status: int = 400) -> Reply:
    return Reply(as_json({"version": _VERSION, "errCode": status, "errMsg": message}), status)
