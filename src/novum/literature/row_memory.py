"""What was read of the rows before, for as long as nothing new is written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from novum.core import Paper
from novum.literature.store import lookup, reader
from novum.literature.store.database import Database

_REMEMBERED = 20_000
"""Papers kept in memory between searches."""


class RowMemory:
    """Papers and row numbers of a library, each read once. `ids_at`: ids of the papers of given rows as of a change
    number, as far as they are at hand."""

    def __init__(self, database: Database, ids_at: Callable[[Collection[int], int], Mapping[int, str]]) -> None:
        self._database = database
        self._ids_at = ids_at
        self._papers: dict[int, Paper] = {}
        self._papers_as_of = -1
        self._numbers: dict[str, int] = {}
        self._numbers_as_of = -1

    def numbers(self, ids: Iterable[str], change: int) -> dict[str, int]:
        """Row numbers by paper id, from memory where nothing was written up to `change` since they were read."""
        wanted = set(ids)
        if change != self._numbers_as_of or len(self._numbers) > _REMEMBERED:
            self._numbers, self._numbers_as_of = {}, change
        if missing := wanted - self._numbers.keys():
            with self._database.read() as connection:
                names = lookup.numbers_by_name(connection, (("paper", paper_id) for paper_id in missing))
            self._numbers |= {paper_id: number for (_, paper_id), number in names.items()}
        return {paper_id: self._numbers[paper_id] for paper_id in wanted if paper_id in self._numbers}

    def papers(self, numbers: Iterable[int], change: int) -> dict[int, Paper]:
        """Papers of these rows in this order, from memory where nothing was written up to `change` since they were
        read; rows that are no more are left out."""
        wanted = list(numbers)
        if change != self._papers_as_of or len(self._papers) > _REMEMBERED:
            self._papers, self._papers_as_of = {}, change
        if missing := [number for number in wanted if number not in self._papers]:
            with self._database.snapshot() as connection:
                self._papers |= reader.by_number(connection, missing, lambda rows: self._ids_at(rows, change))
        return {number: self._papers[number] for number in wanted if number in self._papers}
