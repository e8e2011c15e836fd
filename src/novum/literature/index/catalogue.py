"""What filters ask about, for all papers, as columns in memory: a filter over a million papers is a few comparisons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
import orjson
from numpy.typing import NDArray
from sqlalchemy import select

from novum.literature.filters import EVERYTHING, Filters, field_key, venue_key
from novum.literature.store.database import Database
from novum.literature.store.schema import papers

Numbers = NDArray[np.int64]
"""Row numbers, ascending."""


@dataclass(frozen=True, eq=False)
class Catalogue:
    """Columns in order of row number: `public_by` (ordinal day, 0: unknown) and `citations` (0: none or unknown);
    `fields` and `venues` map a key to the places in these columns."""

    numbers: Numbers
    public_by: NDArray[np.int32]
    citations: NDArray[np.int64]
    fields: Mapping[str, NDArray[np.int32]]
    venues: Mapping[str, NDArray[np.int32]]

    @classmethod
    def empty(cls) -> Self:
        """Of a library without papers."""
        return cls(np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int64), {}, {})

    @classmethod
    def load(cls, database: Database) -> Self:
        """From the rows."""
        columns = papers.c
        query = select(columns.number, columns.public_by, columns.citation_count, columns.fields, columns.venue)
        numbers: list[int] = []
        public_by: list[int] = []
        citations: list[int] = []
        fields: dict[str, list[int]] = defaultdict(list)
        venues: dict[str, list[int]] = defaultdict(list)
        with database.snapshot() as connection:
            rows = connection.execution_options(yield_per=10_000).execute(query.order_by(columns.number))
            for place, (number, day, cited, field_list, venue) in enumerate(rows):
                numbers.append(number)
                public_by.append(day or 0)
                citations.append(cited or 0)
                if venue:
                    venues[venue].append(place)
                for field in orjson.loads(field_list) if field_list != "[]" else ():
                    fields[field_key(field)].append(place)
        return cls(
            np.array(numbers, np.int64),
            np.array(public_by, np.int32),
            np.array(citations, np.int64),
            _arrays(fields.items()),
            _arrays((venue_key(venue), places) for venue, places in venues.items()),
        )

    def passing(self, filters: Filters, excluded: Iterable[int] = ()) -> Numbers | None:
        """Row numbers that meet `filters`, whose `exclude_ids` are given as row numbers; None: all of them do."""
        out = list(excluded)
        if filters == EVERYTHING and not out:
            return None
        passes = np.ones(len(self.numbers), dtype=bool)
        if filters.before is not None:
            passes &= (self.public_by > 0) & (self.public_by < filters.before.toordinal())
        if filters.since is not None:
            passes &= self.public_by >= filters.since.toordinal()
        if filters.min_citations is not None:
            passes &= self.citations >= filters.min_citations
        if filters.fields:
            passes &= self._any_of(self.fields, filters.field_keys)
        if filters.venues:
            passes &= self._any_of(self.venues, filters.venue_keys)
        if out:
            passes &= ~np.isin(self.numbers, out)
        return self.numbers[passes]

    def _any_of(self, places: Mapping[str, NDArray[np.int32]], keys: Iterable[str]) -> NDArray[np.bool_]:
        marked = np.zeros(len(self.numbers), dtype=bool)
        for key in keys:
            if key in places:
                marked[places[key]] = True
        return marked


def _arrays(lists: Iterable[tuple[str, list[int]]]) -> dict[str, NDArray[np.int32]]:
    together: dict[str, list[int]] = defaultdict(list)
    for key, places in lists:
        together[key].extend(places)
    return {key: np.array(places, np.int32) for key, places in together.items()}
