"""Rising and fading keywords: which of them a growing share of papers uses, year by year, and which a shrinking one.

The trend is the slope of a logistic regression of "a paper of that year uses the keyword" on the year, after one step
from no trend and with a prior that holds rare keywords back. It is a trend of shares, so a field that grows as a whole
makes no keyword rise; its z is that of the Cochran-Armitage test for a trend in proportions.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from novum.core import Paper, Value
from novum.literature.filters import Filters
from novum.literature.hit import Hit
from novum.literature.search.ranking.keywords import keywords

_MOST_KEYWORDS = 2_000_000
"""Pairs of keyword and year counted at once, some 300 MB: beyond that the rarer half of the keywords is dropped, and
ones that return are counted from zero."""
_QUIET = 0.02
"""Years with a smaller share of the papers of the busiest year are left out."""
_PRIOR = 25.0
"""Precision of the prior: slopes of about ± 0.2 a year are expected."""
_CONTAINED = 0.7
"""Share of a shorter keyword's papers in which it is only a part of a longer one: then the longer one stands for it."""


class KeywordTrend(Value):
    """One keyword over the years."""

    keyword: str
    papers: dict[int, int]
    """Papers that use it, by year, years with none included."""
    shares: dict[int, float]
    """Of all papers of the year, 0 to 1."""
    growth: float
    """Estimated change of its odds from a year to the next, as a factor: 1.2 is a fifth more, below 1 it fades."""
    z: float
    """Significance: beyond ± 3 hardly chance, even of many keywords."""


class KeywordGrowth(Value):
    """What rises, most surely first, and what fades."""

    rising: tuple[KeywordTrend, ...]
    fading: tuple[KeywordTrend, ...]
    papers: dict[int, int]
    """All papers looked at, by year."""


class KeywordCounts:
    """The number of papers by year and keyword, in bounded memory."""

    def __init__(self, most: int = _MOST_KEYWORDS) -> None:
        self.papers: Counter[int] = Counter()
        self.by_year: dict[int, Counter[str]] = {}
        self._most = most

    def add(self, papers: Iterable[Paper], *, abstracts: bool = True) -> None:
        """Counts these papers, without those of unknown year."""
        held = sum(map(len, self.by_year.values()))
        for paper in papers:
            if paper.year is None:
                continue
            self.papers[paper.year] += 1
            counts = self.by_year.setdefault(paper.year, Counter())
            before = len(counts)
            counts.update(keywords(paper, abstract=abstracts))
            held += len(counts) - before
            if held > self._most:
                held = self._forget()

    def totals(self) -> Counter[str]:
        """Papers by keyword, of all years together."""
        return sum(self.by_year.values(), Counter())

    def _forget(self) -> int:
        """Keeps the more frequent half of the keywords, and returns the number of pairs that are left."""
        ordered = sorted(self.totals().items(), key=lambda one: (-one[1], one[0]))
        kept = {keyword for keyword, _ in ordered[: len(ordered) // 2]}
        for year, counts in self.by_year.items():
            self.by_year[year] = Counter({keyword: counts[keyword] for keyword in counts.keys() & kept})
        return sum(map(len, self.by_year.values()))


class _Papers(Protocol):
    def papers(self, filters: Filters) -> Iterator[Paper]: ...

    async def nearest(self, text: str, k: int, filters: Filters) -> list[Hit]: ...


async def keyword_growth(
    library: _Papers, question: str, k: int, filters: Filters, neighbourhood: int, *, abstracts: bool
) -> KeywordGrowth:
    """Counts the keywords of the papers nearest to a question, or without one of all papers that pass `filters`, and
    ranks them by growth. See `Library.keyword_growth`."""
    counted = KeywordCounts()
    if question.strip():
        nearest = await library.nearest(question, neighbourhood, filters)
        counted.add((hit.paper for hit in nearest), abstracts=abstracts)
    else:
        await asyncio.to_thread(counted.add, library.papers(filters), abstracts=abstracts)
    return growth(counted, k)


def growth(counted: KeywordCounts, k: int, *, fewest: int = 5, surely: float = 3.0) -> KeywordGrowth:
    """The `k` keywords that rise most surely and the `k` that fade, among those of at least `fewest` papers, with a z
    of `surely` or more either way. Years with hardly any papers beside the busiest are left out: one paper there would
    weigh more than a hundred elsewhere."""
    enough = max(counted.papers.values(), default=0) * _QUIET
    papers = {year: count for year, count in sorted(counted.papers.items()) if count >= enough}
    names = standing_alone(counted.totals(), fewest)
    if len(papers) < 2 or not names:
        return KeywordGrowth(rising=(), fading=(), papers=papers)
    table = np.array([[counted.by_year[year][name] for year in papers] for name in names], np.float64)
    slopes, z = trends(table, np.array([*papers.values()], np.float64), np.array([*papers], np.float64))

    def chosen(rows: Iterable[int]) -> tuple[KeywordTrend, ...]:
        return tuple(_trend(names[row], table[row], papers, slopes[row], z[row]) for row in islice(rows, k))

    order = sorted(range(len(names)), key=lambda row: (-z[row], names[row]))
    return KeywordGrowth(
        rising=chosen(row for row in order if z[row] >= surely),
        fading=chosen(row for row in reversed(order) if z[row] <= -surely),
        papers=papers,
    )


def standing_alone(totals: Mapping[str, int], fewest: int) -> list[str]:
    """Keywords of enough papers that are not mostly a part of a longer one."""
    frequent = {keyword: count for keyword, count in totals.items() if count >= fewest}
    parts = {
        part
        for keyword, count in frequent.items()
        for part in _parts(keyword)
        if count >= _CONTAINED * frequent.get(part, math.inf)
    }
    return [keyword for keyword in frequent if keyword not in parts]


def _parts(keyword: str) -> Iterator[str]:
    """Shorter runs of its words."""
    words = keyword.split()
    for size in range(1, len(words)):
        yield from (" ".join(words[start : start + size]) for start in range(len(words) - size + 1))


Table = NDArray[np.float64]


def trends(table: Table, totals: Table, years: Table) -> tuple[Table, Table]:
    """Slope of the log odds a year, and z, of each keyword, both shape (n,).

    `table`, shape (n, years): papers with each keyword; `totals` (years,): all papers.
    """
    middle = float(totals @ years / totals.sum())
    distance = years - middle
    share = table.sum(axis=1) / totals.sum()
    score = (table - share[:, None] * totals) @ distance
    information = share * (1 - share) * float(totals @ distance**2)
    z = np.divide(score, np.sqrt(information), out=np.zeros_like(score), where=information > 0)
    return score / (information + _PRIOR), z


def _trend(keyword: str, row: Table, papers: Mapping[int, int], slope: float, z: float) -> KeywordTrend:
    by_year = {year: int(count) for year, count in zip(papers, row, strict=True)}
    shares = {year: count / papers[year] for year, count in by_year.items()}
    return KeywordTrend(keyword=keyword, papers=by_year, shares=shares, growth=math.exp(slope), z=float(z))
