"""Which papers a query finds: in live sources and in the library, once for each run.

What a query found is written to the ledger as an event. A run that is taken up again finds the same papers, whatever
has come into the library since, and asks no live source twice.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from novum.core import Paper
from novum.errors import SourceError
from novum.literature import Filters
from novum.reading.exploration.live_search import Desk, LiveSearch

_FOUND = "found"


class Finder:
    """Searches on behalf of one exploration. `notes`: what went wrong with live sources."""

    def __init__(self, desk: Desk, question: str, before: dt.date | None, papers: int, live: LiveSearch | None) -> None:
        self.notes: list[str] = []
        self._desk = desk
        self._question = question
        self._filters = Filters(before=before)
        self._papers = papers
        self._live = live
        self._remembered = _found_before(desk, self._manner)

    async def find(self, queries: Sequence[str]) -> list[list[Paper]]:
        """The papers for each query, best first, all of them public before the day."""
        return [await self._find(query) for query in queries]

    def in_sight(self, title: str) -> bool:
        """Whether it does not name a paper of the library from after the day: a model may remember one."""
        paper = self._desk.library.find(title) if self._filters.before else None
        return paper is None or self._filters.admits(paper)

    @property
    def _manner(self) -> str:
        """What a search was for and how it was done: another one may find something else."""
        return f"{self._filters.before} {self._papers} {self._question}"

    async def _find(self, query: str) -> list[Paper]:
        if query in self._remembered:
            known = self._desk.library.get_many(self._remembered[query])
            return [paper for paper in known if self._filters.admits(paper)]
        await self._fetch(query)
        found = [hit.paper for hit in await self._desk.library.search(query, self._papers, self._filters)]
        ids = [paper.id for paper in found]
        self._remembered[query] = ids
        self._desk.run.emit(_FOUND, query=query, manner=self._manner, papers=list(ids))
        return found

    async def _fetch(self, query: str) -> None:
        if self._live is None:
            return
        try:
            await self._live(query, self._filters.before)
        except SourceError as refusal:
            note = f"The library alone was searched for «{query}»: {refusal}"
            self.notes.append(note)
            self._desk.run.emit("note", text=note)


def _found_before(desk: Desk, manner: str) -> dict[str, list[str]]:
    """What this run's searches found in earlier sessions of work on it."""
    remembered: dict[str, list[str]] = {}
    for event in desk.run.earlier(_FOUND):
        ids = event.data.get("papers")
        if event.data.get("manner") == manner and isinstance(ids, list):
            remembered.setdefault(str(event.data["query"]), [str(each) for each in ids])
    return remembered
