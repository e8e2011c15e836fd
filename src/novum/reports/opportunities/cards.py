"""The card of one opportunity: numbers as small bars, years of both sides, papers, attempts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from novum.core.opportunity import Opportunity, OpportunityList, OpportunitySide
from novum.core.paper import Paper
from novum.reports.opportunities import phrases as words
from novum.reports.opportunities.concepts import YearBar, papers_of, year_bars
from novum.reports.opportunities.phrases import KINDS, Kind

_REACHES = (0.1, 0.2, 0.5, 1.0)


@dataclass(frozen=True)
class Gauge:
    """A share on a track from 0 to `reach`; `low`, `at`, `high` are places on it, 0 to 100, None where unknown."""

    name: str
    value: str
    interval: str
    reach: str
    low: float | None
    at: float | None
    high: float | None


@dataclass(frozen=True)
class SideView:
    """`papers` are found ones; `beside`: concepts that it goes with, as far as the record tells."""

    concept: str
    first_year: int
    total: int
    years: tuple[YearBar, ...]
    papers: tuple[Paper, ...]
    beside: tuple[str, ...]


@dataclass(frozen=True)
class Card:
    """`number` is its rank and its anchor."""

    number: int
    opening: Opportunity
    kind: Kind
    probability: Gauge
    attention: Gauge
    sides: tuple[SideView, SideView]
    attempts: tuple[Paper, ...]
    unusual: Gauge


def cards(openings: OpportunityList, most: int) -> tuple[Card, ...]:
    """The first ones, all on the same scale of probability."""
    shown = openings.openings[:most]
    papers = {paper.id: paper for paper in openings.papers}
    beside = {gloss.concept: gloss.beside for gloss in openings.concepts}
    reach = _reach(shown)
    return tuple(
        Card(
            number=number,
            opening=each,
            kind=KINDS[each.kind],
            probability=_gauge("Probability", each.probability, each.probability_interval, reach),
            attention=_gauge("Expected attention", each.attention, each.attention_interval, 1.0),
            sides=_both(each, papers, beside),
            attempts=_found(each.attempts, papers),
            unusual=_gauge("Unusual", each.unusual, None, 1.0, told=False),
        )
        for number, each in enumerate(shown, 1)
    )


def _reach(shown: Sequence[Opportunity]) -> float:
    """Where the tracks of probability end: most opportunities are unlikely, and on a track to 1 would look alike."""
    ends = [
        end for each in shown for end in (each.probability, *(words.clipped_interval(each.probability_interval) or ()))
    ]
    return next((reach for reach in _REACHES if max(ends, default=1.0) <= reach), 1.0)


def _gauge(
    name: str, share: float | None, interval: tuple[float, float] | None, reach: float, told: bool = True
) -> Gauge:
    """`told`: whether it should have an interval, so that a missing one is said."""
    ends = words.clipped_interval(interval) if share is not None else None
    return Gauge(
        name=name,
        value=words.percent(share),
        interval=words.interval(interval) if told and share is not None else "",
        reach=f"{100 * reach:.0f}%",
        low=_place(ends[0], reach) if ends else None,
        at=_place(share, reach) if share is not None else None,
        high=_place(ends[1], reach) if ends else None,
    )


def _place(share: float, reach: float) -> float:
    return round(100 * min(share / reach, 1.0), 1) if math.isfinite(share) else 0.0


def _both(
    opening: Opportunity, papers: Mapping[str, Paper], beside: Mapping[str, tuple[str, ...]]
) -> tuple[SideView, SideView]:
    """On the same years."""
    first = min(year for side in (opening.one, opening.other) for year in (*side.papers_by_year, opening.until))
    (one, here), (other, there) = zip(opening.pair, (opening.one, opening.other), strict=True)
    return (
        _side(one, here, first, opening.until, papers, beside.get(one, ())),
        _side(other, there, first, opening.until, papers, beside.get(other, ())),
    )


def _side(
    name: str, side: OpportunitySide, first: int, until: int, papers: Mapping[str, Paper], beside: tuple[str, ...]
) -> SideView:
    return SideView(
        concept=name,
        first_year=side.first_year,
        total=papers_of(side),
        years=year_bars(side.papers_by_year, until, first),
        papers=_found(side.papers, papers),
        beside=beside,
    )


def _found(ids: Sequence[str], papers: Mapping[str, Paper]) -> tuple[Paper, ...]:
    return tuple(papers[paper_id] for paper_id in dict.fromkeys(ids) if paper_id in papers)
