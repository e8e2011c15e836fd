"""What came before and after a cut-off on a topic: the nearest papers, year by year.

A paper of unknown date is of neither time. Of one whose year alone is known, the year must lie wholly on one side of
the day: before it, its last day counts; after it, its first. Which of the years after the day it belongs to is told by
its last day, where these are not calendar years.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from novum.benchmarks.foresight.records import Cutoff, FutureYear
from novum.benchmarks.foresight.task import ForesightTask, years_after
from novum.core import Paper
from novum.literature import Filters, Library
from novum.literature.identity import squeezed

_SPARE = 10
"""Papers looked up beyond those wanted, in case some are left out."""
SHARE = 5
"""At most one in so many papers of a year is near a topic: with more, the futures of all topics would be the same."""


@dataclass(frozen=True)
class Shown:
    """Of a paper what a report tells."""

    paper_id: str
    title: str
    published: str

    @classmethod
    def of(cls, paper: Paper) -> Shown:
        day = paper.public_by
        return cls(paper.id, paper.title, day.isoformat() if day else "")


@dataclass(frozen=True)
class Prospect:
    """One topic under one cut-off."""

    cutoff: Cutoff
    topic: str
    earlier: tuple[Shown, ...]
    """Nearest papers from before the day, nearest first."""
    years: tuple[tuple[Shown, ...], ...]
    """Nearest papers of each year after it, nearest first; empty for a year that is not compared with."""


@dataclass(frozen=True)
class Prospects:
    """All topics under all cut-offs."""

    each: tuple[Prospect, ...]
    years: tuple[FutureYear, ...]
    pool: int
    """Papers of each year that are near a topic: as many in all years, as more would be more chances. 0: no year has
    enough."""
    again: int
    """Papers of the future that were left out, as one of the same title may have been there before the day."""


async def prospects(
    library: Library, task: ForesightTask, told: Callable[[str], None] = lambda line: None
) -> Prospects:
    """Looks up what came before and after, for each topic under each cut-off."""
    years = [await _sized(library, task, cutoff, year) for cutoff in task.cutoffs for year in _years(task, cutoff)]
    pool = min((min(task.pool, year.papers // SHARE) for year in years if year.used), default=0)
    found: list[Prospect] = []
    again: set[str] = set()
    for cutoff in task.cutoffs if pool else ():  # topics inside: a library remembers what passes its last few filters
        under = [year for year in years if year.cutoff == cutoff.label]
        for number, topic in enumerate(task.topics, 1):
            prospect, left_out = await _prospect(library, task, cutoff, topic.topic, under, pool)
            found.append(prospect)
            again |= left_out
            told(f"up to {cutoff.label}: papers before and after for {number:,} of {len(task.topics):,} topics")
    return Prospects(tuple(found), tuple(years), pool, len(again))


def _years(task: ForesightTask, cutoff: Cutoff) -> list[FutureYear]:
    return years_after(cutoff, task.horizon)


async def _sized(library: Library, task: ForesightTask, cutoff: Cutoff, year: FutureYear) -> FutureYear:
    """With how many papers it has, counted up to as many as matter."""
    papers = len((await _future(library, task.topics[0].topic, cutoff.day, year, SHARE * task.pool)).papers)
    return year.model_copy(update={"papers": papers, "used": papers >= SHARE * task.neighbours})


async def _prospect(
    library: Library, task: ForesightTask, cutoff: Cutoff, topic: str, under: Sequence[FutureYear], pool: int
) -> tuple[Prospect, set[str]]:
    """And which papers were left out for being there before the day already."""
    hits = await library.nearest(topic, task.earlier, Filters(before=cutoff.day))
    years: list[tuple[Shown, ...]] = []
    again: set[str] = set()
    for year in under:
        future = await _future(library, topic, cutoff.day, year, pool if year.used else 0)
        years.append(tuple(map(Shown.of, future.papers)))
        again |= future.again
    return Prospect(cutoff, topic, tuple(Shown.of(hit.paper) for hit in hits), tuple(years)), again


@dataclass(frozen=True)
class _Future:
    """Papers of one year near one topic, nearest first, and the ids of those that were left out among them."""

    papers: list[Paper]
    again: set[str]


async def _future(library: Library, topic: str, day: dt.date, year: FutureYear, number: int) -> _Future:
    """The `number` papers of a year that are nearest to a topic, cannot be from before `day`, and have a title that no
    paper had then."""
    asked = number + _SPARE
    while True:
        hits = await library.nearest(topic, asked if number else 0, Filters(since=year.since, before=year.before))
        papers = [hit.paper for hit in hits if _certainly_from(hit.paper, day)]
        there = _titles_before(library, papers, day)
        again = {paper.id for paper in papers if squeezed(paper.title) in there}
        fresh = [paper for paper in papers if paper.id not in again]
        if len(fresh) >= number or len(hits) < asked:
            return _Future(fresh[:number], again)
        asked *= 4


def _titles_before(library: Library, papers: Sequence[Paper], day: dt.date) -> set[str]:
    """Squeezed titles of papers that may have been public before `day`: a preprint, say, which appears again later."""
    titles = [paper.title for paper in papers if squeezed(paper.title)]
    return {squeezed(paper.title) for paper in library.titled(titles) if not _certainly_from(paper, day)}


def _certainly_from(paper: Paper, day: dt.date) -> bool:
    """Whether the paper cannot have been public before `day`, as far as its dates tell. A date after its year
    contradicts it, and the year counts."""
    first = _first_possible(paper.date) if paper.date else None
    if paper.year and (first is None or first.year > paper.year):
        first = dt.date(paper.year, 1, 1)
    return first is not None and first >= day


def _first_possible(day: dt.date) -> dt.date:
    """The last day of a year or month may stand for all of it, of a paper that is not known more closely."""
    if (day.month, day.day) == (12, 31):
        return day.replace(month=1, day=1)
    return day.replace(day=1) if (day + dt.timedelta(days=1)).day == 1 else day
