"""Searching the library, and live sources before it, for the queries of an exploration.

The results of each query are recorded in the ledger, so a resumed run finds the same papers, even if the library has
changed, and sends no request to a live source twice.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from novum.core import Paper
from novum.core.concurrency import run_concurrently
from novum.errors import SourceError
from novum.literature import Filters
from novum.reading.exploration.live_search import LiveSearch, ReadingLab

_FOUND = "found"


class PaperFinder:
    """Searches for one exploration. `notes`: failures of live sources, for the report."""

    def __init__(
        self, lab: ReadingLab, question: str, before: dt.date | None, papers: int, live: LiveSearch | None
    ) -> None:
        self.notes: list[str] = []
        self._lab = lab
        self._question = question
        self._filters = Filters(before=before)
        self._papers = papers
        self._live = live
        self._recorded = _recorded_results(lab, self._search_key)

    async def find(self, queries: Sequence[str]) -> list[list[Paper]]:
        """The papers for each query, best first, all of them public before `before`."""
        return await run_concurrently(map(self._find, queries))

    def in_sight(self, title: str) -> bool:
        """False when `title` names a paper of the library from after `before`, which a model may remember."""
        paper = self._lab.library.find(title) if self._filters.before else None
        return paper is None or self._filters.admits(paper)

    @property
    def _search_key(self) -> str:
        """Identifies searches with the same question and settings: only these have the same results."""
        return f"{self._filters.before} {self._papers} {self._question}"

    async def _find(self, query: str) -> list[Paper]:
        if query in self._recorded:
            known = self._lab.library.get_many(self._recorded[query])
            return [paper for paper in known if self._filters.admits(paper)]
        await self._fetch(query)
        papers = [hit.paper for hit in await self._lab.library.search(query, self._papers, self._filters)]
        ids = [paper.id for paper in papers]
        self._recorded[query] = ids
        self._lab.run.emit(_FOUND, query=query, manner=self._search_key, papers=list(ids))
        return papers

    async def _fetch(self, query: str) -> None:
        if self._live is None:
            return
        try:
            await self._live(query, self._filters.before)
        except SourceError as refusal:
            note = f"The library alone was searched for «{query}»: {refusal}"
            self.notes.append(note)
            self._lab.run.emit("note", text=note)


def _recorded_results(lab: ReadingLab, search_key: str) -> dict[str, list[str]]:
    """The results of this run's searches before it was resumed, by query."""
    recorded: dict[str, list[str]] = {}
    for event in lab.run.earlier(_FOUND):
        ids = event.data.get("papers")
        if event.data.get("manner") == search_key and isinstance(ids, list):
            recorded.setdefault(str(event.data["query"]), [str(each) for each in ids])
    return recorded
