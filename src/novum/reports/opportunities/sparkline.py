"""Papers by year as bars of a sparkline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

MOST_YEARS = 24
"""Bars, the latest; years before them are only counted in the total."""


@dataclass(frozen=True)
class Year:
    """A bar: how many papers, and how high, 0 to 100."""

    year: int
    papers: int
    height: float


def bars(papers_by_year: Mapping[int, int], until: int, first: int) -> tuple[Year, ...]:
    """One for every year from `first`, or the latest, as high as its own best year: shapes are to be compared, sizes
    are told in words."""
    begin = min(max(first, until - MOST_YEARS + 1), until)
    counts = {year: max(papers_by_year.get(year, 0), 0) for year in range(begin, until + 1)}
    most = max(counts.values(), default=0) or 1
    return tuple(Year(year, papers, round(100 * (papers / most), 1)) for year, papers in counts.items())
