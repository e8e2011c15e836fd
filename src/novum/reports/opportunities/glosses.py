"""The concepts of openings as a reader meets them: since when, how much, beside what, in which papers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from novum.core.opportunity import Openings
from novum.core.paper import Paper
from novum.reports.opportunities.concepts import papers_by
from novum.reports.opportunities.sparkline import Year, bars


@dataclass(frozen=True)
class ConceptView:
    """`number` is its anchor; `openings` are the numbers of the cards that name it."""

    number: int
    name: str
    first_year: int
    total: int
    years: tuple[Year, ...]
    beside: tuple[str, ...]
    papers: tuple[Paper, ...]
    openings: tuple[int, ...]


def concept_views(openings: Openings, most: int) -> tuple[ConceptView, ...]:
    """Those of the first openings that the record tells of, alphabetical; all on the same years."""
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
            total=papers_by(gloss.papers_by_year),
            years=bars(gloss.papers_by_year, openings.until, first),
            beside=gloss.beside,
            papers=tuple(papers[each] for each in dict.fromkeys(gloss.typical) if each in papers),
            openings=tuple(named[gloss.concept]),
        )
        for number, gloss in enumerate(told.values(), 1)
    )


def anchors(views: Sequence[ConceptView]) -> dict[str, str]:
    """Where each name leads to on the page."""
    return {view.name: f"concept-{view.number}" for view in views}
