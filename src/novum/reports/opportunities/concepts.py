"""The concepts of opportunities as a reader sees them: years, numbers of papers, related concepts, typical papers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from novum.core.opportunity import Opportunity, OpportunityList, OpportunitySide
from novum.core.paper import Paper

MOST_YEARS = 24
"""Bars, the latest; years before them are only counted in the total."""


@dataclass(frozen=True)
class YearBar:
    """A bar: how many papers, and how high, 0 to 100."""

    year: int
    papers: int
    height: float


def year_bars(papers_by_year: Mapping[int, int], until: int, first: int) -> tuple[YearBar, ...]:
    """One for every year from `first`, or the latest, as high as its own best year: shapes are to be compared, sizes
    are told in words."""
    begin = min(max(first, until - MOST_YEARS + 1), until)
    counts = {year: max(papers_by_year.get(year, 0), 0) for year in range(begin, until + 1)}
    most = max(counts.values(), default=0) or 1
    return tuple(YearBar(year, papers, round(100 * (papers / most), 1)) for year, papers in counts.items())


_BILLION = 10**9


def concept_sides(openings: Iterable[Opportunity]) -> dict[str, OpportunitySide]:
    """Every concept once."""
    found: dict[str, OpportunitySide] = {}
    for opening in openings:
        for name, side in zip(opening.pair, (opening.one, opening.other), strict=True):
            found.setdefault(name, side)
    return found


def papers_of(side: OpportunitySide) -> int:
    """How many papers hold a concept, however odd the counts are."""
    return total_papers(side.papers_by_year)


def total_papers(year: Mapping[int, int]) -> int:
    """All of them."""
    return min(sum(max(number, 0) for number in year.values()), _BILLION)


@dataclass(frozen=True)
class ConceptView:
    """`number` is its anchor; `openings` are the numbers of the cards that name it."""

    number: int
    name: str
    first_year: int
    total: int
    years: tuple[YearBar, ...]
    beside: tuple[str, ...]
    papers: tuple[Paper, ...]
    openings: tuple[int, ...]


def concept_views(openings: OpportunityList, most: int) -> tuple[ConceptView, ...]:
    """Those of the first opportunities that the record tells of, alphabetical; all on the same years."""
    shown = openings.openings[:most]
    papers = {paper.id: paper for paper in openings.papers}
    named: dict[str, list[int]] = {}
    for number, opening in enumerate(shown, 1):
        for name in dict.fromkeys(opening.pair):
            named.setdefault(name, []).append(number)
    told = {gloss.concept: gloss for gloss in openings.concepts if gloss.concept in named}
    first = min((year for gloss in told.values() for year in gloss.papers_by_year), default=openings.until)
    return tuple(
        ConceptView(
            number=number,
            name=gloss.concept,
            first_year=gloss.first_year,
            total=total_papers(gloss.papers_by_year),
            years=year_bars(gloss.papers_by_year, openings.until, first),
            beside=gloss.beside,
            papers=tuple(papers[each] for each in dict.fromkeys(gloss.typical) if each in papers),
            openings=tuple(named[gloss.concept]),
        )
        for number, gloss in enumerate(told.values(), 1)
    )


def anchors(views: Sequence[ConceptView]) -> dict[str, str]:
    """Where each name leads to on the page."""
    return {view.name: f"concept-{view.number}" for view in views}
