"""The library of a run that brings in papers while it works: it grows under the run's feet, and must not seem to.

Before a search, live sources are asked the same. What a read showed is written to the ledger, each paper as it was
first seen; the same read shows the same for the rest of the run, also when it is taken up again. So a resumed run asks
models the very questions that it asked before, and no service twice.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

from pydantic import JsonValue

from novum.core import Paper, Value, content_id
from novum.errors import SourceError
from novum.ledger import Run
from novum.literature import Filters, Hit, Library
from novum.literature.filters import EVERYTHING
from novum.literature.search.ranking.evidence import Citations
from novum.reading.exploration.live_search import LiveSearch

_READ, _SEEN = "library-read", "library-seen"


class LiveLibrary(Library):
    """`library` as one run sees it, with what `live` brings."""

    def __init__(self, library: Library, run: Run, live: LiveSearch) -> None:
        vars(self).update(vars(library))  # the same database and indexes: a large library is held in memory once
        self.itself = library
        """Without what live sources bring, and without a memory of what was read."""
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

    # Reads that are remembered

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

        async def look() -> list[Hit]:
            await self._fetch(query, filters.before)
            return await Library.search(self, query, k, filters, diversity=diversity, citations=citations)

        asked = ["search", query, k, _told(filters), diversity, citations and _told(citations)]
        return await self._hits(asked, look)

    async def nearest(self, text: str, k: int = 10, filters: Filters = EVERYTHING) -> list[Hit]:
        """As `Library.nearest`."""
        return await self._hits(["nearest", text, k, _told(filters)], lambda: Library.nearest(self, text, k, filters))

    async def rank(self, text: str, papers: Sequence[Paper]) -> list[Hit]:
        """As `Library.rank`."""
        asked = ["rank", text, [paper.id for paper in papers]]
        return await self._hits(asked, lambda: Library.rank(self, text, papers))

    def citing(self, paper_id: str, filters: Filters = EVERYTHING) -> list[Paper]:
        """As `Library.citing`."""
        return self._papers_of(["citing", paper_id, _told(filters)], lambda: Library.citing(self, paper_id, filters))

    def references(self, paper_id: str, filters: Filters = EVERYTHING) -> list[Paper]:
        """As `Library.references`."""
        return self._papers_of(
            ["references", paper_id, _told(filters)], lambda: Library.references(self, paper_id, filters)
        )

    def find(self, title: str, year: int | None = None) -> Paper | None:
        """As `Library.find`."""

        def look() -> list[Paper]:
            found = Library.find(self, title, year)
            return [found] if found else []

        return next(iter(self._papers_of(["find", title, year], look)), None)

    def citations_before(self, paper_id: str, day: dt.date) -> int:
        """As `Library.citations_before`."""
        read = _name(["citations before", paper_id, day.isoformat()])
        if read not in self._reads:
            self._remember(read, Library.citations_before(self, paper_id, day))
        counted = self._reads[read]
        return counted if isinstance(counted, int) else 0

    def get_many(self, ids: Iterable[str]) -> list[Paper]:
        """As `Library.get_many`; papers that this run has seen are as it saw them."""
        found = (self._seen.get(paper_id) or self._first_sight(paper_id) for paper_id in dict.fromkeys(ids))
        return list({paper.id: paper for paper in found if paper}.values())

    # How

    async def _fetch(self, query: str, before: dt.date | None) -> None:
        try:
            await self._live(query, before)
        except SourceError as refusal:
            self._run.emit("note", text=str(refusal))

    async def _hits(self, asked: Sequence[Any], look: Callable[[], Awaitable[list[Hit]]]) -> list[Hit]:
        read = _name(asked)
        if read not in self._reads:
            found = await look()
            for hit in found:
                self._as_seen(hit.paper)
            self._remember(read, [_row(hit) for hit in found])
        rows = self._reads[read]
        return [_hit(row, self._seen) for row in rows] if isinstance(rows, list) else []

    def _papers_of(self, asked: Sequence[Any], look: Callable[[], list[Paper]]) -> list[Paper]:
        read = _name(asked)
        if read not in self._reads:
            self._remember(read, [self._as_seen(paper).id for paper in look()])
        ids = self._reads[read]
        return [self._seen[str(paper_id)] for paper_id in ids] if isinstance(ids, list) else []

    def _first_sight(self, paper_id: str) -> Paper | None:
        held = Library.get_many(self, [paper_id])
        return self._as_seen(held[0]) if held else None

    def _as_seen(self, paper: Paper) -> Paper:
        """The paper as this run saw it first."""
        if paper.id not in self._seen:
            self._seen[paper.id] = paper
            self._run.emit(_SEEN, paper=paper.model_dump(mode="json", exclude_defaults=True))
        return self._seen[paper.id]

    def _remember(self, read: str, found: JsonValue) -> None:
        if read not in self._reads:  # another branch may have read the same meanwhile
            self._reads[read] = found
            self._run.emit(_READ, read=read, found=found)


def _name(asked: Sequence[Any]) -> str:
    return content_id("read", list(asked))


def _told(value: Value) -> JsonValue:
    told: JsonValue = value.model_dump(mode="json")
    return told


def _row(hit: Hit) -> JsonValue:
    return {**hit.model_dump(mode="json", exclude={"paper"}), "paper": hit.paper.id}


def _hit(row: JsonValue, seen: dict[str, Paper]) -> Hit:
    assert isinstance(row, dict)
    return Hit.model_validate(row | {"paper": seen[str(row["paper"])]})
