"""The data that filters use, for all papers, as columns in memory: filtering a million papers takes a few comparisons.
It also has the ids of papers: a search result names the ids of all papers that it cites, whose rows are far apart.

The columns are a copy of what the rows say, as of a change number, kept in a file beside the other indexes: opening a
large library reads eighty bytes a paper, and only what was written since from the database.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

import numpy as np
import orjson
from numpy.typing import NDArray
from sqlalchemy import Row

from novum.files.atomic import atomic_path
from novum.literature.filters import EVERYTHING, Filters, field_key, venue_key
from novum.literature.search.locking import exclusive
from novum.literature.store.changed_rows import changed_pages, removed_since
from novum.literature.store.database import Database

Numbers = NDArray[np.int64]
"""Row numbers, ascending."""

_PAGE = 20_000
_ID = "S32"
"""As long as the column of the rows."""
_WORTH_SAVING = 0.01
"""Minimum share of new papers for which the file is written again."""
_WORTH_A_FILE = 20_000
"""Papers below which reading the rows is as fast."""


@dataclass(frozen=True, eq=False)
class Catalogue:
    """Columns in order of row number: `paper_id` (ASCII), `public_by` (ordinal day, 0: unknown), `citations` (0: none
    or unknown), `venue` (hash of its key), and the hashes of all fields of all papers one after the other, each paper's
    up to `fields_to`.
    """

    numbers: Numbers
    paper_id: NDArray[np.bytes_]
    public_by: NDArray[np.int32]
    citations: NDArray[np.int32]
    venue: NDArray[np.int64]
    field: NDArray[np.int64]
    fields_to: NDArray[np.int64]
    library: str = ""
    """The identity of the library."""
    change: int = -1
    """The change number up to which all rows are included."""
    unsaved: int = 0
    """Rows added since the file was written."""

    @classmethod
    def empty(cls) -> Self:
        """The catalogue of an empty library."""
        none, short = np.zeros(0, np.int64), np.zeros(0, np.int32)
        return cls(none, np.zeros(0, _ID), short, short, none, none, none)

    @classmethod
    def load(cls, file: Path) -> Self:
        """Reads the file; empty when it is missing or damaged."""
        try:
            with np.load(file) as columns:
                arrays = {name: columns[name] for name in _COLUMNS}
                return cls(**arrays, library=str(columns["library"]), change=int(columns["change"]))
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return cls.empty()

    def save(self, file: Path) -> Self:
        """Writes the file if enough is new and no other process does, and returns the catalogue. Raises
        LibraryError."""
        if len(self) < _WORTH_A_FILE or self.unsaved <= _WORTH_SAVING * len(self):
            return self
        with exclusive(file.parent) as alone:
            if not alone:
                return self
            with atomic_path(file) as fresh, fresh.open("wb") as opened:
                np.savez(opened, **self.columns, library=self.library, change=self.change)
        return replace(self, unsaved=0)

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def columns(self) -> dict[str, Any]:
        """The arrays by name."""
        return {name: getattr(self, name) for name in _COLUMNS}

    def updated_from(self, database: Database) -> Self:
        """The catalogue with all later changes; rebuilt when it is of another library, or ahead of the database, which
        was restored from a copy."""
        change = database.last_change()
        if self.change >= 0 and (change < self.change or self.library != database.identity):
            return self.empty().updated_from(database)
        if change == self.change:
            return self
        news = [_columns_of(page) for page in changed_pages(database, _READ, self.change, change, _PAGE)]
        gone = np.array(removed_since(database, self.change), np.int64)
        replaced = np.concatenate([gone, *(page.numbers for page in news)])
        parts = [self._without(replaced), *news]
        joint: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in _FLAT}
        counts = np.concatenate([part.field_counts for part in parts])
        ordered = _in_order(Catalogue(**joint, fields_to=np.cumsum(counts)))
        unsaved = self.unsaved + len(replaced)
        return type(self)(**ordered.columns, library=database.identity, change=change, unsaved=unsaved)

    @property
    def field_counts(self) -> NDArray[np.int64]:
        """Fields of each paper."""
        return np.diff(self.fields_to, prepend=0)

    def _without(self, numbers: Numbers) -> Catalogue:
        remaining = ~np.isin(self.numbers, numbers)
        return self if remaining.all() else self._at_places(np.flatnonzero(remaining))

    def _at_places(self, places: NDArray[np.int64]) -> Catalogue:
        """The catalogue of the papers at these places, in order."""
        counts = self.field_counts[places]
        to = np.cumsum(counts)
        own = np.arange(int(to[-1]) if len(to) else 0) - np.repeat(to - counts, counts)
        begins = self.fields_to[places] - counts
        return Catalogue(
            self.numbers[places],
            self.paper_id[places],
            self.public_by[places],
            self.citations[places],
            self.venue[places],
            self.field[np.repeat(begins, counts) + own],
            to,
        )

    def ids(self, numbers: Iterable[int]) -> dict[int, str]:
        """Ids of the papers of these rows; unknown rows are left out."""
        requested = np.unique(np.fromiter(numbers, np.int64))
        if not len(requested) or not len(self):
            return {}
        places = np.minimum(np.searchsorted(self.numbers, requested), len(self) - 1)
        known = self.numbers[places] == requested
        ids = self.paper_id[places[known]].astype(str).tolist()
        return dict(zip(requested[known].tolist(), ids, strict=True))

    def passing(self, filters: Filters, excluded: Iterable[int] = ()) -> Numbers | None:
        """Row numbers that meet `filters`, whose `exclude_ids` are given as row numbers; None: all of them do."""
        hidden = list(excluded)
        if filters == EVERYTHING and not hidden:
            return None
        passes = np.ones(len(self), dtype=bool)
        if filters.before is not None:
            passes &= (self.public_by > 0) & (self.public_by < filters.before.toordinal())
        if filters.since is not None:
            passes &= self.public_by >= filters.since.toordinal()
        if filters.min_citations is not None:
            passes &= self.citations >= filters.min_citations
        if filters.fields:
            passes &= self._of_fields(filters.field_keys)
        if filters.venues:
            passes &= _any_of(self.venue, filters.venue_keys)
        if hidden:
            passes &= ~np.isin(self.numbers, hidden)
        return self.numbers[passes]

    def _of_fields(self, keys: Iterable[str]) -> NDArray[np.bool_]:
        marked = np.zeros(len(self), dtype=bool)
        found = np.flatnonzero(_any_of(self.field, keys))
        marked[np.searchsorted(self.fields_to, found, side="right")] = True
        return marked


_READ = ("number", "paper_id", "public_by", "citation_count", "venue", "fields")
_COLUMNS = [one.name for one in fields(Catalogue) if one.name not in {"library", "change", "unsaved"}]
_FLAT = [name for name in _COLUMNS if name != "fields_to"]


def _any_of(column: NDArray[np.int64], keys: Iterable[str]) -> NDArray[np.bool_]:
    """Where `column` has the hash of one of the keys."""
    return np.isin(column, [_hash(key) for key in keys])


@lru_cache(maxsize=100_000)
def _hash(key: str) -> int:
    digest = hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def _columns_of(page: Sequence[Row[Any]]) -> Catalogue:
    keys = [[_hash(field_key(name)) for name in orjson.loads(row.fields)] for row in page]
    return Catalogue(
        np.array([row.number for row in page], np.int64),
        np.array([row.paper_id for row in page], _ID),
        np.array([row.public_by or 0 for row in page], np.int32),
        np.array([min(row.citation_count or 0, 2**31 - 1) for row in page], np.int32),
        np.array([_hash(venue_key(row.venue)) for row in page], np.int64),
        np.array([key for own in keys for key in own], np.int64),
        np.cumsum([len(own) for own in keys]),
    )


def _in_order(catalogue: Catalogue) -> Catalogue:
    """Sorted by row number; new papers have the highest, so there is mostly nothing to do."""
    if np.all(catalogue.numbers[1:] > catalogue.numbers[:-1]):
        return catalogue
    return catalogue._at_places(np.argsort(catalogue.numbers, kind="stable"))
