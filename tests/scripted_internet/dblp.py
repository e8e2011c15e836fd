"""DBLP's search of publications: computing alone, titles and authors without abstracts."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from tests.scripted_internet.literature import NOTHING, best_first
from tests.scripted_internet.service import Call, Refused, Reply, ScriptedService, as_json, whole_number
from tests.scripted_internet.words import stems

_MOST = 1000


class ScriptedDblp(ScriptedService):
    """All words of a query must occur in title or authors."""

    name: ClassVar[str] = "dblp"
    seconds: ClassVar[tuple[float, float]] = (0.4, 0.9)

    def yesterday(self, body: bytes) -> bytes:
        return body.replace(b'"hits"', b'"found"')

    def answer(self, call: Call) -> Reply:
        if call.path != "/search/publ/api" or call.query.get("format", "xml") != "json":
            raise Refused(Reply(b"<html><head><title>404</title></head></html>", 404, content_type="text/html"))
        text = call.query.get("q", "")
        first, size = whole_number(call.query.get("f"), 0), whole_number(call.query.get("h"), 30)
        if first is None or size is None or not 0 <= size <= _MOST:
            raise Refused(
                Reply(b"<html><head><title>400 Bad Request</title></head></html>", 400, content_type="text/html")
            )
        ordered = best_first(self._found(text), self.literature.titles.score(stems(text)))
        shown = [int(paper) for paper in ordered[first : first + size]]
        hits: dict[str, Any] = {"@total": str(len(ordered)), "@computed": str(len(ordered))}
        hits |= {"@sent": str(len(shown)), "@first": str(first)}
        if shown:
            hits["hit"] = [{"@score": "3", "@id": str(paper), "info": self._info(paper)} for paper in shown]
        said = {"result": {"query": text, "status": {"@code": "200", "text": "OK"}, "hits": hits}}
        return Reply(as_json(said), kind="search", words=text, found=len(shown))

    def _found(self, text: str) -> np.ndarray:
        literature, found = self.literature, np.flatnonzero(self.corpus.in_dblp)
        for word in stems(text):
            either = np.union1d(literature.with_words(word, literature.titles), literature.by_author(word))
            found = np.intersect1d(found, either)
        return found if stems(text) else NOTHING

    def _info(self, paper: int) -> dict[str, Any]:
        corpus = self.corpus
        people = [
            {"@pid": str(number), "text": f"{given} {family}"}
            for number, (given, family) in enumerate(corpus.authors(paper))
        ]
        info: dict[str, Any] = {
            "authors": {"author": people if len(people) > 1 else people[0]},
            "title": f"{corpus.title(paper)}.",
            "venue": corpus.venue(paper),
            "year": str(corpus.year[paper]),
            "type": "Journal Articles",
            "key": f"journals/scripted/{paper}",
            "url": f"https://dblp.org/rec/journals/scripted/{paper}",
        }
        if corpus.has_doi[paper]:
            info |= {"doi": corpus.doi(paper), "ee": f"https://doi.org/{corpus.doi(paper)}"}
        return info
