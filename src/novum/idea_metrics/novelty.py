"""Novelty against the literature: distance of a subject from papers of the library before and since a day, and its rank
among real papers of the same year and field.

After *Many Heads Are Better Than One* (VirSci), which measures proposals of teams of agents; the formulas are in
`idea_metrics/dissimilarity.py`.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import hashlib
import heapq
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from novum.core import Paper, Subject
from novum.idea_metrics.dissimilarity import (
    NeighbourPaper,
    Novelty,
    NoveltyMeasure,
    dissimilarity,
    impact,
    overall_novelty,
    percentile,
    relative,
)
from novum.literature import Filters, Hit, Library
from novum.literature.filters import field_key

NEAREST = 5
"""Nearest papers before and since the day, as in the source."""
SAMPLE = 200
"""Real papers that a subject is compared with."""
FEWEST = 20
"""Where a year and field has fewer papers, all fields of that year are used, then earlier years."""
_YEARS_BACK = 30


@dataclass(frozen=True)
class _Neighbours:
    """The papers nearest to one text, before and since a day."""

    earlier: tuple[NeighbourPaper, ...]
    later: tuple[NeighbourPaper, ...]
    fields: Counter[str]
    """Number of these papers by field."""

    @property
    def numbers(self) -> dict[str, float | None]:
        """The measures, by the names of the fields of `Novelty`."""
        past = dissimilarity([each.similarity for each in self.earlier])
        now = dissimilarity([each.similarity for each in self.later])
        reach = impact(each.relative_citations for each in self.later)
        whole = overall_novelty(past, now, reach)
        return {"historical": past, "contemporary": now, "impact": reach, "overall": whole}


@dataclass(frozen=True)
class _Peers:
    """Real papers to compare with: a description, and their measures."""

    description: str = ""
    numbers: Sequence[dict[str, float | None]] = ()


@dataclass
class NoveltyMeter:
    """Measures subjects against one library. Measures of real papers are stored for the next subject."""

    library: Library
    before: dt.date | None = None
    """The day that separates earlier from later papers; None: the first day of a subject's year, and for a subject
    without a year the day after the library's newest paper."""
    nearest: int = NEAREST
    sample: int = SAMPLE
    seed: int = 0
    _usual: dict[int, float] | None = None
    _newest: dt.date = dt.date.min
    _peers: dict[tuple[dt.date, str], _Peers] = field(default_factory=dict)

    async def measure(self, subject: Subject, itself: str | None = None) -> Novelty:
        """The novelty of a subject. `itself`: the id of the paper that the subject is, if any; it is not compared with
        itself."""
        await asyncio.to_thread(self._usual_citations)
        day = self._day(subject)
        if not any(map(str.isalpha, subject.whole)):
            return Novelty(subject=subject, day=day, notes=("It has no text to compare with papers.",))
        around = await self._around(subject.whole, day, itself)
        if not around.earlier and not around.later:
            return Novelty(subject=subject, day=day, notes=(_NOTHING,))
        peers = await self._peers_of(day, _field_of(subject, around))
        values = around.numbers
        stands = {
            name: NoveltyMeasure(value=value, percentile=percentile(value, [each[name] for each in peers.numbers]))
            for name, value in values.items()
        }
        return Novelty(
            subject=subject,
            day=day,
            earlier=around.earlier,
            later=around.later,
            compared_with=peers.description,
            notes=tuple(_notes(around, values, peers, day, self.nearest)),
            **stands,
        )

    def _day(self, subject: Subject) -> dt.date:
        if self.before is not None:
            return self.before
        if subject.year is not None and dt.MINYEAR <= subject.year <= dt.MAXYEAR:
            return dt.date(subject.year, 1, 1)
        return min(self._newest, dt.date.max - dt.timedelta(days=1)) + dt.timedelta(days=1)

    async def _around(self, text: str, day: dt.date, itself: str | None) -> _Neighbours:
        results = [await self.library.nearest(text, self.nearest + 1, when) for when in _sides(day)]
        # Without a word that the embedder knows, all similarities are 0: then there are no nearest papers.
        selected = [
            [hit for hit in hits if hit.paper.id != itself and hit.similarity][: self.nearest] for hits in results
        ]
        earlier, later = ([self._neighbour(hit) for hit in hits] for hits in selected)
        fields = Counter(name for hits in selected for hit in hits for name in hit.paper.fields[:1])
        return _Neighbours(tuple(earlier), tuple(later), fields)

    def _neighbour(self, hit: Hit) -> NeighbourPaper:
        paper = hit.paper
        usual = self._usual_citations().get(paper.year) if paper.year is not None else None
        return NeighbourPaper(
            paper_id=paper.id,
            title=paper.title,
            year=paper.year,
            similarity=max(-1.0, min(1.0, hit.similarity)),
            citations=paper.citation_count,
            relative_citations=relative(paper.citation_count, usual),
        )

    def _usual_citations(self) -> dict[int, float]:
        """Mean citation count by year, of papers with a known count. Reads the library once."""
        if self._usual is None:
            totals: Counter[int] = Counter()
            papers: Counter[int] = Counter()
            for paper in self.library.papers():
                self._newest = max(self._newest, paper.public_by or dt.date.min)
                if paper.year is not None and paper.citation_count is not None:
                    totals[paper.year] += max(paper.citation_count, 0)
                    papers[paper.year] += 1
            self._usual = {year: totals[year] / number for year, number in papers.items()}
        return self._usual

    async def _peers_of(self, day: dt.date, name: str) -> _Peers:
        if (day, name) not in self._peers:
            self._peers[day, name] = await self._find_peers(day, name)
        return self._peers[day, name]

    async def _find_peers(self, day: dt.date, name: str) -> _Peers:
        """Papers of the year of the day if there are enough, else of the last earlier year that has enough."""
        for year in range(day.year, max(day.year - _YEARS_BACK, dt.MINYEAR), -1):
            since = dt.date(year, 1, 1)
            for fields in ((name,), ()) if name else ((),):
                filters = Filters(since=since, before=_next_year(year), fields=fields)
                papers = await asyncio.to_thread(self._sample, filters)
                if len(papers) >= FEWEST:
                    cut = day if year == day.year else since
                    around = [await self._around(Subject.of_paper(each).whole, cut, each.id) for each in papers]
                    text = f"{len(papers):,} papers of {year}{f' in {name}' if fields else ''}"
                    return _Peers(text, [each.numbers for each in around])
        return _Peers()

    def _sample(self, filters: Filters) -> list[Paper]:
        """A random sample that depends on the seed and the papers of the library, not on the order in which they were
        added."""
        values: Iterable[Paper] = (paper for paper in self.library.papers(filters) if paper.gist.strip())
        return heapq.nsmallest(self.sample, values, key=lambda paper: _draw(self.seed, paper.id))


