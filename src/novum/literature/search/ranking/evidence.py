"""What citations add to a ranking: what the nearest papers cite, how much each is cited for its age, and what rests on
the same earlier work. Only citations known before a day count, so that a ranking of the past knows nothing of later."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from sqlalchemy import Connection

from novum.core import Value
from novum.literature.search.ranking.counted import Scores, as_scores, cited_for_its_age
from novum.literature.search.ranking.coupling import strongest_coupling
from novum.literature.store import dated_links

_NEARBY_WEIGHT, _COUNT_WEIGHT, _COUPLING_WEIGHT = 0.2, 0.04, 0.4
"""Beside a relevance of about 1 for the best paper."""


class Citations(Value):
    """How citations count in a search: by default all that the filters' `before` lets be known."""

    before: dt.date | None = None
    """Only citations by papers public before this day; None: before the day of the filters."""
    coupled_with: tuple[str, ...] = ()
    """Ids of papers: what rests on the same earlier work as one of these comes first."""


@dataclass(frozen=True)
class Known:
    """What is asked of citations: those known before `day`, except by the rows `without`; `given`: rows to be coupled
    with."""

    day: dt.date | None
    without: Sequence[int] = ()
    given: Sequence[int] = ()

    @classmethod
    def of(cls, citations: Citations, before: dt.date | None, without: Sequence[int], given: Sequence[int]) -> Self:
        """`before`: the day of the filters, which holds as well."""
        told = [day for day in (citations.before, before) if day is not None]
        return cls(min(told, default=None), without, given)


def votes(connection: Connection, near: Mapping[int, float], day: dt.date | None) -> dict[int, float]:
    """For each row that the `near` ones cite the sum of their weights, most first, ties by row."""
    earned: dict[int, float] = defaultdict(float)
    for citing, cited in dated_links.cited_by(connection, near, day):
        earned[cited] += near[citing]
    return dict(sorted(earned.items(), key=lambda one: (-one[1], one[0])))


def standing(connection: Connection, rows: Sequence[int], earned: Mapping[int, float], known: Known) -> Scores:
    """What citations add to the relevance of each row, shape (len(rows),). `earned`: votes of the nearest papers."""
    nearby = np.log1p(as_scores(earned.get(row, 0.0) for row in rows))
    counted = dated_links.counts(connection, rows, known.day, known.without)
    rated = cited_for_its_age(as_scores(counted[row] for row in rows), _ages(connection, rows, known.day))
    added: Scores = _NEARBY_WEIGHT * nearby + _COUNT_WEIGHT * rated
    if known.given:
        cites = dated_links.references(connection, [*rows, *known.given], None)
        given = [cites.get(row, frozenset()) for row in known.given]
        added += _COUPLING_WEIGHT * strongest_coupling((cites.get(row, frozenset()) for row in rows), given)
    return added


def _ages(connection: Connection, rows: Iterable[int], day: dt.date | None) -> Scores:
    """Days since each row was public, nan where that is unknown."""
    public = dated_links.days(connection, rows)
    today = day.toordinal() if day else max(public.values(), default=0)
    return as_scores(today - public[row] if row in public else np.nan for row in rows)
