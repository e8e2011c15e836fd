"""What came before and after a cut-off on a topic: the nearest papers, year by year.

A paper of unknown date is of neither time. Of one whose year alone is known, the year must lie wholly on one side of
the day: before it, its last day counts; after it, its first.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from novum.benchmarks.foresight.task import ForesightTask, years_after
from novum.core import Paper, normal_title
from novum.core.foresight import Cutoff, FutureYear
from novum.literature import Filters, Library

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
    """Papers of the future that were left out, as one of the same title was there before the day."""


async def prospects(
    library: Library, task: ForesightTask, told: Callable[[str], None] = lambda line: None
) -> Prospects:
    """Looks up what came before and after, for each topic under each cut-off."""
    years = [await _sized(library, task, cutoff, year) for cutoff in task.cutoffs for year in _years(task, cutoff)]
    pool = min((min(task.pool, year.papers // SHARE) for year in years if year.used), default=0)
    found: list[Prospect] = []
    again = 0
    for cutoff in task.cutoffs if pool else ():  # topics inside: a library remembers what passes its last few filters
        under = [year for year in years if year.cutoff == cutoff.label]
        for number, topic in enumerate(task.topics, 1):
            prospect, left_out = await _prospect(library, task, cutoff, topic.topic, under, pool)
            found.append(prospect)
            again += left_out
            told(f"up to {cutoff.label}: papers before and after for {number:,} of {len(task.topics):,} topics")
    return Prospects(tuple(found), tuple(years), pool, again)


def _years(task: ForesightTask, cutoff: Cutoff) -> list[FutureYear]:
    return years_after(cutoff, task.horizon)


async def _sized(library: Library, task: ForesightTask, cutoff: Cutoff, year: FutureYear) -> FutureYear:
    """With how many papers it has, counted up to as many as matter."""
    papers = len(await _future(library, task.topics[0].topic, cutoff.day, year, SHARE * task.pool))
    return year.model_copy(update={"papers": papers, "used": papers >= SHARE * task.neighbours})


async def _prospect(
    library: Library, task: ForesightTask, cutoff: Cutoff, topic: str, under: Sequence[FutureYear], pool: int
) -> tuple[Prospect, int]:
    """And how many papers were left out for being there before the day already."""
    hits = await library.nearest(topic, max(pool, task.earlier), Filters(before=cutoff.day))
    earlier = [hit.paper for hit in hits]
    known = {normal_title(paper.title) for paper in earlier}
    years, again = [], 0
    for year in under:
        papers = await _future(library, topic, cutoff.day, year, 2 * pool) if year.used else []
        fresh = [paper for paper in papers if normal_title(paper.title) not in known]
        again += len(papers) - len(fresh)
        years.append(tuple(map(Shown.of, fresh[:pool])))
    return Prospect(cutoff, topic, tuple(map(Shown.of, earlier[: task.earlier])), tuple(years)), again


async def _future(library: Library, topic: str, day: dt.date, year: FutureYear, number: int) -> list[Paper]:
    """The papers of a year that are nearest to a topic and certainly not from before `day`."""
    asked = number
    while True:
        hits = await library.nearest(topic, asked, Filters(since=year.since, before=year.before))
        papers = [hit.paper for hit in hits if _certainly_from(hit.paper, day)]
        if len(papers) >= number or len(hits) < asked:
            return papers[:number]
        asked *= 4


def _certainly_from(paper: Paper, day: dt.date) -> bool:
    """Whether the paper cannot have been public before `day`, as far as its dates tell."""
    first = paper.date or (dt.date(paper.year, 1, 1) if paper.year else None)
    return first is not None and first >= day
