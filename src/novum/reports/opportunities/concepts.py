"""The concepts of openings, each once, and how many papers hold one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from novum.core.opportunity import Opening, Side

_BILLION = 10**9


def sides(openings: Iterable[Opening]) -> dict[str, Side]:
    """Every concept once."""
    found: dict[str, Side] = {}
    for opening in openings:
        for name, side in zip(opening.pair, (opening.one, opening.other), strict=True):
            found.setdefault(name, side)
    return found


def papers_of(side: Side) -> int:
    """How many papers hold a concept, however odd the counts are."""
    return papers_by(side.papers_by_year)


def papers_by(year: Mapping[int, int]) -> int:
    """All of them."""
    return min(sum(max(number, 0) for number in year.values()), _BILLION)
