"""Does a search find what it should? Asked of the starter library, which knows what its papers cite."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from statistics import mean

import pytest

from novum.core import Paper
from novum.literature import Filters, Hit, Library, starter_entries
from novum.literature.search.ranking.evidence import Citations
from novum.statistics.ranking import ndcg

Way = Callable[[str, Filters], Awaitable[list[Hit]]]


@pytest.fixture(scope="module")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(Path(tmp_path_factory.mktemp("starter"))) as library:
        library.add(starter_entries())
        yield library


def gain(library: Library, asking: list[Paper], way: Way) -> float:
    """Mean nDCG@10 of what `asking` papers cite, among all that were public no later."""

    async def one(paper: Paper) -> float | None:
        day = (paper.public_by or dt.date.min) + dt.timedelta(days=1)
        filters = Filters(before=day, exclude_ids=(paper.id,))
        hits = await way(f"{paper.title}. {paper.gist}", filters)
        relevant = {cited.id for cited in library.references(paper.id, filters)}
        return ndcg([hit.paper.id for hit in hits], relevant)

    async def every() -> list[float]:
        found = [await one(paper) for paper in asking]
        return [value for value in found if value is not None]

    return mean(asyncio.run(every()))


@pytest.mark.slow
def test_words_and_meaning_together_find_more_cited_papers_than_meaning_alone_and_citations_more_still(
    starter: Library,
) -> None:
    asking = [paper for paper in starter.papers() if len(paper.references) >= 5][:150]
    together = gain(starter, asking, lambda text, filters: starter.search(text, 10, filters))
    meaning = gain(starter, asking, lambda text, filters: starter.nearest(text, 10, filters))
    cited = gain(starter, asking, lambda text, filters: starter.search(text, 10, filters, citations=Citations()))
    assert together > meaning + 0.05
    assert cited > together + 0.02
