"""Ways to rank the papers of a library for a question: by words, by vectors, by both, and with what citations add."""

from __future__ import annotations

import datetime as dt
from collections.abc import Awaitable, Callable, Mapping
from typing import Self

from figures.retrieval_tasks import Question
from novum.literature import Library
from novum.literature.search.indexes import Indexes
from novum.literature.search.ranking.evidence import Citations
from novum.literature.store import reader
from novum.literature.store.database import open_database
from novum.statistics.ranking import reciprocal_rank_fusion

K = 10
_POOL = 50


class Opened:
    """A library, and its indexes by themselves: to ask one kind of evidence alone."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._database = open_database(library.folder, None)
        self.indexes = Indexes(self._database, library.folder / "index", library.embedder)

    async def catch_up(self) -> None:
        await self.library.index()
        await self.indexes.catch_up()

    def excluded(self, question: Question) -> list[int]:
        """Rows of the papers that the question's filters exclude."""
        with self._database.read() as connection:
            rows = (reader.number_of(connection, paper_id) for paper_id in question.filters.exclude_ids)
            return [row for row in rows if row is not None]

    def ids(self, rows: list[int]) -> list[str]:
        with self._database.snapshot() as connection:
            papers = reader.by_number(connection, rows)
        return [papers[row].id for row in rows]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()
        self.library.close()


Way = Callable[[Opened, Question], Awaitable[list[str]]]


async def _words(opened: Opened, question: Question, k: int = K) -> list[str]:
    return opened.ids(list(opened.indexes.worded(question.text, k, question.filters, opened.excluded(question))))


async def _vectors(opened: Opened, question: Question, k: int = K) -> list[str]:
    return [hit.paper.id for hit in await opened.library.nearest(question.text, k, question.filters)]


async def _by_rank(opened: Opened, question: Question) -> list[str]:
    lists = [await _words(opened, question, _POOL), await _vectors(opened, question, _POOL)]
    return reciprocal_rank_fusion(lists)[:K]


async def _hybrid(opened: Opened, question: Question) -> list[str]:
    return [hit.paper.id for hit in await opened.library.search(question.text, K, question.filters)]


async def _first_stage(opened: Opened, question: Question) -> list[str]:
    vector = await opened.indexes.vector(question.text)
    found = opened.indexes.search(question.text, vector, K, question.filters, opened.excluded(question))
    return opened.ids([one.number for one in found])


async def _varied(opened: Opened, question: Question) -> list[str]:
    hits = await opened.library.search(question.text, K, question.filters, diversity=0.3)
    return [hit.paper.id for hit in hits]


async def _citing(opened: Opened, question: Question, citations: Citations) -> list[str]:
    hits = await opened.library.search(question.text, K, question.filters, citations=citations)
    return [hit.paper.id for hit in hits]


async def _earlier_years(opened: Opened, question: Question) -> list[str]:
    return await _citing(opened, question, Citations(before=dt.date(question.year or 1, 1, 1)))


async def _same_year(opened: Opened, question: Question) -> list[str]:
    return await _citing(opened, question, Citations())


WAYS: Mapping[str, Way] = {
    "words (BM25)": _words,
    "vectors": _vectors,
    "reciprocal-rank fusion": _by_rank,
    "hybrid, first stage": _first_stage,
    "hybrid": _hybrid,
    "hybrid, diversity 0.3": _varied,
}
CITING_WAYS: Mapping[str, Way] = {
    "hybrid, citations of earlier years": _earlier_years,
    "hybrid, citations of the same year too": _same_year,
}
