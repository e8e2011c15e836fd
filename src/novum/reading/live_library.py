"""The library as one run sees it while live sources add papers to it: what the run has read does not change under it.

Before a search the live sources are asked the same, and before a chain grows they are asked for the citations of its
end. What a read returned is written to the ledger, each paper as it was
first seen, and the same read returns the same for the rest of the run, also after it was resumed. So a resumed run
sends the models the requests that it sent before, and asks no service twice.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from novum.core import Paper, Value, content_id
from novum.core.arrays import Vectors
from novum.errors import SourceError
from novum.ledger import Run
from novum.literature import Embedder, Filters, Hit, KeywordGrowth, Library, LibrarySize
from novum.literature.fetching.live import PapersOnDemand
from novum.literature.filters import EVERYTHING
from novum.literature.search.ranking.cooccurrence import EntityStore
from novum.literature.search.ranking.evidence import Citations
from novum.literature.search.ranking.growth import keyword_growth

_READ, _SEEN = "library-read", "library-seen"


class LiveLibrary:
    """A `PaperLibrary` that fetches papers with `live` before each search and records in `run` what was read."""

    def __init__(self, library: Library, run: Run, live: PapersOnDemand) -> None:
        self._library = library
        self._run = run
        self._live = live
        self._seen: dict[str, Paper] = {}
        self._reads: dict[str, JsonValue] = {}
        for _, event in run.ledger.events(run.id):
            if event.kind == _READ:
                self._reads.setdefault(str(event.data["read"]), event.data["found"])
            elif event.kind == _SEEN:
                paper = Paper.model_validate(event.data["paper"])
                self._seen.setdefault(paper.id, paper)

    @property
    def stored(self) -> Library:
        """The library on disk, without this run's record of what it read."""
        return self._library

    @property
    def embedder(self) -> Embedder:
        return self._library.embedder

    @property
    def folder(self) -> Path:
        return self._library.folder

    # Recorded reads

    async def search(
        self,
        query: str,
        k: int = 10,
        filters: Filters = EVERYTHING,
        *,
        diversity: float = 0.0,
        citations: Citations | None = None,
    ) -> list[Hit]:
        """As `Library.search`, after live sources have been asked."""

        async def read() -> list[Hit]:
            await self._fetch(query, filters.before)
            hits = await self._library.search(query, k, filters, diversity=diversity, citations=citations)
            return await self._with_abstracts(hits)

        request = ["search", query, k, _as_json(filters), diversity, citations and _as_json(citations)]
        return await self._hits(request, read)

    async def nearest(self, text: str, k: int = 10, filters: Filters = EVERYTHING) -> list[Hit]:
        """As `Library.nearest`."""
        request = ["nearest", text, k, _as_json(filters)]
        return await self._hits(request, lambda: self._library.nearest(text, k, filters))

    async def rank(self, text: str, papers: Sequence[Paper]) -> list[Hit]:
        """As `Library.rank`."""
        request = ["rank", text, [paper.id for paper in papers]]
        return await self._hits(request, lambda: self._library.rank(text, papers))

    async def expand(self, paper: Paper, topic: str, filters: Filters = EVERYTHING) -> None:
        """Has live sources fetch the references of a paper and papers that cite it, once for each run."""
        key = _key(["expand", paper.id, str(filters.before)])
        if key in self._reads:
            return
        try:
            await self._live.expand(paper, topic, filters.before)
        except SourceError as refusal:
            self._run.emit("note", text=str(refusal))
        self._record(key, True)

    def citing(self, paper_id: str, filters: Filters = EVERYTHING) -> list[Paper]:
        """As `Library.citing`."""
        request = ["citing", paper_id, _as_json(filters)]
        return self._papers_of(request, lambda: self._library.citing(paper_id, filters))

    def references(self, paper_id: str, filters: Filters = EVERYTHING) -> list[Paper]:
        """As `Library.references`."""
        request = ["references", paper_id, _as_json(filters)]
        return self._papers_of(request, lambda: self._library.references(paper_id, filters))

    def co_cited(self, paper_id: str, filters: Filters = EVERYTHING) -> list[Paper]:
        """As `Library.co_cited`."""
        request = ["co-cited", paper_id, _as_json(filters)]
        return self._papers_of(request, lambda: self._library.co_cited(paper_id, filters))

    def sharing_references(self, paper_id: str, filters: Filters = EVERYTHING) -> list[Paper]:
        """As `Library.sharing_references`."""
        request = ["sharing references", paper_id, _as_json(filters)]
        return self._papers_of(request, lambda: self._library.sharing_references(paper_id, filters))

    def find(self, title: str, year: int | None = None) -> Paper | None:
        """As `Library.find`."""

        def read() -> list[Paper]:
            paper = self._library.find(title, year)
            return [paper] if paper else []

        return next(iter(self._papers_of(["find", title, year], read)), None)

    def citations_before(self, paper_id: str, day: dt.date) -> int:
        """As `Library.citations_before`."""
        key = _key(["citations before", paper_id, day.isoformat()])
        if key not in self._reads:
            self._record(key, self._library.citations_before(paper_id, day))
        count = self._reads[key]
        return count if isinstance(count, int) else 0

    def get_many(self, ids: Iterable[str]) -> list[Paper]:
        """As `Library.get_many`; papers that this run has seen are as it saw them."""
        papers = (self._seen.get(paper_id) or self._seen_first(paper_id) for paper_id in dict.fromkeys(ids))
        return list({paper.id: paper for paper in papers if paper}.values())

    def get(self, paper_id: str) -> Paper | None:
        """As `get_many`, for one paper."""
        return next(iter(self.get_many([paper_id])), None)

    async def keyword_growth(
        self,
        question: str = "",
        k: int = 20,
        filters: Filters = EVERYTHING,
        *,
        neighbourhood: int = 2000,
        abstracts: bool = True,
    ) -> KeywordGrowth:
        """As `Library.keyword_growth`, over the papers that `nearest` returns."""
        return await keyword_growth(self, question, k, filters, neighbourhood, abstracts=abstracts)

    # Reads of the library as it is now

    def by_identifier(self, scheme: str, value: str) -> Paper | None:
        """As `Library.by_identifier`."""
        return self._library.by_identifier(scheme, value)

    def by_titles(self, titles: Iterable[str]) -> list[Paper]:
        """As `Library.by_titles`."""
        return self._library.by_titles(titles)

    def full_text(self, paper_id: str) -> str | None:
        """As `Library.full_text`."""
        return self._library.full_text(paper_id)

    def full_texts(self, paper_ids: Iterable[str]) -> dict[str, str]:
        """As `Library.full_texts`."""
        return self._library.full_texts(paper_ids)

    def vectors(self, ids: Iterable[str]) -> tuple[list[str], Vectors]:
        """As `Library.vectors`."""
        return self._library.vectors(ids)

    def papers(self, filters: Filters = EVERYTHING) -> Iterator[Paper]:
        """As `Library.papers`."""
        return self._library.papers(filters)

    def size(self) -> LibrarySize:
        """As `Library.size`."""
        return self._library.size()

    async def entities(self, filters: Filters = EVERYTHING, *, most: int = 20_000) -> EntityStore:
        """As `Library.entities`."""
        return await self._library.entities(filters, most=most)

    # Recording

    async def _fetch(self, query: str, before: dt.date | None) -> None:
        try:
            await self._live(query, before)
        except SourceError as refusal:
            self._run.emit("note", text=str(refusal))

    async def _with_abstracts(self, hits: list[Hit]) -> list[Hit]:
        """The hits with the abstracts that live sources have for those that had none."""
        missing = [hit.paper for hit in hits if not hit.paper.abstract]
        if not missing or not await self._live.complete(missing):
            return hits
        papers = {paper.id: paper for paper in self._library.get_many([paper.id for paper in missing])}
        return [hit.model_copy(update={"paper": papers.get(hit.paper.id, hit.paper)}) for hit in hits]

    async def _hits(self, request: Sequence[Any], read: Callable[[], Awaitable[list[Hit]]]) -> list[Hit]:
        key = _key(request)
        if key not in self._reads:
            hits = await read()
            for hit in hits:
                self._as_seen(hit.paper)
            self._record(key, [_row(hit) for hit in hits])
        rows = self._reads[key]
        return [_hit(row, self._seen) for row in rows] if isinstance(rows, list) else []

    def _papers_of(self, request: Sequence[Any], read: Callable[[], list[Paper]]) -> list[Paper]:
        key = _key(request)
        if key not in self._reads:
            self._record(key, [self._as_seen(paper).id for paper in read()])
        ids = self._reads[key]
        return [self._seen[str(paper_id)] for paper_id in ids] if isinstance(ids, list) else []

    def _seen_first(self, paper_id: str) -> Paper | None:
        paper = self._library.get(paper_id)
        return self._as_seen(paper) if paper else None

    def _as_seen(self, paper: Paper) -> Paper:
        """The paper as this run saw it first."""
        if paper.id not in self._seen:
            self._seen[paper.id] = paper
            self._run.emit(_SEEN, paper=paper.model_dump(mode="json", exclude_defaults=True))
        return self._seen[paper.id]

    def _record(self, key: str, result: JsonValue) -> None:
        if key not in self._reads:  # another branch may have read the same meanwhile
            self._reads[key] = result
            self._run.emit(_READ, read=key, found=result)


def _key(request: Sequence[Any]) -> str:
    return content_id("read", list(request))


def _as_json(value: Value) -> JsonValue:
    as_json: JsonValue = value.model_dump(mode="json")
    return as_json


def _row(hit: Hit) -> JsonValue:
    return {**hit.model_dump(mode="json", exclude={"paper"}), "paper": hit.paper.id}


def _hit(row: JsonValue, seen: dict[str, Paper]) -> Hit:
    assert isinstance(row, dict)
    return Hit.model_validate(row | {"paper": seen[str(row["paper"])]})
