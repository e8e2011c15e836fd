"""Merges two descriptions of a paper, keeping the richer value of each field."""

from __future__ import annotations

import datetime as dt

from novum.core import Identifiers, Paper


def merge(known: Paper, news: Paper) -> Paper:
    """`known` with what `news` adds. Title and year stay, so that its id does, unless the year was not known.

    Gaps are filled; the longer abstract, summary and author list win; the higher citation count; every field of
    science; the earliest day that either vouches for. References are the library's business, and are left as they are.
    """
    return known.but(
        authors=_richer(known.authors, news.authors),
        year=known.year or news.year,
        date=_earliest(known, news),
        venue=_better_venue(known.venue, news.venue),
        ids=_all_identifiers(known.ids, news.ids),
        abstract=_longer(known.abstract, news.abstract),
        summary=known.summary or news.summary,
        fields=known.fields + tuple(name for name in news.fields if name not in known.fields),
        citation_count=max((c for c in (known.citation_count, news.citation_count) if c is not None), default=None),
    )


def _longer(known: str, news: str) -> str:
    return news if len(news) > len(known) else known


def _richer(known: tuple[str, ...], news: tuple[str, ...]) -> tuple[str, ...]:
    """The longer list; of two equally long ones, the first."""
    return news if len(news) > len(known) else known


def _better_venue(known: str, news: str) -> str:
    """A venue of publication replaces a preprint server."""
    preprint = not known or "arxiv" in known.casefold() or known.casefold() == "corr"
    return news if news and preprint else known


def _all_identifiers(known: Identifiers, news: Identifiers) -> Identifiers:
    return Identifiers(**(dict(news.items()) | dict(known.items())))


def _earliest(known: Paper, news: Paper) -> dt.date | None:
    """The earliest certain day; None if it is no more precise than the year."""
    days = [day for day in (known.public_by, news.public_by) if day]
    if not days:
        return None
    year = known.year or news.year
    first = min(days)
    return None if year and first == dt.date(year, 12, 31) and not (known.date or news.date) else first