async def literature_novelty(
    library: Library,
    subjects: Sequence[Subject],
    before: dt.date | None = None,
    *,
    nearest: int = NEAREST,
    sample: int = SAMPLE,
    seed: int = 0,
    itself: Sequence[str | None] = (),
) -> list[Novelty]:
    """Novelty of each subject against `library`, the past ending before the day `before` (None: see `NoveltyMeter`).

    `itself`: for each subject the id of the paper that it is, if it is one. Raises LibraryError when the library cannot
    be read, ValueError when `itself` is not as long as `subjects`.
    """
    meter = NoveltyMeter(library, before, nearest, sample, seed)
    ids = itself or [None] * len(subjects)
    return [await meter.measure(subject, own) for subject, own in zip(subjects, ids, strict=True)]


_NOTHING = (
    "The library has no dated paper to compare with, or none that shares a word with it: add papers "
    "(`novum library add`)."
)


def _sides(day: dt.date) -> tuple[Filters, Filters]:
    return Filters(before=day), Filters(since=day)


def _next_year(year: int) -> dt.date:
    return dt.date(year + 1, 1, 1) if year < dt.MAXYEAR else dt.date.max


def _draw(seed: int, paper_id: str) -> bytes:
    return hashlib.blake2b(f"{seed}:{paper_id}".encode(), digest_size=8).digest()


def _field_of(subject: Subject, around: _Neighbours) -> str:
    """The field of the subject, else that of most of its nearest papers; empty where none is known."""
    if subject.fields:
        return field_key(subject.fields[0])
    counted = Counter[str]()
    for name, times in around.fields.items():
        counted[field_key(name)] += times
    return min(counted, key=lambda name: (-counted[name], name), default="")


def _notes(
    around: _Neighbours, values: dict[str, float | None], peers: _Peers, day: dt.date, nearest: int
) -> Iterable[str]:
    for papers, when, missing in (
        (around.earlier, f"from before {day}", "the distance from the past"),
        (around.later, f"of {day} or later", "the distance from later research"),
    ):
        if not papers:
            yield f"The library holds no paper {when}: {missing} is not available."
        elif len(papers) < nearest:
            yield f"Only {len(papers)} of {nearest} papers {when} are in the library: the mean is of these."
    if around.later and values["impact"] is None:
        yield "None of the later papers has a citation count: impact is not available."
    if values["contemporary"] == 0:
        yield "The nearest later papers are identical to it: overall novelty is infinite."
    if not peers.numbers:
        yield f"No year has {FEWEST} papers or more to compare with: percentiles are not available."
