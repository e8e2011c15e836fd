"""arXiv's API: Atom feeds by search and by number, at most one request in three seconds."""

from __future__ import annotations

import datetime as dt
import re
from typing import ClassVar
from xml.sax.saxutils import escape

import numpy as np

from tests.scripted_internet.boolean_query import BooleanQuery, QueryFault
from tests.scripted_internet.corpus import Ints
from tests.scripted_internet.literature import NOTHING, Literature, best_first
from tests.scripted_internet.service import Call, Refused, Reply, Rules, ScriptedService, whole_number

_PAUSE = 2.9
"""Seconds between requests: three, less what a network may take from one and give to the next."""
_LARGEST_PAGE, _FURTHEST = 2000, 30_000
_ATOM = "application/atom+xml; charset=utf-8"
_NUMBER = re.compile(r"(\d{4}\.\d{4,5}|[a-z-]+(\.[A-Z]{2})?/\d{7})(v\d+)?")
_RANGE = re.compile(r"\[(\d{8})\d{0,6} TO (\d{8})\d{0,6}\]")
_HEAD = (
    "<?xml version='1.0' encoding='UTF-8'?>\n"
    '<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom" '
    'xmlns="http://www.w3.org/2005/Atom">\n'
)
_UPDATED = "2026-11-02T00:00:00Z"


