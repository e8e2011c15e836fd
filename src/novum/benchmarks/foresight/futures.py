"""Find the papers nearest to a topic before and after a cut-off, year by year.

A paper of unknown date belongs to neither side. Where only its year is known, the whole year must lie on one side of
the cut-off: its last day must be before it, or its first day on it or later. Where the years after the cut-off are not
calendar years, such a paper belongs to the one with its last day.
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
"""Additional papers to look up, in case some are left out."""
PAPERS_PER_NEAR = 5
"""At most one in this number of papers of a year counts as near a topic. With more, topics would share one future."""


@dataclass(frozen=True)
class PaperSummary:
    """What a report shows of a paper."""

    paper_id: str
    title: str
    published: str

    @classmethod
    def of(cls, paper: Paper) -> PaperSummary:
        """The summary of a paper."""
        day = paper.public_by
        return cls(paper.id, paper.title, day.isoformat() if day else "")


@dataclass(frozen=True)
class TopicPapers:
    """The papers near one topic before and after one cut-off."""

    cutoff: Cutoff
    topic: str
    earlier: tuple[PaperSummary, ...]
    """Nearest papers from before the cut-off, nearest first."""
    years: tuple[tuple[PaperSummary, ...], ...]
    """Nearest papers of each year after it, nearest first; empty for a year that is not used."""


@dataclass(frozen=True)
class ComparisonPapers:
    """The papers of all topics under all cut-offs."""

    each: tuple[TopicPapers, ...]
    years: tuple[FutureYear, ...]
    pool: int
    """Papers near a topic in each year: the same number in all years, since more papers give more chances. 0: no year
    has enough."""
    again: int
    """Papers of the future that were left out, since a paper of the same title may have been public before."""


async def find_papers(
    library: Library, task: ForesightTask, progress: Callable[[str], None] = lambda line: None
) -> ComparisonPapers:
    """Finds the papers before and after each cut-off, for each topic. `progress` is called with a line of text."""
    years = [await _sized(library, task, cutoff, year) for cutoff in task.cutoffs for year in _years(task, cutoff)]
    pool = min((min(task.pool, year.papers // PAPERS_PER_NEAR) for year in years if year.used), default=0)
    found: list[TopicPapers] = []
    again: set[str] = set()
    for cutoff in task.cutoffs if pool else ():  # topics inside: a library caches the results of its last few filters
        under = [year for year in years if year.cutoff == cutoff.label]
        for number, topic in enumerate(task.topics, 1):
            prospect, left_out = await _prospect(library, task, cutoff, topic.topic, under, pool)
            found.append(prospect)
            again |= left_out
            progress(f"up to {cutoff.label}: papers before and after for {number:,} of {len(task.topics):,} topics")
    return ComparisonPapers(tuple(found), tuple(years), pool, len(again))


def _years(task: ForesightTask, cutoff: Cutoff) -> list[FutureYear]:
    return years_after(cutoff, task.horizon)


async def _sized(library: Library, task: ForesightTask, cutoff: Cutoff, year: FutureYear) -> FutureYear:
    """The year with its number of papers, counted up to the number that is needed."""
    papers = len((await _future(library, task.topics[0].topic, cutoff.day, year, PAPERS_PER_NEAR * task.pool)).papers)
    return year.model_copy(update={"papers": papers, "used": papers >= PAPERS_PER_NEAR * task.neighbours})


async def _prospect(
    library: Library, task: ForesightTask, cutoff: Cutoff, topic: str, under: Sequence[FutureYear], pool: int
) -> tuple[TopicPapers, set[str]]:
    """The papers of one topic, and the ids of those that were left out because they were public before."""
    hits = await library.nearest(topic, task.earlier, Filters(before=cutoff.day))
    years: list[tuple[PaperSummary, ...]] = []
    again: set[str] = set()
    for year in under:
        future = await _future(library, topic, cutoff.day, year, pool if year.used else 0)
        years.append(tuple(map(PaperSummary.of, future.papers)))
        again |= future.again
    return TopicPapers(cutoff, topic, tuple(PaperSummary.of(hit.paper) for hit in hits), tuple(years)), again


@dataclass(frozen=True)
class _Future:
    """Papers of one year near one topic, nearest first, and the ids of those that were left out."""

    papers: list[Paper]
    again: set[str]


async def _future(library: Library, topic: str, day: dt.date, year: FutureYear, number: int) -> _Future:
    """The `number` papers of a year that are nearest to a topic, were certainly not public before `day`, and have a
    title that no paper had then."""
    wanted = number + _SPARE
    while True:
        hits = await library.nearest(topic, wanted if number else 0, Filters(since=year.since, before=year.before))
        papers = [hit.paper for hit in hits if _certainly_from(hit.paper, day)]
        there = _titles_before(library, papers, day)
        again = {paper.id for paper in papers if squeezed(paper.title) in there}
        fresh = [paper for paper in papers if paper.id not in again]
        if len(fresh) >= number or len(hits) < wanted:
            return _Future(fresh[:number], again)
        wanted *= 4


def _titles_before(library: Library, papers: Sequence[Paper], day: dt.date) -> set[str]:
    """Normalised titles of papers that may have been public before `day`, such as preprints of later papers."""
    titles = [paper.title for paper in papers if squeezed(paper.title)]
    return {squeezed(paper.title) for paper in library.by_titles(titles) if not _certainly_from(paper, day)}


def _certainly_from(paper: Paper, day: dt.date) -> bool:
    """Whether the paper was certainly not public before `day`. Where its date lies after its year, the year counts."""
    first = _first_possible(paper.date) if paper.date else None
    if paper.year and (first is None or first.year > paper.year):
        first = dt.date(paper.year, 1, 1)
    return first is not None and first >= day


def _first_possible(day: dt.date) -> dt.date:
    """The first day that a date may mean: the last day of a year or month can stand for the whole of it."""
    if (day.month, day.day) == (12, 31):
        return day.replace(month=1, day=1)
    return day.replace(day=1) if (day + dt.timedelta(days=1)).day == 1 else day
