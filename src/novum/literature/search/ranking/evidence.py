"""What citations add to a ranking: what the nearest papers cite, how much each is cited for its age, and what rests on
the same earlier work. Only citations known before a day count, so that a ranking of the past knows nothing of later."""

from __future__ import annotations

import datetime as dt
import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from novum.core import Value
from novum.literature.store import dated_links

Scores = NDArray[np.float64]

_DAYS = 365.25
_GRACE = 1.0
"""Years added to every age: a month-old paper with one citation is not twelve times as cited as one a year old."""


def as_scores(values: Iterable[float]) -> Scores:
    """An array, shape (n,)."""
    return np.fromiter(values, dtype=np.float64)


def cited_for_its_age(counts: Scores, days: Scores) -> Scores:
    """log(1 + citations a year) of each paper, shape (n,). `days`: since it was public, nan where that is unknown;
    such a paper is taken to be as old as the oldest of these."""
    oldest = np.nanmax(days, initial=0.0)
    years = np.maximum(np.nan_to_num(days, nan=oldest), 0) / _DAYS + _GRACE
    rated: Scores = np.log1p(counts / years)
    return rated


def coupling(one: Set[int], other: Set[int]) -> float:
    """Shared references relative to the geometric mean of both lists' lengths (Salton's cosine), 0 to 1."""
    if not one or not other:
        return 0.0
    return len(one & other) / math.sqrt(len(one) * len(other))


def strongest_coupling(papers: Iterable[Set[int]], given: Collection[Set[int]]) -> Scores:
    """For each paper's references its coupling with that one of the `given` that it is coupled with most, 0 to 1."""
    return as_scores(max((coupling(references, other) for other in given), default=0.0) for references in papers)


_NEARBY_WEIGHT, _COUNT_WEIGHT, _COUPLING_WEIGHT = 0.2, 0.04, 0.4
"""Beside a relevance of about 1 for the best paper."""


class Citations(Value):
    """How citations count in a search: by default all that were known before the day of the filters."""

    before: dt.date | None = None
    """Only citations by papers public before this day; None: before the day of the filters."""
    coupled_with: tuple[str, ...] = ()
    """Ids of papers: what rests on the same earlier work as one of these comes first."""


@dataclass(frozen=True)
class EvidenceColumns:
    """Which citations count: those known before `day`, except by the rows `without`; `given`: the rows with which
    bibliographic coupling counts."""

    day: dt.date | None
    without: Sequence[int] = ()
    given: Sequence[int] = ()

    @classmethod
    def of(cls, citations: Citations, before: dt.date | None, without: Sequence[int], given: Sequence[int]) -> Self:
        """`before`: the day of the filters, which holds as well."""
        days = [day for day in (citations.before, before) if day is not None]
        return cls(min(days, default=None), without, given)


def votes(connection: Connection, near: Mapping[int, float], day: dt.date | None) -> dict[int, float]:
    """For each row that the rows `near` cite, the sum of their weights, highest first, ties by row."""
    earned: dict[int, float] = defaultdict(float)
    for citing, cited in dated_links.cited_by(connection, near, day):
        earned[cited] += near[citing]
    return dict(sorted(earned.items(), key=lambda one: (-one[1], one[0])))


def standing(
    connection: Connection, rows: Sequence[int], earned: Mapping[int, float], known: EvidenceColumns
) -> Scores:
    """The amount that citations add to the relevance of each row, shape (len(rows),). `earned`: the result of `votes`
    for the nearest papers."""
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