class ScriptedArxiv(ScriptedService):
    """Preprints of the fields that arXiv has. Haste is answered by `Rate exceeded.`, as a rule with status 200."""

    name: ClassVar[str] = "arxiv"
    seconds: ClassVar[tuple[float, float]] = (0.5, 1.0)

    def __init__(self, literature: Literature, rules: Rules) -> None:
        super().__init__(literature, rules)
        self._last = -_PAUSE

    def reset(self) -> None:
        self._last = -_PAUSE

    def yesterday(self, body: bytes) -> bytes:
        return b'<?xml version="1.0"?><rss version="2.0"><channel><title>arXiv</title></channel></rss>'

    def answer(self, call: Call) -> Reply:
        if call.path != "/api/query":
            raise Refused(Reply(b"<html><body>Not Found</body></html>", 404, content_type="text/html"))
        since, self._last = call.at - self._last, call.at
        if self.rules.paced and since < _PAUSE:
            raise Refused(Reply(b"Rate exceeded.", self.rules.arxiv_refusal_status, content_type="text/plain"))
        start = whole_number(call.query.get("start"), 0)
        size = whole_number(call.query.get("max_results"), 10)
        if start is None or start < 0:
            raise Refused(_fault("start_must_be_an_integer", "start must be an integer"))
        if size is None or size < 0:
            raise Refused(_fault("max_results_must_be_an_integer", "max_results must be an integer"))
        if size > _LARGEST_PAGE or start + size > _FURTHEST:
            raise Refused(
                _fault("max_results_too_large", f"a page has at most {_LARGEST_PAGE} results, a search {_FURTHEST}")
            )
        found = self._found(call)
        shown = [int(paper) for paper in found[start : start + size]]
        feed = _HEAD + self._about(call, len(found), start, size) + "".join(map(self._entry, shown)) + "</feed>\n"
        named = bool(call.query.get("id_list"))
        return Reply(
            feed.encode(),
            content_type=_ATOM,
            kind="batch" if named else "search",
            words=call.query.get("search_query", ""),
            about=tuple(map(int, found)) if named else (),
            found=len(shown),
        )

    def _found(self, call: Call) -> Ints:
        """By number, in the order given; by words; by both: those of these numbers that fit."""
        text, named = call.query.get("search_query", ""), call.query.get("id_list", "")
        papers = np.array(self._numbered(named.split(",")), np.int64) if named else NOTHING
        if not text:
            return papers
        try:
            found = BooleanQuery(text, self._look, self.corpus.size, joined="OR").papers()
        except QueryFault as fault:
            raise Refused(_fault("malformed_query", str(fault))) from fault
        found = np.intersect1d(found, np.flatnonzero(self.corpus.has_arxiv))
        if named:
            return papers[np.isin(papers, found)]
        return self._ordered(call, text, found)

    def _ordered(self, call: Call, text: str, found: Ints) -> Ints:
        rising = call.query.get("sortOrder", "descending") == "ascending"
        match call.query.get("sortBy", "relevance"):
            case "relevance":
                words = re.findall(r"[^\W_]+", re.sub(r"\b[A-Za-z]+:|\b(AND|OR|ANDNOT|TO)\b", " ", text))
                ordered = best_first(found, self.literature.texts.score(words))
                return ordered[::-1] if rising else ordered
            case "lastUpdatedDate" | "submittedDate":
                return found if rising else found[::-1]
            case other:
                raise Refused(
                    _fault(
                        "sortBy_must_be_in",
                        f"sortBy must be in: relevance, lastUpdatedDate, submittedDate; got {other}",
                    )
                )

    def _numbered(self, names: list[str]) -> list[int]:
        found = []
        for name in (name.strip() for name in names if name.strip()):
            number = _NUMBER.fullmatch(name)
            if not number:
                raise Refused(_fault(f"incorrect_id_format_for_{name}", f"incorrect id format for {name}"))
            paper = self.corpus.number_of("arxiv", number[1])
            found += [] if paper is None else [paper]
        return found

    def _look(self, field: str, value: str) -> Ints:
        literature = self.literature
        match field.lower():
            case "" | "all":
                people = literature.by_author(value) if " " not in value else NOTHING
                return np.union1d(literature.with_words(value, literature.texts), people)
            case "abs":
                return literature.with_words(value, literature.texts)
            case "ti":
                return literature.with_words(value, literature.titles)
            case "au":
                return literature.by_author(value)
            case "cat":
                return self._in_category(value)
            case "submitteddate" | "lastupdateddate":
                return self._dated(value)
            case "id":
                return np.array(self._numbered([value]), np.int64)
        return NOTHING

    def _in_category(self, value: str) -> Ints:
        fields = [
            place for place, name in enumerate(self._categories()) if name == value or name.partition(".")[0] == value
        ]
        return np.flatnonzero(np.isin(self.corpus.field, fields))

    def _categories(self) -> list[str]:
        return [self.corpus.field_of(int(np.argmax(self.corpus.field == place))).arxiv for place in range(40)]

    def _dated(self, value: str) -> Ints:
        found = _RANGE.fullmatch(value)
        if not found:
            raise Refused(_fault("malformed_date", f"incorrect date format: {value}"))
        days = [_day(found[place]) for place in (1, 2)]
        return self.literature.between(*days)

    def _about(self, call: Call, total: int, start: int, size: int) -> str:
        query = "&amp;".join(f"{name}={escape(call.query.get(name, ''))}" for name in ("search_query", "id_list"))
        return (
            "  <id>https://arxiv.org/api/scripted</id>\n"
            f"  <title>arXiv Query: {query}&amp;start={start}&amp;max_results={size}</title>\n"
            f"  <updated>{_UPDATED}</updated>\n"
            f"  <opensearch:itemsPerPage>{size}</opensearch:itemsPerPage>\n"
            f"  <opensearch:totalResults>{total}</opensearch:totalResults>\n"
            f"  <opensearch:startIndex>{start}</opensearch:startIndex>\n"
        )

    def _entry(self, paper: int) -> str:
        corpus, number = self.corpus, f"{self.corpus.arxiv(paper)}v{1 + paper % 3}"
        day, category = corpus.date(paper), corpus.field_of(paper).arxiv
        people = "".join(
            f"    <author>\n      <name>{given} {family}</name>\n    </author>\n"
            for given, family in corpus.authors(paper)
        )
        doi = ""
        if corpus.has_doi[paper] and not corpus.is_arxiv_only[paper] and paper % 2:
            doi = f"    <arxiv:doi>{corpus.doi(paper)}</arxiv:doi>\n"
            doi += f'    <link rel="related" href="https://doi.org/{corpus.doi(paper)}" title="doi"/>\n'
        comment = "This paper has been withdrawn by the authors" if corpus.retracted[paper] else "12 pages, 3 figures"
        return (
            f"  <entry>\n    <id>http://arxiv.org/abs/{number}</id>\n    <title>{escape(corpus.title(paper))}</title>\n"
            f"    <updated>{day}T08:18:33Z</updated>\n"
            f'    <link href="https://arxiv.org/abs/{number}" rel="alternate" type="text/html"/>\n'
            f'    <link href="https://arxiv.org/pdf/{number}" rel="related" type="application/pdf" title="pdf"/>\n'
            f"    <summary>  {escape(corpus.abstract(paper))}</summary>\n"
            f'    <category term="{category}" scheme="http://arxiv.org/schemas/atom"/>\n'
            f"    <published>{day}T08:18:33Z</published>\n    <arxiv:comment>{comment}</arxiv:comment>\n{doi}"
            f'    <arxiv:primary_category term="{category}"/>\n{people}  </entry>\n'
        )


def _day(text: str) -> dt.date | None:
    try:
        return dt.date(int(text[:4]), int(text[4:6]), int(text[6:8]))
    except ValueError:
        return None


def _fault(name: str, message: str) -> Reply:
    address = f"https://arxiv.org/api/errors#{escape(name)}"
    feed = (
        f"{_HEAD}  <id>https://arxiv.org/</id>\n  <title>arXiv Search Results</title>\n"
        f"  <updated>{_UPDATED}</updated>\n  <opensearch:itemsPerPage>1</opensearch:itemsPerPage>\n"
        "  <opensearch:totalResults>1</opensearch:totalResults>\n"
        "  <opensearch:startIndex>0</opensearch:startIndex>\n"
        f"  <entry>\n    <id>{address}</id>\n    <title>Error</title>\n"
        f'    <updated>{_UPDATED}</updated>\n    <link href="{address}" rel="alternate" type="text/html"/>\n'
        f"    <summary>{escape(message)}</summary>\n    <author>\n      <name>arXiv api core</name>\n    </author>\n"
        "  </entry>\n</feed>\n"
    )
    return Reply(feed.encode(), 400, content_type=_ATOM)
